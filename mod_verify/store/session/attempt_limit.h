/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_SESSION_ATTEMPT_LIMIT_H
#define IDV_STORE_SESSION_ATTEMPT_LIMIT_H

/*
 * What may be tried so often only: attempts of one caller in a sliding window,
 * and how often an application asks for persons whom other organizations may
 * have verified.
 *
 * Both are exact across children and nodes, because their rows are in the
 * database, and both count outside of the transaction of what is tried, so that
 * an attempt that is refused counts as well.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h; where counting answers with a number, too many
 * are no error.
 */
#include <apr_tables.h>

#include "store/db/lookup.h"
#include "store/session/person.h"

/* --- attempts --- */

/* What may be tried at most LIMIT times in a WINDOW: uploads, VP tokens in a
 * session, accept_existing for a person. */
typedef struct {
    const char *organization_id;
    idv_bytes_t digest; /* names what is limited, and for whom */
    idv_time_t window;
    int limit;
    const char *refusal; /* what the caller reads of one attempt too many */
} idv_attempt_limit_t;

/* Counts an attempt, exactly under concurrency. *ATTEMPTS counts this one; when
 * there have been too many it is not kept, and *RETRY_AFTER is the seconds
 * until the next may be made. */
idv_error_t *idv_attempt_count(idv_db_t *db, const idv_attempt_limit_t *limit,
                               idv_time_t now, int *attempts, int *retry_after,
                               apr_pool_t *pool) IDV_CHECKED;

/* The same, where one too many is `rate_limit_exceeded` with the refusal of
 * LIMIT and the seconds until the next. */
idv_error_t *idv_attempt_admit(idv_db_t *db, const idv_attempt_limit_t *limit,
                               idv_time_t now, apr_pool_t *pool) IDV_CHECKED;

/* One more attempt of accept_existing for whom QUERY names, of
 * IDV_ACCEPT_EXISTING_ATTEMPTS_MAX. */
#define IDV_ACCEPT_EXISTING_WINDOW (15 * IDV_MINUTE)
idv_error_t *idv_accept_existing_count(idv_db_t *db,
                                       const idv_person_query_t *query,
                                       idv_time_t now, int *attempts,
                                       int *retry_after,
                                       apr_pool_t *pool) IDV_CHECKED;

/* --- the asking for persons across organizations --- */

/*
 * The answer to a creation tells whether a person shares, and the interface
 * wants it to; so what can be limited is the asking. Every creation that trust
 * reuse could have answered counts, before anybody is looked for, so that the
 * counting itself is the same for known and unknown persons. Hours and days
 * are those of UTC.
 *
 * The rows hold no trace of whom was asked for. When PostgreSQL crashes, the
 * askings of its last moments that led to no session (three times its
 * wal_writer_delay) may be forgotten.
 */

/* How long counts are kept. */
#define IDV_TRUST_REUSE_TALLY_DAYS 31

typedef struct {
    int hourly, daily; /* the most that an application may ask */
} idv_trust_reuse_limits_t;

/* Counts one asking of the scope's application. *RETRY_AFTER is 0, or the
 * seconds to the next hour or day when it has asked too often; then it is not
 * counted, and nobody must be looked for. An application that does not take
 * part asks nobody. Not in a transaction: an asking counts when the creation is
 * refused, too. */
idv_error_t *idv_trust_reuse_ask(idv_db_t *db, const idv_scope_t *scope,
                                 const idv_trust_reuse_limits_t *limits,
                                 idv_time_t now, int *retry_after,
                                 apr_pool_t *pool) IDV_CHECKED;

/* The scope's application met a person; in the transaction of what came of
 * that. */
idv_error_t *idv_trust_reuse_meet(idv_db_t *db, const idv_scope_t *scope,
                                  idv_time_t now,
                                  apr_pool_t *pool) IDV_CHECKED;

/* What one application asked. */
typedef struct {
    const char *organization_id;
    const char *application_id;
    const char *name; /* NULL: it is gone */
    apr_int64_t asked, met;
    apr_int64_t most_in_an_hour;
    idv_time_t last_asked; /* when the hour began; 0: never in the time */
} idv_trust_reuse_asker_t;

/* The LIMIT applications that asked most in vain since SINCE, as an array of
 * idv_trust_reuse_asker_t; of all organizations when ORGANIZATION_ID is
 * NULL. */
idv_error_t *idv_trust_reuse_askers(idv_db_t *db, const char *organization_id,
                                    idv_time_t since, int limit,
                                    apr_array_header_t **askers,
                                    apr_pool_t *pool) IDV_CHECKED;

/* What all applications of all organizations asked. */
typedef struct {
    apr_int64_t asked, met;
    apr_int64_t unmet_most; /* askings in vain of the application with most */
} idv_trust_reuse_sums_t;

/* Fills SUMS with what was asked since SINCE. */
idv_error_t *idv_trust_reuse_sums(idv_db_t *db, idv_time_t since,
                                  idv_trust_reuse_sums_t *sums,
                                  apr_pool_t *pool) IDV_CHECKED;

#endif
