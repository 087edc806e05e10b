/* SPDX-License-Identifier: Apache-2.0 */
/* JSON written without a tree, and records read without one, held against
 * jansson. */
#include <stdint.h>

#include "unit/unit.h"

#include "core/json.h"
#include "core/json_record.h"

/* Every character that has an escape of its own, some that have none. */
static const char odd[] =
    "\"\\/\b\f\n\r\t\x01\x1f\x7f \xc3\xbc\xf0\x9f\x98\x80";

static void writes_what_jansson_writes(void **state)
{
    apr_pool_t *pool = *state;
    json_t *value = json_pack(
        "{s:s, s:I, s:I, s:I, s:b, s:i, s:n, s:[s, i, {}, []], s:{s:s}}",
        "text", odd, "largest", INT64_MAX, "smallest", INT64_MIN, "zero",
        (json_int_t)0, "true", 1, "time", 7, "null", "array", "", -7, "object",
        "a", "b");
    idv_json_writer_t writer;
    char *expected = json_dumps(idv_json_own(value, pool), JSON_COMPACT);

    idv_json_writer_init(&writer, 0, pool); /* grows at every step */
    idv_json_open_object(&writer, NULL);
    idv_json_put_text(&writer, "text", odd);
    idv_json_put_integer(&writer, "largest", INT64_MAX);
    idv_json_put_integer(&writer, "smallest", INT64_MIN);
    idv_json_put_integer(&writer, "zero", 0);
    idv_json_put_boolean(&writer, "true", 1);
    idv_json_put_seconds(&writer, "time", 7999);
    idv_json_put_seconds(&writer, "null", 0);
    idv_json_open_array(&writer, "array");
    idv_json_put_text(&writer, NULL, "");
    idv_json_put_integer(&writer, NULL, -7);
    idv_json_open_object(&writer, NULL);
    idv_json_close_object(&writer);
    idv_json_put_raw(&writer, NULL, "[]");
    idv_json_close_array(&writer);
    idv_json_put_value(&writer, "object", json_object_get(value, "object"));
    idv_json_close_object(&writer);
    assert_string_equal(idv_json_writer_text(&writer, NULL), expected);
    assert_string_equal(idv_json_text(value, pool), expected);
    assert_null(idv_json_text(NULL, pool));
    free(expected);
}

static void writes_numbers_as_they_are_meant(void **state)
{
    apr_pool_t *pool = *state;
    json_t *value = idv_json_own(
        json_pack("[f, f, f, f]", 0.98, 0.1 + 0.2, 1.0, 1e-7), pool);

    assert_string_equal(idv_json_text(value, pool), "[0.98,0.3,1.0,1e-7]");
}

typedef struct {
    const char *name, *raw;
    int count, flag;
    apr_int64_t time;
    int custom;
} record_t;

static void write_custom(idv_json_writer_t *writer, const char *key,
                         const void *value)
{
    if (*(const int *)value)
        idv_json_put_integer(writer, key, *(const int *)value);
}

static idv_error_t *read_custom(const char *json, void *value, apr_pool_t *pool)
{
    if (strcmp(json, "7") != 0)
        return idv_error_internal(pool, "not seven");
    *(int *)value = 7;
    return NULL;
}

static const idv_json_member_t members[] = {
    IDV_JSON_MEMBER(TEXT, record_t, name),
    IDV_JSON_MEMBER_AS(RAW, record_t, raw, "inner"),
    IDV_JSON_MEMBER(INTEGER, record_t, count),
    IDV_JSON_MEMBER(BOOLEAN, record_t, flag),
    IDV_JSON_MEMBER(TIME, record_t, time),
    {"custom", IDV_JSON_MEMBER_CUSTOM, offsetof(record_t, custom), 1,
     write_custom, read_custom},
    {0},
};

static const char *written(const record_t *record, apr_pool_t *pool)
{
    idv_json_writer_t writer;

    idv_json_writer_init(&writer, 100, pool);
    idv_json_put_record(&writer, NULL, members, record);
    return idv_json_writer_text(&writer, NULL);
}

static void keeps_records(void **state)
{
    apr_pool_t *pool = *state;
    const record_t records[] = {
        {0},
        {odd, "{\"a\":[1,\"]}\"]}", -5, 1, INT64_C(1800000000123), 7},
        {"plain", "\"\\\"\"", 1, 0, -1, 0},
    };

    for (size_t i = 0; i < sizeof(records) / sizeof(*records); i++) {
        const char *text = written(&records[i], pool);
        record_t read = {0};

        assert_non_null(idv_json_own(json_loads(text, 0, NULL), pool));
        assert_null(idv_json_read_record(text, members, &read, pool));
        assert_string_equal(written(&read, pool), text);
        assert_int_equal(read.time, records[i].time);
        if (records[i].name)
            assert_string_equal(read.name, records[i].name);
        else
            assert_null(read.name);
    }
}

static void reads_any_order_and_spaces(void **state)
{
    apr_pool_t *pool = *state;
    record_t read = {0};

    assert_null(idv_json_read_record(
        " { \"time\" : 9 , \"unknown\" : { \"name\" : [ \"no\" ] } ,\n"
        "\"flag\":true, \"count\": 3, \"inner\" : [ 1 , 2 ], "
        "\"name\" : \"\\u00fc\" } ",
        members, &read, pool));
    assert_string_equal(read.name, "\xc3\xbc");
    assert_string_equal(read.raw, "[ 1 , 2 ]");
    assert_int_equal(read.time, 9);
    assert_int_equal(read.count, 3);
    assert_int_equal(read.flag, 1);
}

static void refuses_other_texts(void **state)
{
    static const char *const texts[] = {
        "",
        "[]",
        "null",
        "{",
        "{\"name\"",
        "{\"name\":",
        "{\"name\":\"",
        "{\"name\":\"a\\",
        "{}",
        "{\"name\":[}",
        "{name:1}",
        /* each lacks one member, or has it of another type */
        "{\"inner\":1,\"count\":1,\"flag\":true,\"time\":1}",
        "{\"name\":1,\"inner\":1,\"count\":1,\"flag\":true,\"time\":1}",
        "{\"name\":null,\"inner\":1,\"count\":\"1\",\"flag\":true,\"time\":1}",
        "{\"name\":null,\"inner\":1,\"count\":1,\"flag\":1,\"time\":1}",
        "{\"name\":null,\"inner\":1,\"count\":1,\"flag\":true,\"time\":null}",
        ("{\"name\":null,\"inner\":1,\"count\":1,\"flag\":true,\"time\":1,"
         "\"custom\":8}"),
        "{\"name\":null,\"inner\":1,\"count\":1,\"flag\":true,\"time\":1",
    };
    apr_pool_t *pool = *state;

    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
        record_t read = {0};

        assert_non_null(idv_json_read_record(texts[i], members, &read, pool));
    }
}

static idv_error_t *join(const char *json, void *baton, apr_pool_t *pool)
{
    (void)pool;
    strcat(strcat(baton, json), ";");
    return NULL;
}

static void reads_arrays(void **state)
{
    apr_pool_t *pool = *state;
    char joined[64] = "";

    assert_null(
        idv_json_read_array("[ \"a,]\" , 2,{\"b\":[3]}]", join, joined, pool));
    assert_string_equal(joined, "\"a,]\";2;{\"b\":[3]};");
    assert_null(idv_json_read_array("[]", join, joined, pool));
    assert_non_null(idv_json_read_array("[1", join, joined, pool));
    assert_non_null(idv_json_read_array("{}", join, joined, pool));
}

static void reads_texts(void **state)
{
    apr_pool_t *pool = *state;
    static const char *const others[] = {"",     "\"",      "\"a", "\"a\\\"",
                                         "null", "[\"a\"]", "a\"", "\"a\" "};

    assert_string_equal(idv_json_read_text("\"\"", pool), "");
    assert_string_equal(idv_json_read_text("\"a\\u00fc\"", pool), "a\xc3\xbc");
    for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
        assert_null(idv_json_read_text(others[i], pool));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(writes_what_jansson_writes),
        pooled_test(writes_numbers_as_they_are_meant),
        pooled_test(keeps_records),
        pooled_test(reads_any_order_and_spaces),
        pooled_test(refuses_other_texts),
        pooled_test(reads_arrays),
        pooled_test(reads_texts),
    };

    return unit_run("core/json_text", tests);
}
