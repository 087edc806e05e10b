/* SPDX-License-Identifier: Apache-2.0 */
/* The reader of foreign findings: each kind of value in its bounds and out of
 * them, and a walk that remembers the first deviation and goes on. */
#include "unit/unit.h"

#include "methods/findings_reader.h"

#define LENGTH(table) (sizeof(table) / sizeof(*(table)))
#define SIZE_LIMIT 4096

static idv_findings_reading_t begin(apr_pool_t *pool, const char *text)
{
    idv_findings_reading_t reading;

    assert_null(idv_findings_begin(
        &reading, (idv_bytes_t){(const unsigned char *)text, strlen(text)},
        SIZE_LIMIT, pool));
    assert_null(idv_findings_end(&reading));
    return reading;
}

static const char *cause_of(idv_error_t *error)
{
    assert_non_null(error);
    assert_int_equal(error->code, IDV_E_INTERNAL);
    return idv_error_cause(error);
}

static void what_is_no_object_cannot_be_read(void **state)
{
    static const char *const texts[] = {
        "", "[]", "7", "{\"a\":", "{} {}", "{\"a\":1,\"a\":2}"};
    idv_findings_reading_t reading;
    apr_pool_t *pool = *state;

    for (size_t i = 0; i < LENGTH(texts); i++)
        cause_of(idv_findings_begin(
            &reading,
            (idv_bytes_t){(const unsigned char *)texts[i], strlen(texts[i])},
            SIZE_LIMIT, pool));
    assert_string_equal(
        cause_of(idv_findings_begin(
            &reading, (idv_bytes_t){(const unsigned char *)"{   }", 5}, 4,
            pool)),
        "findings: longer than 4 bytes");
}

static void the_first_deviation_is_told_and_no_value(void **state)
{
    idv_findings_reading_t reading =
        begin(*state, "{\"secret\":\"Erika\",\"other\":7}");

    assert_int_equal(
        idv_findings_integer(&reading, reading.root, "secret", 0, 9), 0);
    assert_null(idv_findings_text(&reading, reading.root, "other", 9));
    assert_string_equal(idv_findings_text(&reading, reading.root, "secret", 9),
                        "Erika");
    assert_string_equal(cause_of(idv_findings_end(&reading)),
                        "findings: secret does not have the agreed form");
}

/* One member, and whether the walk finds nothing wrong with it. */
typedef struct {
    const char *value; /* JSON */
    int is_good;
} value_t;

typedef void read_t(idv_findings_reading_t *reading);

static void check_values(apr_pool_t *pool, read_t *read, const value_t *values,
                         size_t count)
{
    for (size_t i = 0; i < count; i++) {
        idv_findings_reading_t reading = begin(
            pool, apr_pstrcat(pool, "{\"it\":", values[i].value, "}", NULL));

        read(&reading);
        if ((reading.fault == NULL) != values[i].is_good)
            print_error("%s: %s\n", values[i].value,
                        reading.fault ? "refused" : "taken");
        assert_int_equal(reading.fault == NULL, values[i].is_good);
    }
}

/* Every kind of value demands that its member is there. */
static void missing(apr_pool_t *pool, read_t *read)
{
    idv_findings_reading_t reading = begin(pool, "{\"another\":null}");

    read(&reading);
    assert_string_equal(reading.fault, "it");
}

static void read_boolean(idv_findings_reading_t *reading)
{
    (void)idv_findings_boolean(reading, reading->root, "it");
}

static void read_number(idv_findings_reading_t *reading)
{
    double number = idv_findings_number(reading, reading->root, "it", 1);

    assert_true(number >= 0 && number <= 1);
}

static void read_integer(idv_findings_reading_t *reading)
{
    apr_int64_t number =
        idv_findings_integer(reading, reading->root, "it", 1, 99);

    assert_true(number >= 1 && number <= 99);
}

static void read_text(idv_findings_reading_t *reading)
{
    const char *text = idv_findings_text(reading, reading->root, "it", 5);

    assert_true(!text || (*text && strlen(text) <= 5));
}

static void read_word(idv_findings_reading_t *reading)
{
    static const idv_findings_word_t word = {2, 3, "AB"};
    const char *text = idv_findings_word(reading, reading->root, "it", &word);

    assert_true(!text || (strlen(text) >= 2 && strlen(text) <= 3));
}

static int find_code(const char *code)
{
    return strcmp(code, "known") == 0 ? 4 : -1;
}

static void read_code(idv_findings_reading_t *reading)
{
    int found = idv_findings_code(reading, reading->root, "it", find_code);

    assert_true(found == 4 || found == -1);
}

static void read_day(idv_findings_reading_t *reading)
{
    idv_date_t date = idv_findings_date(reading, reading->root, "it", 0);

    assert_true(date.year == 0 || idv_date_is_complete(date));
}

static void read_open_date(idv_findings_reading_t *reading)
{
    (void)idv_findings_date(reading, reading->root, "it", 1);
}

static void read_bytes(idv_findings_reading_t *reading)
{
    idv_bytes_t bytes = idv_findings_bytes(reading, reading->root, "it", 3);

    assert_true(bytes.length <= 3);
}

static void read_array(idv_findings_reading_t *reading)
{
    assert_true(
        json_array_size(idv_findings_array(reading, reading->root, "it", 2))
        <= 2);
}

static void read_texts(idv_findings_reading_t *reading)
{
    apr_array_header_t *texts =
        apr_array_make(reading->pool, 2, sizeof(const char *));

    idv_findings_texts(reading, reading->root, "it", 2, 3, texts);
    assert_true(texts->nelts <= 2);
}

static void each_kind_of_value_has_its_bounds(void **state)
{
    static const value_t booleans[] = {
        {"true", 1}, {"false", 1}, {"null", 0}, {"0", 0}, {"\"true\"", 0}};
    static const value_t numbers[] = {{"0", 1},   {"0.5", 1},  {"1", 1},
                                      {"1.1", 0}, {"-0.1", 0}, {"null", 0}};
    static const value_t integers[] = {{"1", 1},   {"99", 1},  {"0", 0},
                                       {"100", 0}, {"1.0", 0}, {"\"1\"", 0}};
    static const value_t texts[] = {
        {"\"12345\"", 1}, {"null", 1},          {"\"\"", 0}, {"\"123456\"", 0},
        {"\"a\\nb\"", 0}, {"\"a\\u007fb\"", 0}, {"7", 0}};
    static const value_t words[] = {
        {"\"AB\"", 1}, {"\"BAB\"", 1}, {"null", 1},    {"\"AR\"", 0},
        {"\"A\"", 0},  {"\"ABC\"", 0}, {"\"ABAB\"", 0}};
    static const value_t codes[] = {
        {"\"known\"", 1}, {"null", 1}, {"\"other\"", 0}, {"4", 0}};
    static const value_t days[] = {{"\"1974-08-12\"", 1},
                                   {"null", 1},
                                   {"\"1974-08\"", 0},
                                   {"\"1974-02-30\"", 0}};
    static const value_t dates[] = {{"\"1974-08-12\"", 1},
                                    {"\"1974-08\"", 1},
                                    {"\"1974-13\"", 0},
                                    {"\"12.8.1974\"", 0}};
    static const value_t bytes[] = {
        {"\"AQID\"", 1},   {"\"AQ\"", 1},   {"null", 1},   {"\"\"", 0},
        {"\"AQIDBA\"", 0}, {"\"A+/D\"", 0}, {"\"AR\"", 0}, {"\"A\"", 0}};
    static const value_t arrays[] = {
        {"[]", 1}, {"[1,{}]", 1}, {"[1,2,3]", 0}, {"null", 0}, {"{}", 0}};
    static const value_t lists[] = {{"[]", 1},
                                    {"[\"abc\",\"d\"]", 1},
                                    {"[\"abcd\"]", 0},
                                    {"[null]", 0},
                                    {"[\"a\",\"b\",\"c\"]", 0}};
    static const struct {
        read_t *read;
        const value_t *values;
        size_t count;
    } kinds[] = {
        {read_boolean, booleans, LENGTH(booleans)},
        {read_number, numbers, LENGTH(numbers)},
        {read_integer, integers, LENGTH(integers)},
        {read_text, texts, LENGTH(texts)},
        {read_word, words, LENGTH(words)},
        {read_code, codes, LENGTH(codes)},
        {read_day, days, LENGTH(days)},
        {read_open_date, dates, LENGTH(dates)},
        {read_bytes, bytes, LENGTH(bytes)},
        {read_array, arrays, LENGTH(arrays)},
        {read_texts, lists, LENGTH(lists)},
    };
    apr_pool_t *pool = *state;

    for (size_t i = 0; i < LENGTH(kinds); i++) {
        check_values(pool, kinds[i].read, kinds[i].values, kinds[i].count);
        missing(pool, kinds[i].read);
    }
}

static void members_that_nobody_reads_are_counted(void **state)
{
    idv_findings_reading_t reading = begin(*state, "{\"a\":1,\"b\":2}");

    assert_true(idv_findings_has_members(&reading, reading.root, 2, "root"));
    assert_null(reading.fault);
    assert_false(idv_findings_has_members(&reading, reading.root, 1, "root"));
    assert_string_equal(reading.fault, "root");
    assert_false(idv_findings_has_members(
        &reading, json_object_get(reading.root, "a"), 0, "a"));
}

static void bytes_are_what_was_encoded(void **state)
{
    idv_findings_reading_t reading = begin(*state, "{\"it\":\"-_8\"}");
    idv_bytes_t bytes = idv_findings_bytes(&reading, reading.root, "it", 2);

    assert_null(reading.fault);
    assert_int_equal(bytes.length, 2);
    assert_memory_equal(bytes.data, "\xfb\xff", 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(what_is_no_object_cannot_be_read),
        pooled_test(the_first_deviation_is_told_and_no_value),
        pooled_test(each_kind_of_value_has_its_bounds),
        pooled_test(members_that_nobody_reads_are_counted),
        pooled_test(bytes_are_what_was_encoded),
    };

    return unit_run("methods_findings_reader", tests);
}
