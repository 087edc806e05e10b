/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include <sys/stat.h>
#include <unistd.h>

#include "core/clock.h"
#include "domain/gate/gate.h"

#define NOW ((idv_time_t)1800000000000)
#define SESSION "vks_01arz3ndektsv4rrffq69g5fav"

static idv_keyring_t *keyring_of(int versions, apr_pool_t *pool)
{
    const char *path = apr_psprintf(
        pool, "%s/gate-%d.key", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp",
        (int)getpid());
    idv_keyring_t *ring;
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    assert_int_equal(chmod(path, 0600), 0);
    fprintf(file, "1 %064d\n", 1);
    if (versions > 1)
        fprintf(file, "2 %064d\n", 2);
    fclose(file);
    assert_null(idv_keyring_load(path, &ring, pool));
    unlink(path);
    return ring;
}

static idv_gate_place_t place_of(const idv_keyring_t *ring)
{
    return (idv_gate_place_t){ring, "shop", "org_1", "wf_1",
                              "https://shop.example"};
}

static const idv_gate_proof_t whole = {
    .session_id = SESSION,
    .expires = NOW + IDV_DAY,
    .checked = NOW - IDV_MINUTE,
    .age = 21,
    .identity = 1,
    .use_case = IDV_USE_CASE_ALCOHOL_DELIVERY,
    .article = IDV_ARTICLE_WINE,
    .channel = IDV_CHANNEL_IN_PERSON,
};

static void a_proof_comes_back_as_it_was(void **state)
{
    apr_pool_t *pool = *state;
    const idv_gate_place_t place = place_of(keyring_of(1, pool));
    const idv_gate_proof_t *opened;
    const char *cookie;

    assert_null(idv_gate_proof_seal(&place, &whole, &cookie, pool));
    assert_true(strlen(cookie) < 250);
    assert_null(strstr(cookie, "vks_"));
    opened = idv_gate_proof_open(&place, cookie, NOW, pool);
    assert_non_null(opened);
    assert_string_equal(opened->session_id, SESSION);
    assert_true(opened->expires == whole.expires);
    assert_true(opened->checked == whole.checked);
    assert_int_equal(opened->age, 21);
    assert_int_equal(opened->identity, 1);
    assert_int_equal(opened->use_case, IDV_USE_CASE_ALCOHOL_DELIVERY);
    assert_int_equal(opened->article, IDV_ARTICLE_WINE);
    assert_non_null(
        idv_gate_proof_open(&place, cookie, whole.expires - 1, pool));
    assert_null(idv_gate_proof_open(&place, cookie, whole.expires, pool));
}

static void a_proof_is_good_in_its_place_only(void **state)
{
    apr_pool_t *pool = *state;
    const idv_gate_place_t place = place_of(keyring_of(1, pool));
    idv_gate_place_t others[] = {place, place, place, place};
    const char *cookie, *visit;
    const idv_gate_visit_t going = {NOW, "nonce", NULL, "/"};

    others[0].gate = "bar";
    others[1].organization_id = "org_2";
    others[2].workflow_id = "wf_2";
    others[3].origin = "https://shop.example:8443";
    assert_null(idv_gate_proof_seal(&place, &whole, &cookie, pool));
    for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
        assert_null(idv_gate_proof_open(&others[i], cookie, NOW, pool));
    assert_null(idv_gate_visit_open(&place, cookie, NOW, pool));
    assert_null(idv_gate_visit_seal(&place, &going, &visit, pool));
    assert_null(idv_gate_proof_open(&place, visit, NOW, pool));
}

static void a_key_that_is_rotated_opens_what_it_sealed(void **state)
{
    apr_pool_t *pool = *state;
    idv_keyring_t *ring = keyring_of(2, pool);
    const idv_gate_place_t place = place_of(ring);
    const char *former, *present;

    assert_null(idv_gate_proof_seal(&place, &whole, &former, pool));
    idv_keyring_seal_by(ring, 2);
    assert_null(idv_gate_proof_seal(&place, &whole, &present, pool));
    assert_non_null(idv_gate_proof_open(&place, former, NOW, pool));
    assert_non_null(idv_gate_proof_open(&place, present, NOW, pool));
}

static void no_bit_of_a_cookie_can_be_changed(void **state)
{
    apr_pool_t *pool = *state;
    const idv_gate_place_t place = place_of(keyring_of(1, pool));
    const char *cookie;
    char *changed;

    assert_null(idv_gate_proof_seal(&place, &whole, &cookie, pool));
    changed = apr_pstrdup(pool, cookie);
    /* The last character may have bits to spare. */
    for (size_t i = 0; i + 1 < strlen(cookie); i++) {
        changed[i] = cookie[i] == 'A' ? 'B' : 'A';
        assert_null(idv_gate_proof_open(&place, changed, NOW, pool));
        changed[i] = cookie[i];
    }
    assert_null(idv_gate_proof_open(&place, NULL, NOW, pool));
    assert_null(idv_gate_proof_open(&place, "", NOW, pool));
    assert_null(idv_gate_proof_open(&place, "AAAA", NOW, pool));
    assert_null(idv_gate_proof_open(
        &place, apr_pstrcat(pool, cookie, cookie, NULL), NOW, pool));
}

static void a_visit_ends(void **state)
{
    apr_pool_t *pool = *state;
    const idv_gate_place_t place = place_of(keyring_of(1, pool));
    const idv_gate_visit_t going = {NOW, "nonce", SESSION, "/a?b=%20"};
    const idv_gate_visit_t *opened;
    const char *cookie;

    assert_null(idv_gate_visit_seal(&place, &going, &cookie, pool));
    opened = idv_gate_visit_open(&place, cookie, NOW, pool);
    assert_non_null(opened);
    assert_string_equal(opened->nonce, "nonce");
    assert_string_equal(opened->session_id, SESSION);
    assert_string_equal(opened->destination, "/a?b=%20");
    assert_null(idv_gate_visit_open(&place, cookie,
                                    NOW + IDV_GATE_VISIT_VALIDITY, pool));
}

static void cookies_are_found_by_their_whole_name(void **state)
{
    apr_pool_t *pool = *state;

    assert_null(idv_gate_cookie(NULL, "a", pool));
    assert_null(idv_gate_cookie("", "a", pool));
    assert_null(idv_gate_cookie("ba=1; ab=2; a", "a", pool));
    assert_null(idv_gate_cookie("b=\"; a=1\" ", "a=1\"", pool));
    assert_string_equal(idv_gate_cookie("b=2; a=1; a=3", "a", pool), "1");
    assert_string_equal(idv_gate_cookie("a=1", "a", pool), "1");
    assert_string_equal(idv_gate_cookie("a=;b=1", "a", pool), "");
}

static const char *without(const char *header, apr_pool_t *pool)
{
    const char *kept = idv_gate_cookies_without(header, "g", pool);

    return kept ? kept : "(none)";
}

static void cookies_are_removed_byte_by_byte(void **state)
{
    static const char *const pairs[][2] = {
        {"g=1", "(none)"},
        {"g=1; ", "(none)"},
        {"g=1; g=2;g=", "(none)"},
        {"g =1; a=2", "a=2"},
        {"a=1; g=2; b=3", "a=1; b=3"},
        {"g=1; a=1 ;b=\"2\";;c", "a=1 ;b=\"2\";;c"},
        {" ;a=1;\tg=2; b=3 ; ", " ;a=1; b=3 ; "},
        {"a=1, g=2", "a=1"},
        {"g=1, a=1,2; b=3", "a=1,2; b=3"},
        {"a=1; g=2, b=3, g=4", "a=1, b=3"},
        {"g=1, g=2,", "(none)"},
        {"ag=1; ga=2; g; G=3; a=g=1", "ag=1; ga=2; g; G=3; a=g=1"},
    };
    apr_pool_t *pool = *state;
    const char *unchanged = "a=1; ga=2";

    assert_null(idv_gate_cookies_without(NULL, "g", pool));
    assert_ptr_equal(idv_gate_cookies_without(unchanged, "g", pool), unchanged);
    for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++)
        assert_string_equal(without(pairs[i][0], pool), pairs[i][1]);
}

static void demands_are_met_by_enough(void **state)
{
    idv_gate_demand_t demand;
    idv_gate_proof_t proof = {.age = 18};

    (void)state;
    assert_null(idv_gate_demand_parse("18", &demand));
    assert_true(idv_gate_is_met(&demand, &proof, 0));
    assert_null(idv_gate_demand_parse("21", &demand));
    assert_false(idv_gate_is_met(&demand, &proof, 0));
    assert_null(idv_gate_demand_parse("lawful", &demand));
    assert_true(idv_gate_is_met(&demand, &proof, 18));
    assert_false(idv_gate_is_met(&demand, &proof, 19));
    demand.kind = IDV_GATE_IDENTITY;
    assert_false(idv_gate_is_met(&demand, &proof, 0));
    for (const char *const *bad =
             (const char *const[]){"", "0", "100", "-1", "18x", "x", " 18",
                                   "1e1", "lawful ", NULL};
         *bad; bad++)
        assert_non_null(idv_gate_demand_parse(*bad, &demand));
    proof.age = 0;
    demand.kind = IDV_GATE_LAWFUL;
    assert_false(idv_gate_is_met(&demand, &proof, 0));
}

static void a_proof_states_no_more_than_a_tier(void **state)
{
    (void)state;
    assert_int_equal(idv_gate_proved_age(-1, 0), 0);
    assert_int_equal(idv_gate_proved_age(12, 0), 0);
    assert_int_equal(idv_gate_proved_age(20, 18), 18);
    assert_int_equal(idv_gate_proved_age(34, 18), 21);
    assert_int_equal(idv_gate_proved_age(20, 19), 19);
    assert_int_equal(idv_gate_proved_age(-1, 18), 18);
}

static void navigations_are_told_from_the_rest(void **state)
{
    static const struct {
        idv_gate_head_t head;
        int is_navigation;
    } cases[] = {
        {{1, "navigate", "document", NULL, NULL, NULL}, 1},
        {{1, "navigate", NULL, NULL, NULL, NULL}, 1},
        {{1, "navigate", "iframe", "text/html", NULL, NULL}, 0},
        {{1, "cors", "empty", "text/html", NULL, NULL}, 0},
        {{1, "no-cors", "image", "text/html", NULL, NULL}, 0},
        {{1, NULL, "document", "text/html", NULL, NULL}, 0},
        {{0, "navigate", "document", "text/html", NULL, NULL}, 0},
        {{1, "navigate", "document", NULL, NULL, "prefetch"}, 0},
        {{1, NULL, NULL, "text/html,*/*", NULL, NULL}, 1},
        {{1, NULL, NULL, "text/html", "XMLHttpRequest", NULL}, 0},
        {{1, NULL, NULL, "application/json", NULL, NULL}, 0},
        {{1, NULL, NULL, "*/*", NULL, NULL}, 0},
        {{1, NULL, NULL, NULL, NULL, NULL}, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        assert_int_equal(idv_gate_is_navigation(&cases[i].head),
                         cases[i].is_navigation);
}

static void only_paths_of_the_host_are_safe(void **state)
{
    static const char *const good[] = {"/",
                                       "/a",
                                       "/a/b?c=d&e=%2F%2Ff",
                                       "/%C3%BC",
                                       "/a?u=https://b/",
                                       "/..a/b",
                                       "/a/..b",
                                       "/a//b",
                                       "/a?../..",
                                       "/.well-known/x",
                                       NULL};
    static const char *const bad[] = {"",
                                      "a",
                                      "//a",
                                      "/\\a",
                                      "\\\\a",
                                      "https://a",
                                      "javascript:a",
                                      "?a",
                                      "#a",
                                      "/a#b",
                                      "/%2fa",
                                      "/%2Fa",
                                      "/%5ca",
                                      "/%5Ca",
                                      "/%252fa",
                                      "/%09/a",
                                      "/%0d%0aa",
                                      "/%20/a",
                                      "/a b",
                                      "/a\tb",
                                      "/a\r\nb",
                                      "/a\x7f",
                                      "/a\xc3\xa9",
                                      "/./a",
                                      "/../a",
                                      "/a/..",
                                      "/a/.",
                                      "/a/../b",
                                      "/%2e%2e/a",
                                      "/a/%2E./b",
                                      "/\"a",
                                      "/'a",
                                      "/<a>",
                                      "/a\\b",
                                      "/.verify-gate/shop/start",
                                      NULL};
    apr_pool_t *pool = *state;
    char *longest = apr_palloc(pool, IDV_GATE_DESTINATION_MAX + 2);

    for (int i = 0; good[i]; i++)
        assert_true(idv_gate_destination_is_safe(good[i]));
    for (int i = 0; bad[i]; i++)
        assert_false(idv_gate_destination_is_safe(bad[i]));
    memset(longest, 'a', IDV_GATE_DESTINATION_MAX + 1);
    longest[0] = '/';
    longest[IDV_GATE_DESTINATION_MAX + 1] = '\0';
    assert_false(idv_gate_destination_is_safe(longest));
    longest[IDV_GATE_DESTINATION_MAX] = '\0';
    assert_true(idv_gate_destination_is_safe(longest));
}

static void names_are_plain(void **state)
{
    (void)state;
    assert_true(idv_gate_name_is_valid("shop-2"));
    assert_false(idv_gate_name_is_valid(""));
    assert_false(idv_gate_name_is_valid("Shop"));
    assert_false(idv_gate_name_is_valid("a/b"));
    assert_false(idv_gate_name_is_valid("123456789012345678901234567890123"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(a_proof_comes_back_as_it_was),
        pooled_test(a_proof_is_good_in_its_place_only),
        pooled_test(a_key_that_is_rotated_opens_what_it_sealed),
        pooled_test(no_bit_of_a_cookie_can_be_changed),
        pooled_test(a_visit_ends),
        pooled_test(cookies_are_found_by_their_whole_name),
        pooled_test(cookies_are_removed_byte_by_byte),
        pooled_test(demands_are_met_by_enough),
        pooled_test(a_proof_states_no_more_than_a_tier),
        pooled_test(navigations_are_told_from_the_rest),
        pooled_test(only_paths_of_the_host_are_safe),
        pooled_test(names_are_plain),
    };

    return unit_run("domain/gate", tests);
}
