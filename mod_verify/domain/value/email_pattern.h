/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_VALUE_EMAIL_PATTERN_H
#define IDV_DOMAIN_VALUE_EMAIL_PATTERN_H

/*
 * What the local part of an e-mail address gives away of how it came to be.
 * Addresses are in the normal form of domain/value/identifier.h.
 *
 * Memory: none. Threads: pure. Failures: none.
 */

/* Non-zero for an address with a tag (`name+tag@...`), which many services
 * deliver to the mailbox of the name (RFC 5233). */
int idv_email_is_tagged(const char *email);

/* Non-zero for a local part that looks made up by a program: letters and digits
 * that change places often, or letters that nobody could speak. A name, with or
 * without a year, does not look so; a name of many consonants may, so this is a
 * hint and no more. A tag is not looked at. */
int idv_email_is_random(const char *email);

#endif
