/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_SESSION_REVIEW_H
#define IDV_STORE_SESSION_REVIEW_H

/*
 * The record of reviews: what opened, changed and ended each, by whom and why.
 * domain/transition/session_step.h decides the entries; they are written in the
 * transaction of their session and never changed, except that the erasure of a
 * person deletes the notes.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: only those of store/db/db.h.
 */
#include <apr_tables.h>

#include "domain/transition/session_step.h"
#include "store/db/db.h"

/* Stores ENTRY about SESSION (locked) at NOW. */
idv_error_t *idv_review_record(idv_db_t *db, const idv_session_t *session,
                               const idv_review_entry_t *entry, idv_time_t now,
                               apr_pool_t *pool) IDV_CHECKED;

/* An entry for display. */
typedef struct {
    const char *id;
    const char *session_id;
    const char *action;  /* a value of idv_review_action_t */
    const char *actor;   /* NULL: the workflow */
    const char *note;    /* NULL: none */
    idv_time_t deadline; /* of a review that was opened, else 0 */
    idv_time_t created;
    const char *reason_code; /* of a decision; NULL: none given */
    const char *const *overruled; /* of an approval, NULL-terminated; NULL: not
                                   * stated */
    const char *assignee; /* of an assignment; NULL: nobody */
    /* The session's, only from idv_review_list_ended(); NULL: none, or
     * removed. */
    const char *client_reference_id;
} idv_review_row_t;

/* ENTRY for display. New reference. */
json_t *idv_review_entry_json(const idv_review_row_t *entry);

/* All entries of a session, in order, an array of idv_review_row_t. */
idv_error_t *idv_review_list_of_session(idv_db_t *db,
                                        const idv_session_t *session,
                                        apr_array_header_t **entries,
                                        apr_pool_t *pool) IDV_CHECKED;

/* Which ended reviews are listed. */
typedef struct {
    const char *organization_id;
    const char *after;
    int limit;
} idv_ended_reviews_query_t;

/* Up to LIMIT entries that ended an organization's reviews, older than the id
 * AFTER (NULL: from the newest), an array of idv_review_row_t. */
idv_error_t *idv_review_list_ended(idv_db_t *db,
                                   const idv_ended_reviews_query_t *query,
                                   apr_array_header_t **entries,
                                   apr_pool_t *pool) IDV_CHECKED;

#endif
