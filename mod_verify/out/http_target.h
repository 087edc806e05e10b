/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_OUT_HTTP_TARGET_H
#define IDV_OUT_HTTP_TARGET_H

/*
 * What the HTTP client knows of the URLs that it calls, so that it need not
 * find it out for each exchange: host and port as curl understands them, and
 * whether curl still has the addresses that the host was pinned to.
 *
 * At most IDV_HTTP_TARGETS_KEPT are known; one more, and all are forgotten.
 *
 * Memory: a pool of its own below the given one. Threads: one.
 */
#include "core/clock.h"
#include "core/error.h"

#define IDV_HTTP_TARGETS_KEPT 1024

typedef struct idv_http_targets_t idv_http_targets_t;

typedef struct {
    const char *host; /* NULL: not an https URL */
    const char *port;
    /* The rest is for the two functions below. */
    char addresses[128];
    idv_time_t pinned_until;
} idv_http_target_t;

/* None is known. */
idv_http_targets_t *idv_http_targets_create(apr_pool_t *pool);

/* What is known of URL, found out now if it was not; good until the next
 * call. */
idv_http_target_t *idv_http_targets_find(idv_http_targets_t *targets,
                                         const char *url);

/* curl has begun an exchange at TIME (monotonic) pinned to ADDRESSES; it will
 * take them from its memory for a while. */
void idv_http_target_note(idv_http_target_t *target, const char *addresses,
                          idv_time_t time);

/* Non-zero when an exchange that begins at TIME need not be pinned again. */
int idv_http_target_is_pinned(const idv_http_target_t *target,
                              const char *addresses, idv_time_t time);

#endif
