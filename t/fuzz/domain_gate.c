/* SPDX-License-Identifier: Apache-2.0 */
/* What a visitor of an age gate sends: cookies, where to go, and what a
 * configuration demands. */
#include "fuzz/fuzz.h"

#include "domain/gate/gate.h"

/* Nobody makes a cookie without the key. */
static void check_cookies(const char *text, apr_pool_t *pool)
{
    static const idv_keyring_t keyring = {
        .versions = {{.version = 1, .sealing = {{1}}}}, .count = 1};
    const idv_gate_place_t place = {&keyring, "shop", "org_1", "wf_1",
                                    "https://shop.example"};
    const char *cookie = idv_gate_cookie(text, "a", pool);

    if (cookie)
        promise(strstr(text, "a=") && !strchr(cookie, ';'));
    promise(!idv_gate_proof_open(&place, cookie, 1, pool));
    promise(!idv_gate_visit_open(&place, cookie, 1, pool));
    promise(!idv_gate_proof_open(&place, text, 1, pool));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    apr_pool_t *pool = fuzz_pool();
    const char *text = apr_pstrmemdup(pool, (const char *)data, size);
    idv_gate_demand_t demand = {0};
    const idv_gate_head_t head = {1, text, text, text, NULL, NULL};

    check_cookies(text, pool);
    if (idv_gate_destination_is_safe(text)) {
        promise(text[0] == '/' && text[1] != '/' && text[1] != '\\');
        promise(strlen(text) <= IDV_GATE_DESTINATION_MAX);
        for (const char *c = text; *c; c++)
            promise(*c > ' ' && *c < 0x7f);
    }
    if (!idv_gate_demand_parse(text, &demand) && demand.kind == IDV_GATE_AGE)
        promise(demand.age >= 1 && demand.age <= 99);
    /* No text is both the mode and the kind of a navigation. */
    promise(!idv_gate_is_navigation(&head));
    if (idv_gate_name_is_valid(text))
        promise(!strpbrk(text, "/;=, \""));
    apr_pool_destroy(pool);
    return 0;
}
