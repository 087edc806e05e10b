/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_SESSION_EMAIL_OTP_H
#define IDV_DOMAIN_SESSION_EMAIL_OTP_H

/*
 * The six-digit code with which a person proves an e-mail address in a session.
 *
 * A code is derived from the session, the address and a random seed with a key
 * of the server. It is not stored, cannot be computed from the database, and
 * can be sent again unchanged, which matters because e-mail arrives late and
 * out of order. It proves control of an address and is not an authenticator
 * (NIST SP 800-63B, 5.1.3.1).
 *
 * The session stores only the HMAC of its address, so the person types the
 * address. The response is the same whether the address is the session's or
 * not, and e-mail is sent only to the session's. So nobody can learn an address
 * here or have e-mail sent to an address of their choice.
 *
 * Memory: results live in the given pool, which wipes codes when it is cleared.
 * Threads: pure.
 */
#include "core/clock.h"
#include "core/keyring.h"

#define IDV_EMAIL_OTP_DIGITS 6
#define IDV_EMAIL_OTP_SEED_SIZE 16 /* bytes */
#define IDV_EMAIL_OTP_TIME (10 * IDV_MINUTE)
#define IDV_EMAIL_OTP_TRIES_MAX 5 /* per code; then a new code is needed */
#define IDV_EMAIL_OTP_PAUSE (60 * IDV_SECOND) /* between two e-mails */

/* The inputs of a code. */
typedef struct {
    const char *session_id;
    idv_bytes_t address_digest; /* HMAC, idv_identifier_digest() */
    idv_bytes_t seed;           /* IDV_EMAIL_OTP_SEED_SIZE bytes */
} idv_email_otp_t;

/* The code. */
const char *idv_email_otp_code(const idv_keyring_t *keyring,
                               const idv_email_otp_t *otp, apr_pool_t *pool);

/* Non-zero if TYPED is the code, ignoring spaces. HMACs of both, bound to the
 * session, are compared in constant time. */
int idv_email_otp_matches(const idv_keyring_t *keyring,
                          const idv_email_otp_t *otp, const char *typed,
                          apr_pool_t *pool);

/* ADDRESS (normalized) with all but the first character of its local part
 * masked, for the screen that asks for the code. */
const char *idv_email_masked(const char *address, apr_pool_t *pool);

#endif
