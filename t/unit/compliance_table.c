/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every answer of the compliance rules that ship, as of the first of each month
 * from 2024 to 2028, beside the table that was agreed on. Without a difference
 * the test passes; a change of a rule shows as one, in the jurisdictions,
 * products, articles and months that it changes. "--print" prints the table:
 * scripts/compliance-table.
 */
#include "unit.h"

#include <stdio.h>

#include <apr_strings.h>
#include <apr_tables.h>

#include "domain/law/compliance_changes.h"
#include "domain/law/compliance_directory.h"

#define RULES "conf/compliance"
#define TABLE "t/unit/compliance_table.txt"
#define FIRST_YEAR 2024
#define LAST_YEAR 2028
#define LINE_MAX_LENGTH 4096

static const char legend[] =
    "# Every answer of conf/compliance as of the first of a month, written by\n"
    "# scripts/compliance-table. A line is a jurisdiction and a product (/ an\n"
    "# article, @ a channel), the answer in January 2024, and each later one "
    "with\n"
    "# the first month that has it. US-* is a region without rules of its "
    "own.\n"
    "# Regions that answer as US-*, articles as their product, and channels as "
    "in\n"
    "# person, are left out.\n"
    "#\n"
    "#   X prohibited   ? not known   - no age   21 the age   ?21 lawful is "
    "not known\n"
    "#   <2009-01-01 born before   c14 age of consent   m5 methods, of six\n"
    "#   y14 from 14 with a parent\n"
    "#   r0 retention in days   v60 minutes that a credential is good\n"
    "#   p a physical check\n";

typedef struct {
    const idv_compliance_rules_t *rules;
    apr_pool_t *pool;
    apr_array_header_t *lines; /* const char * */
} table_t;

static int method_count(const idv_compliance_t *rule)
{
    idv_method_set_t allowed = idv_compliance_methods(rule);
    int count = 0;

    for (idv_method_t method = 0; method < IDV_METHOD_COUNT; method++)
        count += (allowed & IDV_METHOD_BIT(method)) != 0;
    return count;
}

static const char *age_text(const idv_compliance_t *rule, apr_pool_t *pool)
{
    if (rule->prohibited)
        return "X";
    if (!rule->known)
        return rule->required_age
                 ? apr_psprintf(pool, "?%d", rule->required_age)
                 : "?";
    return rule->required_age ? apr_itoa(pool, rule->required_age) : "-";
}

static const char *answer_text(const idv_compliance_rule_t *rule,
                               apr_pool_t *pool)
{
    const idv_compliance_t *session = &rule->compliance;
    const idv_compliance_t open = {0};
    const char *text = age_text(session, pool);

    if (session->born_before)
        text = apr_pstrcat(pool, text, "<", session->born_before, NULL);
    if (rule->parental_consent_from >= 0)
        text = apr_psprintf(pool, "%s y%d", text, rule->parental_consent_from);
    if (rule->consent_age)
        text = apr_psprintf(pool, "%s c%d", text, rule->consent_age);
    if (!session->prohibited && method_count(session) != method_count(&open))
        text = apr_psprintf(pool, "%s m%d", text, method_count(session));
    if (rule->data_retention_days >= 0)
        text = apr_psprintf(pool, "%s r%d", text, rule->data_retention_days);
    if (session->credential_validity_days
        || session->credential_validity_minutes)
        text = apr_psprintf(pool, "%s v%d", text,
                            idv_compliance_validity(session));
    return session->physical_check_required
             ? apr_pstrcat(pool, text, " p", NULL)
             : text;
}

/* What a line is about. */
typedef struct {
    idv_use_case_t use_case;
    idv_article_t article;
    idv_channel_t channel;
} subject_t;

/* The answers of all months, those that repeat the one before left out. */
static const char *answers(const table_t *table, const char *jurisdiction,
                           const subject_t *subject)
{
    idv_compliance_question_t question = {
        .jurisdiction = jurisdiction,
        .use_case = subject->use_case,
        .article = subject->article,
        .channel = subject->channel,
        .day = {.year = FIRST_YEAR, .month = 1, .day = 1},
    };
    const char *line = "", *last = "";

    while (question.day.year <= LAST_YEAR) {
        idv_compliance_rule_t rule;
        const char *now;

        idv_compliance_rules_find(table->rules, &question, &rule, table->pool);
        now = answer_text(&rule, table->pool);
        if (strcmp(now, last) != 0)
            line = *line
                     ? apr_psprintf(table->pool, "%s | %d-%02d %s", line,
                                    question.day.year, question.day.month, now)
                     : now;
        last = now;
        if (++question.day.month > 12) {
            question.day.month = 1;
            question.day.year++;
        }
    }
    return line;
}

static void add_line(table_t *table, const char *name, const subject_t *subject,
                     const char *text)
{
    APR_ARRAY_PUSH(table->lines, const char *) = apr_pstrcat(
        table->pool, name, " ", idv_use_case_value(subject->use_case),
        subject->article ? "/" : "",
        subject->article ? idv_article_value(subject->article) : "",
        subject->channel ? "@" : "",
        subject->channel ? idv_channel_value(subject->channel) : "", ": ", text,
        NULL);
}

/* What SUBJECT is compared with: its product, or the same in person. */
static subject_t wider_than(const subject_t *subject)
{
    subject_t wider = *subject;

    if (subject->channel)
        wider.channel = IDV_CHANNEL_IN_PERSON;
    else
        wider.article = IDV_ARTICLE_NONE;
    return wider;
}

/* Whether SUBJECT is told apart in JURISDICTION. */
static int is_apart(const table_t *table, const char *jurisdiction,
                    const subject_t *subject)
{
    const subject_t wider = wider_than(subject);

    return strcmp(answers(table, jurisdiction, subject),
                  answers(table, jurisdiction, &wider))
        != 0;
}

/* NAME's answer, where it is not that of WIDER. */
static void add_subject(table_t *table, const char *name,
                        const char *jurisdiction, const char *wider,
                        const subject_t *subject)
{
    const char *text = answers(table, jurisdiction, subject);

    if (wider && strcmp(text, answers(table, wider, subject)) == 0)
        return;
    if ((!subject->article && !subject->channel)
        || is_apart(table, jurisdiction, subject)
        || (wider && is_apart(table, wider, subject)))
        add_line(table, name, subject, text);
}

static void add_product(table_t *table, const char *name,
                        const char *jurisdiction, const char *wider,
                        idv_use_case_t use_case)
{
    for (int c = 0; c < IDV_CHANNEL_COUNT; c++)
        for (int i = IDV_ARTICLE_NONE; i < IDV_ARTICLE_COUNT; i++) {
            const subject_t subject = {use_case, (idv_article_t)i,
                                       (idv_channel_t)c};

            if (idv_article_belongs(subject.article, use_case)
                && idv_channel_belongs(subject.channel, use_case))
                add_subject(table, name, jurisdiction, wider, &subject);
        }
}

static void add_jurisdiction(table_t *table, const char *code)
{
    /* No region has this code. */
    const char *other = apr_psprintf(table->pool, "%.2s-000", code);
    const char *any = apr_psprintf(table->pool, "%.2s-*", code);

    for (int i = IDV_USE_CASE_NONE + 1; i < IDV_USE_CASE_COUNT; i++) {
        idv_use_case_t use_case = (idv_use_case_t)i;

        if (code[2]) {
            add_product(table, code, code, other, use_case);
        } else {
            add_product(table, code, code, NULL, use_case);
            add_product(table, any, other, code, use_case);
        }
    }
}

static apr_array_header_t *make_table(apr_pool_t *pool)
{
    table_t table = {.pool = pool,
                     .lines = apr_array_make(pool, 2048, sizeof(char *))};
    idv_compliance_rules_t *rules;
    apr_array_header_t *faults, *codes;

    assert_null(idv_compliance_directory_read(RULES, &rules, &faults, pool));
    assert_non_null(rules);
    table.rules = rules;
    codes = idv_compliance_rules_jurisdictions(rules, pool);
    for (int i = 0; i < codes->nelts; i++)
        add_jurisdiction(&table, APR_ARRAY_IDX(codes, i, const char *));
    return table.lines;
}

static void answers_as_agreed(void **state)
{
    const apr_array_header_t *lines = make_table(*state);
    FILE *file = fopen(TABLE, "r");
    char agreed[LINE_MAX_LENGTH];
    int next = 0, different = 0;

    assert_non_null(file);
    while (fgets(agreed, sizeof(agreed), file)) {
        const char *line = next < lines->nelts
                             ? APR_ARRAY_IDX(lines, next, const char *)
                             : "(nothing)";

        agreed[strcspn(agreed, "\n")] = '\0';
        if (*agreed == '#')
            continue;
        if (strcmp(agreed, line) != 0 && different++ < 10)
            print_message("agreed: %s\nfound:  %s\n", agreed, line);
        next++;
    }
    fclose(file);
    assert_int_equal(next, lines->nelts);
    assert_int_equal(different, 0);
}

static void check_answer(const idv_compliance_rules_t *rules,
                         const idv_compliance_question_t *question,
                         apr_pool_t *pool)
{
    idv_compliance_rule_t rule;
    const idv_compliance_t *law = &rule.compliance;

    idv_compliance_rules_find(rules, question, &rule, pool);
    if (law->known) {
        assert_int_equal(law->on_unknown, IDV_UNKNOWN_ALLOW);
        return;
    }
    assert_int_equal(law->on_unknown,
                     idv_unknown_action_default(question->use_case));
    assert_false(law->prohibited);
    assert_int_equal(rule.confidence, IDV_CONFIDENCE_LOW);
    assert_non_null(rule.note);
}

/* What is not known never passes as lawful without an age: of every
 * jurisdiction, product, article and channel, and of one without a file. */
static void nothing_unknown_passes(void **state)
{
    idv_compliance_rules_t *rules;
    apr_array_header_t *faults, *codes;

    assert_null(idv_compliance_directory_read(RULES, &rules, &faults, *state));
    codes = idv_compliance_rules_jurisdictions(rules, *state);
    APR_ARRAY_PUSH(codes, const char *) = "AQ";
    for (int i = 0; i < codes->nelts; i++)
        for (int u = IDV_USE_CASE_NONE + 1; u < IDV_USE_CASE_COUNT; u++)
            for (int a = IDV_ARTICLE_NONE; a < IDV_ARTICLE_COUNT; a++)
                for (int c = 0; c < IDV_CHANNEL_COUNT; c++) {
                    const idv_compliance_question_t question = {
                        .jurisdiction = APR_ARRAY_IDX(codes, i, const char *),
                        .use_case = (idv_use_case_t)u,
                        .article = (idv_article_t)a,
                        .channel = (idv_channel_t)c,
                        .day = {2026, 11, 27},
                    };

                    if (idv_article_belongs(question.article,
                                            question.use_case)
                        && idv_channel_belongs(question.channel,
                                               question.use_case))
                        check_answer(rules, &question, *state);
                }
}

static void print_table(apr_pool_t *pool)
{
    const apr_array_header_t *lines = make_table(pool);

    fputs(legend, stdout);
    for (int i = 0; i < lines->nelts; i++)
        puts(APR_ARRAY_IDX(lines, i, const char *));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        pooled_test(answers_as_agreed),
        pooled_test(nothing_unknown_passes),
    };
    apr_pool_t *pool;

    if (argc > 1 && strcmp(argv[1], "--print") == 0) {
        apr_initialize();
        apr_pool_create(&pool, NULL);
        print_table(pool);
        apr_terminate();
        return 0;
    }
    return unit_run("compliance_table", tests);
}
