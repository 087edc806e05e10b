/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_METHOD_MDL_REQUEST_RECORD_H
#define IDV_STORE_METHOD_MDL_REQUEST_RECORD_H

/*
 * What wallets were asked in a session, from the asking until its evidence is
 * purged.
 *
 * A request has an id and one form for each protocol that it may be answered
 * by. It is answered once: the answer ends every other open request of the
 * session, and becomes a submission. Its private keys are sealed as evidence
 * is.
 *
 * Whoever has seen a link knows where it is answered. So what comes there is only
 * offered: it is opened first, by an analysis job without a submission, and
 * becomes the answer when it is one to this request, whatever is to be said of
 * the document. What is none changes nothing, but that the form has had one try
 * more; after IDV_MDL_REFUSED_MAX it is void. Where the wallet says that it gives
 * nothing, not even that: the person may have declined. Of each form one offer is
 * opened at a time. What the browser of the session hands in is the answer as it comes.
 *
 * A wallet that was reached by a link sends the person back with a code, and
 * until the browser of the session has shown that code, what was found counts
 * for nothing: whoever made somebody else open a link does not have it.
 *
 * A request is the device's that had the session when it was made, and ends when
 * the session moves to another (domain/session/session_handoff.h). While a phone is
 * silent its requests stand, as the wallet may be what covers the page.
 *
 * Wallets know a request by its handle, which names the organization, too, so
 * that it leads to the right shard:
 *
 *     <id of the request>_<organization>
 *
 * Threads: as in store/db/db.h. Memory: the given pool; what was opened is wiped
 * with it. Failures: those of store/db/db.h; `resource_missing` for a request that
 * there is not, or not any more.
 */
#include "core/keyring.h"
#include "domain/session/session.h"
#include "methods/mdl/mdl_request.h"
#include "store/db/db.h"

/* Open requests of a session; older ones are forgotten. */
#define IDV_MDL_REQUESTS_OPEN_MAX 4

/* How often something that is no answer may be offered to one form. */
#define IDV_MDL_REFUSED_MAX 5

/* Name, value. The names of the Digital Credentials API are its own. */
#define IDV_MDL_PROTOCOLS(X)                                                   \
    X(REDIRECT, "redirect")                                                    \
    X(AGE_APP, "age_app") /* a link, too, of an app for proofs of age */       \
    X(OPENID4VP, "openid4vp-v1-signed")                                        \
    X(OPENID4VP_UNSIGNED, "openid4vp-v1-unsigned")                             \
    X(ISO_MDOC, "org-iso-mdoc")

typedef enum {
#define X(name, value) IDV_MDL_PROTOCOL_##name,
    IDV_MDL_PROTOCOLS(X)
#undef X
        IDV_MDL_PROTOCOL_COUNT,
    IDV_MDL_PROTOCOL_NONE = -1
} idv_mdl_protocol_t;

/* Non-zero for what is asked by a link, from which a wallet leads back. */
int idv_mdl_protocol_is_link(idv_mdl_protocol_t protocol);

/* The value, and back; NONE for NULL and anything else. */
const char *idv_mdl_protocol_value(idv_mdl_protocol_t protocol);
idv_mdl_protocol_t idv_mdl_protocol_parse(const char *value);

typedef enum {
    IDV_MDL_VERDICT_NONE, /* not known yet */
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
    idv_time_t answered_at; /* 0: not yet */
    idv_time_t returned_at; /* 0: not yet, or nobody has to */
    idv_bytes_t return_digest; /* of the code to come back with, shown or not;
                                * no data: there is none */
    idv_mdl_verdict_t verdict;
    const char *reason; /* of a refusal: a code; NULL: none */
    int refused;        /* what was offered and no answer */
    const char *opening; /* the job that opens what is offered; NULL: none */
    int is_opening;      /* flag: that job is there */
    idv_bytes_t offered; /* sealed; only of idv_mdl_request_of_job() */
} idv_mdl_request_record_t;

/* --- handles --- */

const char *idv_mdl_handle(const char *organization_id, const char *id,
                           apr_pool_t *pool);

/* Takes a handle apart; `resource_missing` for what is none. */
idv_error_t *idv_mdl_handle_parse(const char *handle,
                                  const char **organization_id, const char **id,
                                  apr_pool_t *pool) IDV_CHECKED;

/* --- asking --- */

/* Keeps REQUEST, without its anchors, as the form of RECORD, which has all but
 * `sealed` and what comes later; in a transaction that holds the lock of
 * SESSION. */
idv_error_t *idv_mdl_request_keep(idv_db_t *db, const idv_keyring_t *keyring,
                                  const idv_session_t *session,
                                  const idv_mdl_request_record_t *record,
                                  const idv_mdl_request_t *request,
                                  apr_pool_t *pool) IDV_CHECKED;

/* The form of the request ID for PROTOCOL; NONE: the only one that was
 * answered, else the first. */
idv_error_t *idv_mdl_request_find(idv_db_t *db, const char *organization_id,
                                  const char *id, idv_mdl_protocol_t protocol,
                                  idv_mdl_request_record_t **record,
                                  apr_pool_t *pool) IDV_CHECKED;

/* The form that SUBMISSION of SESSION answers. */
idv_error_t *idv_mdl_request_of_submission(idv_db_t *db,
                                           const idv_session_t *session,
                                           int submission,
                                           idv_mdl_request_record_t **record,
                                           apr_pool_t *pool) IDV_CHECKED;

/* The form whose offer JOB opens; `resource_missing`, too, when it is no longer
 * wanted. */
idv_error_t *idv_mdl_request_of_job(idv_db_t *db, const idv_session_t *session,
                                    const char *job,
                                    idv_mdl_request_record_t **record,
                                    apr_pool_t *pool) IDV_CHECKED;

/* Non-zero when CODE is the one of the offer, or answer, that RECORD has. */
int idv_mdl_request_is_of(const idv_mdl_request_record_t *record,
                          const char *code, apr_pool_t *pool);

/* What RECORD, of SESSION, has kept, to be checked at NOW. */
idv_error_t *idv_mdl_request_unseal(idv_db_t *db, const idv_keyring_t *keyring,
                                    const idv_session_t *session,
                                    const idv_mdl_request_record_t *record,
                                    idv_time_t now, idv_mdl_request_t **request,
                                    apr_pool_t *pool) IDV_CHECKED;

/* --- answering --- */

/* The part of a submission that holds the answer, and the one in which
 * verify-analyze is told what was asked. */
#define IDV_MDL_PART_RESPONSE "wallet_response"
#define IDV_MDL_PART_REQUEST "wallet_request"
#define IDV_MDL_PART_PORTRAIT "mdoc_portrait" /* of an answer accepted */

typedef struct {
    const idv_mdl_request_record_t *record;
    idv_bytes_t bytes;       /* as it came */
    const char *return_code; /* of an offer */
    idv_time_t now;
} idv_mdl_answer_t;

/* Has ANSWER opened, for a link of SESSION, which is locked; `resource_missing`
 * when another one is being opened or it is too late. */
idv_error_t *idv_mdl_request_offer(idv_db_t *db, const idv_keyring_t *keyring,
                                   const idv_session_t *session,
                                   const idv_mdl_answer_t *answer,
                                   apr_pool_t *pool) IDV_CHECKED;

/* The bytes that were offered to RECORD, of SESSION. */
idv_error_t *idv_mdl_request_offered(idv_db_t *db, const idv_keyring_t *keyring,
                                     const idv_session_t *session,
                                     const idv_mdl_request_record_t *record,
                                     idv_bytes_t *bytes,
                                     apr_pool_t *pool) IDV_CHECKED;

/* Forgets what JOB opens; COUNTS: it is no answer to this request. */
idv_error_t *idv_mdl_request_decline(idv_db_t *db, const idv_session_t *session,
                                     const char *job, int counts,
                                     apr_pool_t *pool) IDV_CHECKED;

/* Forgets what JOB opens, in which the wallet says that it gives nothing, for
 * REASON, a code; the request stays open. */
idv_error_t *idv_mdl_request_note_declined(idv_db_t *db,
                                           const idv_session_t *session,
                                           const char *job, const char *reason,
                                           apr_pool_t *pool) IDV_CHECKED;

/* Keeps ANSWER as the submission that SESSION, which is locked, has become;
 * `resource_missing` when another one was faster or it is too late. */
idv_error_t *idv_mdl_request_answer(idv_db_t *db, const idv_keyring_t *keyring,
                                    const idv_session_t *session,
                                    const idv_mdl_answer_t *answer,
                                    apr_pool_t *pool) IDV_CHECKED;

/* Says what the wallet is to be told of SUBMISSION, unless that was said. */
idv_error_t *idv_mdl_request_settle(idv_db_t *db, const idv_session_t *session,
                                    int submission, idv_mdl_verdict_t verdict,
                                    const char *reason,
                                    apr_pool_t *pool) IDV_CHECKED;

/* The browser of the session has come back with CODE, and the submission may be
 * decided; `resource_missing` for a code that is not the one, or was shown
 * before. */
idv_error_t *idv_mdl_request_return(idv_db_t *db, const idv_session_t *session,
                                    const char *id, const char *code,
                                    idv_time_t now,
                                    apr_pool_t *pool) IDV_CHECKED;

/* --- moving --- */

/* SESSION, which is locked, has gone to another device: what wallets were asked
 * for the one that had it is void, whether it is open or waits for a browser to
 * come back. The submission that waits so is decided anew. */
idv_error_t *idv_mdl_request_leave(idv_db_t *db, const idv_session_t *session,
                                   idv_time_t now,
                                   apr_pool_t *pool) IDV_CHECKED;

#endif
