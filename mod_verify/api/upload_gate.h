/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_API_UPLOAD_GATE_H
#define IDV_API_UPLOAD_GATE_H

/*
 * Who may send an image, decided before its first byte is read: an image is
 * three hundred times as long as any other body, takes several times its size
 * of memory while it is sealed, and goes into the database's log each time that
 * it is sent again.
 *
 * An upload passes when its client secret is good, its session takes an image
 * now, the session has not had too many, and this child has a place for it. It
 * keeps its place until the pool of the request ends. Of the places, a session
 * has no more than an honest widget needs, so that one link does not keep
 * everybody else from uploading.
 *
 * Failures: client_secret_invalid, session_terminal, session_state_conflict,
 * rate_limit_exceeded (the session's share is used up), service_unavailable
 * (all places are taken), the latter two with Retry-After.
 *
 * Threads: any; the places are the process's, under a lock.
 */
#include "api/request.h"
#include "store/session.h"

#define IDV_UPLOAD_PLACES 8         /* in each child */
#define IDV_UPLOAD_SESSION_PLACES 2 /* of these, of one session */

/* Uploads of a session in a window, refused and broken ones among them. */
#define IDV_UPLOADS_MAX 30
#define IDV_UPLOADS_WINDOW (15 * IDV_MINUTE)

/* Admits REQUEST, or says why not; before its body is read. */
idv_error_t *idv_upload_admit(idv_request_t *request) IDV_CHECKED;

/* Whether SESSION takes an image now. */
idv_error_t *idv_upload_check(const idv_session_t *session,
                              apr_pool_t *pool) IDV_CHECKED;

#endif
