/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_API_WIDGET_WIDGET_VISIT_H
#define IDV_API_WIDGET_WIDGET_VISIT_H

/*
 * What the routes below /v1/widget/sessions/:id have in common: a person's
 * request about the session that its client secret is for.
 *
 * A visit is begun, works on the database and answers, with the widget's view
 * of the session as a rule. The secret is checked by idv_visit_begin() for its
 * form and by idv_visit_authorize() for being the session's; nothing may be
 * said of the session or changed before.
 *
 * Memory: the pool of the request. Threads: that of the request.
 */
#include "api/http/request.h"
#include "core/place_table.h"
#include "domain/session/session_step.h"
#include "store/account/organization.h"
#include "store/session/session_lookup.h"
#include "store/transaction/session_transition.h"

/* What a handler does, and what its view is made from. */
typedef struct {
    idv_request_t *request;
    idv_scope_t scope;
    const char *session_id;
    const idv_session_input_t *input;   /* NULL: only look */
    idv_session_condition_t *condition; /* of the input; NULL: none */
    void *baton;                        /* of the condition */
    int unless_checked; /* the input is for a new session without passive
                         * checks; of another one the visit is a look */
    const char *redeemed;               /* a token to redeem; NULL: none */
    const idv_session_record_t *record; /* once it is authorized */
    idv_device_t device;                /* once it is authorized */
    const char *client_secret; /* of a phone, shown once; NULL: none */
    const idv_workflow_t *workflow;
    const char *vp_token;
    int trust_reuse_available;
    idv_organization_brand_t organization;
    const char *const *parts_received; /* NULL-terminated; NULL: none asked */
    idv_session_queued_t queued;
} idv_visit_t;

/* Fills VISIT by the secret of REQUEST, whose path has to name the same
 * session; `client_secret_invalid`. */
idv_error_t *idv_visit_begin(idv_request_t *request,
                             idv_visit_t *visit) IDV_CHECKED;

/* Finds the session, of which the secret has to be; `client_secret_invalid`. */
idv_error_t *idv_visit_authorize(idv_db_t *db, idv_visit_t *visit,
                                 apr_pool_t *pool) IDV_CHECKED;

/* Applies the input, as the device that was authorized. */
idv_error_t *idv_visit_apply(idv_db_t *db, idv_visit_t *visit,
                             apr_pool_t *pool) IDV_CHECKED;

/* For what is written beside the session: authorizes, and runs WORK in a
 * transaction that holds the lock of the session, which is visit->record then,
 * if its device may change it; `session_locked_to_other_device`. */
idv_error_t *idv_visit_write(idv_visit_t *visit, idv_db_work_t *work,
                             void *baton) IDV_CHECKED;

/* What a person may do so often only in one session. */
typedef struct {
    const char *what; /* the name of the count */
    int most;         /* times in the window */
    idv_time_t window;
    const char *message; /* for the error */
} idv_visit_limit_t;

/* Counts that the visit does it once more; `rate_limit_exceeded` with the seconds
 * to wait when it was done too often. In the transaction of what is done, which
 * counts only when it succeeds. */
idv_error_t *idv_visit_count(idv_db_t *db, const idv_visit_t *visit,
                             const idv_visit_limit_t *limit,
                             apr_pool_t *pool) IDV_CHECKED;

/* Finds what the view shows beside the session. */
idv_error_t *idv_visit_look(idv_db_t *db, idv_visit_t *visit,
                            apr_pool_t *pool) IDV_CHECKED;

/* Authorizes, applies what the visit (BATON) is for, and looks; an
 * idv_db_work_t. */
idv_error_t *idv_visit_session(idv_db_t *db, void *baton,
                               apr_pool_t *pool) IDV_CHECKED;

/* Tells the watchdog of what the visit has queued. */
void idv_visit_wake(const idv_visit_t *visit);

/* Answers with the widget's view. */
idv_error_t *idv_visit_respond(const idv_visit_t *visit) IDV_CHECKED;

/* Does what the visit is for, and answers with the view. */
idv_error_t *idv_visit_and_respond(idv_visit_t *visit) IDV_CHECKED;

/* --- waiting --- */

/* What a waiting request looks at; non-zero in *DONE ends the waiting. */
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

/* Looks four times a second, each time with a connection and a pool for it
 * alone, until it is done or the time is over. A waiting request holds a worker
 * thread, so only some may wait (api/http/admission.h); the others come back at once. A
 * page that waits for a change has a place of another kind than what somebody
 * waits for in the middle of an exchange, as wallets and readers of chips do: anyone
 * with a session has pages wait. An error of a look ends the waiting only:
 * whatever follows meets it again and reports it. Zero: it did not wait. */
int idv_visit_wait(idv_request_t *request, const idv_visit_wait_t *wait);

#endif
