/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_ZYGOTE_H
#define IDV_ANALYZE_ZYGOTE_H

/*
 * The process that has the models loaded and forks a child a submission.
 *
 * It reads nothing of a stranger itself: it takes streams from the control
 * socket (domain/method/analysis_protocol.h) and hands each to a child, at most
 * `children` at a time; further ones wait in the socket. A child that is still
 * there `grace_seconds` after its wall clock has run out is killed, and so is
 * one whose client has gone. One that is there after `patience_seconds` gets a
 * lower priority, so that later ones have the processor. Whatever a child dies of, and has not told
 * its client, is a line on standard error and an end of its stream. Where the
 * child could not tell that it computed for too long, the zygote does.
 *
 * The end of the control socket is the only one that it is asked for: SIGTERM,
 * which systemd sends to all processes of a service at once, is ignored by it
 * and its children. So it waits for each child, and nobody else sees how they
 * end.
 *
 * Threads: one, as the sandbox demands. Memory: what serves lives in the given
 * pool; what a turn of the loop needs is freed at the next turn. Failures: an
 * error before readiness, or of poll(), ends the zygote; a child that cannot be
 * forked is a line on standard error and an end of its stream.
 */
#include "analyze/child.h"

#define IDV_ZYGOTE_CHILDREN_MAX 64

typedef struct {
    int control;       /* connected SOCK_SEQPACKET socket */
    int children;      /* 1 to IDV_ZYGOTE_CHILDREN_MAX */
    int grace_seconds; /* beyond the child's own wall clock */
    int patience_seconds; /* with a child, before it yields to others */
    idv_child_settings_t child;
} idv_zygote_settings_t;

/* Gives up privileges, proves the sandbox, reports readiness and serves until
 * the control socket is closed. An error when it cannot serve safely. */
idv_error_t *idv_zygote_run(const idv_zygote_settings_t *settings,
                            apr_pool_t *pool) IDV_CHECKED;

#endif
