/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_SESSION_SESSION_COLUMNS_H
#define IDV_DOMAIN_SESSION_SESSION_COLUMNS_H

/*
 * The columns of a session that are JSON: what only the state machine reads
 * (`runner`), the law of the session, and its last error.
 *
 * Memory: texts and loaded members live in the given pool. Threads: pure.
 * Failures: internal errors for JSON that was not written here.
 */
#include "domain/session/session.h"

/* The value of the column `runner`. */
const char *idv_session_runner_text(const idv_session_t *session,
                                    apr_pool_t *pool);

/* Fills the runner and the members marked [runner] from the output of
 * idv_session_runner_text() and leaves the others unchanged; texts are copied.
 * Members that are 0, false, null or empty may be absent, except the age; an
 * absent member leaves SESSION's value. Internal error for other JSON. */
idv_error_t *idv_session_runner_load(const char *json, idv_session_t *session,
                                     apr_pool_t *pool) IDV_CHECKED;

/* Conversion of the compliance block to and from one column; NULL for all
 * zero. */
const char *idv_session_compliance_text(const idv_compliance_t *compliance,
                                        apr_pool_t *pool);
idv_error_t *idv_session_compliance_load(const char *json,
                                         idv_compliance_t *compliance,
                                         apr_pool_t *pool) IDV_CHECKED;

/* The error: {code, message, category} or null as part of other JSON; as one
 * column, NULL for none; and parsed from it. */
void idv_session_error_write(idv_json_writer_t *writer, const char *key,
                             const idv_session_error_t *error);
const char *idv_session_error_text(const idv_session_error_t *error,
                                   apr_pool_t *pool);
idv_error_t *idv_session_error_load(const char *json,
                                    idv_session_error_t *error,
                                    apr_pool_t *pool) IDV_CHECKED;

#endif
