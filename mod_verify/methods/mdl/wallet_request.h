/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_MDL_WALLET_REQUEST_H
#define IDV_METHODS_MDL_WALLET_REQUEST_H

/*
 * What is sent to a wallet: the request in the form of each protocol, made from
 * the request that its answer will be checked against (mdl_request.h).
 *
 * - OpenID4VP 1.0 as HAIP 1.0 profiles it: a signed request object (RFC 9101)
 *   with `x509_hash` as client id, the chain of the reader without its anchor,
 *   DCQL, a key of its own that the answer is encrypted for; direct_post.jwt by
 *   redirect, dc_api.jwt over the Digital Credentials API. It has no parameter
 *   that these do not define. It may be made again, with the same nonce and
 * key, for a wallet that fetches it again (5.10), then with that wallet's
 * nonce.
 * - OpenID4VP 1.0 over the Digital Credentials API without an identity (A.2): the
 *   request stands in the call itself, unsigned and without a client id; the
 *   browser names the origin of the page to the wallet, and the answer is bound to
 *   that and encrypted as any other.
 * - OpenID4VP 1.0 as the EU's profile of proofs of age has it for apps that are
 *   opened by a link (av-doc-technical-specification, annex A): the request stands
 *   in the link itself, unsigned, with `redirect_uri` as client id, and is answered
 *   without encryption (direct_post). It asks for a proof of age alone.
 * - ISO/IEC TS 18013-7, annex C: EncryptionInfo and DeviceRequest. The request
 *   for a mobile document is signed where there is a reader's identity; that
 * for the EU's proof of age is not, as its profile has it.
 *
 * Memory: the given pool; what is secret is wiped with it. Threads: pure:
 * randomness is given. Failures: internal errors, of an identity that cannot
 * sign.
 */
#include "core/json_writer.h"
#include "domain/trust/reader_identity.h"
#include "methods/mdl/mdl_query.h"

#define IDV_WALLET_NONCE_MAX 512 /* characters of a wallet's nonce */
#define IDV_MDL_SEED_SIZE 32     /* bytes */

/* What a new request is made from. */
typedef struct {
    idv_mdl_channel_t channel; /* REDIRECT, DC_API or ISO_DC_API */
    const char *response_uri;  /* REDIRECT */
    const char *origin;        /* of the page, for the other two */
    const char *key_id;        /* by which the wallet knows the key */
    idv_mdl_need_t need;
    int is_age_app; /* flag: REDIRECT, by the link of an app for proofs of age;
                       NEED has to accept these */
    const idv_reader_identity_t *identity; /* NULL: none, but with REDIRECT
                                              only for an app for proofs of age */
    /* Random bytes, used for nothing else. */
    unsigned char nonce[IDV_MDL_SEED_SIZE];
    unsigned char key[IDV_MDL_SEED_SIZE];
} idv_wallet_draft_t;

/* The request of DRAFT, without trust anchors. A key that is none of P-256,
 * which happens once in 2^32 times, is an internal error. */
idv_error_t *idv_wallet_request_create(const idv_wallet_draft_t *draft,
                                       idv_mdl_request_t **request,
                                       apr_pool_t *pool) IDV_CHECKED;

/* The client id under which IDENTITY asks. */
const char *idv_reader_client_id(const idv_reader_identity_t *identity,
                                 apr_pool_t *pool);

/* The request object of REQUEST (REDIRECT, DC_API), signed by IDENTITY;
 * WALLET_NONCE: of the POST by which it was fetched, or NULL. */
idv_error_t *idv_wallet_request_object(const idv_mdl_request_t *request,
                                       const idv_reader_identity_t *identity,
                                       const char *wallet_nonce,
                                       const char **jwt,
                                       apr_pool_t *pool) IDV_CHECKED;

/* Writes the members of REQUEST (DC_API, made without an identity) into the object
 * that is open in WRITER. */
idv_error_t *idv_wallet_request_unsigned(const idv_mdl_request_t *request,
                                         idv_json_writer_t *writer) IDV_CHECKED;

/* The link that opens an app for proofs of age with REQUEST, one that was made for
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
