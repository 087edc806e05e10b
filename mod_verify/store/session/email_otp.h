/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_SESSION_EMAIL_OTP_H
#define IDV_STORE_SESSION_EMAIL_OTP_H

/*
 * Codes that prove e-mail addresses, one per session
 * (domain/session/email_otp.h), and limits on requesting them.
 *
 * A row is written for any address that a person types, so that neither the
 * responses nor trying codes distinguishes the session's address from others. A
 * code requested again within its validity, for the same address and with tries
 * left, is the same code.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h; `rate_limit_exceeded` with Retry-After.
 */
#include "domain/session/email_otp.h"
#include "store/session/session_record.h"

/* Maximum e-mails per session, per address and per network. */
#define IDV_EMAIL_OTP_SESSION_MAX 5
#define IDV_EMAIL_OTP_SESSION_WINDOW IDV_HOUR
#define IDV_EMAIL_OTP_ADDRESS_MAX 10
#define IDV_EMAIL_OTP_NETWORK_MAX 30
#define IDV_EMAIL_OTP_WINDOW (15 * IDV_MINUTE)

/* The keys under which a code request is counted. */
typedef struct {
    const char *organization_id;
    idv_bytes_t session, address, network; /* idv_identifier_digest() */
} idv_email_otp_asking_t;

/* Counts a code request, whatever its result. Must not be called in a
 * transaction. */
idv_error_t *idv_email_otp_count(idv_db_t *db,
                                 const idv_email_otp_asking_t *asking,
                                 idv_time_t now, apr_pool_t *pool) IDV_CHECKED;

/* A stored code. */
typedef struct {
    idv_email_otp_t otp;
    idv_time_t expires_at;
    idv_time_t resend_at; /* no other is sent earlier */
} idv_email_otp_issue_t;

/* The address that a code is for, and when. */
typedef struct {
    idv_bytes_t address_digest;
    idv_time_t now;
} idv_email_otp_wish_t;

/* Stores a code for SESSION and the address of ADDRESS_DIGEST at NOW, a new one
 * or the one still valid, and returns it in ISSUE; in a transaction that holds
 * the session's lock. */
idv_error_t *idv_email_otp_issue(idv_db_t *db, const idv_session_t *session,
                                 const idv_email_otp_wish_t *wish,
                                 idv_email_otp_issue_t *issue,
                                 apr_pool_t *pool) IDV_CHECKED;

/* A code that was entered for a session. */
typedef struct {
    const idv_session_record_t *record;
    const char *code;
    idv_time_t now;
} idv_email_otp_attempt_t;

/* Counts a try and compares CODE; must not be called in a transaction, because
 * failed tries count. NULL if CODE is the session's and was sent to the address
 * that the session names; else `otp_not_proven`, `otp_expired` or
 * `otp_attempts_exceeded`. */
idv_error_t *idv_email_otp_try(idv_db_t *db, const idv_keyring_t *keyring,
                               const idv_email_otp_attempt_t *attempt,
                               apr_pool_t *pool) IDV_CHECKED;

/* Removes the code of SESSION after its use. */
idv_error_t *idv_email_otp_remove(idv_db_t *db, const idv_session_t *session,
                                  apr_pool_t *pool) IDV_CHECKED;

#endif
