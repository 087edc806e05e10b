/* SPDX-License-Identifier: Apache-2.0 */
#include "store/session/session_funnel.h"

#include "core/id.h"
#include "domain/method/method.h"

/* The columns of the two kinds of rows of funnel.sql, behind the method. */
static const char *const of_all[] = {"sessions", "live",      "verified",
                                     "failed",   "abandoned", "under_review"};
static const char *const of_method[] = {"offered", "begun", "passed"};

static void put_counts(json_t *object, const idv_db_result_t *rows, int row,
                       const char *const *names, int count)
{
    for (int i = 0; i < count; i++)
        json_object_set_new(
            object, names[i],
            json_integer((json_int_t)idv_db_get_int(rows, row, 1 + i)));
}

/* Nobody does anything for a passive check. */
static int is_passive(const char *name)
{
    idv_method_t method = idv_method_parse(name);

    return method != IDV_METHOD_NONE
        && idv_method_kind(method) == IDV_METHOD_SUPPLEMENTARY;
}

static json_t *methods_json(const idv_db_result_t *rows)
{
    json_t *methods = json_array();

    for (int row = 1; row < idv_db_rows(rows); row++) {
        const char *name = idv_db_get_text(rows, row, 0);
        json_t *method;

        if (is_passive(name))
            continue;
        method = json_pack("{s:s}", "method", name);
        put_counts(method, rows, row, of_method,
                   (int)(sizeof(of_method) / sizeof(*of_method)));
        json_array_append_new(methods, method);
    }
    return methods;
}

/* A day of exactly as many sessions as are looked at is said not to be whole,
 * which costs nobody anything. */
idv_error_t *idv_session_funnel(idv_db_t *db, const char *organization_id,
                                idv_time_t from, json_t **funnel,
                                apr_pool_t *pool)
{
    idv_db_result_t *rows;
    int is_whole;

    IDV_TRY(idv_db_query_brief(
        db, IDV_SQL_SESSION_FUNNEL,
        IDV_DB_PARAMS(idv_db_text(organization_id),
                      idv_db_text(idv_id_bound(IDV_ID_SESSION, from, pool)),
                      idv_db_int(IDV_FUNNEL_MAX)),
        &rows, pool));
    is_whole = idv_db_get_int(rows, 0, 1) < IDV_FUNNEL_MAX;
    *funnel =
        json_pack("{s:I, s:b}", "created_gte",
                  (json_int_t)idv_time_seconds(from), "is_whole", is_whole);
    put_counts(*funnel, rows, 0, of_all,
               (int)(sizeof(of_all) / sizeof(*of_all)));
    json_object_set_new(*funnel, "methods", methods_json(rows));
    return NULL;
}
