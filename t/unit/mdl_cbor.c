/* SPDX-License-Identifier: Apache-2.0 */
/* CBOR: what is read, what is refused, and that encodings stay as they came. */
#include "unit/mdl_fixture.h"

static const idv_cbor_t *read_hex(const char *hex, apr_pool_t *pool)
{
    idv_cbor_budget_t budget = IDV_CBOR_BUDGET;
    const idv_cbor_t *item;

    if (idv_cbor_read(from_hex(hex, pool), &budget, &item, pool))
        fail_msg("%s does not read", hex);
    assert_int_equal(item->encoded.length, strlen(hex) / 2);
    return item;
}

static void refuse(idv_bytes_t bytes, const char *what, apr_pool_t *pool)
{
    idv_cbor_budget_t budget = IDV_CBOR_BUDGET;
    const idv_cbor_t *item;
    idv_error_t *error = idv_cbor_read(bytes, &budget, &item, pool);

    if (!error)
        fail_msg("%s was read", what);
    assert_int_equal(error->code, IDV_E_PARAMETER_INVALID);
}

/* RFC 8949, appendix A, and longer heads than necessary. */
static void integers_of_every_width_are_read(void **state)
{
    static const struct {
        const char *hex;
        apr_int64_t number;
    } rows[] = { { "00", 0 },
                 { "17", 23 },
                 { "1818", 24 },
                 { "1903e8", 1000 },
                 { "1a000f4240", 1000000 },
                 { "1b000000e8d4a51000", 1000000000000 },
                 { "20", -1 },
                 { "3903e7", -1000 },
                 { "3b7fffffffffffffff", APR_INT64_MIN },
                 { "1800", 0 },
                 { "1b0000000000000001", 1 } };
    apr_int64_t number;

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        assert_true(idv_cbor_integer(read_hex(rows[i].hex, *state), &number));
        assert_true(number == rows[i].number);
    }
    assert_false(
        idv_cbor_integer(read_hex("1bffffffffffffffff", *state), &number));
    assert_false(idv_cbor_integer(read_hex("f6", *state), &number));
    assert_false(idv_cbor_integer(NULL, &number));
}

static void strings_of_both_lengths_are_read(void **state)
{
    const idv_cbor_t *item = read_hex("7f62494562544660ff", *state);

    assert_string_equal(idv_cbor_text(item), "IETF");
    assert_string_equal(idv_cbor_text(read_hex("6449455446", *state)), "IETF");
    item = read_hex("5f42010243030405ff", *state);
    assert_int_equal(item->type, IDV_CBOR_BYTES);
    assert_int_equal(item->content.length, 5);
    assert_memory_equal(item->content.data, "\1\2\3\4\5", 5);
    assert_string_equal(idv_cbor_text(read_hex("62c3bc", *state)), "\xc3\xbc");
    assert_string_equal(idv_cbor_text(read_hex("64f0908591", *state)),
                        "\xf0\x90\x85\x91");
    assert_string_equal(idv_cbor_text(read_hex("60", *state)), "");
}

static void containers_of_both_lengths_are_read(void **state)
{
    static const char *const maps[] = {
        "a301020304616103",             /* as it should be */
        "b9000301020304616103",        /* a head of three bytes */
        "bf01020304616103ff",           /* indefinite */
        "bb000000000000000301020304616103",
    };
    apr_int64_t number;

    for (size_t i = 0; i < 4; i++) {
        const idv_cbor_t *map = read_hex(maps[i], *state);

        assert_int_equal(map->count, 3);
        assert_true(idv_cbor_integer(idv_cbor_member_number(map, 3), &number));
        assert_int_equal(number, 4);
        assert_true(idv_cbor_integer(idv_cbor_member(map, "a"), &number));
        assert_int_equal(number, 3);
        assert_null(idv_cbor_member(map, "b"));
        assert_null(idv_cbor_member_number(map, -2));
    }
    assert_int_equal(read_hex("9f018202039f0405ffff", *state)->count, 3);
    assert_int_equal(read_hex("80", *state)->count, 0);
    assert_int_equal(read_hex("bfff", *state)->count, 0);
}

static void embedded_items_keep_their_bytes(void **state)
{
    idv_cbor_budget_t budget = IDV_CBOR_BUDGET;
    /* [24(<<1(two bytes long)>>), "a"], the length of the bytes in two bytes */
    const idv_cbor_t *item = read_hex("82d81859000218016161", *state);
    const idv_cbor_t *inner;

    assert_int_equal(item->first->encoded.length, 7);
    assert_null(idv_cbor_open(item->first, &budget, &inner, *state));
    assert_int_equal(inner->number, 1);
    assert_int_equal(inner->encoded.length, 2);
    assert_non_null(idv_cbor_open(item->first->next, &budget, &inner, *state));
    /* Something behind the embedded item. */
    item = read_hex("d818420101", *state);
    assert_non_null(idv_cbor_open(item, &budget, &inner, *state));
}

static void what_is_not_well_formed_is_refused(void **state)
{
    static const char *const rows[] = {
        "",           "18",         "1900",   "1c",       "1f",
        "3f",         "df00",       "41",     "5803aabb", "5bffffffffffffffff",
        "61",         "62c328",     "62c080", "63eda080", "64f4908080",
        "616100",    "6100",       "81",     "8201",     "9f01",
        "a1",         "a101",       "bf01ff", "ff",       "9f01ff00",
        "c0",         "f800",       "f81f",   "fe",       "5f6161ff",
        "7f4161ff",   "5f5f4100ffff", "7f61c361bcff", "f9",  "fb00",
        "9bffffffffffffffff01", "0000",
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        refuse(from_hex(rows[i], *state), rows[i], *state);
}

static void keys_are_simple_and_stand_once(void **state)
{
    static const char *const rows[] = {
        "a201020103",         /* 1 twice */
        "a20102180103",       /* and in another encoding */
        "a2616101616102",     /* "a" twice */
        "a26161017f6161ff02", /* once joined from chunks */
        "bf01020103ff",       /* in an indefinite map */
        "a1f502",             /* a boolean, */
        "a2410102410103",    /* the same bytes twice, */
        "a18002",            /* an array as a key */
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        refuse(from_hex(rows[i], *state), rows[i], *state);
    /* Bytes are no text, though they are the same. */
    {
        const idv_cbor_t *map =
            read_hex("a2616101416102", *state);

        assert_int_equal(
            idv_cbor_member_bytes(map, (idv_bytes_t){
                (const unsigned char *)"a", 1})->number, 2);
        assert_int_equal(idv_cbor_member(map, "a")->number, 1);
        assert_null(idv_cbor_member_bytes(map, (idv_bytes_t){
            (const unsigned char *)"b", 1}));
    }
    /* The same number with another sign is another key. */
    assert_int_equal(read_hex("a201022003", *state)->count, 2);
}

static void every_limit_holds(void **state)
{
    apr_size_t most = IDV_CBOR_MAX_LENGTH + 1;
    unsigned char *bytes = apr_pcalloc(*state, most + 8);
    idv_cbor_writer_t writer;

    memset(bytes, 0x81, IDV_CBOR_MAX_DEPTH + 1);
    refuse((idv_bytes_t){ bytes, IDV_CBOR_MAX_DEPTH + 2 }, "depth", *state);
    read_hex(idv_hex(bytes + 1, IDV_CBOR_MAX_DEPTH + 1, *state), *state);
    idv_cbor_writer_init(&writer, *state);
    idv_cbor_put_array(&writer, IDV_CBOR_MAX_ITEMS);
    for (int i = 0; i < IDV_CBOR_MAX_ITEMS; i++)
        idv_cbor_put_integer(&writer, 0);
    refuse(idv_cbor_written(&writer), "items", *state);
    idv_cbor_writer_init(&writer, *state);
    idv_cbor_put_map(&writer, IDV_CBOR_MAX_MEMBERS + 1);
    for (int i = 0; i <= IDV_CBOR_MAX_MEMBERS; i++) {
        idv_cbor_put_integer(&writer, i);
        idv_cbor_put_simple(&writer, IDV_CBOR_NULL);
    }
    refuse(idv_cbor_written(&writer), "members", *state);
    memcpy(bytes, "\x5a\x00\x0f\xff\xfc", 5);
    refuse((idv_bytes_t){ bytes, most }, "length", *state);
    /* Chunks are counted, too. */
    memset(bytes, 0x40, most);
    bytes[0] = 0x5f;
    bytes[IDV_CBOR_MAX_ITEMS + 1] = 0xff;
    refuse((idv_bytes_t){ bytes, IDV_CBOR_MAX_ITEMS + 2 }, "chunks", *state);
}

static void what_is_written_is_deterministic(void **state)
{
    static const apr_int64_t numbers[] = { 0,     23,         24,
                                           255,   256,        65535,
                                           65536, 4294967295, 4294967296,
                                           -1,    -24,        -25,
                                           -256,  -257,       APR_INT64_MIN };
    idv_cbor_writer_t writer;
    const idv_cbor_t *item;
    idv_cbor_budget_t budget = IDV_CBOR_BUDGET;
    apr_int64_t number;

    idv_cbor_writer_init(&writer, *state);
    idv_cbor_put_array(&writer, 15);
    for (int i = 0; i < 15; i++)
        idv_cbor_put_integer(&writer, numbers[i]);
    assert_null(
        idv_cbor_read(idv_cbor_written(&writer), &budget, &item, *state));
    item = item->first;
    for (int i = 0; i < 15; i++, item = item->next) {
        assert_true(idv_cbor_integer(item, &number));
        assert_true(number == numbers[i]);
    }
    idv_cbor_writer_init(&writer, *state);
    idv_cbor_put_map(&writer, 1);
    idv_cbor_put_text(&writer, "a");
    idv_cbor_put_tag(&writer, 1004);
    idv_cbor_put_bytes(&writer, (idv_bytes_t){ (unsigned char *)"\1\2", 2 });
    assert_string_equal(
        idv_hex(writer.data, writer.length, *state), "a16161d903ec420102");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(integers_of_every_width_are_read),
        pooled_test(strings_of_both_lengths_are_read),
        pooled_test(containers_of_both_lengths_are_read),
        pooled_test(embedded_items_keep_their_bytes),
        pooled_test(what_is_not_well_formed_is_refused),
        pooled_test(keys_are_simple_and_stand_once),
        pooled_test(every_limit_holds),
        pooled_test(what_is_written_is_deterministic),
    };

    return unit_run("mdl_cbor", tests);
}
