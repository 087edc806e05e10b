/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_MDL_WALLET_RESPONSE_H
#define IDV_METHODS_MDL_WALLET_RESPONSE_H

/*
 * The envelope in which a wallet's answer comes: decrypts it, looks which query
 * it answers, and brings out the bytes of the DeviceResponse.
 *
 * What the bytes of an answer are, by channel:
 * - IDV_MDL_REDIRECT and IDV_MDL_DC_API with an encryption key: the text of
 *   `response`, a compact JWE; its payload is a JSON object with `vp_token` and,
 *   where the request had one, the same `state`. Without a key: the text of
 *   `vp_token`.
 * - `vp_token` is an object of one query's id and its one presentation (an array
 *   of one text; drafts: the text itself), or, as in draft 18, that text alone;
 *   the text is the DeviceResponse in base64url.
 * - IDV_MDL_ISO_DC_API: base64url of ["dcapi", {"enc", "cipherText"}].
 * - IDV_MDL_PROXIMITY: the DeviceResponse.
 *
 * Instead of an answer a wallet may report an error (OpenID4VP 1.0, 8.5): in the
 * JWE, or over the Digital Credentials API in the clear, {"error": code}. Nothing
 * is given by it. `access_denied` is the person's decline.
 *
 * A plain answer to a request for an encrypted one is refused, or whoever is in
 * between could choose.
 *
 * Memory: the pool, which then holds personal data. Threads: pure.
 */
#include "methods/mdl/mdl_findings.h"
#include "methods/mdl/mdl_request.h"

/* The code of OpenID4VP for what the person declines. */
#define IDV_WALLET_ERROR_DECLINED "access_denied"

typedef struct {
    idv_bytes_t device_response;
    const idv_mdl_query_t *query; /* that it answers; NULL: it does not say */
    idv_session_parts_t parts;    /* of the transcript, complete */
} idv_wallet_response_t;

/* Who opens. */
typedef struct {
    const idv_mdl_request_t *request;
    EVP_PKEY *key; /* of request->encryption_key; NULL: none */
    idv_mdl_findings_t *findings;
} idv_wallet_opening_t;

/* Opens BYTES. A failure is `parameter_invalid`, and recorded in the findings
 * with its reason; that it came encrypted is recorded, too. */
idv_error_t *idv_wallet_response_open(const idv_wallet_opening_t *opening,
                                      idv_bytes_t bytes,
                                      idv_wallet_response_t *response,
                                      apr_pool_t *pool) IDV_CHECKED;

#endif
