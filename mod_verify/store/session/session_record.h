/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_SESSION_SESSION_RECORD_H
#define IDV_STORE_SESSION_SESSION_RECORD_H

/*
 * A stored verification session: the session, the other data in its row, and
 * the conversion between them.
 *
 * A row contains the text of its answer, so that a retrieval needs nothing
 * else. Rows are written only by store/transaction/session_create.h and
 * store/transaction/session_transition.h, and found by
 * store/session/session_lookup.h.
 *
 * Threads: pure. Memory: a record lives in the given pool, its texts in the
 * pool of its rows. Failures: a row written by a newer version is an internal
 * error.
 */
#include "domain/transition/session_step.h"
#include "domain/value/issued_secret.h"
#include "store/db/db.h"

/* A session and the other data in its row. */
typedef struct {
    const idv_session_t *session;
    idv_bytes_t client_secret_digest; /* SHA-256 */
    idv_bytes_t email_digest;         /* HMAC, or no data */
    idv_bytes_t phone_digest;         /* HMAC, or no data */
    const char *verified_person_id;   /* NULL: none */
    const char *risk_tier;            /* clear, review, block, bot or NULL */
    idv_device_t device; /* whose secret was used; not stored */
} idv_session_record_t;

/* RECORD without the digests of identifiers that must not be bound to a person
 * or shared; see idv_session_email_stands(). */
idv_session_record_t
idv_session_record_standing(const idv_session_record_t *record);

/* --- client secrets --- */

/* Non-zero if SECRET is the record's and usable at NOW. Constant time. */
int idv_client_secret_matches(const idv_session_record_t *record,
                              const char *secret, idv_time_t now);

/* --- rows, only for store/ --- */

/* In the order of sql/fragments/session_columns.sql, and thus of the first
 * parameters of every statement that writes a session. */
#define IDV_SESSION_COLUMNS(X)                                                 \
    X(organization_id)                                                         \
    X(id)                                                                      \
    X(application_id)                                                          \
    X(workflow_id)                                                             \
    X(workflow_version_id)                                                     \
    X(livemode)                                                                \
    X(revision)                                                                \
    X(status)                                                                  \
    X(type)                                                                    \
    X(methods)                                                                 \
    X(current_method)                                                          \
    X(client_reference_id)                                                     \
    X(return_url)                                                              \
    X(cancel_url)                                                              \
    X(metadata)                                                                \
    X(user_message)                                                            \
    X(created_at)                                                              \
    X(updated_at)                                                              \
    X(expires_at)                                                              \
    X(completed_at)                                                            \
    X(cancelled_at)                                                            \
    X(verification_path)                                                       \
    X(active_device)                                                           \
    X(device_locked_at)                                                        \
    X(age_tier)                                                                \
    X(jurisdiction)                                                            \
    X(jurisdiction_audit_declared)                                             \
    X(jurisdiction_audit_ip_derived)                                           \
    X(jurisdiction_audit_source)                                               \
    X(jurisdiction_audit_mismatch)                                             \
    X(compliance)                                                              \
    X(review_opened_at)                                                        \
    X(review_deadline_at)                                                      \
    X(verification_result)                                                     \
    X(results)                                                                 \
    X(last_error)                                                              \
    X(runner)                                                                  \
    X(client_secret_digest)                                                    \
    X(email_digest)                                                            \
    X(phone_digest)                                                            \
    X(verified_person_id)                                                      \
    X(risk_tier)

typedef enum {
#define X(name) IDV_COLUMN_##name,
    IDV_SESSION_COLUMNS(X)
#undef X
    IDV_SESSION_COLUMN_COUNT
} idv_session_column_t;

/* The parameters of a statement that writes a session: its columns, its answer,
 * and the answer's version. */
#define IDV_SESSION_PARAM_COUNT (IDV_SESSION_COLUMN_COUNT + 2)

/* Fills the IDV_SESSION_PARAM_COUNT PARAMS from a record. */
void idv_session_row_params(const idv_session_record_t *record,
                            idv_db_param_t *params, apr_pool_t *pool);

/* The record in a row with the columns in their order. Internal error for JSON
 * or a method written by a newer version. */
idv_error_t *idv_session_row_read(const idv_db_result_t *rows, int row,
                                  idv_session_record_t **record,
                                  apr_pool_t *pool) IDV_CHECKED;

#endif
