/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_MDL_WALLET_REQUEST_H
#define IDV_METHODS_MDL_WALLET_REQUEST_H

/*
 * The request to a wallet in the form of each protocol, made from the request
 * that its answer is checked against (mdl_request.h).
 *
 * - OpenID4VP 1.0 in the profile HAIP 1.0: a signed request object (RFC 9101)
 *   with `x509_hash` as client id, the chain of the reader without its anchor,
 *   DCQL, and a separate key that the answer is encrypted for; direct_post.jwt
 *   by redirect, dc_api.jwt over the Digital Credentials API. It has no
 *   parameters beyond these standards. It may be made again, with the same
 *   nonce and key, for a wallet that fetches it again (5.10), then with that
 *   wallet's nonce.
 * - OpenID4VP 1.0 over the Digital Credentials API under several identities
 *   (A.3.2.2), for wallets that trust different authorities: one payload with a
 *   signature of each. The answer names none of them. It is bound to the origin
 *   of the page, the nonce and the key, which all signatures cover.
 * - OpenID4VP 1.0 over the Digital Credentials API without an identity (A.2):
 *   the call itself contains the request, unsigned and without a client id; the
 *   browser tells the wallet the origin of the page, and the answer is bound to
 *   it and encrypted as usual.
 * - OpenID4VP 1.0 in the EU's profile for proofs of age, for apps opened by a
 *   link (av-doc-technical-specification, annex A): the link itself contains
 *   the request, unsigned, with `redirect_uri` as client id, and is answered
 *   without encryption (direct_post). It only requests a proof of age.
 * - ISO/IEC TS 18013-7, annex C: EncryptionInfo and DeviceRequest. The request
 *   for a mobile document is signed if there is a reader identity; the one for
 *   the EU's proof of age is not, as its profile says.
 *
 * Memory: the given pool; secrets are wiped with it. Threads: pure: randomness
 * is given. Failures: internal errors, of an identity that cannot sign.
 */
#include "core/json_writer.h"
#include "domain/trust/reader_identity.h"
#include "methods/mdl/mdl_query.h"

#define IDV_WALLET_NONCE_MAX 512 /* characters of a wallet's nonce */
#define IDV_MDL_SEED_SIZE 32     /* bytes */

/* The inputs of a new request. */
typedef struct {
    idv_mdl_channel_t channel; /* REDIRECT, DC_API or ISO_DC_API */
    const char *response_uri;  /* REDIRECT */
    const char *origin;        /* of the page, for the other two */
    const char *key_id;        /* by which the wallet knows the key */
    idv_mdl_need_t need;
    int is_age_app; /* flag: REDIRECT, by the link of an app for proofs of age;
                       NEED must accept them */
    const idv_reader_identity_t *identity; /* NULL: none, or several; with
                                              REDIRECT only for an app for
                                              proofs of age */
    /* Random bytes, not used for anything else. */
    unsigned char nonce[IDV_MDL_SEED_SIZE];
    unsigned char key[IDV_MDL_SEED_SIZE];
} idv_wallet_draft_t;

/* Creates the request of DRAFT, without trust anchors. A key outside P-256,
 * which happens once in 2^32 times, is an internal error. */
idv_error_t *idv_wallet_request_create(const idv_wallet_draft_t *draft,
                                       idv_mdl_request_t **request,
                                       apr_pool_t *pool) IDV_CHECKED;

/* The client id of IDENTITY. */
const char *idv_reader_client_id(const idv_reader_identity_t *identity,
                                 apr_pool_t *pool);

/* The request object of REQUEST (REDIRECT, DC_API), signed by IDENTITY.
 * WALLET_NONCE is that of the POST that fetches it, or NULL. */
idv_error_t *idv_wallet_request_object(const idv_mdl_request_t *request,
                                       const idv_reader_identity_t *identity,
                                       const char *wallet_nonce,
                                       const char **jwt,
                                       apr_pool_t *pool) IDV_CHECKED;

/* Writes the member `request` of REQUEST (DC_API, made without an identity),
 * signed by each of IDENTITIES, whose list ends with NULL, into the open object
 * of WRITER. */
idv_error_t *
idv_wallet_request_multisigned(const idv_mdl_request_t *request,
                               const idv_reader_identity_t *const *identities,
                               idv_json_writer_t *writer) IDV_CHECKED;

/* Writes the members of REQUEST (DC_API, made without an identity) into the
 * open object of WRITER. */
idv_error_t *idv_wallet_request_unsigned(const idv_mdl_request_t *request,
                                         idv_json_writer_t *writer) IDV_CHECKED;

/* The link that opens an app for proofs of age with REQUEST, which was made for
 * such an app. */
const char *idv_age_app_link(const idv_mdl_request_t *request,
                             apr_pool_t *pool);

/* The DeviceRequest of REQUEST (ISO_DC_API), in base64url, signed by IDENTITY
 * unless that is NULL. */
idv_error_t *idv_wallet_device_request(const idv_mdl_request_t *request,
                                       const idv_reader_identity_t *identity,
                                       const char **device_request,
                                       apr_pool_t *pool) IDV_CHECKED;

#endif
