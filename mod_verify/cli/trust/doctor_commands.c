/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command/command.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <apr_file_info.h>
#include <apr_strings.h>
#include <apr_thread_proc.h>

#include "cli/command/table.h"
#include "domain/law/compliance_changes.h"
#include "domain/law/compliance_directory.h"
#include "domain/method/analysis_models.h"
#include "domain/value/civil_date.h"
#include "store/db/schema.h"
#include "store/trust/health.h"

/* Finds what is wrong with the service, and says what to do about it. */

/* The longest time that answers to idempotency keys may be kept. The server's
 * own setting is not known here (VerifyIdempotencyRetention). */
#define RETENTION_MOST (720 * IDV_HOUR)
#define CHANGE_NOTICE_DAYS 30
#define REPORT_LENGTH 2000

/* An examination in progress. */
typedef struct {
    idv_call_t *call;
    idv_health_report_t *report;
    idv_law_notices_t *law; /* NULL: the rules are unusable */
} examination_t;

static void find(const examination_t *examination, idv_health_check_t check,
                 const char *detail)
{
    idv_health_add(examination->report, (idv_health_finding_t){
                                            .check = check, .detail = detail});
}

static const char *words_of(const idv_error_t *error)
{
    return error->detail ? error->detail : error->message;
}

/* --- this machine --- */

static void look_at_key(const examination_t *examination)
{
    idv_call_t *call = examination->call;
    idv_error_t *error;

    if (!call->master_key_file || !*call->master_key_file) {
        find(examination, IDV_HEALTH_MASTER_KEY_NOT_LOOKED_AT, NULL);
        return;
    }
    error = idv_keyring_load(call->master_key_file, &call->keyring, call->pool);
    if (error)
        find(examination, IDV_HEALTH_MASTER_KEY_UNUSABLE, words_of(error));
}

static const char *setting(const idv_call_t *call, const char *option,
                           const char *variable)
{
    const char *given = idv_call_option(call, option);

    given = given ? given : getenv(variable);
    return given && *given ? given : NULL;
}

#define SAID_MAX 256 /* bytes of its output that are read */
#define ANSWER_TIME (10 * IDV_SECOND) /* its sandbox takes some ms */
#define ANSWER_POLL 5                 /* ms */

/* The output and exit code of a program. */
typedef struct {
    char text[SAID_MAX + 1];
    int code;
} saying_t;

/* Waits for PROCESS, and ends it if it takes longer than a program needs to
 * print its version. */
static apr_status_t wait_for(apr_proc_t *process, int *code)
{
    idv_time_t end = idv_time_steady() + ANSWER_TIME;
    apr_status_t status;
    apr_exit_why_e why;

    while ((status = apr_proc_wait(process, code, &why, APR_NOWAIT))
               == APR_CHILD_NOTDONE
           && idv_time_steady() < end)
        apr_sleep(apr_time_from_msec(ANSWER_POLL));
    if (status == APR_CHILD_NOTDONE) {
        apr_proc_kill(process, SIGKILL);
        apr_proc_wait(process, code, &why, APR_WAIT);
        return APR_TIMEUP;
    }
    if (status != APR_CHILD_DONE)
        return status;
    if (why != APR_PROC_EXIT)
        *code = EXIT_FAILURE;
    return APR_SUCCESS;
}

/* Runs PROGRAM with the option WORD; APR_TIMEUP if it did not end. */
static apr_status_t ask_program(const char *program, const char *word,
                                saying_t *said, apr_pool_t *pool)
{
    const char *words[] = {program, word, NULL};
    apr_procattr_t *attributes;
    apr_proc_t process;
    apr_status_t status = apr_procattr_create(&attributes, pool);
    apr_size_t length = SAID_MAX;

    if (status == APR_SUCCESS)
        status = apr_procattr_io_set(attributes, APR_NO_PIPE,
                                     APR_CHILD_BLOCK, APR_NO_PIPE);
    if (status == APR_SUCCESS)
        status = apr_procattr_cmdtype_set(attributes, APR_PROGRAM_ENV);
    if (status == APR_SUCCESS)
        status = apr_proc_create(&process, program, words, NULL, attributes,
                                 pool);
    if (status != APR_SUCCESS)
        return status;
    status = wait_for(&process, &said->code);
    /* A child of the program may still have the pipe open: read only what has
     * arrived. */
    apr_file_pipe_timeout_set(process.out, 0);
    apr_file_read_full(process.out, said->text, length, &length);
    said->text[length] = '\0';
    apr_file_close(process.out);
    return status;
}

#define OWN_ANALYZER "verify-analyze " VERIFY_VERSION

/* Whether the answer to --version is that of the program that belongs to this
 * one. Any other program also exits with 0. */
static int is_analyzer(const saying_t *said)
{
    return !said->code && strcmp(said->text, OWN_ANALYZER "\n") == 0;
}

static void look_at_models(const examination_t *examination)
{
    apr_pool_t *pool = examination->call->pool;
    const char *directory =
        setting(examination->call, "models", "VERIFY_MODELS");
    const char *missing =
        directory ? idv_analysis_model_missing(directory, pool) : NULL;

    if (missing)
        find(examination, IDV_HEALTH_MODELS_MISSING,
             apr_pstrcat(pool, directory, "/", missing, NULL));
}

static void look_at_analyzer(const examination_t *examination)
{
    apr_pool_t *pool = examination->call->pool;
    const char *program =
        setting(examination->call, "analyzer", "VERIFY_ANALYZER");
    saying_t version = {0}, walls = {0};
    apr_status_t status;

    if (!program) {
        find(examination, IDV_HEALTH_ANALYZER_MISSING, NULL);
        return;
    }
    look_at_models(examination);
    status = access(program, X_OK) == 0
               ? ask_program(program, "--version", &version, pool)
               : apr_get_os_error();
    if (status == APR_SUCCESS && is_analyzer(&version))
        status = ask_program(program, "--layers", &walls, pool);
    if (status != APR_SUCCESS)
        find(examination, IDV_HEALTH_ANALYZER_NOT_RUNNABLE,
             words_of(idv_error_apr(pool, status, "%s", program)));
    else if (!is_analyzer(&version))
        find(examination, IDV_HEALTH_ANALYZER_NOT_RUNNABLE,
             apr_psprintf(pool, "%s is not " OWN_ANALYZER ": its --version "
                          "prints something else.", program));
    else if (walls.code)
        find(examination, IDV_HEALTH_ANALYZER_NOT_RUNNABLE,
             apr_psprintf(pool, "%s --layers fails: a layer of its sandbox "
                                "cannot be set up.", program));
}

static void look_at_changes(const examination_t *examination,
                            const idv_compliance_rules_t *rules)
{
    idv_date_t today = idv_date_at(examination->report->created, 0);
    apr_array_header_t *changes = idv_compliance_rules_changes(
        rules, today, idv_date_of_days(idv_date_days(today) + CHANGE_NOTICE_DAYS),
        examination->call->pool);
    apr_int64_t count = 0;

    for (int i = 0; i < changes->nelts; i++)
        count += APR_ARRAY_IDX(changes, i, idv_compliance_change_t).day != NULL;
    if (count)
        idv_health_add(examination->report,
                       (idv_health_finding_t){
                           .check = IDV_HEALTH_COMPLIANCE_CHANGE_SOON,
                           .count = count});
}

static void look_at_rules(examination_t *examination)
{
    const idv_call_t *call = examination->call;
    idv_compliance_rules_t *rules;
    apr_array_header_t *faults;
    idv_error_t *error = idv_compliance_overlaid_read(
        call->compliance_rules, call->compliance_overlay, &rules, &faults,
        call->pool);

    if (error)
        find(examination, IDV_HEALTH_COMPLIANCE_UNUSABLE, words_of(error));
    else if (faults->nelts)
        find(examination, IDV_HEALTH_COMPLIANCE_UNUSABLE,
             APR_ARRAY_IDX(faults, 0, idv_compliance_fault_t).message);
    else {
        look_at_changes(examination, rules);
        examination->law = idv_law_notices(
            rules, examination->report->created, call->pool);
    }
}

/* --- the database --- */

/* Zero: nothing else can be read from the database. */
static int look_at_connection(const examination_t *examination)
{
    idv_call_t *call = examination->call;
    const char *fault = NULL;
    idv_error_t *error;

    if (!call->database || !*call->database) {
        find(examination, IDV_HEALTH_DATABASE_UNREACHABLE,
             "No database: pass --database or set VERIFY_DATABASE.");
        return 0;
    }
    error = idv_call_connect(call, &call->db);
    if (error) {
        find(examination, IDV_HEALTH_DATABASE_UNREACHABLE, words_of(error));
        return 0;
    }
    error = idv_database_check(call->db, call->keyring, &fault, call->pool);
    if (error || fault)
        find(examination, IDV_HEALTH_DATABASE_NOT_USABLE,
             fault ? fault : words_of(error));
    return !error && !fault;
}

static idv_error_t *look_at_database(const examination_t *examination)
{
    idv_call_t *call = examination->call;
    const char *ids[] = {idv_call_option(call, "org"), NULL};

    if (!look_at_connection(examination))
        return NULL;
    if (ids[0])
        IDV_TRY(idv_call_organization(call));
    IDV_TRY(idv_health_look_at_server(call->db, RETENTION_MOST,
                                      examination->report, call->pool));
    if (examination->law)
        IDV_TRY(idv_health_look_at_law(call->db, ids[0] ? ids : NULL,
                                       examination->law, examination->report,
                                       call->pool));
    return idv_health_look_at_organizations(call->db, ids[0] ? ids : NULL,
                                            examination->report, call->pool);
}

IDV_COMMAND(doctor)
{
    examination_t examination = {
        .call = call,
        .report = idv_health_report(idv_time_now(), call->pool)};
    idv_json_writer_t writer;

    look_at_key(&examination);
    look_at_analyzer(&examination);
    look_at_rules(&examination);
    IDV_TRY(look_at_database(&examination));
    idv_health_sort(examination.report);
    idv_json_writer_init(&writer, REPORT_LENGTH, call->pool);
    idv_health_write(&writer, examination.report);
    *answer = json_loads(idv_json_writer_text(&writer, NULL), 0, NULL);
    call->found_faults = (int)idv_health_worst(examination.report);
    return *answer ? NULL
                   : idv_error_internal(call->pool, "the report is no JSON");
}

/* --- on a terminal --- */

static void print_finding(const json_t *finding, FILE *out, apr_pool_t *pool)
{
    static const char *const about[] = {"count", "at", "organization_id",
                                        "subject", "detail"};

    fprintf(out, "%-7s  %s\n", idv_table_cell(finding, "severity", pool),
            json_string_value(json_object_get(finding, "wrong")));
    for (size_t i = 0; i < sizeof(about) / sizeof(*about); i++) {
        const char *text = idv_table_text(finding, about[i], pool);

        if (*text)
            fprintf(out, "         %s: %s\n", about[i], text);
    }
    fprintf(out, "         > %s\n",
            json_string_value(json_object_get(finding, "deed")));
}

static void print_report(const json_t *answer, FILE *out, apr_pool_t *pool)
{
    const json_t *findings = json_object_get(answer, "findings"), *finding;
    size_t i;

    json_array_foreach (findings, i, finding)
        print_finding(finding, out, pool);
    if (json_is_true(json_object_get(answer, "has_more")))
        fputs("Some of these have more occurrences than listed.\n", out);
    fprintf(out, "%s\n", json_string_value(json_object_get(answer, "status")));
}

const idv_command_t idv_doctor_commands[] = {
    {.noun = "doctor",
     .offline = 1,
     .options = {"org ORG", "analyzer PROGRAM", "models DIR"},
     .examines = 1,
     .run = doctor,
     .print = print_report,
     .help = "report what is wrong with the service and what to do:\n"
             "      database, keys, analysis program, rules, queues, lists,\n"
             "      endpoints and accounts, of ORG or of all organizations. Exit\n"
             "      status 0: notes at most, 1: warnings, 2: errors or a wrong\n"
             "      command. It does not see httpd's configuration or processes"},
    {0},
};
