/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_MDL_MDOC_H
#define IDV_METHODS_MDL_MDOC_H

/*
 * Parses a device's answer with mobile documents: DeviceResponse and
 * MobileSecurityObject of ISO/IEC 18013-5, 8.3.2.1.2.2 and 9.1.2.4.
 *
 * Only the structure is checked here; mdl_verification.h checks signatures and
 * contents. Members unknown to the standard are ignored, since its second
 * edition adds some.
 *
 * Limits: those of cbor.h, and those below. Memory: results point into the
 * response's bytes and into the pool; they are personal data. Threads:
 * immutable once returned. Failures: `parameter_invalid`, which names the place
 * and never a value.
 */
#include <apr_tables.h>

#include "domain/value/civil_date.h"
#include "methods/mdl/cose.h"

#define IDV_MDOC_MAX_DOCUMENTS 4
#define IDV_MDOC_MAX_ELEMENTS 512  /* of a document, signed by its issuer */
#define IDV_MDOC_ADDRESS_MAX 1024  /* bytes of an address of a status list */
#define IDV_MDOC_IDENTIFIER_MAX 64 /* bytes in a list of identifiers */

/* An element signed by the issuer or by the device. */
typedef struct {
    const char *name_space;
    const char *element;
    const idv_cbor_t *value;
    /* The members below are set only for elements signed by the issuer. */
    apr_int64_t digest_id;
    idv_bytes_t random;
    idv_bytes_t tagged; /* IssuerSignedItemBytes as received, with the tag */
} idv_mdoc_item_t;

/* Where the issuer publishes the document's revocation (second edition,
 * 12.3.6.2); NULL or empty if unused. */
typedef struct {
    const char *list_address; /* a token status list, and the index in it */
    apr_int64_t list_index;
    const char *identifier_address; /* a list of identifiers, and the document's
                                     * own */
    idv_bytes_t identifier;
} idv_mdoc_status_t;

/* MobileSecurityObject. */
typedef struct {
    const char *doc_type;
    const char *digest_algorithm;
    const idv_cbor_t *value_digests;       /* name space: {digest id: digest} */
    const idv_cbor_t *device_key;          /* COSE_Key */
    const idv_cbor_t *authorized_spaces;   /* array of name spaces, or NULL */
    const idv_cbor_t *authorized_elements; /* name space: [element], or NULL */
    idv_time_t signed_at, valid_from, valid_until; /* after 1970 */
    idv_time_t expected_update;                    /* 0: none */
    idv_mdoc_status_t status;
} idv_mdoc_security_object_t;

typedef struct {
    const char *doc_type;
    apr_array_header_t *items;      /* of idv_mdoc_item_t, signed by the
                                     * issuer */
    idv_cose_message_t issuer_auth; /* COSE_Sign1 */
    idv_mdoc_security_object_t security;
    apr_array_header_t *device_items; /* of idv_mdoc_item_t */
    idv_bytes_t device_spaces;        /* DeviceNameSpacesBytes as received */
    int has_device_mac;               /* flag: a MAC; else a signature */
    idv_cose_message_t device_auth;
    int error_count; /* elements that it reports as
                      * unavailable */
} idv_mdoc_document_t;

typedef struct {
    const char *version;
    apr_int64_t status;
    apr_array_header_t *documents; /* of idv_mdoc_document_t */
    int error_count;               /* documents that it reports as
                                    * unavailable */
} idv_mdoc_response_t;

/* Parses BYTES, a DeviceResponse. */
idv_error_t *idv_mdoc_read(idv_bytes_t bytes, idv_mdoc_response_t **response,
                           apr_pool_t *pool) IDV_CHECKED;

/* Non-zero, with the date in *DATE, if VALUE is a full-date (tag 1004, or
 * without a tag) or a tdate, whose day is used. */
int idv_mdoc_date(const idv_cbor_t *value, idv_date_t *date, apr_pool_t *pool);

/* Non-zero, with the time in *TIME, if VALUE is a tdate in UTC; fractions of a
 * second, which the standard forbids and wallets write, are cut off. */
int idv_mdoc_time(const idv_cbor_t *value, idv_time_t *time, apr_pool_t *pool);

#endif
