/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_TRUST_READER_IDENTITY_H
#define IDV_DOMAIN_TRUST_READER_IDENTITY_H

/*
 * Reader identities, with which an organization authenticates to wallets: a key
 * and the certificates that show to whom it belongs.
 *
 * An identity belongs to one organization, or to the server for all
 * organizations without their own. At most one of each kind is in use. Kinds
 * differ in who certified the key:
 *
 * - haip: an authority trusted by OpenID4VP wallets (HAIP 1.0, 5): ECDSA on
 *   P-256, no self-signed leaf. Signed requests name it as `x509_hash:`, the
 *   digest of the leaf;
 * - apple: Apple, only for "org-iso-mdoc"; RSA of 2048 bits and more is also
 *   allowed;
 * - eudi: an access certificate authority of the EU; like haip, with a
 *   registration certificate in `verifier_info`.
 *
 * The private key is stored sealed and opened only for signing. It is never
 * shown, not even to its organization.
 *
 * Memory: the creator's pool; `private_key` is wiped with its pool. Threads:
 * immutable. idv_reader_identity_find() in the store returns the organization's
 * own identity of a kind, else the server's, else none.
 */
#include "core/clock.h"
#include "core/crypto.h"

/* Name, value. */
#define IDV_READER_KINDS(X)                                                    \
    X(HAIP, "haip")                                                            \
    X(APPLE, "apple")                                                          \
    X(EUDI, "eudi")

typedef enum {
#define X(name, value) IDV_READER_##name,
    IDV_READER_KINDS(X)
#undef X
        IDV_READER_KIND_COUNT
} idv_reader_kind_t;

#define IDV_READER_CHAIN_MAX 4          /* certificates */
#define IDV_READER_CERTIFICATE_MAX 8192 /* bytes of each */

typedef struct {
    const char *organization_id; /* NULL: the server */
    idv_reader_kind_t kind;
    /* DER, leaf first, each certified by the next, without the anchor. At least
     * one. */
    idv_bytes_t chain[IDV_READER_CHAIN_MAX];
    int chain_length;
    /* PKCS #8 in PEM, without a passphrase, followed by a NUL. */
    idv_bytes_t private_key;
    /* The relying party registration for `verifier_info`, the text of a JWT;
     * NULL: none. */
    const char *registration;
    /* What Google Wallet shows about the organization
     * (methods/mdl/reader_metadata.h); no data: none. */
    idv_bytes_t metadata;
    idv_time_t not_after; /* earliest expiry among the certificates */
} idv_reader_identity_t;

#endif
