/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_ANALYZER_H
#define IDV_WORKER_ANALYZER_H

/*
 * The watchdog's side of verify-analyze (domain/method/analysis_protocol.h).
 *
 * An analyzer keeps one zygote alive: it starts it, waits for its readiness,
 * notices its death and starts it again with a growing pause. An analysis is
 * one submission under way: a stream that is written to and read from as far
 * as it goes, without blocking, whenever the event loop finds it ready.
 *
 * The owner polls idv_analyzer_fd() for POLLIN and calls idv_analyzer_tend()
 * then and when idv_analyzer_due() has come; and for every analysis polls
 * idv_analysis_fd() for idv_analysis_events() and calls idv_analysis_step()
 * then and at its deadline.
 *
 * Memory: both live in the pool given at creation and end with it: clearing an
 * analysis' pool cancels it, clearing the analyzer's ends the process. The
 * bytes of the parts of a request must live as long as the analysis. Findings are
 * wiped with the pool. Threads: all calls from the one that owns the loop.
 */
#include "domain/method/analysis_protocol.h"

typedef struct idv_analyzer_t idv_analyzer_t;
typedef struct idv_analysis_t idv_analysis_t;

typedef struct {
    const char *program; /* path of verify-analyze */
    const char *models;  /* directory, or NULL: barcodes only */
    int children;        /* submissions at a time, 1 to 64 */
    idv_analysis_kind_t kind; /* what it reads; SIGNED takes no models */
} idv_analyzer_settings_t;

typedef enum {
    IDV_ANALYSIS_RUNNING,
    IDV_ANALYSIS_DONE,     /* whole findings are there, not validated yet */
    IDV_ANALYSIS_TOO_LONG, /* the evidence takes more than a submission's time */
    IDV_ANALYSIS_FAILED    /* a technical error: the process has ended, or did
                              not answer until the deadline */
} idv_analysis_state_t;

/* --- the process --- */

/* An analyzer whose process is started by the first idv_analyzer_tend(). */
idv_analyzer_t *idv_analyzer_create(const idv_analyzer_settings_t *settings,
                                    apr_pool_t *pool);

/* The descriptor to poll for POLLIN; -1 while no process runs. */
int idv_analyzer_fd(const idv_analyzer_t *analyzer);

/* When idv_analyzer_tend() must be called next; 0: when there is input. */
idv_time_t idv_analyzer_due(const idv_analyzer_t *analyzer);

/* Starts the process when it is time, notices that it is ready or has ended.
 * An error says what happened, for the log; the analyzer goes on by itself. */
idv_error_t *idv_analyzer_tend(idv_analyzer_t *analyzer, idv_time_t now,
                               apr_pool_t *pool) IDV_CHECKED;

/* Ends the process, which is not started again before idv_analyzer_tend() is
 * called. An error says that it did not end by itself, or not well; that one
 * was about to find that it cannot get ready is none. */
idv_error_t *idv_analyzer_end(idv_analyzer_t *analyzer,
                              apr_pool_t *pool) IDV_CHECKED;

/* Non-zero when submissions are taken. */
int idv_analyzer_is_ready(const idv_analyzer_t *analyzer);

/* The sandbox layers of the running process, by name; "" before it is ready. */
const char *idv_analyzer_layers(const idv_analyzer_t *analyzer);

/* Those that this machine, or how httpd was started, does not allow; "": none,
 * or not ready. */
const char *idv_analyzer_missing_layers(const idv_analyzer_t *analyzer);

/* --- a submission --- */

/* Hands a submission over, which has failed when it is not answered at DEADLINE.
 * `service_unavailable` when the process is not ready or has too many waiting:
 * nothing has happened then, try again later. */
idv_error_t *idv_analyzer_submit(idv_analyzer_t *analyzer,
                                 const idv_analysis_request_t *request,
                                 idv_time_t deadline, idv_analysis_t **out,
                                 apr_pool_t *pool) IDV_CHECKED;

/* What to poll, and for which one of POLLIN and POLLOUT; the descriptor is -1
 * when it is no longer running. */
int idv_analysis_fd(const idv_analysis_t *analysis);
short idv_analysis_events(const idv_analysis_t *analysis);

/* Goes on as far as it can without blocking. */
idv_analysis_state_t idv_analysis_step(idv_analysis_t *analysis,
                                       idv_time_t now);

/* The findings when DONE, at most 64 KiB, from a process that is not trusted:
 * to be read by the reader of the method's findings alone. */
idv_bytes_t idv_analysis_findings(const idv_analysis_t *analysis);

/* Gives up; the stream is closed and the state is FAILED. */
void idv_analysis_cancel(idv_analysis_t *analysis);

#endif
