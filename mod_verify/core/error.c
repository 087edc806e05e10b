/* SPDX-License-Identifier: Apache-2.0 */
#define IDV_CORE_ERROR_IS_DEFINED_HERE
#include "core/error.h"

#include <stdarg.h>

#include <apr_lib.h>
#include <apr_strings.h>

static const idv_error_info_t error_infos[] = {
#define IDV_ERROR(name, code, status, type, message)                           \
    {code, status, type, message},
#include "core/error_codes.def"
#undef IDV_ERROR
};

const idv_error_info_t *idv_error_info(idv_error_code_t code)
{
    if ((unsigned)code >= IDV_ERROR_CODE_COUNT)
        code = IDV_E_INTERNAL;
    return &error_infos[code];
}

idv_error_t *idv_error_new(idv_error_code_t code, apr_pool_t *pool)
{
    idv_error_t *error = apr_pcalloc(pool, sizeof(*error));

    error->code = code;
    error->message = idv_error_info(code)->message;
    return error;
}

idv_error_t *idv_error_param(apr_pool_t *pool, const char *param,
                             const char *format, ...)
{
    idv_error_t *error = idv_error_new(IDV_E_PARAMETER_INVALID, pool);
    va_list arguments;

    error->param = param ? apr_pstrdup(pool, param) : NULL;
    va_start(arguments, format);
    error->message = apr_pvsprintf(pool, format, arguments);
    va_end(arguments);
    return error;
}

idv_error_t *idv_error_internal(apr_pool_t *pool, const char *format, ...)
{
    idv_error_t *error = idv_error_new(IDV_E_INTERNAL, pool);
    va_list arguments;

    va_start(arguments, format);
    error->detail = apr_pvsprintf(pool, format, arguments);
    va_end(arguments);
    return error;
}

idv_error_t *idv_error_apr(apr_pool_t *pool, apr_status_t status,
                           const char *format, ...)
{
    idv_error_t *error = idv_error_new(IDV_E_INTERNAL, pool);
    char text[120];
    va_list arguments;

    va_start(arguments, format);
    error->detail = apr_pvsprintf(pool, format, arguments);
    va_end(arguments);
    apr_strerror(status, text, sizeof(text));
    error->detail = apr_pstrcat(pool, error->detail, ": ", text, NULL);
    return error;
}

idv_error_t *idv_error_unavailable(apr_pool_t *pool, int retry_after,
                                   const char *format, ...)
{
    idv_error_t *error = idv_error_new(IDV_E_SERVICE_UNAVAILABLE, pool);
    va_list arguments;

    va_start(arguments, format);
    error->detail = apr_pvsprintf(pool, format, arguments);
    va_end(arguments);
    error->retry_after = retry_after;
    return error;
}

const char *idv_error_sentence(const idv_error_t *error, const char *name,
                               apr_pool_t *pool)
{
    if (!error->param || !apr_islower(error->message[0]))
        return error->message;
    if (!name)
        name = apr_pstrcat(pool, "`", error->param, "`", NULL);
    return apr_pstrcat(pool, name, " ", error->message, NULL);
}

const char *idv_error_cause(const idv_error_t *error)
{
    return error->detail ? error->detail : error->message;
}
