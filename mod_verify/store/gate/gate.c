/* SPDX-License-Identifier: Apache-2.0 */
#include "store/gate/gate.h"

#include <string.h>

#include "core/id.h"

enum {
    WORKFLOW,
    STATUS,
    ENDS,
    TYPE,
    COMPLETED,
    AGE_TIER,
    AGE,
    REQUIRED_AGE,
    USE_CASE,
    ARTICLE,
    CHANNEL,
    EXPIRES,
    IN_FORCE
};

/* The timer that ends sessions comes a little late. */
static idv_session_status_t read_status(const idv_db_result_t *rows,
                                        idv_time_t now)
{
    idv_session_status_t status =
        idv_session_status_parse(idv_db_get_text(rows, 0, STATUS));

    return idv_session_status_open(status) && status != IDV_STATUS_UNDER_REVIEW
                && idv_db_get_int(rows, 0, ENDS) <= now
             ? IDV_STATUS_EXPIRED
             : status;
}

static void read_standing(const idv_db_result_t *rows, idv_time_t now,
                          idv_gate_standing_t *standing)
{
    int required = (int)idv_db_get_int(rows, 0, REQUIRED_AGE);
    int tier = idv_tier_age(idv_tier_parse(idv_db_get_text(rows, 0, AGE_TIER)));

    standing->workflow_id = idv_db_get_text(rows, 0, WORKFLOW);
    standing->status = read_status(rows, now);
    standing->in_force = idv_db_get_bool(rows, 0, IN_FORCE);
    standing->completed = idv_db_get_int(rows, 0, COMPLETED);
    standing->expires = idv_db_get_int(rows, 0, EXPIRES);
    standing->identity =
        strcmp(idv_db_get_text(rows, 0, TYPE), "identity") == 0;
    standing->age = idv_gate_proved_age((int)idv_db_get_int(rows, 0, AGE),
                                        required ? required : tier);
    standing->use_case = idv_use_case_parse(idv_db_get_text(rows, 0, USE_CASE));
    standing->article = idv_article_parse(idv_db_get_text(rows, 0, ARTICLE));
    standing->channel = idv_channel_parse(idv_db_get_text(rows, 0, CHANNEL));
}

idv_error_t *idv_gate_standing(idv_db_t *db, const idv_gate_query_t *query,
                               idv_gate_standing_t *standing, apr_pool_t *pool)
{
    idv_db_result_t *rows;

    *standing = (idv_gate_standing_t){0};
    if (!idv_id_is(IDV_ID_SESSION, query->id))
        return NULL;
    IDV_TRY(idv_db_query(db, IDV_SQL_GATE_STANDING,
                         IDV_DB_PARAMS(idv_db_text(query->organization_id),
                                       idv_db_text(query->id),
                                       idv_db_time(query->now)),
                         &rows, pool));
    if (idv_db_rows(rows) > 0)
        read_standing(rows, query->now, standing);
    return NULL;
}

idv_error_t *idv_gate_target_fault(idv_db_t *db,
                                   const idv_gate_target_t *target,
                                   const char **fault, apr_pool_t *scratch)
{
    enum { IS_DISABLED, HAS_WORKFLOW, IS_RETIRED };
    idv_db_result_t *rows;

    *fault = NULL;
    IDV_TRY(idv_db_query(db, IDV_SQL_GATE_TARGET,
                         IDV_DB_PARAMS(idv_db_text(target->organization_id),
                                       idv_db_text(target->workflow_id)),
                         &rows, scratch));
    if (idv_db_rows(rows) == 0)
        *fault = "the organization does not exist";
    else if (idv_db_get_bool(rows, 0, IS_DISABLED))
        *fault = "the organization is disabled";
    else if (!idv_db_get_bool(rows, 0, HAS_WORKFLOW))
        *fault = "the organization has no such workflow";
    else if (idv_db_get_bool(rows, 0, IS_RETIRED))
        *fault = "the workflow is retired";
    return NULL;
}
