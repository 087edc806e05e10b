/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_API_HTTP_ADMISSION_H
#define IDV_API_HTTP_ADMISSION_H

/*
 * Whose body may come, whose long answer may go, and who may wait: how many are
 * under way at once, of an address, of a credential, of an organization, in a
 * child and on the node (core/place_table.h), and who may send an image.
 *
 * A body of the small kind takes a place when it has to be waited for; most
 * come with their header and take none. There are eight times as many of these
 * places where no thread waits (httpd/reception.h). The place is given back when
 * the request ends, or earlier. An address is an IPv4 address or a /64 of IPv6,
 * as mod_remoteip leaves it.
 *
 * An image is decided on before its first byte is read: it is three hundred
 * times as long as any other body, takes several times its size of memory while
 * it is sealed, and goes into the database's log each time that it is sent
 * again. It passes when its client secret is good, its session takes an image
 * now, the session has not had too many, and there is a place for it.
 *
 * A long answer (api/http/sending.h) takes a place while it is sent. There are four
 * times as many where no thread waits for its reader, and others for answers
 * that anybody can get, so that no stranger is in a customer's way. A request
 * that waits (api/widget/widget_visit.h) takes a place by itself, of one kind for pages
 * that wait for a change and of another for wallets and readers of chips.
 *
 * Failures: rate_limit_exceeded (too many of this address or credential, or the
 * session has had its share of images), service_unavailable (no room on the
 * node, or the organization has its share), both with Retry-After and known at
 * once; of images also client_secret_invalid, session_terminal,
 * session_state_conflict and session_locked_to_other_device.
 *
 * Memory: a place lives in the request's pool.
 *
 * Threads: any of all children.
 */
#include "api/http/request.h"
#include "core/place_table.h"

/* Requests of a child that wait at once, and of one session on the node: pages for a
 * change; wallets and readers of chips for what comes of their answer. */
#define IDV_POLLS_MAX 16
#define IDV_POLLS_OF_SESSION 4
#define IDV_EXCHANGES_MAX 16
#define IDV_EXCHANGES_OF_SESSION 8

/* Images of one session that arrive at the same time. */
#define IDV_UPLOAD_SESSION_PLACES 2

/* Uploads of a session in a window, refused and broken ones among them. */
#define IDV_UPLOADS_MAX 30
#define IDV_UPLOADS_WINDOW (15 * IDV_MINUTE)

struct idv_admission_t {
    idv_place_table_t *table; /* shared by all children */
    idv_place_limits_t limits[IDV_PLACE_KIND_COUNT];
};

/* Workers of the server, as its MPM has them. */
typedef struct {
    int children, threads; /* threads of each child; 1 for prefork */
    int can_wait; /* flag: a body that is awaited holds no thread */
} idv_admission_workers_t;

/* Makes the limits of SETTINGS fit WORKERS: of bodies for which threads wait, and
 * of images, never more are under way than half of the threads, of a child and of
 * the node; than a third where each holds one, so that both kinds leave a third
 * to all others. Answers for which threads wait have a quarter, or a sixth, those
 * of strangers half of that; waits of each kind a quarter, or a sixth. */
void idv_admission_limit(idv_admission_t *admission,
                         const idv_settings_t *settings,
                         const idv_admission_workers_t *workers);

/* Takes a place of KIND for REQUEST, for SECONDS at most. A request that has
 * one keeps it. */
idv_error_t *idv_admission_take(idv_request_t *request, idv_place_kind_t kind,
                                int seconds) IDV_CHECKED;

/* Has the place of REQUEST, if it has one, last for SECONDS from now on. */
void idv_admission_extend(idv_request_t *request, int seconds);

/* Gives the place of REQUEST back, if it has one. */
void idv_admission_give(idv_request_t *request);

/* Counts that the body or the reader of REQUEST was not in time. */
void idv_admission_count_late(const idv_request_t *request,
                              idv_place_kind_t kind);

/* Admits the image of REQUEST, or says why not; before its body is read. */
idv_error_t *idv_upload_admit(idv_request_t *request) IDV_CHECKED;

#endif
