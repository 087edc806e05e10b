/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_MDL_MDL_REQUEST_H
#define IDV_METHODS_MDL_MDL_REQUEST_H

/*
 * The request to a wallet that its answer is checked against. The caller stores
 * it with the transaction and passes it to the analysis unchanged.
 *
 * A transaction has its own nonce, its own key and one channel, and is answered
 * once; the caller ensures this.
 *
 * In text form it is one part of a submission to verify-analyze; the answer is
 * the other. The text is a JSON object with the members of the struct: the
 * channel and the handovers as their codes, bytes as base64url, null for
 * missing values; the time is that of the submission.
 *
 * Memory: the given pool; the text holds the private keys and is wiped with it.
 * Threads: pure. Failures: internal errors that name the place and no value.
 */
#include "methods/mdl/issuer_certificate.h"
#include "methods/mdl/session_transcript.h"

/* Document types and their name spaces. */
#define IDV_MDL_DOC_TYPE "org.iso.18013.5.1.mDL"
#define IDV_MDL_NAME_SPACE "org.iso.18013.5.1"
#define IDV_AGE_ATTESTATION_DOC_TYPE "eu.europa.ec.av.1"
#define IDV_AGE_ATTESTATION_NAME_SPACE "eu.europa.ec.av.1"

#define IDV_MDL_QUERIES_MAX 8     /* per request */
#define IDV_MDL_ELEMENTS_MAX 64   /* per query */
#define IDV_MDL_ANCHORS_MAX 2048  /* per request */
#define IDV_MDL_DOC_TYPES_MAX 64  /* per anchor */
#define IDV_MDL_REQUEST_MAX ((apr_size_t)8 * 1024 * 1024) /* bytes of text */

/* How the answer was received, which determines its bytes:
 * - redirect: OpenID4VP, direct_post.jwt or direct_post;
 * - dc_api: OpenID4VP over the Digital Credentials API, dc_api.jwt or dc_api;
 * - iso_dc_api: "org-iso-mdoc", the text of `response`, base64url;
 * - proximity: a raw DeviceResponse. */
#define IDV_MDL_CHANNELS(X)                                                    \
    X(REDIRECT, "redirect")                                                    \
    X(DC_API, "dc_api")                                                        \
    X(ISO_DC_API, "iso_dc_api")                                                \
    X(PROXIMITY, "proximity")

typedef enum {
#define X(name, code) IDV_MDL_##name,
    IDV_MDL_CHANNELS(X)
#undef X
        IDV_MDL_CHANNEL_COUNT
} idv_mdl_channel_t;

/* A requested element. A statement that follows from another age also answers
 * age_over_NN (ISO/IEC 18013-5, 7.2.5). */
typedef struct {
    const char *name_space;
    const char *element;
    /* Non-zero: it may be missing. The same applies to the alternatives of a
     * request (claim_sets): the decision checks what is missing. */
    int is_optional;
} idv_mdl_element_t;

/* A requested document; several are alternatives, the first is preferred. */
typedef struct {
    const char *id; /* of the DCQL credential query; NULL with annex C */
    const char *doc_type;
    const idv_mdl_element_t *elements;
    int element_count;
} idv_mdl_query_t;

typedef struct {
    idv_mdl_channel_t channel;
    unsigned accepted; /* IDV_HANDOVER_BIT of the accepted handovers */

    /* As in the request. The key's thumbprint and the wallet's nonce come from
     * the answer; leave them empty. The origin is that of the page that called
     * the API. */
    idv_session_parts_t parts;

    const char *state; /* NULL: none, or checked by the caller (direct_post) */

    /* The private scalar, 32 bytes, on P-256, of the key that answers to this
     * request are encrypted for; empty if it requested a plain answer. */
    idv_bytes_t encryption_key;
    const char *encryption_key_id; /* "kid"; NULL: none */

    /* The private scalar of the reader's ephemeral key, in the form of
     * `encryption_key`, for a MAC of the device; empty: `encryption_key` is
     * that key, too. */
    idv_bytes_t reader_key;

    const idv_mdl_query_t *queries;
    int query_count;
    idv_trust_t trust; /* anchors, and the time of the check */
} idv_mdl_request_t;

/* Writes REQUEST, without the time, as text. */
idv_error_t *idv_mdl_request_write(const idv_mdl_request_t *request,
                                   const char **text, apr_size_t *length,
                                   apr_pool_t *pool) IDV_CHECKED;

/* Parses the request in TEXT, to be checked at NOW. */
idv_error_t *idv_mdl_request_read(const char *text, apr_size_t length,
                                  idv_time_t now, idv_mdl_request_t **request,
                                  apr_pool_t *pool) IDV_CHECKED;

#endif
