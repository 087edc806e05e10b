/* SPDX-License-Identifier: Apache-2.0 */
/* A signer's certificate. It is its own anchor, as a signer and as an authority,
 * so that the whole chain is gone through. */
#include "fuzz/fuzz.h"
#include "methods/mdl/issuer_certificate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    apr_pool_t *pool = fuzz_pool();
    idv_bytes_t der = { data, size };
    idv_trust_anchor_t anchors[] = { { .certificate = der },
                                     { .certificate = der, .is_signer = 1 } };
    idv_trust_anchor_t pinned = { .certificate = der, .is_signer = 1,
                                  .is_pinned = 1 };
    idv_trust_t trust = { anchors, 2, (idv_time_t)1780315200 * IDV_SECOND };
    idv_signer_t *signer;

    if (!idv_signer_examine(der, "org.iso.18013.5.1.mDL", &trust, &signer,
                            pool)) {
        promise(signer->key != NULL);
        promise(signer->crl_address_count <= IDV_CRL_ADDRESSES_MAX);
        promise(!signer->country || strlen(signer->country) == 2);
        promise(!signer->region || strlen(signer->region) <= 3);
        promise(!signer->is_current || signer->anchor);
    }
    trust = (idv_trust_t){ &pinned, 1, trust.now };
    if (!idv_signer_examine(der, "org.iso.18013.5.1.mDL", &trust, &signer,
                            pool))
        promise(!(signer->pin_notes >> IDV_PIN_ISSUER_SELF_SIGNED & 1)
                || signer->crl_address_count == 0);
    apr_pool_destroy(pool);
    return 0;
}
