/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_READER_SESSION_CLIENT_H
#define IDV_READER_SESSION_CLIENT_H

/*
 * The reader's calls to the service for one session (mod_verify/api/README.md):
 * challenge, dump, relay, submission, in the order in which an app makes them.
 *
 * Memory: the given pool. Threads: one. Failures: internal errors; for an
 * unsuccessful answer with the service's code and message.
 */
#include <curl/curl.h>

#include "methods/passport/chip_authentication.h"

typedef struct {
    CURL *curl;
    const char *session; /* address: https://…/v1/widget/sessions/{id} */
    const char *secret;  /* the client secret */
    apr_pool_t *pool;
} idv_session_client_t;

/* CA_FILE: PEM; NULL: the system's authorities. */
idv_error_t *idv_session_client_open(idv_session_client_t *client,
                                     const char *session, const char *secret,
                                     const char *ca_file,
                                     apr_pool_t *pool) IDV_CHECKED;

idv_error_t *idv_session_client_challenge(idv_session_client_t *client,
                                          idv_bytes_t *challenge) IDV_CHECKED;

idv_error_t *idv_session_client_put(idv_session_client_t *client,
                                    const char *dump) IDV_CHECKED;

/* Sends ANSWER (NULL: none yet) and receives the next step: WAITS with its
 * commands, or another status for the end. */
idv_error_t *idv_session_client_relay(idv_session_client_t *client,
                                      const idv_chip_answer_t *answer,
                                      idv_chip_relay_step_t *step) IDV_CHECKED;

/* The outcome of a submission. */
typedef struct {
    const char *view; /* JSON: the widget's view of the session */
    int is_refused;   /* flag: the chip was rejected, or the session ended
                       * without success */
} idv_session_outcome_t;

/* Submits, and waits until the service has evaluated it; at most two minutes,
 * then fails. */
idv_error_t *idv_session_client_submit(idv_session_client_t *client,
                                       idv_session_outcome_t *outcome)
    IDV_CHECKED;

#endif
