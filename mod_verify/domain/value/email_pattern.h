/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_VALUE_EMAIL_PATTERN_H
#define IDV_DOMAIN_VALUE_EMAIL_PATTERN_H

/*
 * Patterns in the local part of an e-mail address that hint at its origin.
 * Addresses are in the normal form of domain/value/identifier.h.
 *
 * Memory: none. Threads: pure. Failures: none.
 */

/* Non-zero for an address with a tag (`name+tag@...`), which many services
 * deliver to the mailbox `name` (RFC 5233). */
int idv_email_is_tagged(const char *email);

/* Non-zero if the local part looks generated: letters and digits alternate
 * often, or the letters are unpronounceable. A name, with or without a year,
 * does not look generated; a name with many consonants may, so this is only a
 * hint. A tag is ignored. */
int idv_email_is_random(const char *email);

#endif
