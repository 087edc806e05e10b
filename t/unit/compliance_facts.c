/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Facts of law, each with its source, asked of the rules that ship as a client
 * asks them: with one result of the compliance check.
 *
 * A fact names a jurisdiction, a product type, perhaps an article, a channel
 * and a day, and in "expect" members of the result with their values. Two more
 * names say what no member has: "methods_without" lists methods that must not
 * be allowed, and "methods_with" methods that must. A fact without a day is
 * asked as of DAY.
 *
 * t/unit/compliance_facts.json has the facts of the project. A second list,
 * which others wrote, is not a part of it: IDV_CASES names the folder where it
 * is.
 */
#include "unit.h"

#include <apr_file_info.h>

#include "core/json.h"
#include "domain/law/compliance_check.h"
#include "domain/law/compliance_directory.h"

#define RULES "conf/compliance"
#define FACTS "t/unit/compliance_facts.json"
#define DAY "2026-11-27"
#define FACTS_MAX (1024 * 1024) /* bytes */

static const char *text_member(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

/* The first result of the check that FACT is about. */
static const json_t *ask(const idv_compliance_rules_t *rules,
                         const json_t *fact, apr_pool_t *pool)
{
    const char *day = text_member(fact, "as_of");
    idv_compliance_check_t check = {
        .jurisdiction = text_member(fact, "jurisdiction"),
        .use_cases_text = text_member(fact, "product_type"),
        .article_text = text_member(fact, "article"),
        .channel_text = text_member(fact, "channel"),
        .as_of = day ? day : DAY,
        .source = "parameter",
    };

    assert_non_null(check.jurisdiction);
    assert_non_null(check.use_cases_text);
    assert_null(idv_compliance_check_value(&check, "use_cases", pool));
    assert_null(idv_compliance_check_value(&check, "as_of", pool));
    if (check.article_text)
        assert_null(idv_compliance_check_value(&check, "article", pool));
    if (check.channel_text)
        assert_null(idv_compliance_check_value(&check, "channel", pool));
    assert_null(idv_compliance_check_article(&check, pool));
    return json_array_get(
        json_object_get(
            idv_json_load(idv_compliance_check_text(rules, &check, pool), pool),
            "results"),
        0);
}

/* Whether the methods that RESULT allows have all of NAMES, or with WANTED of
 * zero none. */
static int methods_fit(const json_t *result, const json_t *names, int wanted)
{
    const json_t *allowed = json_object_get(result, "allowed_methods");
    const json_t *name, *method;
    size_t i, j;

    json_array_foreach (names, i, name) {
        int found = 0;

        json_array_foreach (allowed, j, method)
            found |= json_equal(name, method);
        if (found != wanted)
            return 0;
    }
    return 1;
}

static int fits(const json_t *result, const char *name, const json_t *value)
{
    const json_t *found = json_object_get(result, name);

    if (strcmp(name, "methods_without") == 0)
        return methods_fit(result, value, 0);
    if (strcmp(name, "methods_with") == 0)
        return methods_fit(result, value, 1);
    return found && json_equal(found, value);
}

static const char *value_text(const json_t *value, apr_pool_t *pool)
{
    char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
    const char *copy = apr_pstrdup(pool, text);

    free(text);
    return copy;
}

/* Whether FACT holds; what does not is printed, with the source. */
static int holds(const idv_compliance_rules_t *rules, const json_t *fact,
                 apr_pool_t *pool)
{
    const json_t *result = ask(rules, fact, pool), *value;
    json_t *expect = json_object_get(fact, "expect");
    const char *name, *article = text_member(fact, "article");
    const char *day = text_member(fact, "as_of");
    int right = 1;

    assert_true(json_object_size(expect) > 0);
    assert_non_null(text_member(fact, "source"));
    json_object_foreach (expect, name, value) {
        if (fits(result, name, value))
            continue;
        right = 0;
        print_message("# %s %s%s%s as of %s: %s is not %s (%s)\n",
                      text_member(fact, "jurisdiction"),
                      text_member(fact, "product_type"), article ? "/" : "",
                      article ? article : "", day ? day : DAY, name,
                      value_text(value, pool), text_member(fact, "source"));
    }
    return right;
}

static void all_hold(const char *path, apr_pool_t *pool)
{
    idv_compliance_rules_t *rules;
    apr_array_header_t *faults;
    json_t *facts;
    const json_t *fact;
    size_t index, wrong = 0;

    assert_null(idv_compliance_directory_read(RULES, &rules, &faults, pool));
    assert_non_null(rules);
    assert_null(idv_json_file_read(path, FACTS_MAX, &facts, pool));
    json_array_foreach (facts, index, fact)
        wrong += !holds(rules, fact, pool);
    print_message("# %zu of %zu facts hold\n", json_array_size(facts) - wrong,
                  json_array_size(facts));
    assert_true(json_array_size(facts) > 0);
    assert_int_equal(wrong, 0);
}

static void facts_of_the_project_hold(void **state)
{
    all_hold(FACTS, *state);
}

static void facts_of_others_hold(void **state)
{
    apr_pool_t *pool = *state;
    const char *root = getenv("IDV_CASES");
    const char *path = apr_pstrcat(pool, root ? root : "../shared/cases",
                                   "/law/facts.json", NULL);
    apr_finfo_t info;

    if (apr_stat(&info, path, APR_FINFO_SIZE, pool) != APR_SUCCESS) {
        printf("# no facts of others at hand (IDV_CASES), skipped\n");
        skip();
    }
    all_hold(path, pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(facts_of_the_project_hold),
        pooled_test(facts_of_others_hold),
    };

    return unit_run("compliance_facts", tests);
}
