/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_SESSION_ATTEMPT_LIMIT_H
#define IDV_STORE_SESSION_ATTEMPT_LIMIT_H

/*
 * Limits on repeated attempts: by one caller in a sliding window, and lookups
 * by an application of persons whom other organizations may have verified.
 *
 * Both are exact across children and nodes, because their rows are in the
 * database. Both count outside of the transaction of the attempt, so that a
 * refused attempt also counts.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h; functions that return a count do not fail
 * on too many.
 */
#include <apr_tables.h>

#include "store/db/lookup.h"
#include "store/session/person.h"

/* --- attempts --- */

/* A limit of LIMIT attempts per WINDOW: uploads, VP tokens in a session,
 * accept_existing for a person. */
typedef struct {
    const char *organization_id;
    idv_bytes_t digest; /* identifies what is limited, and for whom */
    idv_time_t window;
    int limit;
    const char *refusal; /* message to the caller when exceeded */
} idv_attempt_limit_t;

/* Counts an attempt, exactly under concurrency. One over the limit is not
 * recorded: `rate_limit_exceeded` with the refusal of LIMIT and the number of
 * seconds until the next is allowed. */
idv_error_t *idv_attempt_admit(idv_db_t *db, const idv_attempt_limit_t *limit,
                               idv_time_t now, apr_pool_t *pool) IDV_CHECKED;

/* The attempts in the window, including the last one. */
typedef struct {
    int attempts;
    int retry_after; /* seconds until the next is allowed; 0: at once */
} idv_attempt_count_t;

/* Counts an attempt of accept_existing for the person in QUERY, limited to
 * IDV_ACCEPT_EXISTING_ATTEMPTS_MAX. */
#define IDV_ACCEPT_EXISTING_WINDOW (15 * IDV_MINUTE)
idv_error_t *idv_accept_existing_count(idv_db_t *db,
                                       const idv_person_query_t *query,
                                       idv_time_t now,
                                       idv_attempt_count_t *count,
                                       apr_pool_t *pool) IDV_CHECKED;

/* --- lookups of persons across organizations --- */

/*
 * The response to a creation reveals whether a person shares credentials, as
 * the interface intends; so only the lookups can be limited. Every creation
 * that trust reuse could have satisfied counts, before any person is looked up,
 * so that counting is the same for known and unknown persons. Hours and days
 * are in UTC.
 *
 * The rows contain no trace of the persons looked up. If PostgreSQL crashes,
 * the most recent lookups without a resulting session (three times its
 * wal_writer_delay) may be lost.
 */

/* Retention of the counts. */
#define IDV_TRUST_REUSE_TALLY_DAYS 31

typedef struct {
    int hourly, daily; /* maximum lookups of an application */
} idv_trust_reuse_limits_t;

/* A lookup of a person of other organizations by an application. */
typedef struct {
    idv_scope_t scope;
    const idv_trust_reuse_limits_t *limits;
    idv_time_t now;
} idv_trust_reuse_lookup_t;

/* Counts a lookup by the scope's application. *RETRY_AFTER is 0, or, if there
 * were too many, the seconds to the next hour or day; then the lookup is not
 * counted and must not be made. An application that does not use trust reuse
 * makes no lookups. Must not be called in a transaction, because a lookup
 * counts even if the creation is refused. */
idv_error_t *idv_trust_reuse_ask(idv_db_t *db,
                                 const idv_trust_reuse_lookup_t *lookup,
                                 int *retry_after,
                                 apr_pool_t *pool) IDV_CHECKED;

/* Counts a match for the scope's application; in the transaction of its
 * consequences. */
idv_error_t *idv_trust_reuse_meet(idv_db_t *db, const idv_scope_t *scope,
                                  idv_time_t now,
                                  apr_pool_t *pool) IDV_CHECKED;

/* The lookups of one application. */
typedef struct {
    const char *organization_id;
    const char *application_id;
    const char *name; /* NULL: deleted */
    apr_int64_t asked, met;
    apr_int64_t most_in_an_hour;
    idv_time_t last_asked; /* start of the hour; 0: never in the period */
} idv_trust_reuse_asker_t;

/* Which applications are listed, since when, and how many at most. */
typedef struct {
    const char *organization_id;
    idv_time_t since;
    int limit;
} idv_trust_reuse_askers_query_t;

/* The LIMIT applications with the most lookups without a match since SINCE, an
 * array of idv_trust_reuse_asker_t; of all organizations if ORGANIZATION_ID is
 * NULL. */
idv_error_t *idv_trust_reuse_askers(idv_db_t *db,
                                    const idv_trust_reuse_askers_query_t *query,
                                    apr_array_header_t **askers,
                                    apr_pool_t *pool) IDV_CHECKED;

/* The lookups of all applications of all organizations. */
typedef struct {
    apr_int64_t asked, met;
    apr_int64_t unmet_most; /* lookups without a match by the application with
                             * most */
} idv_trust_reuse_sums_t;

/* Fills SUMS with the lookups since SINCE. */
idv_error_t *idv_trust_reuse_sums(idv_db_t *db, idv_time_t since,
                                  idv_trust_reuse_sums_t *sums,
                                  apr_pool_t *pool) IDV_CHECKED;

#endif
