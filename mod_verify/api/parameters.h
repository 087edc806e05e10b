/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_API_PARAMETERS_H
#define IDV_API_PARAMETERS_H

/*
 * The parameters of a request, read by a table into a struct.
 *
 *     typedef struct {
 *         const char *url;
 *         const json_t *enabled_events;
 *         apr_int64_t limit;
 *     } input_t;
 *     static const idv_parameter_t table[] = {
 *         IDV_PARAMETER(STRING, input_t, url, IDV_REQUIRED, 1, 2048),
 *         IDV_PARAMETER(STRINGS, input_t, enabled_events, IDV_REQUIRED, 1, 50),
 *         IDV_PARAMETER(INTEGER, input_t, limit, 0, 1, 100),
 *         {0}};
 *     input_t input = {.limit = 10};
 *     IDV_TRY(idv_parameters_read(request, table, &input));
 *
 * The parameters are looked at in document order and the first fault is the
 * error: a name that is not in the table, a wrong type, a value out of its
 * bounds. Then the first required one that is missing. Bounds count Unicode
 * characters of strings, elements of arrays and members of objects; of
 * INTEGER, they bound the value. A member that is absent keeps what the struct
 * held before. JSON null is a wrong type unless the parameter is IDV_NULLABLE,
 * and then leaves NULL (json_object_get() tells it from an absent one).
 *
 * `param` of an error is the path, `metadata.order` or `enabled_events[2]`.
 * Memory: what the struct gets lives in the request's pool.
 */
#include <stddef.h>

#include "api/request.h"

typedef enum {
    IDV_PARAMETER_END,     /* of the table */
    IDV_PARAMETER_STRING,  /* const char * */
    IDV_PARAMETER_BOOLEAN, /* int; in a query "true" or "false" */
    IDV_PARAMETER_INTEGER, /* apr_int64_t; in a query decimal digits */
    IDV_PARAMETER_ID,      /* const char *, of the idv_id_type_t `minimum` */
    IDV_PARAMETER_STRINGS, /* const json_t *, an array of strings */
    IDV_PARAMETER_OBJECT,  /* const json_t * */
    IDV_PARAMETER_REFUSED  /* known, but not allowed here */
} idv_parameter_type_t;

enum { IDV_REQUIRED = 1, IDV_NULLABLE = 2 };

typedef struct {
    const char *name;
    idv_parameter_type_t type;
    apr_size_t offset; /* of the struct's member */
    unsigned flags;
    apr_int64_t minimum, maximum;
    const char *const *values; /* allowed strings, NULL-terminated; or NULL */
    const char *refusal;       /* message of REFUSED */
} idv_parameter_t;

#define IDV_PARAMETER(type, struct_type, member, flags, minimum, maximum)      \
    {#member, IDV_PARAMETER_##type, offsetof(struct_type, member), flags,      \
     minimum, maximum, NULL, NULL}
/* A STRING, or STRINGS, out of a NULL-terminated list. */
#define IDV_PARAMETER_OF(type, struct_type, member, flags, values)             \
    {#member, IDV_PARAMETER_##type, offsetof(struct_type, member), flags, 1,   \
     255, values, NULL}
#define IDV_PARAMETER_REFUSE(name, message)                                    \
    {name, IDV_PARAMETER_REFUSED, 0, 0, 0, 0, NULL, message}

/* Reads the parameters of REQUEST by TABLE into INPUT, the struct of its
 * offsets. */
idv_error_t *idv_parameters_read(const idv_request_t *request,
                                 const idv_parameter_t *table,
                                 void *input) IDV_CHECKED;

/* What a table cannot say of a parameter's value: called for each one right
 * after it was read, so that faults of either kind come in document order. */
typedef idv_error_t *(*idv_parameter_check_t)(void *baton, const char *name);

/* The same, with CHECK for each parameter after it was read. */
idv_error_t *idv_parameters_read_each(const idv_request_t *request,
                                      const idv_parameter_t *table, void *input,
                                      idv_parameter_check_t check,
                                      void *baton) IDV_CHECKED;

/* For routes that take no parameters: the first one given is the error. */
idv_error_t *idv_parameters_none(const idv_request_t *request) IDV_CHECKED;

#endif
