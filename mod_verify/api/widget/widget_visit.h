/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_API_WIDGET_WIDGET_VISIT_H
#define IDV_API_WIDGET_WIDGET_VISIT_H

/*
 * Shared code of the routes below /v1/widget/sessions/:id: a person's request
 * about the session of its client secret.
 *
 * A visit is begun, works on the database and answers, usually with the
 * widget's view of the session. idv_visit_begin() checks the form of the
 * secret, and idv_visit_authorize() checks that it is the session's. Nothing
 * about the session may be revealed or changed before that.
 *
 * The page of a session makes up a secret of its browser and sends it in the
 * header Verify-Browser. So the service can tell the browser that gave the
 * evidence from others with the same link (store/session/passkey.h).
 *
 * Memory: the pool of the request. Threads: that of the request.
 */
#include "api/http/request.h"
#include "core/place_table.h"
#include "domain/transition/session_step.h"
#include "store/account/organization.h"
#include "store/session/session_lookup.h"
#include "store/transaction/session_transition.h"

/* The visit of a handler, and the data of its view. */
typedef struct {
    idv_request_t *request;
    idv_scope_t scope;
    const char *session_id;
    const idv_session_input_t *input;   /* NULL: only look */
    idv_session_condition_t *condition; /* of the input; NULL: none */
    void *baton;                        /* of the condition */
    int unless_checked; /* flag: the input is for a new session without passive
                         * checks; for any other the visit only looks */
    int gives_evidence; /* flag: idv_visit_write() takes evidence; an input that
                         * submits always does */
    const char *redeemed;               /* a token to redeem; NULL: none */
    const idv_session_record_t *record; /* set by authorization */
    idv_device_t device;                /* set by authorization */
    const char *client_secret; /* of a phone, returned once; NULL: none */
    const idv_workflow_t *workflow;
    const char *vp_token;
    int may_save; /* flag: this browser may save a passkey of the session */
    int trust_reuse_available;
    idv_organization_brand_t organization;
    const char *const *parts_received; /* NULL-terminated; NULL: not looked
                                        * up */
    idv_session_queued_t queued;
} idv_visit_t;

/* Fills VISIT from the secret of REQUEST, whose path must name the same
 * session; `client_secret_invalid`. */
idv_error_t *idv_visit_begin(idv_request_t *request,
                             idv_visit_t *visit) IDV_CHECKED;

/* Finds the session and checks that the secret is its own;
 * `client_secret_invalid`. */
idv_error_t *idv_visit_authorize(idv_db_t *db, idv_visit_t *visit,
                                 apr_pool_t *pool) IDV_CHECKED;

/* Applies the input on behalf of the authorized device. */
idv_error_t *idv_visit_apply(idv_db_t *db, idv_visit_t *visit,
                             apr_pool_t *pool) IDV_CHECKED;

/* For writes next to the session: authorizes, then runs WORK in a transaction
 * that holds the lock of the session (visit->record), if its device may change
 * it; `session_locked_to_other_device`. */
idv_error_t *idv_visit_write(idv_visit_t *visit, idv_db_work_t *work,
                             void *baton) IDV_CHECKED;

/* A limit on how often a person may do something in one session. */
typedef struct {
    const char *what; /* the name of the count */
    int most;         /* times in the window */
    idv_time_t window;
    const char *message; /* for the error */
} idv_visit_limit_t;

/* Counts the action once more; `rate_limit_exceeded` with the seconds to wait
 * if it was done too often. Call it in the transaction of the action, which
 * counts only if it succeeds. */
idv_error_t *idv_visit_count(idv_db_t *db, const idv_visit_t *visit,
                             const idv_visit_limit_t *limit,
                             apr_pool_t *pool) IDV_CHECKED;

/* Looks up what the view shows in addition to the session. */
idv_error_t *idv_visit_look(idv_db_t *db, idv_visit_t *visit,
                            apr_pool_t *pool) IDV_CHECKED;

/* Authorizes, applies the input of the visit (BATON), and looks; an
 * idv_db_work_t. */
idv_error_t *idv_visit_session(idv_db_t *db, void *baton,
                               apr_pool_t *pool) IDV_CHECKED;

/* What a passkey can do for a visit that has looked: "save" its verification, or
 * be "use"d in its session; NULL: nothing, also for a device that does not hold the
 * session, and for a browser that has not given its evidence. */
const char *idv_visit_passkey(const idv_visit_t *visit);

/* Checks that the browser of VISIT may save a passkey of SESSION;
 * `session_state_conflict`. */
idv_error_t *idv_visit_check_saver(idv_db_t *db, const idv_visit_t *visit,
                                   const idv_session_t *session,
                                   apr_pool_t *pool) IDV_CHECKED;

/* Tells the watchdog about the work that the visit has queued. */
void idv_visit_wake(const idv_visit_t *visit);

/* Answers with the widget's view. */
idv_error_t *idv_visit_respond(const idv_visit_t *visit) IDV_CHECKED;

/* Applies the input of the visit and answers with the view. */
idv_error_t *idv_visit_and_respond(idv_visit_t *visit) IDV_CHECKED;

/* --- waiting --- */

/* A look of a waiting request; non-zero in *DONE ends the wait. */
typedef idv_error_t *idv_visit_look_t(idv_db_t *db, void *baton, int *done,
                                      apr_pool_t *pool);

typedef struct {
    idv_place_kind_t place; /* IDV_PLACE_POLL or IDV_PLACE_EXCHANGE */
    const char *organization_id;
    const char *session_id;
    idv_visit_look_t *look;
    void *baton;
    int seconds; /* at most */
} idv_visit_wait_t;

/* Looks four times a second, each time with its own connection and pool, until
 * the look is done or the time is over. A waiting request holds a worker
 * thread, so their number is limited (api/http/admission.h); the others return
 * at once. Pages that wait for a change have places of another kind than
 * wallets and chip readers in the middle of an exchange, because anyone with a
 * session can make pages wait. An error of a look only ends the wait; the next
 * step meets it again and reports it. Zero: it did not wait. */
int idv_visit_wait(idv_request_t *request, const idv_visit_wait_t *wait);

#endif
