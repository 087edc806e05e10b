/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_METHOD_MDL_REQUEST_RECORD_H
#define IDV_STORE_METHOD_MDL_REQUEST_RECORD_H

/*
 * Requests to wallets in a session, from creation until the evidence is purged.
 *
 * A request has an id and one form per protocol by which it can be answered. It
 * is answered once: the answer ends every other open request of the session and
 * becomes a submission. Its private keys are sealed like evidence.
 *
 * Links: anyone who has seen a link can post to its response endpoint. So data
 * that arrives there is only an offer. An analysis job without a submission
 * opens it first, and it becomes the answer if it is a response to this
 * request, whatever is found about the document. Anything else only counts as a
 * failed attempt for the form; after IDV_MDL_REFUSED_MAX the form is void. A
 * wallet's statement that it gives nothing does not count, because the person
 * may have declined. At most one offer per form is opened at a time. A response
 * that the session's browser submits itself is the answer directly.
 *
 * A wallet reached by a link sends the person back with a code. Until the
 * session's browser presents that code, the findings do not count, so that
 * somebody who tricked another person into opening a link gains nothing.
 *
 * A request belongs to the device that held the session at its creation, and
 * ends when the session moves to another (domain/transition/step_handoff.h).
 * While a phone is silent its requests remain valid, because the wallet may
 * cover the page.
 *
 * Wallets know a request by its handle, which includes the organization, so
 * that it reaches the right shard:
 *
 *     <id of the request>_<organization>
 *
 * Threads: as in store/db/db.h. Memory: the given pool; opened data is wiped
 * with it. Failures: those of store/db/db.h; `resource_missing` for a request
 * that does not exist or no longer exists.
 */
#include "core/keyring.h"
#include "domain/session/session.h"
#include "methods/mdl/mdl_request.h"
#include "store/db/db.h"

/* Maximum open requests of a session; older ones are deleted. */
#define IDV_MDL_REQUESTS_OPEN_MAX 4

/* Maximum number of invalid offers per form. */
#define IDV_MDL_REFUSED_MAX 5

/* Name, value. The Digital Credentials API defines its own names. */
#define IDV_MDL_PROTOCOLS(X)                                                   \
    X(REDIRECT, "redirect")                                                    \
    X(AGE_APP, "age_app") /* a link, too, of an app for proofs of age */       \
    X(OPENID4VP, "openid4vp-v1-signed")                                        \
    X(OPENID4VP_UNSIGNED, "openid4vp-v1-unsigned")                             \
    X(OPENID4VP_MULTISIGNED, "openid4vp-v1-multisigned")                       \
    X(ISO_MDOC, "org-iso-mdoc")

typedef enum {
#define X(name, value) IDV_MDL_PROTOCOL_##name,
    IDV_MDL_PROTOCOLS(X)
#undef X
        IDV_MDL_PROTOCOL_COUNT,
    IDV_MDL_PROTOCOL_NONE = -1
} idv_mdl_protocol_t;

/* Non-zero for requests by a link, from which the wallet sends the person
 * back. */
int idv_mdl_protocol_is_link(idv_mdl_protocol_t protocol);

/* The value, and its parser; NONE for NULL and anything else. */
const char *idv_mdl_protocol_value(idv_mdl_protocol_t protocol);
idv_mdl_protocol_t idv_mdl_protocol_parse(const char *value);

typedef enum {
    IDV_MDL_VERDICT_NONE, /* unknown yet */
    IDV_MDL_VERDICT_ACCEPTED,
    IDV_MDL_VERDICT_REFUSED,
    IDV_MDL_VERDICT_DECLINED /* of an offer: the wallet gives nothing */
} idv_mdl_verdict_t;

/* One form of a request. */
typedef struct {
    const char *organization_id;
    const char *session_id;
    const char *id;
    idv_mdl_protocol_t protocol;
    idv_bytes_t sealed;
    idv_time_t created, expires_at;
    idv_time_t answered_at;    /* 0: not yet */
    idv_time_t returned_at;    /* 0: not yet, or not required */
    idv_bytes_t return_digest; /* of the return code, presented or not; no data:
                                * none */
    idv_mdl_verdict_t verdict;
    const char *reason;  /* code of a refusal; NULL: none */
    int refused;         /* number of invalid offers */
    const char *opening; /* the job that opens an offer; NULL: none */
    int is_opening;      /* flag: that job exists */
    idv_bytes_t offered; /* sealed; only from idv_mdl_request_of_job() */
} idv_mdl_request_record_t;

/* --- handles --- */

const char *idv_mdl_handle(const char *organization_id, const char *id,
                           apr_pool_t *pool);

/* Splits a handle; `resource_missing` if it is malformed. */
idv_error_t *idv_mdl_handle_parse(const char *handle,
                                  const char **organization_id, const char **id,
                                  apr_pool_t *pool) IDV_CHECKED;

/* --- requests --- */

/* The session of a request, and the keys that seal it. */
typedef struct {
    const idv_keyring_t *keyring;
    const idv_session_t *session;
    idv_time_t now; /* only for idv_mdl_request_unseal() */
} idv_mdl_request_place_t;

/* Stores REQUEST, without its anchors, as the form RECORD, in which all is set
 * except `sealed` and later members; in a transaction that holds the lock of
 * SESSION. */
idv_error_t *idv_mdl_request_keep(idv_db_t *db,
                                  const idv_mdl_request_place_t *place,
                                  const idv_mdl_request_record_t *record,
                                  const idv_mdl_request_t *request,
                                  apr_pool_t *pool) IDV_CHECKED;

/* A request, and the protocol by which it is answered. */
typedef struct {
    const char *organization_id;
    const char *id;
    idv_mdl_protocol_t protocol;
} idv_mdl_request_query_t;

/* The form of request ID for PROTOCOL; NONE: the only answered one, else the
 * first. */
idv_error_t *idv_mdl_request_find(idv_db_t *db,
                                  const idv_mdl_request_query_t *query,
                                  idv_mdl_request_record_t **record,
                                  apr_pool_t *pool) IDV_CHECKED;

/* The form answered by SUBMISSION of SESSION. */
idv_error_t *idv_mdl_request_of_submission(idv_db_t *db,
                                           const idv_session_t *session,
                                           int submission,
                                           idv_mdl_request_record_t **record,
                                           apr_pool_t *pool) IDV_CHECKED;

/* The form whose offer JOB opens; `resource_missing` also if it is no longer
 * needed. */
idv_error_t *idv_mdl_request_of_job(idv_db_t *db, const idv_session_t *session,
                                    const char *job,
                                    idv_mdl_request_record_t **record,
                                    apr_pool_t *pool) IDV_CHECKED;

/* Non-zero if CODE belongs to the offer or answer of RECORD. */
int idv_mdl_request_is_of(const idv_mdl_request_record_t *record,
                          const char *code, apr_pool_t *pool);

/* The stored request of RECORD, of SESSION, for a check at NOW. */
idv_error_t *idv_mdl_request_unseal(idv_db_t *db,
                                    const idv_mdl_request_place_t *place,
                                    const idv_mdl_request_record_t *record,
                                    idv_mdl_request_t **request,
                                    apr_pool_t *pool) IDV_CHECKED;

/* --- answers --- */

/* The part of a submission with the answer, and the part that tells
 * verify-analyze the request. */
#define IDV_MDL_PART_RESPONSE "wallet_response"
#define IDV_MDL_PART_REQUEST "wallet_request"
#define IDV_MDL_PART_PORTRAIT "mdoc_portrait" /* of an accepted answer */

typedef struct {
    const idv_mdl_request_record_t *record;
    idv_bytes_t bytes;       /* as received */
    const char *return_code; /* of an offer */
    idv_time_t now;
} idv_mdl_answer_t;

/* Queues ANSWER, received by a link of SESSION (locked), for opening;
 * `resource_missing` if another is being opened or it is too late. */
idv_error_t *idv_mdl_request_offer(idv_db_t *db, const idv_keyring_t *keyring,
                                   const idv_session_t *session,
                                   const idv_mdl_answer_t *answer,
                                   apr_pool_t *pool) IDV_CHECKED;

/* The offered bytes of RECORD, of SESSION. */
idv_error_t *idv_mdl_request_offered(idv_db_t *db,
                                     const idv_mdl_request_place_t *place,
                                     const idv_mdl_request_record_t *record,
                                     idv_bytes_t *bytes,
                                     apr_pool_t *pool) IDV_CHECKED;

/* Discards the offer that JOB opens. If COUNTS, it counts as an invalid
 * offer. */
idv_error_t *idv_mdl_request_decline(idv_db_t *db, const idv_session_t *session,
                                     const char *job, int counts,
                                     apr_pool_t *pool) IDV_CHECKED;

/* Discards the offer that JOB opens, in which the wallet declined for REASON (a
 * code); the request remains open. */
idv_error_t *idv_mdl_request_note_declined(idv_db_t *db,
                                           const idv_session_t *session,
                                           const char *job, const char *reason,
                                           apr_pool_t *pool) IDV_CHECKED;

/* Stores ANSWER as the submission that SESSION (locked) has become;
 * `resource_missing` if another was faster or it is too late. */
idv_error_t *idv_mdl_request_answer(idv_db_t *db, const idv_keyring_t *keyring,
                                    const idv_session_t *session,
                                    const idv_mdl_answer_t *answer,
                                    apr_pool_t *pool) IDV_CHECKED;

/* The verdict on a submission. */
typedef struct {
    int submission;
    idv_mdl_verdict_t verdict;
    const char *reason;
} idv_mdl_settlement_t;

/* Sets the wallet's verdict on SUBMISSION, unless it is set. */
idv_error_t *idv_mdl_request_settle(idv_db_t *db, const idv_session_t *session,
                                    const idv_mdl_settlement_t *settlement,
                                    apr_pool_t *pool) IDV_CHECKED;

/* The return of a person from a wallet. */
typedef struct {
    const char *id;
    const char *code;
    idv_time_t now;
} idv_mdl_return_t;

/* The session's browser has returned with CODE; the submission can be decided.
 * `resource_missing` for a wrong or already presented code. */
idv_error_t *idv_mdl_request_return(idv_db_t *db, const idv_session_t *session,
                                    const idv_mdl_return_t *returned,
                                    apr_pool_t *pool) IDV_CHECKED;

/* --- moves to another device --- */

/* After SESSION (locked) moved to another device: voids the previous device's
 * requests, whether open or waiting for the browser's return. A submission that
 * was waiting is decided again. */
idv_error_t *idv_mdl_request_leave(idv_db_t *db, const idv_session_t *session,
                                   idv_time_t now,
                                   apr_pool_t *pool) IDV_CHECKED;

#endif
