/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_TRUST_REUSE_LINK_H
#define IDV_STORE_TRUST_REUSE_LINK_H

/*
 * The secret of the link by which a person revokes a grant, or all sharing:
 * `<grant id>_revoke_<organization><HMAC>`. It is not kept: the server's key
 * makes it again. It stands in the fragment of the link, so that no log holds
 * it, and the page sends it as a Bearer token.
 *
 * Memory: secrets are wiped with their pool.
 */
#include "core/crypto.h"

/* The secret for a grant of the accepting organization. */
const char *idv_trust_reuse_link_secret(const idv_keyring_t *keyring,
                                        const char *organization_id,
                                        const char *grant_id, apr_pool_t *pool);

/* Whose grant SECRET names; `client_secret_invalid` when it is NULL or not one
 * of ours. */
idv_error_t *idv_trust_reuse_link_parse(const idv_keyring_t *keyring,
                                        const char *secret,
                                        const char **organization_id,
                                        const char **grant_id,
                                        apr_pool_t *pool) IDV_CHECKED;

#endif
