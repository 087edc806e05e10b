/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CORE_ERROR_H
#define IDV_CORE_ERROR_H

/*
 * The error value, used by every layer.
 *
 * A function that can fail returns `idv_error_t *`; NULL is success. The value
 * contains the public part (code, parameter, message) and separately the part
 * for the operator (detail). Neither contains personal data, secrets or keys.
 * The list of codes is error_codes.def.
 *
 * Memory: an error lives in the pool given at its creation, usually the result
 * pool of the failing function. Threads: immutable once returned.
 */
#include <apr_errno.h>
#include <apr_pools.h>

/* The result must not be ignored. */
#define IDV_CHECKED __attribute__((warn_unused_result))

typedef enum {
#define IDV_ERROR(name, code, status, type, message) IDV_E_##name,
#include "core/error_codes.def"
#undef IDV_ERROR
    IDV_ERROR_CODE_COUNT
} idv_error_code_t;

/* The list entry of a code. */
typedef struct {
    const char *code;    /* stable, machine-readable */
    int status;          /* HTTP */
    const char *type;    /* in the error envelope */
    const char *message; /* public default */
} idv_error_info_t;

typedef struct idv_error_t {
    idv_error_code_t code;
    const char *param;   /* path such as metadata.order, or NULL */
    const char *message; /* public; by default that of the list */
    const char *detail;  /* for the log only, or NULL */
    int retry_after;     /* seconds for Retry-After; 0: no header */
} idv_error_t;

/* The list entry; never NULL for a valid code. */
const idv_error_info_t *idv_error_info(idv_error_code_t code);

/* An error with the default message of its code. These functions never return
 * NULL, which would mean success: without memory the process ends. */
idv_error_t *idv_error_new(idv_error_code_t code, apr_pool_t *pool)
    __attribute__((returns_nonnull));

/* `parameter_invalid` for the parameter at path PARAM (may be NULL), with a
 * public printf message that must not contain the offending value. A message
 * that starts with a lower-case letter ("must be an object.") is a predicate;
 * idv_error_sentence() puts the parameter's name before it. */
idv_error_t *idv_error_param(apr_pool_t *pool, const char *param,
                             const char *format, ...)
    __attribute__((format(printf, 3, 4), returns_nonnull));

/* An internal failure (500); the formatted text goes only to the log. */
idv_error_t *idv_error_internal(apr_pool_t *pool, const char *format, ...)
    __attribute__((format(printf, 2, 3), returns_nonnull));

/* Like idv_error_internal, with the text of an APR status appended. */
idv_error_t *idv_error_apr(apr_pool_t *pool, apr_status_t status,
                           const char *format, ...)
    __attribute__((format(printf, 3, 4), returns_nonnull));

/* 503 with Retry-After; the formatted text goes only to the log. */
idv_error_t *idv_error_unavailable(apr_pool_t *pool, int retry_after,
                                   const char *format, ...)
    __attribute__((format(printf, 3, 4), returns_nonnull));

/* The public message of ERROR as a sentence. NAME is the parameter's name for
 * the reader; NULL: its path in backticks. */
const char *idv_error_sentence(const idv_error_t *error, const char *name,
                               apr_pool_t *pool);

/* The text to log for ERROR: its detail, or its message without one. */
const char *idv_error_cause(const idv_error_t *error);

/* clang's analyzer ignores the attribute returns_nonnull and would analyze
 * failed functions as successful. */
#if defined(__clang_analyzer__) && !defined(IDV_CORE_ERROR_IS_DEFINED_HERE)
static inline idv_error_t *idv_error_certain(idv_error_t *error)
{
    if (!error)
        __builtin_unreachable();
    return error;
}
#define idv_error_new(...) idv_error_certain(idv_error_new(__VA_ARGS__))
#define idv_error_param(...) idv_error_certain(idv_error_param(__VA_ARGS__))
#define idv_error_internal(...)                                                \
    idv_error_certain(idv_error_internal(__VA_ARGS__))
#define idv_error_apr(...) idv_error_certain(idv_error_apr(__VA_ARGS__))
#define idv_error_unavailable(...)                                             \
    idv_error_certain(idv_error_unavailable(__VA_ARGS__))
#endif

/* Returns the error of EXPRESSION, if any, from the calling function. */
#define IDV_TRY(expression)                                                    \
    do {                                                                       \
        idv_error_t *idv_try_error_ = (expression);                            \
        if (idv_try_error_)                                                    \
            return idv_try_error_;                                             \
    } while (0)

#endif
