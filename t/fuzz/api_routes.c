/* SPDX-License-Identifier: Apache-2.0 */
/* The path of a request, behind its method and a space. */
#include "fuzz/fuzz.h"

#include "api/http/routes.h"

/* The table's handlers, which nobody calls here. */
#define IDV_ROUTE(method, pattern, credential, role, body, handler, scope)     \
    idv_error_t *handler(struct idv_request_t *request);                       \
    idv_error_t *handler(struct idv_request_t *request)                        \
    {                                                                          \
        (void)request;                                                         \
        return NULL;                                                           \
    }
#include "api/routes.def"
#undef IDV_ROUTE

#include "api/http/routes.c"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    apr_pool_t *pool = fuzz_pool();
    char *method = apr_pstrmemdup(pool, (const char *)data, size);
    char *path = strchr(method, ' ');
    idv_route_match_t match;
    idv_error_t *error;

    if (path) {
        *path++ = '\0';
        error = idv_route_find(method, path, &match, pool);
        if (error)
            promise((match.allow != NULL)
                    == (error->code == IDV_E_METHOD_NOT_ALLOWED));
        for (int i = 0; !error && i < IDV_PATH_PARAMETERS; i++)
            promise(!match.parameters[i] || *match.parameters[i]);
    }
    apr_pool_destroy(pool);
    return 0;
}
