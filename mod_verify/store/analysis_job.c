/* SPDX-License-Identifier: Apache-2.0 */
#include "store/analysis_job.h"

#include <apr_strings.h>

idv_error_t *idv_analysis_job_claim(idv_db_t *db,
                                    const idv_analysis_claim_t *claim,
                                    apr_array_header_t **jobs,
                                    apr_pool_t *pool)
{
    idv_db_result_t *rows;

    *jobs = apr_array_make(pool, claim->limit, sizeof(idv_analysis_job_t));
    IDV_TRY(idv_db_query(db, IDV_SQL_ANALYSIS_JOB_CLAIM,
                         IDV_DB_PARAMS(idv_db_int(idv_time_now()),
                                       idv_db_int(claim->until),
                                       idv_db_text(claim->node),
                                       idv_db_int(claim->limit),
                                       idv_db_int(claim->share),
                                       idv_db_texts(claim->served,
                                                    claim->served_count,
                                                    pool)),
                         &rows, pool));
    for (int row = 0; row < idv_db_rows(rows); row++) {
        idv_analysis_job_t *job = apr_array_push(*jobs);

        job->organization_id = idv_db_get_text(rows, row, 0);
        job->session_id = idv_db_get_text(rows, row, 1);
        job->id = idv_db_get_text(rows, row, 2);
        job->method = idv_db_get_text(rows, row, 3);
        job->submission = (int)idv_db_get_int(rows, row, 4);
        job->sides = idv_db_get_texts(rows, row, 5, pool);
        job->attempts = (int)idv_db_get_int(rows, row, 6);
        job->leased_until = claim->until;
        job->node = claim->node;
    }
    return NULL;
}

#define JOB_PARAMS(job)                                                        \
    idv_db_text((job)->organization_id), idv_db_text((job)->session_id),       \
        idv_db_text((job)->id), idv_db_int((job)->leased_until),               \
        idv_db_text((job)->node)

idv_error_t *idv_analysis_job_remove(idv_db_t *db,
                                     const idv_analysis_job_t *job,
                                     apr_pool_t *pool)
{
    return idv_db_execute(db, IDV_SQL_ANALYSIS_JOB_REMOVE,
                          IDV_DB_PARAMS(JOB_PARAMS(job)), NULL, pool);
}

idv_error_t *idv_analysis_job_postpone(idv_db_t *db,
                                       const idv_analysis_job_t *job,
                                       idv_time_t due, int untried,
                                       apr_pool_t *pool)
{
    return idv_db_execute(db, IDV_SQL_ANALYSIS_JOB_POSTPONE,
                          IDV_DB_PARAMS(JOB_PARAMS(job), idv_db_int(due),
                                        idv_db_bool(untried)),
                          NULL, pool);
}

idv_error_t *idv_analysis_job_release(idv_db_t *db, const char *node,
                                      apr_pool_t *pool)
{
    return idv_db_execute(db, IDV_SQL_ANALYSIS_JOB_RELEASE,
                          IDV_DB_PARAMS(idv_db_text(node),
                                        idv_db_int(idv_time_now())),
                          NULL, pool);
}
