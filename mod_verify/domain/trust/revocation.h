/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_TRUST_REVOCATION_H
#define IDV_DOMAIN_TRUST_REVOCATION_H

/*
 * Revocation status of a certificate or document. The first of the three values
 * covers everything that is uncertain.
 */
typedef enum {
    IDV_REVOCATION_UNKNOWN, /* no list; or not fetched, readable, verified or
                             * current */
    IDV_REVOCATION_GOOD,    /* a valid list does not name it */
    IDV_REVOCATION_REVOKED  /* a list names it as revoked or suspended */
} idv_revocation_t;

#endif
