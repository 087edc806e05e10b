/* SPDX-License-Identifier: Apache-2.0 */
/* What a caller shows to be let in: a header with an API key or a client
 * secret, before any query, or the secret of a link that was sent. */
#include "fuzz/fuzz.h"

#include "core/http_syntax.h"
#include "core/id.h"
#include "domain/value/issued_secret.h"

/* Whoever can make one without the key has found a way to forge it. */
static void check_link(const char *text, apr_pool_t *pool)
{
    static const idv_keyring_t keyring = {.secret = {1}};
    const char *organization_id, *grant_id;

    if (!idv_trust_reuse_link_parse(&keyring, text, &organization_id, &grant_id,
                                    pool))
        promise(strcmp(text, idv_trust_reuse_link_secret(
                                 &keyring, organization_id, grant_id, pool))
                == 0);
}

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
        promise(strncmp(text, type == IDV_KEY_SECRET ? "svc_sk_" : "svc_pk_", 7)
                == 0);
    if (!idv_client_secret_parse(text, &session_id, &organization_id, pool)) {
        promise(idv_id_is(IDV_ID_SESSION, session_id));
        promise(idv_id_is(IDV_ID_ORGANIZATION, organization_id));
        promise(strncmp(text, session_id, strlen(session_id)) == 0);
    }
    check_link(text, pool);
    apr_pool_destroy(pool);
    return 0;
}
