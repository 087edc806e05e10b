/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_MDL_WALLET_RESPONSE_H
#define IDV_METHODS_MDL_WALLET_RESPONSE_H

/*
 * Opens the envelope of a wallet's answer: decrypts it, determines the answered
 * query, and extracts the bytes of the DeviceResponse.
 *
 * The bytes of an answer, by channel:
 * - IDV_MDL_REDIRECT and IDV_MDL_DC_API with an encryption key: the text of
 *   `response`, a compact JWE; its payload is a JSON object with `vp_token`
 *   and, if the request had one, the same `state`. Without a key: the text of
 *   `vp_token`.
 * - `vp_token` is an object of one query's id and its one presentation (an
 *   array of one text; drafts: the text itself), or, as in draft 18, only that
 *   text; the text is the DeviceResponse in base64url.
 * - IDV_MDL_ISO_DC_API: base64url of ["dcapi", {"enc", "cipherText"}].
 * - IDV_MDL_PROXIMITY: the DeviceResponse.
 *
 * Instead of an answer a wallet may report an error (OpenID4VP 1.0, 8.5): in
 * the JWE, or over the Digital Credentials API in the clear, {"error": code}.
 * It contains no data. `access_denied` means that the person declined.
 *
 * A plain answer to a request for an encrypted one is refused; otherwise a
 * party in between could strip the encryption.
 *
 * Memory: the pool, which then holds personal data. Threads: pure.
 */
#include "methods/mdl/mdl_findings.h"
#include "methods/mdl/mdl_request.h"

/* The OpenID4VP code for a person who declines. */
#define IDV_WALLET_ERROR_DECLINED "access_denied"

typedef struct {
    idv_bytes_t device_response;
    const idv_mdl_query_t *query; /* the answered query; NULL: not stated */
    idv_session_parts_t parts;    /* of the transcript, complete */
} idv_wallet_response_t;

/* What an answer is opened with. */
typedef struct {
    const idv_mdl_request_t *request;
    EVP_PKEY *key; /* of request->encryption_key; NULL: none */
    idv_mdl_findings_t *findings;
} idv_wallet_opening_t;

/* Opens BYTES. A failure is `parameter_invalid`, and recorded in the findings
 * with its reason; whether the answer was encrypted is recorded as well. */
idv_error_t *idv_wallet_response_open(const idv_wallet_opening_t *opening,
                                      idv_bytes_t bytes,
                                      idv_wallet_response_t *response,
                                      apr_pool_t *pool) IDV_CHECKED;

#endif
