/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_PASSKEY_WEBAUTHN_H
#define IDV_METHODS_PASSKEY_WEBAUTHN_H

/*
 * The two ceremonies of a passkey (WebAuthn Level 3, 7.1 and 7.2): the response
 * of a browser is either accepted, or refused with the name of the check that
 * it failed.
 *
 * - The client data must be of this ceremony, challenge and origin. In a page
 *   of another site (`crossOrigin`), that site must be one that may embed the
 *   widget. Members that are not known are ignored, as the standard demands.
 * - The authenticator must have seen and verified the person (UP, UV) for this
 *   relying party.
 * - Attestation is not requested, so a statement would prove nothing and is not
 *   evaluated; of the format `none` it must be empty.
 * - The caller compares the signature counter and the user handle, and makes
 *   sure that a challenge is used once.
 *
 * The inputs come from a browser and are bounded before they are parsed. They
 * are small and have few parts, so they are parsed in the request, without the
 * sandbox of evidence; t/fuzz/passkey_webauthn.c fuzzes the parser.
 *
 * Memory: results live in the given pool or point into the inputs. Threads:
 * pure. Failures: `passkey_invalid`, without any of the bytes.
 */
#include <apr_tables.h>

#include "core/crypto.h"

#define IDV_WEBAUTHN_CHALLENGE_SIZE 32 /* bytes */
#define IDV_WEBAUTHN_USER_SIZE 32      /* bytes of a user handle */

/* Most bytes of each part of a response. */
#define IDV_WEBAUTHN_CLIENT_DATA_MAX 8192
#define IDV_WEBAUTHN_ATTESTATION_MAX 32768
#define IDV_WEBAUTHN_AUTHENTICATOR_DATA_MAX 4096
#define IDV_WEBAUTHN_SIGNATURE_MAX 1024
#define IDV_WEBAUTHN_CREDENTIAL_ID_MAX 1023 /* WebAuthn Level 3, 7.1 */

/* The relying party, and the challenge of the ceremony. */
typedef struct {
    const char *id;     /* host name */
    const char *origin; /* of the page with the widget */
    const apr_array_header_t *embedders; /* const char *: sources of pages that
                                          * may embed it; NULL: none */
    idv_bytes_t challenge;
} idv_webauthn_site_t;

/* Non-zero if HOST can be the id of a relying party: it is a name, not an
 * address. */
int idv_webauthn_is_rp_id(const char *host);

/* --- registration --- */

typedef struct {
    idv_bytes_t client_data; /* JSON */
    idv_bytes_t attestation; /* the attestation object, CBOR */
} idv_webauthn_registration_t;

/* A passkey as it is stored. */
typedef struct {
    idv_bytes_t id;         /* the credential ID */
    idv_bytes_t public_key; /* COSE_Key */
    apr_uint32_t sign_count;
} idv_webauthn_credential_t;

idv_error_t *idv_webauthn_register(const idv_webauthn_site_t *site,
                                   const idv_webauthn_registration_t *given,
                                   idv_webauthn_credential_t *credential,
                                   apr_pool_t *pool) IDV_CHECKED;

/* --- assertion --- */

typedef struct {
    idv_bytes_t client_data; /* JSON */
    idv_bytes_t authenticator_data;
    idv_bytes_t signature;
} idv_webauthn_assertion_t;

/* PUBLIC_KEY is that of the credential; *SIGN_COUNT is the counter of the
 * authenticator. */
idv_error_t *idv_webauthn_assert(const idv_webauthn_site_t *site,
                                 const idv_webauthn_assertion_t *given,
                                 idv_bytes_t public_key,
                                 apr_uint32_t *sign_count,
                                 apr_pool_t *pool) IDV_CHECKED;

#endif
