/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_ZYGOTE_H
#define IDV_ANALYZE_ZYGOTE_H

/*
 * The process that has the models loaded and forks one child per submission.
 *
 * It reads nothing untrusted itself: it takes streams from the control socket
 * (domain/method/analysis_protocol.h) and hands each to a child, at most
 * `children` at a time; further ones wait in the socket. A child that exists
 * `grace_seconds` after its wall clock has run out is killed, and so is one
 * whose client has gone. After `patience_seconds` a child gets a lower
 * priority, so that later ones get the processor. If a child dies without
 * telling its client, the cause is logged to standard error and its stream
 * ends. If the child could not report that it computed for too long, the zygote
 * does.
 *
 * It only ends when the control socket is closed. SIGTERM, which systemd sends
 * to all processes of a service at once, is ignored by it and its children. So
 * it can wait for each child, and is the only process that sees how they end.
 *
 * Threads: one, as the sandbox demands. Memory: long-lived data is in the given
 * pool; the data of a turn of the loop is freed at the next turn. Failures: an
 * error before readiness, or of poll(), ends the zygote; if a child cannot be
 * forked, a line is logged to standard error and its stream ends.
 */
#include "analyze/child.h"

#define IDV_ZYGOTE_CHILDREN_MAX 64

typedef struct {
    int control;       /* connected SOCK_SEQPACKET socket */
    int children;      /* 1 to IDV_ZYGOTE_CHILDREN_MAX */
    int grace_seconds; /* beyond the child's own wall clock */
    int patience_seconds; /* age of a child when its priority is lowered */
    idv_child_settings_t child;
} idv_zygote_settings_t;

/* Drops privileges, proves the sandbox, reports readiness and serves until the
 * control socket is closed. An error if it cannot serve safely. */
idv_error_t *idv_zygote_run(const idv_zygote_settings_t *settings,
                            apr_pool_t *pool) IDV_CHECKED;

#endif
