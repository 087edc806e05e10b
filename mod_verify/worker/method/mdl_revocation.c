/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/method/mdl_revocation.h"

#include <string.h>

#include "store/trust/revocation_list.h"

int idv_mdl_revocation_lists(const idv_mdl_findings_t *findings,
                             const char *addresses[IDV_REVOCATION_ADDRESSES_MAX])
{
    int count = 0;

    /* An address is called only if an issuer signed it for the holder whose
     * device is present. Every document contains the certificate of its issuer,
     * so anybody could build a document that names any address. An unproved
     * document is refused whatever a list says. */
    if (!idv_mdl_is_proved(findings))
        return 0;
    if (findings->status_list_address)
        addresses[count++] = findings->status_list_address;
    if (findings->identifier_list_address)
        addresses[count++] = findings->identifier_list_address;
    for (int i = 0; i < findings->crl_addresses->nelts
                    && count < IDV_REVOCATION_ADDRESSES_MAX;
         i++)
        addresses[count++] =
            APR_ARRAY_IDX(findings->crl_addresses, i, const char *);
    return count;
}

/* The authority that the analysis has found, among those that it was given; the
 * findings are not believed further than that. */
static const idv_bytes_t *find_authority(const idv_trust_anchors_t *anchors,
                                         const char *fingerprint,
                                         apr_pool_t *pool)
{
    unsigned char digest[IDV_DIGEST_SIZE];

    for (int i = 0; fingerprint && i < anchors->entry_count; i++) {
        const idv_bytes_t *der = &anchors->entries[i].trusted.certificate;

        idv_sha256(der->data, der->length, digest);
        if (strcmp(idv_hex(digest, sizeof(digest), pool), fingerprint) == 0)
            return der;
    }
    return NULL;
}

static idv_error_t *ask_crls(idv_db_t *db, const idv_mdl_findings_t *findings,
                             const idv_revocation_trust_t *trust,
                             idv_revocation_t *says, apr_pool_t *pool)
{
    for (int i = 0; i < findings->crl_addresses->nelts; i++) {
        idv_revocation_copy_t copy;
        idv_revocation_t one;

        IDV_TRY(idv_revocation_copy_find(
            db, APR_ARRAY_IDX(findings->crl_addresses, i, const char *), &copy,
            pool));
        one = idv_crl_says(copy.body, findings->issuer_serial, trust, pool);
        if (one > *says)
            *says = one;
    }
    return NULL;
}

_Static_assert(IDV_REVOCATION_UNKNOWN < IDV_REVOCATION_GOOD
                   && IDV_REVOCATION_GOOD < IDV_REVOCATION_REVOKED,
               "the greater of two answers is the one that counts");

/* Where the document names a list of either kind; of two answers the greater
 * counts. */
static idv_error_t *ask_lists(idv_db_t *db, const idv_mdl_findings_t *findings,
                              const idv_revocation_trust_t *trust,
                              idv_revocation_t *says, apr_pool_t *pool)
{
    const char *address = findings->status_list_address;
    idv_revocation_copy_t copy;
    idv_revocation_t other;

    if (address) {
        IDV_TRY(idv_revocation_copy_find(db, address, &copy, pool));
        *says = idv_status_list_says(copy.body, address,
                                     findings->status_list_index, trust, pool);
    }
    address = findings->identifier_list_address;
    if (address) {
        IDV_TRY(idv_revocation_copy_find(db, address, &copy, pool));
        other = idv_identifier_list_says(copy.body, address,
                                         findings->identifier, trust, pool);
        *says = other > *says ? other : *says;
    }
    return NULL;
}

idv_error_t *
idv_mdl_revocation_find(idv_db_t *db,
                        const idv_mdl_revocation_question_t *question,
                        idv_mdl_revocation_t *revocation, apr_pool_t *pool)
{
    const idv_bytes_t *authority = find_authority(
        question->anchors, question->findings->anchor_fingerprint, pool);
    const idv_revocation_trust_t trust = {.authorities = authority,
                                          .authority_count = authority ? 1 : 0,
                                          .now = question->now};

    *revocation = (idv_mdl_revocation_t){IDV_REVOCATION_UNKNOWN,
                                         IDV_REVOCATION_UNKNOWN};
    if (!authority)
        return NULL;
    if (question->findings->issuer_serial)
        IDV_TRY(ask_crls(db, question->findings, &trust, &revocation->issuer,
                         pool));
    return ask_lists(db, question->findings, &trust, &revocation->document,
                     pool);
}
