/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_SESSION_EMAIL_OTP_H
#define IDV_STORE_SESSION_EMAIL_OTP_H

/*
 * The codes by which persons prove e-mail addresses, one a session
 * (domain/session/email_otp.h), and how often one may be asked for.
 *
 * A row is written for any address that a person types, so that whoever watches
 * the answers, or types codes, finds no difference between the session's address
 * and others. A code that is asked for again within its time, for the same
 * address and with tries left, is the same one.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h; `rate_limit_exceeded` with Retry-After.
 */
#include "domain/session/email_otp.h"
#include "store/session/session_record.h"

/* E-mails of a session, for an address, and to a network. */
#define IDV_EMAIL_OTP_SESSION_MAX 5
#define IDV_EMAIL_OTP_SESSION_WINDOW IDV_HOUR
#define IDV_EMAIL_OTP_ADDRESS_MAX 10
#define IDV_EMAIL_OTP_NETWORK_MAX 30
#define IDV_EMAIL_OTP_WINDOW (15 * IDV_MINUTE)

/* What is counted for one code. */
typedef struct {
    const char *organization_id;
    idv_bytes_t session, address, network; /* idv_identifier_digest() */
} idv_email_otp_asking_t;

/* Counts that a code is asked for, whatever comes of it. Not in a
 * transaction. */
idv_error_t *idv_email_otp_count(idv_db_t *db,
                                 const idv_email_otp_asking_t *asking,
                                 idv_time_t now, apr_pool_t *pool) IDV_CHECKED;

/* The code that was written. */
typedef struct {
    idv_email_otp_t otp;
    idv_time_t expires_at;
    idv_time_t resend_at; /* earlier no other is sent */
} idv_email_otp_issue_t;

/* Writes the code of SESSION for the address of ADDRESS_DIGEST at NOW, a new one
 * or the one that is good still, into ISSUE; inside of a transaction that holds
 * the session's lock. */
idv_error_t *idv_email_otp_issue(idv_db_t *db, const idv_session_t *session,
                                 idv_bytes_t address_digest, idv_time_t now,
                                 idv_email_otp_issue_t *issue,
                                 apr_pool_t *pool) IDV_CHECKED;

/* Counts one try and compares CODE; not in a transaction, since a try counts
 * that fails. NULL when CODE is the session's and was sent to the address that
 * it names; else `otp_not_proven`, `otp_expired` or `otp_attempts_exceeded`. */
idv_error_t *idv_email_otp_try(idv_db_t *db, const idv_keyring_t *keyring,
                               const idv_session_record_t *record,
                               const char *code, idv_time_t now,
                               apr_pool_t *pool) IDV_CHECKED;

/* Removes the code of SESSION, which has served. */
idv_error_t *idv_email_otp_remove(idv_db_t *db, const idv_session_t *session,
                                  apr_pool_t *pool) IDV_CHECKED;

#endif
