/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_MDL_SESSION_TRANSCRIPT_H
#define IDV_METHODS_MDL_SESSION_TRANSCRIPT_H

/*
 * Session transcripts (ISO/IEC 18013-5, 9.1.5.1): the part of the conversation
 * that a device signs, so that an answer is valid for one request only.
 *
 * Each protocol has its own last element, the handover. If a wallet's signature
 * does not match the agreed handover, the verifier can find out which one it
 * used, and with which of the usual mistakes (variants).
 *
 * Memory: the given pool. Threads: pure. Nothing fails except for missing
 * parts.
 */
#include "core/crypto.h"

/* - oid4vp_1_0: OpenID4VP 1.0, B.2.6.1, by redirect or QR code;
 * - dc_api_1_0: OpenID4VP 1.0, B.2.6.2, over the Digital Credentials API;
 * - iso_18013_7_c: ISO/IEC TS 18013-7:2025, annex C ("org-iso-mdoc");
 * - oid4vp_draft_18: drafts 18 to 24 by redirect, ISO/IEC TS 18013-7:2024,
 *   annex B;
 * - dc_api_draft_24: draft 24 over the Digital Credentials API;
 * - proximity: ISO/IEC 18013-5; the parts hold the transcript whole. */
#define IDV_HANDOVERS(X)                                                       \
    X(OID4VP_1_0, "oid4vp_1_0")                                                \
    X(DC_API_1_0, "dc_api_1_0")                                                \
    X(ISO_18013_7_C, "iso_18013_7_c")                                          \
    X(OID4VP_DRAFT_18, "oid4vp_draft_18")                                      \
    X(DC_API_DRAFT_24, "dc_api_draft_24")                                      \
    X(PROXIMITY, "proximity")

/* How a transcript may differ from the agreed one. */
#define IDV_HANDOVER_VARIANTS(X)                                               \
    X(AS_AGREED, "as_agreed")                                                  \
    X(NO_THUMBPRINT, "without_key_thumbprint")                                 \
    X(NO_CLIENT_ID_PREFIX, "client_id_without_prefix")                         \
    X(WEB_ORIGIN_CLIENT_ID, "client_id_of_web_origin")                         \
    X(ORIGIN_WITH_PREFIX, "origin_with_prefix")                                \
    X(ORIGIN_WITH_SLASH, "origin_with_slash")                                  \
    X(NO_WALLET_NONCE, "without_wallet_nonce")

typedef enum {
#define X(name, code) IDV_HANDOVER_##name,
    IDV_HANDOVERS(X)
#undef X
        IDV_HANDOVER_COUNT,
    IDV_HANDOVER_NONE = -1
} idv_handover_t;

#define IDV_HANDOVER_BIT(name) (1u << IDV_HANDOVER_##name)

typedef enum {
#define X(name, code) IDV_HANDOVER_##name,
    IDV_HANDOVER_VARIANTS(X)
#undef X
        IDV_HANDOVER_VARIANT_COUNT
} idv_handover_variant_t;

/* The parts of a transcript; NULL or empty if missing. */
typedef struct {
    const char *client_id;       /* with its prefix */
    const char *nonce;           /* of the request */
    const char *response_uri;
    const char *origin;          /* https://host[:port] */
    idv_bytes_t thumbprint;      /* of the key that the response was encrypted
                                    for (RFC 7638); empty: not encrypted */
    const char *wallet_nonce;    /* mdocGeneratedNonce: "apu" of the JWE */
    const char *encryption_info; /* base64url, as sent (annex C) */
    idv_bytes_t transcript;      /* of proximity: CBOR, without tag 24 */
} idv_session_parts_t;

/* The codes; the reverse gives -1 for unknown text. */
const char *idv_handover_code(idv_handover_t handover);
int idv_handover_find(const char *code);
const char *idv_handover_variant_code(idv_handover_variant_t variant);
int idv_handover_variant_find(const char *code);

/* The CBOR of the transcript; `data` is NULL if PARTS are incomplete, or if the
 * variant makes no difference. */
idv_bytes_t idv_session_transcript(idv_handover_t handover,
                                   idv_handover_variant_t variant,
                                   const idv_session_parts_t *parts,
                                   apr_pool_t *pool);

#endif
