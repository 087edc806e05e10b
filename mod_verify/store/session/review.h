/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_SESSION_REVIEW_H
#define IDV_STORE_SESSION_REVIEW_H

/*
 * The record of reviews: what opened, moved and ended each, by whom and why.
 * domain/session/session_step.h says what goes into it; entries are written in the
 * transaction of their session and never changed, but for the notes, which go
 * with the erasure of a person.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h alone.
 */
#include <apr_tables.h>

#include "domain/session/session_step.h"
#include "store/db/db.h"

/* Writes ENTRY about SESSION, which is locked, at NOW. */
idv_error_t *idv_review_record(idv_db_t *db, const idv_session_t *session,
                               const idv_review_entry_t *entry, idv_time_t now,
                               apr_pool_t *pool) IDV_CHECKED;

/* An entry as it is shown. */
typedef struct {
    const char *id;
    const char *session_id;
    const char *action;  /* a value of idv_review_action_t */
    const char *actor;   /* NULL: the workflow */
    const char *note;    /* NULL: none */
    idv_time_t deadline; /* of what was opened, else 0 */
    idv_time_t created;
    const char *reason_code; /* of a decision; NULL: not said */
    /* Of the session, in idv_review_list_ended() alone; NULL: none, or removed. */
    const char *client_reference_id;
} idv_review_row_t;

/* ENTRY as it is shown. New reference. */
json_t *idv_review_entry_json(const idv_review_row_t *entry);

/* All of a session, in order, as an array of idv_review_row_t. */
idv_error_t *idv_review_list_of_session(idv_db_t *db,
                                        const idv_session_t *session,
                                        apr_array_header_t **entries,
                                        apr_pool_t *pool) IDV_CHECKED;

/* Up to LIMIT that ended reviews of an organization, older than the id AFTER
 * (NULL: from the newest), as an array of idv_review_row_t. */
idv_error_t *idv_review_list_ended(idv_db_t *db, const char *organization_id,
                                   const char *after, int limit,
                                   apr_array_header_t **entries,
                                   apr_pool_t *pool) IDV_CHECKED;

#endif
