/* SPDX-License-Identifier: Apache-2.0 */
/* What is kept and passed on of a chip's relay and of the trusted CSCAs: texts
 * that read back as they were written, and nothing else. */
#include "unit/passport_chip.h"

#include "methods/passport/chip_relay.h"
#include "methods/passport/csca_list.h"

#define LENGTH(table) (sizeof(table) / sizeof(*(table)))

static void a_relay_reads_back(void **state)
{
    apr_pool_t *pool = *state;
    idv_chip_relay_t *relay = idv_chip_relay_create(pool), *back;
    idv_chip_answer_t answer = {
        .responses = {BYTES("\x90\0"), BYTES("\x01\x02\x90\0")}, .count = 2};
    idv_bytes_t text, again;

    assert_null(idv_chip_relay_write(relay, &text, pool));
    assert_null(idv_chip_relay_read(text, &back, pool));
    assert_memory_equal(back->seed, relay->seed, IDV_CHIP_RELAY_SEED_SIZE);
    assert_int_equal(back->answer_count, 0);
    for (int i = 0; i < IDV_CHIP_RELAY_ANSWERS_MAX; i++)
        assert_null(idv_chip_relay_add(back, &answer, pool));
    assert_non_null(idv_chip_relay_add(back, &answer, pool));
    assert_null(idv_chip_relay_write(back, &text, pool));
    assert_null(idv_chip_relay_read(text, &back, pool));
    assert_int_equal(back->answer_count, IDV_CHIP_RELAY_ANSWERS_MAX);
    assert_int_equal(back->answers[7].count, 2);
    assert_int_equal(back->answers[7].responses[1].length, 4);
    assert_null(idv_chip_relay_write(back, &again, pool));
    assert_int_equal(again.length, text.length);
    assert_memory_equal(again.data, text.data, text.length);
}

/* The longest that an app may bring fits. */
static void a_full_relay_is_not_too_long(void **state)
{
    apr_pool_t *pool = *state;
    idv_chip_relay_t *relay = idv_chip_relay_create(pool), *back;
    idv_chip_answer_t answer = {.count = IDV_CHIP_RELAY_COMMANDS_MAX};
    idv_bytes_t text;

    for (int i = 0; i < IDV_CHIP_RELAY_COMMANDS_MAX; i++)
        answer.responses[i] =
            (idv_bytes_t){apr_pcalloc(pool, IDV_CHIP_RELAY_RESPONSE_MAX),
                          IDV_CHIP_RELAY_RESPONSE_MAX};
    for (int i = 0; i < IDV_CHIP_RELAY_ANSWERS_MAX; i++)
        assert_null(idv_chip_relay_add(relay, &answer, pool));
    assert_null(idv_chip_relay_write(relay, &text, pool));
    assert_null(idv_chip_relay_read(text, &back, pool));
}

static void other_records_are_refused(void **state)
{
    static const char *const texts[] = {
        "",
        "{}",
        "{\"seed\":\"AA\",\"answers\":[]}",
        "{\"seed\":null,\"answers\":[]}",
        "{\"seed\":\"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\"}",
        "{\"seed\":\"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\","
        "\"answers\":[1]}",
        "{\"seed\":\"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\","
        "\"answers\":[[\"A\"]]}",
        "{\"seed\":\"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\","
        "\"answers\":[[],[],[],[],[],[],[],[],[]]}"};
    idv_chip_relay_t *relay;

    for (size_t i = 0; i < LENGTH(texts); i++)
        assert_non_null(idv_chip_relay_read(
            (idv_bytes_t){(const unsigned char *)texts[i], strlen(texts[i])},
            &relay, *state));
}

static void a_step_reads_back(void **state)
{
    apr_pool_t *pool = *state;
    idv_chip_relay_step_t step = {.status = IDV_CHIP_RELAY_WAITS,
                                  .commands = {{BYTES("\0\x22\x41\xa4\0"), 0},
                                               {BYTES("\x0c\xb0\x8e\0\0"), 1}},
                                  .command_count = 2},
                          *back;
    idv_bytes_t text;

    assert_null(idv_chip_relay_step_write(&step, &text, pool));
    assert_null(idv_chip_relay_step_read(text, &back, pool));
    assert_int_equal(back->command_count, 2);
    assert_true(back->commands[1].is_protected);
    assert_memory_equal(back->commands[1].apdu.data, "\x0c\xb0\x8e\0\0", 5);
    for (int status = 1; status <= IDV_CHIP_RELAY_UNSUPPORTED; status++) {
        step = (idv_chip_relay_step_t){.status = status};
        assert_null(idv_chip_relay_step_write(&step, &text, pool));
        assert_null(idv_chip_relay_step_read(text, &back, pool));
        assert_int_equal(back->status, status);
    }
}

static void other_steps_are_refused(void **state)
{
    static const char *const texts[] = {
        "{\"status\":\"waits\",\"commands\":[]}",
        "{\"status\":\"proven\",\"commands\":[{\"apdu\":\"ACJBpA\","
        "\"protected\":false}]}",
        "{\"status\":\"sure\",\"commands\":[]}",
        "{\"status\":null,\"commands\":[]}",
        "{\"status\":\"proven\"}",
        "{\"status\":\"waits\",\"commands\":[{\"apdu\":\"AAAA\","
        "\"protected\":false}]}",
        "{\"status\":\"waits\",\"commands\":[{\"apdu\":\"ACJBpA\"}]}",
        "{\"status\":\"waits\",\"commands\":[{\"apdu\":\"ACJBpA\","
        "\"protected\":1}]}",
        "{\"status\":\"proven\",\"commands\":[],\"more\":1}"};
    idv_chip_relay_step_t *step;

    for (size_t i = 0; i < LENGTH(texts); i++)
        assert_non_null(idv_chip_relay_step_read(
            (idv_bytes_t){(const unsigned char *)texts[i], strlen(texts[i])},
            &step, *state));
}

/* One certificate that is none takes nothing from the others. */
static void packed_authorities_are_those_that_were_trusted(void **state)
{
    apr_pool_t *pool = *state;
    chip_issuer_t issuer = chip_plain_issuer(pool);
    const idv_csca_entry_t entries[] = {{issuer.csca, "list 1"},
                                        {BYTES("no certificate"), "list 2"},
                                        {issuer.signer, "list 2"},
                                        {issuer.csca, "list 3"}};
    idv_csca_list_t *list = idv_csca_list_create(pool);
    idv_bytes_t packed = idv_csca_pack(entries, LENGTH(entries), pool);
    unsigned char digest[IDV_DIGEST_SIZE];

    assert_null(idv_csca_list_unpack(list, packed));
    assert_int_equal(list->items->nelts, 1);
    assert_string_equal(APR_ARRAY_IDX(list->items, 0, idv_csca_t).source,
                        "list 1");
    idv_sha256(issuer.csca.data, issuer.csca.length, digest);
    assert_true(
        idv_csca_pack_has(packed, idv_hex(digest, sizeof(digest), pool), pool));
    digest[0] ^= 1;
    assert_false(
        idv_csca_pack_has(packed, idv_hex(digest, sizeof(digest), pool), pool));
    assert_non_null(idv_csca_list_unpack(
        list, (idv_bytes_t){packed.data, packed.length - 1}));
    assert_null(idv_csca_list_unpack(list, (idv_bytes_t){packed.data, 0}));
}

/* The reader is sent no empty parts. */
static void authorities_are_packed_where_nobody_is_trusted(void **state)
{
    apr_pool_t *pool = *state;
    idv_csca_list_t *list = idv_csca_list_create(pool);
    idv_bytes_t packed = idv_csca_pack(NULL, 0, pool);

    assert_true(packed.length > 0);
    assert_null(idv_csca_list_unpack(list, packed));
    assert_int_equal(list->items->nelts, 0);
    assert_false(idv_csca_pack_has(packed, "00", pool));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(a_relay_reads_back),
        pooled_test(a_full_relay_is_not_too_long),
        pooled_test(other_records_are_refused),
        pooled_test(a_step_reads_back),
        pooled_test(other_steps_are_refused),
        pooled_test(packed_authorities_are_those_that_were_trusted),
        pooled_test(authorities_are_packed_where_nobody_is_trusted),
    };

    return unit_run("passport/relay_record", tests);
}
