/* SPDX-License-Identifier: Apache-2.0 */
#include "out/http_exchange.h"

static const char *const result_codes[] = {NULL,
#define X(name, code, message) code,
                                           IDV_HTTP_FAILURES(X)
#undef X
};
static const char *const result_messages[] = {NULL,
#define X(name, code, message) message,
                                              IDV_HTTP_FAILURES(X)
#undef X
};

const char *idv_http_result_code(idv_http_result_t result)
{
    return result_codes[result];
}

const char *idv_http_result_message(idv_http_result_t result)
{
    return result_messages[result];
}
