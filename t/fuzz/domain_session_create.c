/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any text as the body of a session creation. What is accepted must keep the
 * limits, and normalizing it again must change nothing.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <apr_general.h>

#include "domain/request/parameters.h"
#include "domain/transition/session_create.h"
#include "domain/value/identifier.h"

static void require(int condition)
{
    if (!condition)
        abort();
}

static void check(const idv_session_create_params_t *params, apr_pool_t *pool)
{
    const char *again;

    require(params->type != IDV_SESSION_TYPE_NONE);
    require(params->workflow_id != NULL);
    require(!params->accept_existing || params->email || params->phone);
    if (params->email) {
        require(!idv_email_normalize(params->email, "email", &again, pool));
        require(!strcmp(params->email, again));
    }
    if (params->phone) {
        require(!idv_phone_normalize(params->phone, "phone", &again, pool));
        require(!strcmp(params->phone, again));
    }
    if (params->jurisdiction)
        require(!strcmp(params->jurisdiction,
                        idv_jurisdiction_normalize(params->jurisdiction,
                                                   pool)));
    if (params->return_url)
        require(strlen(params->return_url) <= IDV_URL_MAX);
    require(json_object_size(params->metadata) <= IDV_METADATA_PAIRS_MAX);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const idv_session_create_caller_t caller = {.sandbox = 1};
    static int ready;
    idv_session_create_params_t *params;
    apr_pool_t *pool;
    json_t *body;

    if (!ready++)
        require(apr_initialize() == APR_SUCCESS);
    require(apr_pool_create(&pool, NULL) == APR_SUCCESS);
    if (!idv_json_parse((const char *)data, size, &body, pool)) {
        idv_error_t *error =
            idv_session_create_parse(body, &caller, &params, pool);

        require((error == NULL) == (params != NULL));
        if (!error)
            check(params, pool);
    }
    apr_pool_destroy(pool);
    return 0;
}
