/* SPDX-License-Identifier: Apache-2.0 */
/* The reader of parameters: each kind of value, its bounds, and which fault of
 * several is told. */
#include "unit/unit.h"

#include "core/id.h"
#include "domain/request/parameters.h"
#include "domain/workflow/workflow.h"

typedef struct {
    const char *string, *word, *id;
    int boolean;
    apr_int64_t integer;
    const json_t *strings, *object, *metadata;
    const char *email, *phone, *jurisdiction, *url;
    idv_session_type_t type;
    idv_strength_t strength;
    idv_method_list_t methods, repeatable;
    int max_age, max_age_number;
} input_t;

static const char *const words[] = {"front", "back", NULL};

static const idv_parameter_t table[] = {
    IDV_PARAMETER(STRING, input_t, string, IDV_NULLABLE, 2, 4),
    IDV_PARAMETER_OF(STRING, input_t, word, 0, words),
    IDV_PARAMETER(ID, input_t, id, 0, IDV_ID_SESSION, 0),
    IDV_PARAMETER(BOOLEAN, input_t, boolean, 0, 0, 0),
    IDV_PARAMETER(INTEGER, input_t, integer, 0, 1, 100),
    IDV_PARAMETER_OF(STRINGS, input_t, strings, 0, words),
    IDV_PARAMETER(OBJECT, input_t, object, 0, 1, 2),
    IDV_PARAMETER(METADATA, input_t, metadata, 0, 0, IDV_METADATA_PAIRS_MAX),
    IDV_PARAMETER(EMAIL, input_t, email, 0, 1, 100),
    IDV_PARAMETER(PHONE, input_t, phone, 0, 1, 100),
    IDV_PARAMETER(JURISDICTION, input_t, jurisdiction, 0, 1, 100),
    IDV_PARAMETER(REDIRECT_URL, input_t, url, 0, 1, IDV_URL_MAX),
    IDV_PARAMETER(SESSION_TYPE, input_t, type, 0, 1, 100),
    IDV_PARAMETER(STRENGTH, input_t, strength, 0, 1, 100),
    IDV_PARAMETER(METHODS, input_t, methods, 0, 1, 2),
    IDV_PARAMETER(METHODS, input_t, repeatable, IDV_REPEATABLE, 0, 3),
    IDV_PARAMETER(MAX_AGE, input_t, max_age, 0, 1, 100),
    IDV_PARAMETER(MAX_AGE_NUMBER, input_t, max_age_number, 0, 1, 100),
    IDV_PARAMETER_REFUSE("refused", "Not here."),
    {0},
};

static idv_error_t *read_as(const char *text, int is_query, input_t *input,
                            apr_pool_t *pool)
{
    const idv_parameters_t given = {
        idv_json_own(json_loads(text, 0, NULL), pool), is_query};

    assert_non_null(given.values);
    memset(input, 0, sizeof(*input));
    return idv_parameters_read(&given, table, input, NULL, pool);
}

#define ID "vks_00000000000000000000000001"

static void reads_every_kind(void **state)
{
    input_t input;
    idv_error_t *error = read_as(
        "{\"string\":\"abcd\",\"word\":\"back\",\"id\":\"" ID "\","
        "\"boolean\":true,\"integer\":100,\"strings\":[\"front\",\"back\"],"
        "\"object\":{\"a\":1},\"metadata\":{\"order\":\"1\"},"
        "\"email\":\" A@Example.COM \",\"phone\":\"+1 555 010-0200\","
        "\"jurisdiction\":\"us-ca\",\"url\":\"https://shop.example/\","
        "\"type\":\"student\",\"strength\":\"selfie_match\","
        "\"methods\":[\"mdl\"],\"repeatable\":[\"mdl\",\"mdl\"],"
        "\"max_age\":\"3650d\",\"max_age_number\":\"1\"}",
        0, &input, *state);

    assert_null(error);
    assert_string_equal(input.string, "abcd");
    assert_string_equal(input.word, "back");
    assert_string_equal(input.id, ID);
    assert_true(input.boolean);
    assert_int_equal(input.integer, 100);
    assert_int_equal(json_array_size(input.strings), 2);
    assert_int_equal(json_object_size(input.object), 1);
    assert_int_equal(json_object_size(input.metadata), 1);
    assert_string_equal(input.email, "a@example.com");
    assert_string_equal(input.phone, "+15550100200");
    assert_string_equal(input.jurisdiction, "US-CA");
    assert_string_equal(input.url, "https://shop.example/");
    assert_int_equal(input.type, IDV_SESSION_TYPE_STUDENT);
    assert_int_equal(input.strength, IDV_STRENGTH_DOCUMENT_CAPTURE);
    assert_int_equal(input.methods.count, 1);
    assert_int_equal(input.repeatable.count, 1);
    assert_int_equal(input.max_age, 3650);
    assert_int_equal(input.max_age_number, 1);
}

static void names_what_is_wrong(void **state)
{
    static const struct {
        const char *json, *param;
    } cases[] = {
        {"{\"string\":1}", "string"},
        {"{\"string\":\"a\"}", "string"},
        {"{\"string\":\"abcde\"}", "string"},
        {"{\"word\":\"side\"}", "word"},
        {"{\"id\":\"vks_1\"}", "id"},
        {"{\"boolean\":1}", "boolean"},
        {"{\"boolean\":\"true\"}", "boolean"},
        {"{\"integer\":0}", "integer"},
        {"{\"integer\":101}", "integer"},
        {"{\"integer\":1.5}", "integer"},
        {"{\"integer\":\"1\"}", "integer"},
        {"{\"strings\":\"front\"}", "strings"},
        {"{\"strings\":[]}", "strings"},
        {"{\"strings\":[\"front\",1]}", "strings[1]"},
        {"{\"strings\":[\"side\"]}", "strings[0]"},
        {"{\"object\":[]}", "object"},
        {"{\"object\":{}}", "object"},
        {"{\"object\":{\"a\":1,\"b\":2,\"c\":3}}", "object"},
        {"{\"metadata\":true}", "metadata"},
        {"{\"metadata\":{\"order\":1}}", "metadata.order"},
        {"{\"metadata\":{\"\":\"x\"}}", "metadata"},
        {"{\"email\":\"nobody\"}", "email"},
        {"{\"phone\":\"123\"}", "phone"},
        {"{\"jurisdiction\":\"XX\"}", "jurisdiction"},
        {"{\"url\":\"http://shop.example/\"}", "url"},
        {"{\"type\":\"person\"}", "type"},
        {"{\"strength\":\"strong\"}", "strength"},
        {"{\"methods\":\"mdl\"}", "methods"},
        {"{\"methods\":[]}", "methods"},
        {"{\"methods\":[\"mdl\",\"mdl\"]}", "methods[1]"},
        {"{\"methods\":[\"mdl\",\"guess\"]}", "methods[1]"},
        {"{\"repeatable\":[\"mdl\",1]}", "repeatable[1]"},
        {"{\"max_age_number\":\"1d\"}", "max_age_number"},
        {"{\"refused\":1}", "refused"},
        {"{\"unknown\":1}", "unknown"},
        {"{\"\\u00fcnknown\":1}", NULL},
        {"{\"string\":\"ab\",\"word\":1,\"id\":1}", "word"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        input_t input;
        idv_error_t *error = read_as(cases[i].json, 0, &input, *state);

        assert_non_null(error);
        assert_int_equal(error->code, IDV_E_PARAMETER_INVALID);
        if (cases[i].param)
            assert_string_equal(error->param, cases[i].param);
        else
            assert_null(error->param);
    }
}

static void reads_max_age(void **state)
{
    static const char *const bad[] = {
        "",      "d",      "0d",  "30",          "030d",
        "3651d", "99999d", "-1d", "+1d",         "1 d",
        " 1d",   "1dd",    "1D",  "4294967297d", "18446744073709551617d",
        "1.5d",
    };
    input_t input;

    assert_null(read_as("{\"max_age\":\"30d\"}", 0, &input, *state));
    assert_int_equal(input.max_age, 30);
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        const char *body = apr_psprintf(*state, "{\"max_age\":\"%s\"}", bad[i]);
        idv_error_t *error = read_as(body, 0, &input, *state);

        assert_non_null(error);
        assert_string_equal(error->param, "max_age");
        assert_int_equal(input.max_age, 0);
    }
}

/* In a query everything is a text; in a body a text is no number. */
static void reads_queries(void **state)
{
    input_t input;

    assert_null(read_as("{\"integer\":\"042\",\"boolean\":\"false\"}", 1,
                        &input, *state));
    assert_int_equal(input.integer, 42);
    assert_false(input.boolean);
    assert_non_null(read_as("{\"integer\":\"\"}", 1, &input, *state));
    assert_non_null(read_as("{\"integer\":\"1e1\"}", 1, &input, *state));
    assert_non_null(
        read_as("{\"integer\":\"9999999999999999999\"}", 1, &input, *state));
    assert_non_null(read_as("{\"boolean\":\"1\"}", 1, &input, *state));
}

static void tells_null_from_absent(void **state)
{
    input_t input;

    assert_null(read_as("{\"string\":null}", 0, &input, *state));
    assert_null(input.string);
}

static void takes_null_for_absent(void **state)
{
    static const char nulls[] =
        "{\"word\":null,\"id\":null,\"boolean\":null,\"integer\":null,"
        "\"strings\":null,\"object\":null,\"metadata\":null,\"email\":null,"
        "\"phone\":null,\"jurisdiction\":null,\"url\":null,\"type\":null,"
        "\"strength\":null,\"methods\":null,\"max_age\":null,"
        "\"refused\":null}";
    static const idv_parameter_t required[] = {
        IDV_PARAMETER(BOOLEAN, input_t, boolean, IDV_REQUIRED, 0, 0),
        {0},
    };
    const idv_parameters_t given = {
        idv_json_own(json_loads("{\"boolean\":null}", 0, NULL), *state), 0};
    input_t input, untouched;
    idv_error_t *error;

    memset(&untouched, 0, sizeof(untouched));
    memset(&input, 0, sizeof(input));
    assert_null(read_as(nulls, 0, &input, *state));
    assert_memory_equal(&input, &untouched, sizeof(input));
    error = idv_parameters_read(&given, required, &input, NULL, *state);
    assert_non_null(error);
    assert_string_equal(error->param, "boolean");
}

static void takes_an_empty_array_for_an_empty_object(void **state)
{
    input_t input = {0};

    assert_null(read_as("{\"metadata\":[]}", 0, &input, *state));
    assert_true(json_is_object(input.metadata));
    assert_int_equal(json_object_size(input.metadata), 0);
    assert_non_null(read_as("{\"metadata\":[1]}", 0, &input, *state));
}

static void says_what_to_pass(void **state)
{
    static const idv_parameter_t hinted[] = {
        IDV_PARAMETER(SESSION_TYPE, input_t, type, IDV_REQUIRED, 0, 0),
        IDV_PARAMETER(ID, input_t, id, 0, IDV_ID_SESSION, 0),
        IDV_PARAMETER(INTEGER, input_t, integer, 0, 1, 100),
        IDV_PARAMETER_OF(STRINGS, input_t, strings, 0, words),
        IDV_PARAMETER(STRING, input_t, string, 0, 1, 4),
        IDV_PARAMETER_HINT(STRINGS, input_t, object, 0, 1, 4, "a few words"),
        IDV_PARAMETER_REFUSE("refused", "is not allowed."),
        {0},
    };
    static const struct {
        const char *json, *message;
    } cases[] = {
        {"{}", "`type` is required. Pass `identity`, `age` or `student`."},
        {"{\"type\":1}", "`type` must be `identity`, `age` or `student`."},
        {"{\"id\":\"wf_1\"}", "`id` must be an id that begins with `vks_`."},
        {"{\"integer\":0}", "`integer` must be an integer from 1 to 100."},
        {"{\"integer\":\"1\"}", "`integer` must be an integer from 1 to 100."},
        {"{\"strings\":1}", "`strings` must be an array of `front`, `back`."},
        {"{\"strings\":[\"x\"]}",
         "`strings[0]` must be one of `front`, `back`."},
        {"{\"string\":\"\"}", "`string` must not be empty. Pass a string."},
        {"{\"string\":\"abcde\"}", "`string` must have at most 4 characters."},
        {"{\"object\":{}}", "`object` must be a few words."},
        {"{\"refused\":1}", "`refused` is not allowed."},
        {"{\"x\":1}", "`x` is unknown. Check its name, or omit it."},
        {"{\"\\n\":1}", "A parameter has an unknown name. Omit it."},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const idv_parameters_t given = {
            idv_json_own(json_loads(cases[i].json, 0, NULL), *state), 0};
        input_t input = {0};
        idv_error_t *error =
            idv_parameters_read(&given, hinted, &input, NULL, *state);

        assert_non_null(error);
        assert_string_equal(idv_error_sentence(error, NULL, *state),
                            cases[i].message);
    }
}

/* Who knows a parameter by another name, such as an option, reads that. */
static void names_the_parameter(void **state)
{
    idv_error_t *error = idv_error_param(*state, "url", "must be a URL.");

    assert_string_equal(idv_error_sentence(error, "--url", *state),
                        "--url must be a URL.");
    error = idv_error_param(*state, "url", "No such host.");
    assert_string_equal(idv_error_sentence(error, "--url", *state),
                        "No such host.");
}

static idv_error_t *dislike(void *input, const char *name, apr_pool_t *pool)
{
    const input_t *read = input;

    return read->integer == 13 ? idv_error_param(pool, name, "No.") : NULL;
}

/* A check comes right after the value it is about, and before what is missing.
 */
static void checks_in_document_order(void **state)
{
    static const idv_parameter_t required[] = {
        IDV_PARAMETER(INTEGER, input_t, integer, 0, 1, 100),
        IDV_PARAMETER(BOOLEAN, input_t, boolean, IDV_REQUIRED, 0, 0),
        {0},
    };
    static const struct {
        const char *json, *param;
    } cases[] = {
        {"{\"integer\":13,\"boolean\":1}", "integer"},
        {"{\"boolean\":1,\"integer\":13}", "boolean"},
        {"{\"integer\":13}", "integer"},
        {"{\"integer\":12}", "boolean"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const idv_parameters_t given = {
            idv_json_own(json_loads(cases[i].json, 0, NULL), *state), 0};
        input_t input = {0};
        idv_error_t *error =
            idv_parameters_read(&given, required, &input, dislike, *state);

        assert_non_null(error);
        assert_string_equal(error->param, cases[i].param);
    }
}

static idv_error_t *read_metadata(json_t *metadata, apr_pool_t *pool)
{
    json_t *body = idv_json_own(json_pack("{s:O}", "metadata", metadata), pool);
    const idv_parameters_t given = {.values = body};
    input_t input = {0};

    return idv_parameters_read(&given, table, &input, NULL, pool);
}

static void limits_metadata(void **state)
{
    apr_pool_t *pool = *state;
    json_t *metadata = idv_json_own(json_object(), pool);
    char long_value[IDV_METADATA_VALUE_MAX * 2 + 3];

    for (int i = 0; i < IDV_METADATA_VALUE_MAX; i++)
        memcpy(long_value + 2 * i, "\xc3\xa4", 3);
    json_object_set_new(metadata, "order", json_string(long_value));
    assert_null(read_metadata(metadata, pool));
    strcat(long_value, "x");
    json_object_set_new(metadata, "order", json_string(long_value));
    assert_string_equal(read_metadata(metadata, pool)->param, "metadata.order");
    json_object_clear(metadata);
    for (char key[2] = {1, 0}; key[0] <= IDV_METADATA_PAIRS_MAX; key[0]++)
        json_object_set_new(metadata, key, json_string("x"));
    assert_null(read_metadata(metadata, pool));
    json_object_set_new(metadata, "one more", json_string("x"));
    assert_string_equal(read_metadata(metadata, pool)->param, "metadata");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(reads_every_kind),
        pooled_test(names_what_is_wrong),
        pooled_test(reads_max_age),
        pooled_test(reads_queries),
        pooled_test(tells_null_from_absent),
        pooled_test(takes_null_for_absent),
        pooled_test(takes_an_empty_array_for_an_empty_object),
        pooled_test(says_what_to_pass),
        pooled_test(names_the_parameter),
        pooled_test(checks_in_document_order),
        pooled_test(limits_metadata),
    };

    return unit_run("domain/parameters", tests);
}
