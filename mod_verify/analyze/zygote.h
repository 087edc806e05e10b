/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_ZYGOTE_H
#define IDV_ANALYZE_ZYGOTE_H

/*
 * The process that has the models loaded and forks a child a submission.
 *
 * It reads nothing of a stranger itself: it takes streams from the control
 * socket (domain/analysis_protocol.h) and hands each to a child, at most
 * `children` at a time; further ones wait in the socket. A child that is still
 * there after `wall_seconds` is killed. Whatever a child dies of is a line on
 * standard error and an end of its stream, nothing more.
 */
#include "analyze/child.h"

#define IDV_ZYGOTE_CHILDREN_MAX 64

typedef struct {
    int control;      /* connected SOCK_SEQPACKET socket */
    int children;     /* 1 to IDV_ZYGOTE_CHILDREN_MAX */
    int wall_seconds; /* for one child */
    idv_child_settings_t child;
} idv_zygote_settings_t;

/* Gives up privileges, proves the sandbox, reports readiness and serves until
 * the control socket is closed. An error when it cannot serve safely. */
idv_error_t *idv_zygote_run(const idv_zygote_settings_t *settings,
                            apr_pool_t *pool) IDV_CHECKED;

#endif
