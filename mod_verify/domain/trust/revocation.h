/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_TRUST_REVOCATION_H
#define IDV_DOMAIN_TRUST_REVOCATION_H

/*
 * What is known of the revocation of a certificate or document: three values, of
 * which the first is for everything that is not certain.
 */
typedef enum {
    IDV_REVOCATION_UNKNOWN, /* no list, or it could not be fetched, read or
                               verified, or is out of date */
    IDV_REVOCATION_GOOD,    /* a list that is valid does not name it */
    IDV_REVOCATION_REVOKED  /* a list names it, as revoked or suspended */
} idv_revocation_t;

#endif
