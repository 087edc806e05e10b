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
 * now, the session has not had too many, and there is a place for it, which it
 * keeps until its request ends (api/admission.h).
 *
 * Failures: client_secret_invalid, session_terminal, session_state_conflict,
 * rate_limit_exceeded (the session's share is used up, or its address's),
 * service_unavailable (the organization's share is, or all places are taken),
 * the latter two with Retry-After.
 */
#include "api/request.h"
#include "store/session_lookup.h"

/* Uploads of a session in a window, refused and broken ones among them. */
#define IDV_UPLOADS_MAX 30
#define IDV_UPLOADS_WINDOW (15 * IDV_MINUTE)

/* Admits REQUEST, or says why not; before its body is read. */
idv_error_t *idv_upload_admit(idv_request_t *request) IDV_CHECKED;

/* Whether SESSION takes an image now. */
idv_error_t *idv_upload_check(const idv_session_t *session,
                              apr_pool_t *pool) IDV_CHECKED;

#endif
