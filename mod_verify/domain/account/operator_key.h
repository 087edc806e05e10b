/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_ACCOUNT_OPERATOR_KEY_H
#define IDV_DOMAIN_ACCOUNT_OPERATOR_KEY_H

/*
 * Decides whether two logins can belong to one person. httpd keeps a login as
 * typed, while a directory accepts it in any case, with spaces, with invisible
 * characters and in any Unicode composition. A person who can log in under two
 * spellings must not count as two people.
 *
 * The key of a login is the form that a directory compares, per LDAP string
 * preparation (RFC 4518): characters mapped to nothing are removed, case is
 * folded, and the rest is normalized to form KC. The key goes further in three
 * respects; a false match only keeps a person from acting alone:
 *
 * - all spaces are removed;
 * - all characters that Unicode defines as invisible
 *   (Default_Ignorable_Code_Point) are removed;
 * - what Active Directory ignores (MS-ADTS 6.5.1; support.microsoft.com,
 *   articles 839515 and 938447) is ignored: non-spacing marks such as accents,
 *   strokes through letters, and which of the two Japanese scripts a syllable
 *   is written in. Its ligatures become their letters.
 *
 * All logins without a visible character share the empty key.
 *
 * Text that is not UTF-8 keeps all of its bytes after a leading space, which no
 * other key has, so it matches only itself. Keys are compared in memory and
 * never stored, because the Unicode tables grow with the library.
 *
 * Only for rules that keep one person from acting as two. Anything that a login
 * grants (a claim, a role) is granted only to the login as typed.
 *
 * Threads: pure. Memory: keys live in the given pool. Failures: none; if memory
 * runs out the process ends, as with APR pools.
 */
#include <apr_pools.h>

/* The key of the login USER. */
const char *idv_operator_key(const char *user, apr_pool_t *pool);

/* Non-zero if both names can be logins of one person. */
int idv_operator_can_be_same(const char *first, const char *second,
                             apr_pool_t *pool);

/* Non-zero if USER can be the same person as one of NAMES (NULL-terminated;
 * NULL: nobody). */
int idv_operator_can_be_among(const char *user, const char *const *names,
                              apr_pool_t *pool);

#endif
