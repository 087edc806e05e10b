/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_TRUST_READER_IDENTITY_H
#define IDV_DOMAIN_TRUST_READER_IDENTITY_H

/*
 * As whom an organization asks wallets: a key, and the certificates by which
 * wallets know to whom it belongs.
 *
 * An identity belongs to one organization, or to the server, for all that have
 * none of their own; of each kind there is at most one that is in use. The kinds
 * differ in who has certified the key:
 *
 * - haip: an authority in which wallets of OpenID4VP trust (HAIP 1.0, 5):
 *   ECDSA on P-256, no self-signed leaf. Signed requests name it as
 *   `x509_hash:`, which is the digest of the leaf;
 * - apple: Apple, for "org-iso-mdoc" alone; RSA of 2048 bits and more, too;
 * - eudi: an access certificate authority of the EU; like haip, with a
 *   registration certificate in `verifier_info`.
 *
 * The private key is kept sealed and opened only to sign with; nothing else
 * shows it, not even to the organization that it belongs to.
 *
 * Memory: that of whoever made it; `private_key` is wiped with its pool.
 * Threads: immutable. The store finds one of a kind by
 * idv_reader_identity_find(): the organization's own, else the server's, else
 * none.
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

#define IDV_READER_CHAIN_MAX 4        /* certificates */
#define IDV_READER_CERTIFICATE_MAX 8192 /* bytes of each */

typedef struct {
    const char *organization_id; /* NULL: the server's */
    idv_reader_kind_t kind;
    /* DER; the leaf first, each certified by the next, without the anchor. At
     * least one. */
    idv_bytes_t chain[IDV_READER_CHAIN_MAX];
    int chain_length;
    /* PEM of PKCS #8, without a passphrase; a NUL stands behind it. */
    idv_bytes_t private_key;
    /* What registers it as a relying party, for `verifier_info`: the text of a
     * JWT; NULL: none. */
    const char *registration;
    idv_time_t not_after; /* of the first certificate that ends */
} idv_reader_identity_t;

#endif
