/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/mdl/device_authentication.h"

#include "methods/mdl/response_encryption.h"

#define R(name) IDV_MDL_REASON_##name

#define MAC_KEY_SIZE 32 /* 9.1.3.5 */

/* ITEM as an embedded item: tag 24 around its bytes. */
static idv_bytes_t embed(idv_bytes_t item, apr_pool_t *pool)
{
    idv_cbor_writer_t writer;

    idv_cbor_writer_init(&writer, pool);
    idv_cbor_put_tag(&writer, IDV_CBOR_TAG_EMBEDDED);
    idv_cbor_put_bytes(&writer, item);
    return idv_cbor_written(&writer);
}

/* DeviceAuthenticationBytes, 9.1.3.4. */
static idv_bytes_t covered(const idv_mdoc_document_t *document,
                           idv_bytes_t transcript, apr_pool_t *pool)
{
    idv_cbor_writer_t writer;

    idv_cbor_writer_init(&writer, pool);
    idv_cbor_put_array(&writer, 4);
    idv_cbor_put_text(&writer, "DeviceAuthentication");
    idv_cbor_put_encoded(&writer, transcript);
    idv_cbor_put_text(&writer, document->doc_type);
    idv_cbor_put_encoded(&writer, document->device_spaces);
    return embed(idv_cbor_written(&writer), pool);
}

/* EMacKey, 9.1.3.5. */
static idv_error_t *derive_mac_key(const idv_device_authentication_t *device,
                                   idv_bytes_t transcript, idv_bytes_t *key,
                                   apr_pool_t *pool)
{
    unsigned char *bytes = apr_pcalloc(pool, MAC_KEY_SIZE);
    idv_bytes_t session = embed(transcript, pool), secret;
    unsigned char salt[IDV_DIGEST_SIZE];

    idv_wipe_with_pool(bytes, MAC_KEY_SIZE, pool);
    idv_sha256(session.data, session.length, salt);
    IDV_TRY(idv_elliptic_agree(device->reader_key, device->device_key, &secret,
                               pool));
    IDV_TRY(idv_hkdf_sha256(secret, (idv_bytes_t){ salt, sizeof(salt) },
                            "EMacKey", bytes, MAC_KEY_SIZE, pool));
    *key = (idv_bytes_t){ bytes, MAC_KEY_SIZE };
    return NULL;
}

static idv_cose_verdict_t verdict_on(const idv_device_authentication_t *device,
                                     idv_bytes_t transcript, apr_pool_t *pool)
{
    const idv_mdoc_document_t *document = device->document;
    idv_bytes_t payload = covered(document, transcript, pool), key;

    if (!document->has_device_mac)
        return idv_cose_verify_signature(&document->device_auth, payload,
                                         device->device_key, pool);
    if (derive_mac_key(device, transcript, &key, pool))
        return IDV_COSE_KEY_UNSUITABLE;
    return idv_cose_verify_mac(&document->device_auth, payload, key, pool);
}

/* Tries the accepted handovers as agreed, or all known ones with all variants.
 * If one fits, the verdict is VALID and FINDINGS name it; otherwise it is the
 * last verdict. */
static idv_cose_verdict_t search(const idv_device_authentication_t *device,
                                 int everything, idv_mdl_findings_t *findings,
                                 apr_pool_t *pool)
{
    int variants = everything ? IDV_HANDOVER_VARIANT_COUNT : 1;
    idv_cose_verdict_t verdict = IDV_COSE_WRONG;

    for (int handover = 0; handover < IDV_HANDOVER_COUNT; handover++) {
        if (!everything && !(device->accepted >> handover & 1))
            continue;
        for (int variant = 0; variant < variants; variant++) {
            idv_bytes_t transcript =
                idv_session_transcript(handover, variant, device->parts, pool);

            if (!transcript.data)
                continue;
            verdict = verdict_on(device, transcript, pool);
            if (verdict == IDV_COSE_VALID) {
                findings->handover = handover;
                findings->handover_variant = variant;
            }
            if (verdict != IDV_COSE_WRONG)
                return verdict;
        }
    }
    return verdict;
}

void idv_device_authenticate(const idv_device_authentication_t *device,
                             idv_mdl_findings_t *findings, apr_pool_t *pool)
{
    int is_mac = device->document->has_device_mac;

    findings->has_device_mac = is_mac;
    findings->device_algorithm =
        idv_cose_algorithm_name(device->document->device_auth.algorithm);
    if (is_mac && !device->reader_key) {
        idv_mdl_fail(findings, R(DEVICE_MAC_WITHOUT_KEY));
        return;
    }
    switch (search(device, 0, findings, pool)) {
    case IDV_COSE_VALID:
        idv_mdl_pass(findings, IDV_MDL_CHECK_DEVICE_AUTHENTICATION);
        return;
    case IDV_COSE_ALGORITHM_NOT_ALLOWED:
        idv_mdl_fail(findings, R(DEVICE_ALGORITHM_NOT_ALLOWED));
        return;
    case IDV_COSE_KEY_UNSUITABLE:
        idv_mdl_fail(findings, R(DEVICE_KEY_UNSUITABLE));
        return;
    case IDV_COSE_WRONG:
        break;
    }
    if (search(device, 1, findings, pool) == IDV_COSE_VALID)
        idv_mdl_fail(findings, R(HANDOVER_NOT_ACCEPTED));
    else
        idv_mdl_fail(findings,
                     is_mac ? R(DEVICE_MAC_WRONG) : R(DEVICE_SIGNATURE_WRONG));
}
