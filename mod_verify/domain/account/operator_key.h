/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_ACCOUNT_OPERATOR_KEY_H
#define IDV_DOMAIN_ACCOUNT_OPERATOR_KEY_H

/*
 * Which logins can be those of one person. httpd keeps a login as it was typed,
 * and a directory takes it in any case, with blanks, with characters that nobody
 * sees, and whichever way its letters are composed: whoever could log in under
 * two names must not count as two people.
 *
 * The key of a login is what a directory compares, by the string preparation of
 * LDAP (RFC 4518): what is mapped to nothing is gone, case is folded, and the
 * rest is in normal form KC. It goes further in three things, since two names that
 * are taken for one only keep a person from acting alone: all blanks are gone,
 * so is whatever Unicode says nobody sees (Default_Ignorable_Code_Point), and so is
 * what Active Directory passes over (MS-ADTS 6.5.1; support.microsoft.com, articles
 * 839515 and 938447): marks of no width, such as accents, strokes through letters,
 * and which of its two ways of writing a syllable of Japanese has. Its ligatures are
 * their letters. A
 * login without a visible character has the empty key, which all of these share.
 *
 * What is no UTF-8 keeps all of its bytes, behind a blank, which no other key
 * has: it is the key of that text alone. Keys are compared in memory and never
 * kept: the tables of Unicode grow with the library.
 *
 * This is for rules that keep one person from acting as two. What a login gives
 * (a claim, a role) it gives to nobody but the login as it was typed.
 *
 * Threads: pure. Memory: keys live in the given pool. Failures: none; where there
 * is no memory left the process ends, as it does in APR's pools.
 */
#include <apr_pools.h>

/* The key of the login USER. */
const char *idv_operator_key(const char *user, apr_pool_t *pool);

/* Whether two names can be logins of one person. */
int idv_operator_can_be_same(const char *first, const char *second,
                             apr_pool_t *pool);

/* Whether USER can be one of those whom NAMES, which ends with NULL, or is NULL
 * for nobody, has. */
int idv_operator_can_be_among(const char *user, const char *const *names,
                              apr_pool_t *pool);

#endif
