/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_ANALYSIS_JOB_H
#define IDV_STORE_ANALYSIS_JOB_H

/*
 * Submissions that wait for their analysis, as a queue with leases, like
 * store/webhook_delivery.h. The submission itself writes the job.
 *
 * Memory: results in the pool that is given. Each function is one statement.
 */
#include <apr_tables.h>

#include "store/db.h"

typedef struct {
    const char *organization_id;
    const char *session_id;
    const char *id;
    const char *method;
    int submission;           /* of the session */
    const char *const *sides; /* NULL-terminated */
    int attempts;             /* this one included */
    idv_time_t leased_until;
    const char *node;
} idv_analysis_job_t;

/* What a node asks for. */
typedef struct {
    const char *node;
    idv_time_t until; /* of the leases */
    int limit;        /* jobs */
    int share;        /* jobs of one organization that the node may have */
    const char *const *served; /* organizations, the last one served last */
    int served_count;
} idv_analysis_claim_t;

/* Leases jobs, as an array of idv_analysis_job_t; first of the organizations
 * that have the fewest being worked on, of these first of those that were not
 * served, or the longest ago. */
idv_error_t *idv_analysis_job_claim(idv_db_t *db,
                                    const idv_analysis_claim_t *claim,
                                    apr_array_header_t **jobs,
                                    apr_pool_t *pool) IDV_CHECKED;

/* The job is done. */
idv_error_t *idv_analysis_job_remove(idv_db_t *db,
                                     const idv_analysis_job_t *job,
                                     apr_pool_t *pool) IDV_CHECKED;

/* The job is due again at DUE; UNTRIED: this attempt does not count. */
idv_error_t *idv_analysis_job_postpone(idv_db_t *db,
                                       const idv_analysis_job_t *job,
                                       idv_time_t due, int untried,
                                       apr_pool_t *pool) IDV_CHECKED;

/* Gives back every job that NODE has leased. */
idv_error_t *idv_analysis_job_release(idv_db_t *db, const char *node,
                                      apr_pool_t *pool) IDV_CHECKED;

#endif
