/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command/command.h"

#include <stdlib.h>
#include <string.h>

#include <apr_file_io.h>
#include <apr_strings.h>
#include <apr_thread_proc.h>

#include "core/json.h"
#include "domain/method/method.h"
#include "methods/face/face_decision.h"
#include "methods/face/face_evaluation.h"

/* Error rates of face decisions on the operator's own recordings. Each
 * recording is read by verify-analyze in its sandbox and decided as in a
 * session. */

enum {
    RECORDINGS_MAX = 100000,
    PROMPTS_MAX = 200, /* bytes of the file `prompts` */
    /* --models DIR --method NAME, two words for each part, program and NULL */
    WORDS_MAX = 6 + 2 * (IDV_LIVENESS_PARTS + 1),
};

typedef struct {
    const char *name; /* "bona-fide" or the species of an attack */
    int passed, failed, undetermined, unreadable;
    apr_array_header_t *first, *second; /* of double: scores */
} kind_t;

typedef struct {
    const idv_call_t *call;
    const char *analyzer, *models;
    apr_array_header_t *words; /* of the current call of the analyzer */
    int recordings;
    apr_pool_t *pool; /* of the current recording */
} evaluation_t;

static kind_t *new_kind(const char *name, apr_pool_t *pool)
{
    kind_t *kind = apr_pcalloc(pool, sizeof(*kind));

    kind->name = name;
    kind->first = apr_array_make(pool, 64, sizeof(double));
    kind->second = apr_array_make(pool, 64, sizeof(double));
    return kind;
}

/* --- files --- */

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The directories in PATH, sorted by name. */
static idv_error_t *list_directories(const char *path,
                                     apr_array_header_t **names,
                                     apr_pool_t *pool)
{
    apr_finfo_t info;
    apr_dir_t *directory;
    apr_status_t status = apr_dir_open(&directory, path, pool);

    *names = apr_array_make(pool, 64, sizeof(const char *));
    if (status != APR_SUCCESS)
        return idv_error_apr(pool, status, "%s", path);
    while (apr_dir_read(&info, APR_FINFO_NAME | APR_FINFO_TYPE, directory)
           == APR_SUCCESS)
        if (info.name[0] != '.' && info.filetype == APR_DIR)
            APR_ARRAY_PUSH(*names, const char *) =
                apr_pstrdup(pool, info.name);
    apr_dir_close(directory);
    qsort((*names)->elts, (size_t)(*names)->nelts, sizeof(const char *),
          compare_names);
    return NULL;
}

static void say(evaluation_t *evaluation, const char *word)
{
    APR_ARRAY_PUSH(evaluation->words, const char *) = word;
}

static void begin_words(evaluation_t *evaluation, idv_method_t method)
{
    evaluation->words = apr_array_make(evaluation->pool, WORDS_MAX,
                                       sizeof(const char *));
    say(evaluation, evaluation->analyzer);
    say(evaluation, "--models");
    say(evaluation, evaluation->models);
    say(evaluation, "--method");
    say(evaluation, idv_method_value(method));
}

static void add_part(evaluation_t *evaluation, const char *part,
                     const char *directory, const char *file)
{
    say(evaluation, "--part");
    say(evaluation, apr_psprintf(evaluation->pool, "%s=%s/%s.jpg", part,
                                 directory, file));
}

/* The output of verify-analyze for the parts that were added. */
static idv_error_t *analyze(evaluation_t *evaluation, const char *directory,
                            idv_face_findings_t **findings)
{
    apr_pool_t *pool = evaluation->pool;
    char *text = apr_palloc(pool, IDV_FACE_FINDINGS_MAX + 1);
    apr_size_t length = IDV_FACE_FINDINGS_MAX + 1;
    apr_procattr_t *attributes;
    apr_proc_t process;
    apr_exit_why_e why;
    int code;
    apr_status_t status = apr_procattr_create(&attributes, pool);

    say(evaluation, NULL);
    if (status == APR_SUCCESS)
        status = apr_procattr_io_set(attributes, APR_NO_PIPE, APR_FULL_BLOCK,
                                     APR_NO_PIPE);
    if (status == APR_SUCCESS)
        status = apr_procattr_cmdtype_set(attributes, APR_PROGRAM_ENV);
    if (status == APR_SUCCESS)
        status = apr_proc_create(&process, evaluation->analyzer,
                                 (const char *const *)evaluation->words->elts,
                                 NULL, attributes, pool);
    if (status != APR_SUCCESS)
        return idv_error_apr(pool, status, "%s", evaluation->analyzer);
    apr_file_read_full(process.out, text, length, &length);
    apr_file_close(process.out);
    apr_proc_wait(&process, &code, &why, APR_WAIT);
    if (why != APR_PROC_EXIT || code != 0)
        return idv_error_internal(pool, "%s cannot be read", directory);
    return idv_face_findings_read(
        (idv_bytes_t){(const unsigned char *)text, length}, findings, pool);
}

static void count(kind_t *kind, const idv_method_outcome_t *outcome)
{
    kind->passed += outcome->verdict == IDV_METHOD_PASSED;
    kind->failed += outcome->verdict == IDV_METHOD_FAILED;
    kind->undetermined += outcome->verdict == IDV_METHOD_UNDETERMINED;
    kind->unreadable += outcome->verdict == IDV_METHOD_UNREADABLE;
}

typedef idv_error_t *evaluate_t(evaluation_t *evaluation,
                                const char *directory, kind_t *kind);

/* Evaluates each recording in PATH as one of KIND. */
static idv_error_t *evaluate_all(evaluation_t *evaluation, const char *path,
                                 kind_t *kind, evaluate_t *evaluate)
{
    apr_pool_t *pool = evaluation->call->pool;
    apr_array_header_t *names;

    IDV_TRY(list_directories(path, &names, pool));
    for (int i = 0; i < names->nelts; i++) {
        idv_error_t *error;

        if (++evaluation->recordings > RECORDINGS_MAX)
            return idv_error_param(pool, "DIR", "More than %d recordings.",
                                   RECORDINGS_MAX);
        apr_pool_create(&evaluation->pool, pool);
        error = evaluate(evaluation,
                         apr_pstrcat(evaluation->pool, path, "/",
                                     APR_ARRAY_IDX(names, i, const char *),
                                     NULL),
                         kind);
        if (error)
            return error;
        apr_pool_destroy(evaluation->pool);
    }
    return NULL;
}

static idv_error_t *begin(idv_call_t *call, evaluation_t *evaluation)
{
    const char *analyzer = idv_call_option(call, "analyzer");
    const char *models = idv_call_option(call, "models");

    evaluation->call = call;
    evaluation->analyzer = analyzer ? analyzer : getenv("VERIFY_ANALYZER");
    evaluation->models = models ? models : getenv("VERIFY_MODELS");
    if (!evaluation->analyzer)
        return idv_error_param(call->pool, "analyzer",
                               "Required, unless VERIFY_ANALYZER is the path "
                               "of verify-analyze.");
    if (!evaluation->models)
        return idv_error_param(call->pool, "models",
                               "Required, unless VERIFY_MODELS is the "
                               "directory of models.");
    return NULL;
}

/* --- the answer --- */

static json_t *rate_json(idv_rate_t rate)
{
    return json_pack("{s:i, s:i, s:f, s:f, s:f}", "errors", rate.errors,
                     "count", rate.count, "rate", rate.rate, "low", rate.low,
                     "high", rate.high);
}

static int answered(const kind_t *kind)
{
    return kind->passed + kind->failed + kind->undetermined;
}

/* NAME is the rate for ERRORS, a count among the recordings with an answer. */
static json_t *kind_json(const kind_t *kind, const char *name, int errors)
{
    int all = answered(kind) + kind->unreadable;

    return json_pack(
        "{s:s, s:i, s:i, s:i, s:i, s:i, s:o, s:o, s:o}", "name", kind->name,
        "recordings", all, "passed", kind->passed, "failed", kind->failed,
        "undetermined", kind->undetermined, "unreadable", kind->unreadable,
        name, rate_json(idv_rate_of(errors, answered(kind))), "undetermined_rate",
        rate_json(idv_rate_of(kind->undetermined, answered(kind))),
        "no_response_rate", rate_json(idv_rate_of(kind->unreadable, all)));
}

static idv_scores_t scores_of(const apr_array_header_t *values)
{
    return (idv_scores_t){(const double *)values->elts, values->nelts};
}

/* Writes PLOT to the file of option --NAME, if it was given. */
static idv_error_t *write_plot(const idv_call_t *call, const char *option,
                               const idv_evaluation_plot_t *plot)
{
    const char *path = idv_call_option(call, option);
    const char *text = idv_evaluation_plot(plot, call->pool);
    apr_file_t *file;
    apr_status_t status;

    if (!path)
        return NULL;
    status = apr_file_open(&file, path,
                           APR_WRITE | APR_CREATE | APR_TRUNCATE,
                           APR_OS_DEFAULT, call->pool);
    if (status == APR_SUCCESS)
        status = apr_file_write_full(file, text, strlen(text), NULL);
    if (status == APR_SUCCESS)
        status = apr_file_close(file);
    return status == APR_SUCCESS ? NULL
                                 : idv_error_apr(call->pool, status, "%s", path);
}

/* --- liveness --- */

/* The prompts of a recording, four words, timed as if a person moved. */
static idv_error_t *read_challenge(const evaluation_t *evaluation,
                                   const char *directory,
                                   idv_liveness_challenge_t *challenge)
{
    apr_pool_t *pool = evaluation->pool;
    const char *path = apr_pstrcat(pool, directory, "/prompts", NULL);
    char text[PROMPTS_MAX + 1], *rest = text, *word;
    apr_size_t length = PROMPTS_MAX;
    apr_file_t *file;
    apr_status_t status = apr_file_open(&file, path, APR_READ, 0, pool);
    int steps = 0;

    if (status != APR_SUCCESS)
        return idv_error_apr(pool, status, "%s", path);
    apr_file_read_full(file, text, length, &length);
    apr_file_close(file);
    text[length] = '\0';
    memset(challenge, 0, sizeof(*challenge));
    while ((word = strtok_r(rest, " \r\n", &rest)) != NULL) {
        int prompt = 0;

        while (prompt < IDV_LIVENESS_PROMPT_COUNT
               && strcmp(idv_liveness_prompt_value(
                             (idv_liveness_prompt_t)prompt),
                         word)
                      != 0)
            prompt++;
        if (steps == IDV_LIVENESS_STEPS || prompt == IDV_LIVENESS_PROMPT_COUNT)
            return idv_error_param(pool, "DIR",
                                   "Expected four prompts in %s.", path);
        challenge->prompts[steps] = (idv_liveness_prompt_t)prompt;
        challenge->told[steps] = 1 + steps * IDV_LIVENESS_STEP_LEAST;
        challenge->arrived[steps] = 1 + (steps + 1) * IDV_LIVENESS_STEP_LEAST;
        steps++;
    }
    return steps == IDV_LIVENESS_STEPS
             ? NULL
             : idv_error_param(pool, "DIR", "Expected four prompts in %s.",
                               path);
}

/* The lowest score of the challenge, even if it failed. */
static double least_score(const json_t *summary)
{
    static const char *const names[] = {"challenge", "continuity", "presence",
                                        "light"};
    const json_t *liveness = json_object_get(summary, "liveness");
    double least = 1;

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        double score =
            json_number_value(json_object_get(liveness, names[i]));

        least = score < least ? score : least;
    }
    return least;
}

static idv_error_t *evaluate_challenge(evaluation_t *evaluation,
                                       const char *directory, kind_t *kind)
{
    idv_liveness_challenge_t challenge;
    const idv_liveness_rule_t rule = {.challenge = &challenge};
    idv_face_findings_t *findings;
    idv_method_outcome_t *outcome;

    IDV_TRY(read_challenge(evaluation, directory, &challenge));
    begin_words(evaluation, IDV_METHOD_SELFIE_LIVENESS);
    for (int i = 0; i < IDV_LIVENESS_PARTS; i++)
        add_part(evaluation, idv_liveness_part_name(i), directory,
                 idv_liveness_part_name(i));
    IDV_TRY(analyze(evaluation, directory, &findings));
    IDV_TRY(idv_liveness_decide(findings, &rule, &outcome, evaluation->pool));
    count(kind, outcome);
    if (outcome->verification_result)
        APR_ARRAY_PUSH(kind->first, double) =
            least_score(outcome->verification_result);
    return NULL;
}

/* Each species of attack has a directory; the result is that of the worst
 * one. */
static idv_error_t *evaluate_attacks(evaluation_t *evaluation,
                                     const char *path, json_t *species,
                                     kind_t *all, const kind_t **worst)
{
    apr_pool_t *pool = evaluation->call->pool;
    apr_array_header_t *names;
    double most = -1;

    IDV_TRY(list_directories(path, &names, pool));
    for (int i = 0; i < names->nelts; i++) {
        kind_t *kind = new_kind(APR_ARRAY_IDX(names, i, const char *), pool);
        double rate;

        IDV_TRY(evaluate_all(evaluation,
                             apr_pstrcat(pool, path, "/", kind->name, NULL),
                             kind, evaluate_challenge));
        json_array_append_new(species, kind_json(kind, "apcer", kind->passed));
        rate = idv_rate_of(kind->passed, answered(kind)).rate;
        if (answered(kind) > 0 && rate > most) {
            most = rate;
            *worst = kind;
        }
        apr_array_cat(all->first, kind->first);
    }
    return NULL;
}

IDV_COMMAND(liveness_evaluate)
{
    const char *path = call->arguments[0];
    evaluation_t evaluation = {0};
    kind_t *genuine = new_kind("bona-fide", call->pool);
    kind_t *attacks = new_kind("attacks", call->pool);
    const kind_t *worst = NULL;
    json_t *species = idv_json_own(json_array(), call->pool);
    idv_evaluation_plot_t plot = {.title = "Liveness",
                                  .axis = "least score of the challenge",
                                  .accepted = "APCER",
                                  .refused = "BPCER",
                                  .most = 1,
                                  .used = 0.5};

    IDV_TRY(begin(call, &evaluation));
    IDV_TRY(evaluate_all(&evaluation,
                         apr_pstrcat(call->pool, path, "/bona-fide", NULL),
                         genuine, evaluate_challenge));
    IDV_TRY(evaluate_attacks(&evaluation,
                             apr_pstrcat(call->pool, path, "/attacks", NULL),
                             species, attacks, &worst));
    plot.others = scores_of(attacks->first);
    plot.genuine = scores_of(genuine->first);
    IDV_TRY(write_plot(call, "plot", &plot));
    *answer = json_pack(
        "{s:s, s:f, s:s, s:o, s:O, s:s?, s:o?}", "object",
        "liveness_evaluation", "confidence", IDV_RATE_CONFIDENCE, "interval",
        "clopper_pearson", "bona_fide",
        kind_json(genuine, "bpcer", genuine->failed), "attacks", species,
        "worst_species", worst ? worst->name : NULL, "apcer",
        worst ? rate_json(idv_rate_of(worst->passed, answered(worst))) : NULL);
    return NULL;
}

/* --- match --- */

static idv_error_t *evaluate_pair(evaluation_t *evaluation,
                                  const char *directory, kind_t *kind)
{
    idv_face_findings_t *findings;
    idv_method_outcome_t *outcome;

    begin_words(evaluation, IDV_METHOD_SELFIE_MATCH);
    add_part(evaluation, idv_liveness_part_name(IDV_LIVENESS_STILL), directory,
             "still");
    add_part(evaluation, idv_portrait_source_part(IDV_PORTRAIT_SOURCE_DOCUMENT),
             directory, "portrait");
    IDV_TRY(analyze(evaluation, directory, &findings));
    IDV_TRY(idv_face_match_decide(findings, IDV_ASSURANCE_NONE, &outcome,
                                  evaluation->pool));
    count(kind, outcome);
    if (findings->reference.first <= IDV_FACE_NOT_COMPARED)
        return NULL;
    APR_ARRAY_PUSH(kind->first, double) = findings->reference.first;
    APR_ARRAY_PUSH(kind->second, double) = findings->reference.second;
    return NULL;
}

/* The error rates of a single network at the threshold in use. */
static json_t *network_json(const idv_evaluation_plot_t *plot)
{
    int accepted =
        (int)(idv_scores_share(&plot->others, plot->used) * plot->others.count
              + 0.5);
    int refused = plot->genuine.count
                - (int)(idv_scores_share(&plot->genuine, plot->used)
                            * plot->genuine.count
                        + 0.5);

    return json_pack("{s:f, s:o, s:o}", "threshold", plot->used, "fmr",
                     rate_json(idv_rate_of(accepted, plot->others.count)),
                     "fnmr",
                     rate_json(idv_rate_of(refused, plot->genuine.count)));
}

IDV_COMMAND(match_evaluate)
{
    const char *path = call->arguments[0];
    evaluation_t evaluation = {0};
    kind_t *mated = new_kind("mated", call->pool);
    kind_t *others = new_kind("non-mated", call->pool);
    idv_evaluation_plot_t first = {.title = "Match, first network",
                                   .axis = "cosine",
                                   .accepted = "FMR",
                                   .refused = "FNMR",
                                   .least = -0.2,
                                   .most = 1,
                                   .used = IDV_FACE_FIRST_SAME};
    idv_evaluation_plot_t second = first;

    second.title = "Match, second network";
    second.least = 0.6;
    second.used = IDV_FACE_SECOND_SAME;
    IDV_TRY(begin(call, &evaluation));
    IDV_TRY(evaluate_all(&evaluation,
                         apr_pstrcat(call->pool, path, "/mated", NULL), mated,
                         evaluate_pair));
    IDV_TRY(evaluate_all(&evaluation,
                         apr_pstrcat(call->pool, path, "/non-mated", NULL),
                         others, evaluate_pair));
    first.others = scores_of(others->first);
    first.genuine = scores_of(mated->first);
    second.others = scores_of(others->second);
    second.genuine = scores_of(mated->second);
    IDV_TRY(write_plot(call, "plot", &first));
    IDV_TRY(write_plot(call, "plot-second", &second));
    *answer = json_pack(
        "{s:s, s:f, s:s, s:o, s:o, s:o, s:o}", "object", "match_evaluation",
        "confidence", IDV_RATE_CONFIDENCE, "interval", "clopper_pearson",
        "mated", kind_json(mated, "fnmr", mated->failed), "non_mated",
        kind_json(others, "fmr", others->passed), "first_network",
        network_json(&first), "second_network", network_json(&second));
    return NULL;
}

/* --- on a terminal --- */

static void print_rate(const json_t *kind, const char *name, FILE *out)
{
    const json_t *rate = json_object_get(kind, name);

    if (!rate)
        return;
    fprintf(out, "  %-18s %6.2f %%   %6.2f to %6.2f %%   %lld of %lld\n", name,
            100 * json_number_value(json_object_get(rate, "rate")),
            100 * json_number_value(json_object_get(rate, "low")),
            100 * json_number_value(json_object_get(rate, "high")),
            (long long)json_integer_value(json_object_get(rate, "errors")),
            (long long)json_integer_value(json_object_get(rate, "count")));
}

static void print_kind(const json_t *kind, FILE *out)
{
    static const char *const rates[] = {
        "bpcer", "apcer", "fnmr", "fmr", "undetermined_rate",
        "no_response_rate"};

    fprintf(out, "%s, %lld recordings\n",
            json_string_value(json_object_get(kind, "name")),
            (long long)json_integer_value(json_object_get(kind, "recordings")));
    for (size_t i = 0; i < sizeof(rates) / sizeof(*rates); i++)
        print_rate(kind, rates[i], out);
}

static void print_evaluation(const json_t *answer, FILE *out, apr_pool_t *pool)
{
    static const char *const kinds[] = {"bona_fide", "mated", "non_mated"};
    size_t index;
    json_t *kind;

    (void)pool;
    fprintf(out, "Rates with the interval of Clopper and Pearson, %.0f %%\n",
            100 * IDV_RATE_CONFIDENCE);
    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
        if (json_object_get(answer, kinds[i]))
            print_kind(json_object_get(answer, kinds[i]), out);
    json_array_foreach (json_object_get(answer, "attacks"), index, kind)
        print_kind(kind, out);
}

const idv_command_t idv_evaluation_commands[] = {
    {.noun = "liveness",
     .verb = "evaluate",
     .arguments = "DIR",
     .options = {"analyzer PROGRAM", "models DIR", "plot FILE"},
     .offline = 1,
     .run = liveness_evaluate,
     .print = print_evaluation,
     .help = "measure APCER and BPCER on your own recordings"},
    {.noun = "match",
     .verb = "evaluate",
     .arguments = "DIR",
     .options = {"analyzer PROGRAM", "models DIR", "plot FILE",
                 "plot-second FILE"},
     .offline = 1,
     .run = match_evaluate,
     .print = print_evaluation,
     .help = "measure FMR and FNMR on your own pairs of pictures"},
    {.noun = NULL}};
