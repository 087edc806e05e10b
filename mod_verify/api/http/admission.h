/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_API_HTTP_ADMISSION_H
#define IDV_API_HTTP_ADMISSION_H

/*
 * Admission control: limits on the requests under way at once, per address,
 * credential, organization, child and node (core/place_table.h). They apply to
 * bodies, long answers and waiting requests; images are checked further.
 *
 * - Small bodies: a body takes a place only if it has to be waited for; most
 *   arrive with their header and take none. Where no thread waits
 *   (httpd/connection/reception.h) there are eight times as many places. The
 *   place is released when the request ends, or earlier.
 * - Images: admission is decided before the first byte is read, because an
 *   image is three hundred times as long as any other body, takes several times
 *   its size in memory while it is sealed, and is written to the database log
 *   each time it is sent again. An image is admitted if its client secret is
 *   valid, its session accepts an image now, the session has not had too many,
 *   and a place is free.
 * - Long answers (api/http/sending.h): an answer takes a place while it is
 *   sent. There are four times as many places where no thread waits for the
 *   reader, and separate ones for public answers, so that anonymous clients
 *   cannot block customers.
 * - Waiting requests (api/widget/widget_visit.h): each takes a place. Pages
 *   that wait for a change have one kind, wallets and chip readers another.
 *
 * An address is an IPv4 address or an IPv6 /64, as mod_remoteip leaves it.
 *
 * Failures: rate_limit_exceeded (too many of this address or credential, or the
 * session has used up its images), service_unavailable (no room on the node, or
 * the organization has used up its share), both immediately and with
 * Retry-After; for images also client_secret_invalid, session_terminal,
 * session_state_conflict and session_locked_to_other_device.
 *
 * Memory: a place lives in the request's pool.
 *
 * Threads: any thread of any child.
 */
#include "api/http/request.h"
#include "core/place_table.h"

/* How many requests may wait at once, per child and per session on the node.
 * Polls: pages that wait for a change. Exchanges: wallets and chip readers that
 * wait for the result of their answer. */
#define IDV_POLLS_MAX 16
#define IDV_POLLS_OF_SESSION 4
#define IDV_EXCHANGES_MAX 16
#define IDV_EXCHANGES_OF_SESSION 8

/* Images of one session that may arrive at the same time. */
#define IDV_UPLOAD_SESSION_PLACES 2

/* Uploads of a session per window, including refused and broken ones. */
#define IDV_UPLOADS_MAX 30
#define IDV_UPLOADS_WINDOW (15 * IDV_MINUTE)

struct idv_admission_t {
    idv_place_table_t *table; /* shared by all children */
    idv_place_limits_t limits[IDV_PLACE_KIND_COUNT];
};

/* Worker counts of the server's MPM. */
typedef struct {
    int children, threads; /* threads of each child; 1 for prefork */
    int can_wait; /* flag: no thread waits for a body */
} idv_admission_workers_t;

/* Fits the limits of SETTINGS to WORKERS. Bodies that threads wait for, and
 * images, may each use at most half of the threads of a child and of the node;
 * a third where each of them holds a thread, so that both kinds leave a third
 * to everything else. Answers that threads wait for get a quarter or a sixth,
 * and so do waits of each kind. Public answers get half of that if threads wait
 * for bodies, otherwise as many. */
void idv_admission_limit(idv_admission_t *admission,
                         const idv_settings_t *settings,
                         const idv_admission_workers_t *workers);

/* Takes a place of KIND for REQUEST, for at most SECONDS. A request that has
 * one keeps it. */
idv_error_t *idv_admission_take(idv_request_t *request, idv_place_kind_t kind,
                                int seconds) IDV_CHECKED;

/* Extends the place of REQUEST, if it has one, to SECONDS from now. */
void idv_admission_extend(idv_request_t *request, int seconds);

/* Releases the place of REQUEST, if it has one. */
void idv_admission_give(idv_request_t *request);

/* Counts that REQUEST timed out while its body was received or its answer was
 * read. */
void idv_admission_count_late(const idv_request_t *request,
                              idv_place_kind_t kind);

/* Admits the image of REQUEST or returns the reason for refusing it; called
 * before the body is read. */
idv_error_t *idv_upload_admit(idv_request_t *request) IDV_CHECKED;

#endif
