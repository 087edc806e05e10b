/* SPDX-License-Identifier: Apache-2.0 */
/* What a caller shows to be let in: a header with an API key or a client
 * secret, before any query. */
#include "fuzz/fuzz.h"

#include "core/bearer_token.h"
#include "core/id.h"
#include "store/api_key.h"
#include "store/session.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    apr_pool_t *pool = fuzz_pool();
    const char *text = apr_pstrmemdup(pool, (const char *)data, size);
    const char *session_id, *organization_id;
    const char *token = idv_bearer_token_parse(text);
    idv_key_type_t type;

    if (token)
        promise(*token && strlen(token) <= IDV_BEARER_TOKEN_MAX
                && !token[strcspn(token, " \t\r\n,\"")]
                && strncasecmp(text, "bearer ", 7) == 0);
    if (idv_api_key_is_well_formed(text, &type))
        promise(strncmp(text,
                        type == IDV_KEY_SECRET ? "svc_sk_" : "svc_pk_", 7)
                == 0);
    if (!idv_client_secret_parse(text, &session_id, &organization_id, pool)) {
        promise(idv_id_is(IDV_ID_SESSION, session_id));
        promise(idv_id_is(IDV_ID_ORGANIZATION, organization_id));
        promise(strncmp(text, session_id, strlen(session_id)) == 0);
    }
    apr_pool_destroy(pool);
    return 0;
}
