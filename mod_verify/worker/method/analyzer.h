/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_METHOD_ANALYZER_H
#define IDV_WORKER_METHOD_ANALYZER_H

/*
 * The watchdog's side of verify-analyze (domain/method/analysis_protocol.h).
 *
 * An analyzer keeps one zygote alive: it starts it, waits for its readiness,
 * notices its death and restarts it with a growing pause. An analysis is one
 * running submission: a stream that is written and read without blocking
 * whenever the event loop reports it ready.
 *
 * The owner polls idv_analyzer_fd() for POLLIN and calls idv_analyzer_tend()
 * then and at idv_analyzer_due(). For every analysis it polls idv_analysis_fd()
 * for idv_analysis_events() and calls idv_analysis_step() then and at its
 * deadline.
 *
 * Memory: both live in the pool given at creation: clearing an analysis' pool
 * cancels it, clearing the analyzer's ends the process. The bytes of a
 * request's parts must live as long as the analysis. Findings are wiped with
 * the pool. Threads: all calls from the loop's thread.
 */
#include "domain/method/analysis_protocol.h"

typedef struct idv_analyzer_t idv_analyzer_t;
typedef struct idv_analysis_t idv_analysis_t;

typedef struct {
    const char *program;      /* path of verify-analyze */
    const char *models;       /* directory, or NULL: barcodes only */
    int children;             /* concurrent submissions, 1 to 64 */
    idv_analysis_kind_t kind; /* the kind of evidence; SIGNED needs no models */
} idv_analyzer_settings_t;

typedef enum {
    IDV_ANALYSIS_RUNNING,
    IDV_ANALYSIS_DONE,     /* complete findings, not validated yet */
    IDV_ANALYSIS_TOO_LONG, /* the evidence exceeds a submission's time limit */
    IDV_ANALYSIS_FAILED    /* a technical error: the process exited, or did not
                            * answer before the deadline */
} idv_analysis_state_t;

/* --- the process --- */

/* An analyzer; the first idv_analyzer_tend() starts its process. */
idv_analyzer_t *idv_analyzer_create(const idv_analyzer_settings_t *settings,
                                    apr_pool_t *pool);

/* The descriptor to poll for POLLIN; -1 while no process runs. */
int idv_analyzer_fd(const idv_analyzer_t *analyzer);

/* When to call idv_analyzer_tend() next; 0: only on input. */
idv_time_t idv_analyzer_due(const idv_analyzer_t *analyzer);

/* Starts the process when due, and notices that it is ready or has exited. An
 * error is for the log; the analyzer continues on its own. */
idv_error_t *idv_analyzer_tend(idv_analyzer_t *analyzer, idv_time_t now,
                               apr_pool_t *pool) IDV_CHECKED;

/* Ends the process; it is not started again before idv_analyzer_tend() is
 * called. An error says that it did not exit by itself, or not cleanly. A
 * process that was about to report that it cannot get ready is not an error. */
idv_error_t *idv_analyzer_end(idv_analyzer_t *analyzer,
                              apr_pool_t *pool) IDV_CHECKED;

/* Non-zero if submissions are accepted. */
int idv_analyzer_is_ready(const idv_analyzer_t *analyzer);

/* The names of the active sandbox layers of the process; "" before it is
 * ready. */
const char *idv_analyzer_layers(const idv_analyzer_t *analyzer);

/* The layers that this machine, or the way httpd was started, does not permit;
 * "": none, or not ready. */
const char *idv_analyzer_missing_layers(const idv_analyzer_t *analyzer);

/* --- a submission --- */

/* Submits REQUEST; it fails if it is not answered before DEADLINE.
 * `service_unavailable` if the process is not ready or has too many waiting:
 * nothing was done, retry later. */
idv_error_t *idv_analyzer_submit(idv_analyzer_t *analyzer,
                                 const idv_analysis_request_t *request,
                                 idv_time_t deadline, idv_analysis_t **out,
                                 apr_pool_t *pool) IDV_CHECKED;

/* The descriptor to poll, and POLLIN or POLLOUT; the descriptor is -1 when the
 * analysis no longer runs. */
int idv_analysis_fd(const idv_analysis_t *analysis);
short idv_analysis_events(const idv_analysis_t *analysis);

/* Advances as far as possible without blocking. */
idv_analysis_state_t idv_analysis_step(idv_analysis_t *analysis,
                                       idv_time_t now);

/* The findings when DONE, at most 64 KiB, from an untrusted process: only for
 * the parser of the method's findings. */
idv_bytes_t idv_analysis_findings(const idv_analysis_t *analysis);

/* Cancels: closes the stream and sets the state to FAILED. */
void idv_analysis_cancel(idv_analysis_t *analysis);

#endif
