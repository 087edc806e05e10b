/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_REQUEST_PARAMETERS_H
#define IDV_DOMAIN_REQUEST_PARAMETERS_H

/*
 * The parameters of a request, read by a table into a struct, and the limits of
 * the interface. Nothing else reads what a caller of the API says.
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
 * The parameters are looked at in document order and the first fault is the
 * error: a name that is not in the table, a wrong type, a value out of its
 * bounds. Then the first required one that is missing, in the table's order.
 * Bounds count Unicode characters of texts as they were sent, elements of arrays
 * and members of objects; of INTEGER, they bound the value. A member that is
 * absent keeps what the struct held before. JSON null means that the parameter is
 * absent; if it is IDV_NULLABLE, null is a value of its own, which the caller
 * tells by json_object_get(). An empty array counts as an empty object, because
 * PHP writes one as the other.
 *
 * Every error is `parameter_invalid`; its `param` is the path, `metadata.order`
 * or `enabled_events[2]`, and it never repeats the value. Its message says
 * what is wrong and what to pass; idv_error_sentence() adds the name.
 *
 * Memory: what the struct gets lives in the pool or borrows from the JSON.
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
#define IDV_TOKEN_TEXT_MAX 65536    /* for a vp_token: any that a body holds */
#define IDV_CREDENTIAL_HASH_MAX 255
#define IDV_ENDPOINT_NAME_MAX 100
#define IDV_ENDPOINT_DESCRIPTION_MAX 500
#define IDV_REVIEW_REASON_MAX 500
#define IDV_REVIEWER_MAX 255
#define IDV_MAX_AGE_DAYS 3650

/* What a parameter is, and what its member in the struct is. */
typedef enum {
    IDV_PARAMETER_END,          /* of the table */
    IDV_PARAMETER_STRING,       /* const char * */
    IDV_PARAMETER_BOOLEAN,      /* int; in a query "true" or "false" */
    IDV_PARAMETER_INTEGER,      /* apr_int64_t; in a query decimal digits */
    IDV_PARAMETER_ID,           /* const char *, of the idv_id_type_t `minimum` */
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
     * lookup; no sign, no leading zero, nothing around it. */
    IDV_PARAMETER_MAX_AGE,
    IDV_PARAMETER_MAX_AGE_NUMBER,
    IDV_PARAMETER_REFUSED,      /* known, but not allowed here; no member */
    IDV_PARAMETER_TYPE_COUNT
} idv_parameter_type_t;

/* REPEATABLE: of METHODS, one may be listed twice, which says no more. */
enum { IDV_REQUIRED = 1, IDV_NULLABLE = 2, IDV_REPEATABLE = 4 };

typedef struct {
    const char *name;
    idv_parameter_type_t type;
    apr_size_t offset; /* of the struct's member */
    unsigned flags;
    apr_int64_t minimum, maximum;
    const char *const *values; /* allowed strings, NULL-terminated; or NULL */
    const char *hint; /* what to pass, for messages; for REFUSED the message;
                         NULL: derived from the type */
} idv_parameter_t;

#define IDV_PARAMETER(type, struct_type, member, flags, minimum, maximum)      \
    {#member, IDV_PARAMETER_##type, offsetof(struct_type, member), flags,      \
     minimum, maximum, NULL, NULL}
/* The same, whose member has another name than the parameter. */
#define IDV_PARAMETER_AS(type, struct_type, name, member, flags, minimum,      \
                         maximum)                                              \
    {#name, IDV_PARAMETER_##type, offsetof(struct_type, member), flags,        \
     minimum, maximum, NULL, NULL}
/* A STRING, or STRINGS, out of a NULL-terminated list. */
#define IDV_PARAMETER_OF(type, struct_type, member, flags, values)             \
    {#member, IDV_PARAMETER_##type, offsetof(struct_type, member), flags, 1,   \
     255, values, NULL}
/* The same as IDV_PARAMETER; errors say "Pass HINT." */
#define IDV_PARAMETER_HINT(type, struct_type, member, flags, minimum, maximum, \
                           hint)                                               \
    {#member, IDV_PARAMETER_##type, offsetof(struct_type, member), flags,      \
     minimum, maximum, NULL, hint}
#define IDV_PARAMETER_REFUSE(name, message)                                    \
    {name, IDV_PARAMETER_REFUSED, 0, 0, 0, 0, NULL, message}

/* What was given. */
typedef struct {
    const json_t *values; /* an object, in document order */
    int are_query;        /* flag: each is a string, or an array of strings */
} idv_parameters_t;

/* What a table cannot say of a value: called for each parameter right after it
 * was read into INPUT, so that faults of either kind come in document order. */
typedef idv_error_t *idv_parameter_check_t(void *input, const char *name,
                                           apr_pool_t *pool);

/* Reads GIVEN by TABLE into INPUT, the struct of its offsets. CHECK may be
 * NULL. */
idv_error_t *idv_parameters_read(const idv_parameters_t *given,
                                 const idv_parameter_t *table, void *input,
                                 idv_parameter_check_t *check,
                                 apr_pool_t *pool) IDV_CHECKED;

#endif
