/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_SESSION_EMAIL_OTP_H
#define IDV_DOMAIN_SESSION_EMAIL_OTP_H

/*
 * The code of six digits by which a person proves an e-mail address in a
 * session.
 *
 * A code is made of the session, the address and a random seed by a key of the
 * server: it is kept nowhere, whoever reads the database cannot make it, and it
 * can be sent again as it was, since e-mail comes late and out of order. It
 * proves the control of an address and is no authenticator (NIST SP 800-63B,
 * 5.1.3.1).
 *
 * The session keeps the HMAC of its address alone, so the person types it. What
 * is answered is the same whether it is the session's or not, and only that one
 * is sent anything: nobody learns an address here, and nobody has e-mail sent to
 * one of their choice.
 *
 * Memory: results live in the given pool, codes are wiped with it. Threads:
 * pure.
 */
#include "core/clock.h"
#include "core/keyring.h"

#define IDV_EMAIL_OTP_DIGITS 6
#define IDV_EMAIL_OTP_SEED_SIZE 16 /* bytes */
#define IDV_EMAIL_OTP_TIME (10 * IDV_MINUTE)
#define IDV_EMAIL_OTP_TRIES_MAX 5 /* of one code; then there is a new one */
#define IDV_EMAIL_OTP_PAUSE (60 * IDV_SECOND) /* between two e-mails */

/* What a code is made of. */
typedef struct {
    const char *session_id;
    idv_bytes_t address_digest; /* HMAC, idv_identifier_digest() */
    idv_bytes_t seed;           /* IDV_EMAIL_OTP_SEED_SIZE bytes */
} idv_email_otp_t;

/* The code. */
const char *idv_email_otp_code(const idv_keyring_t *keyring,
                               const idv_email_otp_t *otp, apr_pool_t *pool);

/* Non-zero when TYPED, spaces aside, is the code; HMACs of both with the session
 * are compared in constant time. */
int idv_email_otp_matches(const idv_keyring_t *keyring,
                          const idv_email_otp_t *otp, const char *typed,
                          apr_pool_t *pool);

/* ADDRESS (normalized) with all but the first character of its local part
 * hidden, for the screen that asks for the code. */
const char *idv_email_masked(const char *address, apr_pool_t *pool);

#endif
