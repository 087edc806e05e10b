/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_REQUEST_PARAMETERS_H
#define IDV_DOMAIN_REQUEST_PARAMETERS_H

/*
 * Reads request parameters into a struct, driven by a table; also defines the
 * limits of the API. All input of API callers is read here.
 *
 *     typedef struct {
 *         const char *url;
 *         const char *email;
 *         apr_int64_t limit;
 *     } input_t;
 *     static const idv_parameter_t table[] = {
 *         IDV_PARAMETER(STRING, input_t, url, IDV_REQUIRED, 1, IDV_URL_MAX),
 *         IDV_PARAMETER(EMAIL, input_t, email, 0, 1, 1000),
 *         IDV_PARAMETER(INTEGER, input_t, limit, 0, 1, 100),
 *         {0}};
 *     input_t input = {.limit = 10};
 *     IDV_TRY(idv_parameters_read(&given, table, &input, NULL, pool));
 *
 * - Parameters are checked in document order; the first fault is the error: an
 *   unknown name, a wrong type, a value out of bounds. Then comes the first
 *   missing required parameter, in the table's order.
 * - Bounds count Unicode characters of texts as sent, elements of arrays, and
 *   members of objects; for INTEGER they bound the value.
 * - An absent parameter leaves the struct's member unchanged. JSON null means
 *   absent, unless the parameter is IDV_NULLABLE; then null is a distinct
 *   value, which the caller detects with json_object_get().
 * - An empty array counts as an empty object, because PHP encodes one as the
 *   other.
 *
 * Every error is `parameter_invalid`. Its `param` is the path
 * (`metadata.order`, `enabled_events[2]`), and it never repeats the value. Its
 * message says what is wrong and what to pass; idv_error_sentence() adds the
 * name.
 *
 * Memory: values in the struct live in the pool or borrow from the JSON.
 * Threads: pure.
 */
#include <stddef.h>

#include "core/json.h"
#include "domain/value/url.h"

#define IDV_METADATA_PAIRS_MAX 50
#define IDV_METADATA_KEY_MAX 255
#define IDV_METADATA_VALUE_MAX 500
#define IDV_CLIENT_REFERENCE_ID_MAX 255
#define IDV_CUSTOM_USER_MESSAGE_MAX 500
#define IDV_TOKEN_MAX 4096          /* captcha_token */
#define IDV_TOKEN_TEXT_MAX 65536    /* for a vp_token: whatever a body holds */
#define IDV_CREDENTIAL_HASH_MAX 255
#define IDV_ENDPOINT_NAME_MAX 100
#define IDV_ENDPOINT_DESCRIPTION_MAX 500
#define IDV_REVIEW_REASON_MAX 500
#define IDV_REVIEWER_MAX 255
#define IDV_MAX_AGE_DAYS 3650

/* The type of a parameter and of its struct member. */
typedef enum {
    IDV_PARAMETER_END,          /* end of the table */
    IDV_PARAMETER_STRING,       /* const char * */
    IDV_PARAMETER_BOOLEAN,      /* int; in a query "true" or "false" */
    IDV_PARAMETER_INTEGER,      /* apr_int64_t; in a query decimal digits */
    IDV_PARAMETER_ID,           /* const char *; `minimum` is its
                                 * idv_id_type_t */
    IDV_PARAMETER_STRINGS,      /* const json_t *, an array of strings */
    IDV_PARAMETER_OBJECT,       /* const json_t * */
    IDV_PARAMETER_OBJECTS,      /* const json_t *, an array of objects */
    IDV_PARAMETER_METADATA,     /* const json_t *, an object of strings */
    IDV_PARAMETER_EMAIL,        /* const char *, normal form; personal */
    IDV_PARAMETER_PHONE,        /* const char *, normal form; personal */
    IDV_PARAMETER_JURISDICTION, /* const char *, normal form */
    IDV_PARAMETER_REDIRECT_URL, /* const char *, normal form; domain/value/url.h */
    IDV_PARAMETER_WEBHOOK_URL,  /* the same */
    IDV_PARAMETER_SESSION_TYPE, /* idv_session_type_t */
    IDV_PARAMETER_STRENGTH,     /* idv_strength_t */
    IDV_PARAMETER_METHODS,      /* idv_method_list_t */
    /* int, 1 to IDV_MAX_AGE_DAYS: "30d" at session creation, "30" in the
     * lookup; without sign, leading zeros or surrounding text. */
    IDV_PARAMETER_MAX_AGE,
    IDV_PARAMETER_MAX_AGE_NUMBER,
    IDV_PARAMETER_REFUSED,      /* known, but refused here; no member */
    IDV_PARAMETER_TYPE_COUNT
} idv_parameter_type_t;

/* REPEATABLE: METHODS may list a method twice; the repetition is ignored. */
enum { IDV_REQUIRED = 1, IDV_NULLABLE = 2, IDV_REPEATABLE = 4 };

typedef struct {
    const char *name;
    idv_parameter_type_t type;
    apr_size_t offset; /* of the struct's member */
    unsigned flags;
    apr_int64_t minimum, maximum;
    const char *const *values; /* allowed strings, NULL-terminated; or NULL */
    const char *hint; /* what to pass, for messages; for REFUSED the message;
                       * NULL: derived from the type */
} idv_parameter_t;

#define IDV_PARAMETER(type, struct_type, member, flags, minimum, maximum)      \
    {#member, IDV_PARAMETER_##type, offsetof(struct_type, member), flags,      \
     minimum, maximum, NULL, NULL}
/* IDV_PARAMETER with different names of member and parameter. */
#define IDV_PARAMETER_AS(type, struct_type, name, member, flags, minimum,      \
                         maximum)                                              \
    {#name, IDV_PARAMETER_##type, offsetof(struct_type, member), flags,        \
     minimum, maximum, NULL, NULL}
/* A STRING or STRINGS from a NULL-terminated list of values. */
#define IDV_PARAMETER_OF(type, struct_type, member, flags, values)             \
    {#member, IDV_PARAMETER_##type, offsetof(struct_type, member), flags, 1,   \
     255, values, NULL}
/* IDV_PARAMETER with a hint: errors say "Pass HINT." */
#define IDV_PARAMETER_HINT(type, struct_type, member, flags, minimum, maximum, \
                           hint)                                               \
    {#member, IDV_PARAMETER_##type, offsetof(struct_type, member), flags,      \
     minimum, maximum, NULL, hint}
#define IDV_PARAMETER_REFUSE(name, message)                                    \
    {name, IDV_PARAMETER_REFUSED, 0, 0, 0, 0, NULL, message}

/* The parameters of a request. */
typedef struct {
    const json_t *values; /* an object, in document order */
    int are_query;        /* flag: each is a string, or an array of strings */
} idv_parameters_t;

/* A check that a table cannot express. Called for each parameter right after it
 * was read into INPUT, so that both kinds of faults are found in document
 * order. */
typedef idv_error_t *idv_parameter_check_t(void *input, const char *name,
                                           apr_pool_t *pool);

/* Reads GIVEN into INPUT, the struct of TABLE's offsets. CHECK may be NULL. */
idv_error_t *idv_parameters_read(const idv_parameters_t *given,
                                 const idv_parameter_t *table, void *input,
                                 idv_parameter_check_t *check,
                                 apr_pool_t *pool) IDV_CHECKED;

#endif
