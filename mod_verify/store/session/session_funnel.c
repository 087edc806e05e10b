/* SPDX-License-Identifier: Apache-2.0 */
#include "store/session/session_funnel.h"

#include <stdlib.h>
#include <string.h>

#include "core/id.h"
#include "domain/method/method.h"

#define GROUPS_MAX 20 /* of each list but the methods */

/* The columns of funnel.sql. */
enum { KIND, NAME, SESSIONS, TAKEN = 8, TOTAL, BEGUN };

/* The counts of the two kinds of rows, from SESSIONS on. */
static const char *const of_all[] = {"sessions", "live",      "verified",
                                     "failed",   "abandoned", "under_review",
                                     NULL};
static const char *const of_method[] = {"offered", "begun", "passed", NULL};

static void put_counts(json_t *object, const idv_db_result_t *rows, int row,
                       const char *const *names)
{
    for (int i = 0; names[i]; i++)
        json_object_set_new(
            object, names[i],
            json_integer((json_int_t)idv_db_get_int(rows, row, SESSIONS + i)));
}

/* How long half of the verified sessions of a row took. */
static void put_median(json_t *object, const idv_db_result_t *rows, int row)
{
    json_object_set_new(
        object, "median_seconds",
        idv_db_is_null(rows, row, TAKEN)
            ? json_null()
            : json_integer((json_int_t)idv_time_seconds(
                idv_db_get_int(rows, row, TAKEN))));
}

static void put_outcomes(json_t *object, const idv_db_result_t *rows, int row)
{
    put_counts(object, rows, row, of_all);
    json_object_set_new(
        object, "begun",
        json_integer((json_int_t)idv_db_get_int(rows, row, BEGUN)));
    put_median(object, rows, row);
}

/* Nobody does anything for a passive check. */
static int is_passive(const char *name)
{
    idv_method_t method = idv_method_parse(name);

    return method != IDV_METHOD_NONE
        && idv_method_kind(method) == IDV_METHOD_SUPPLEMENTARY;
}

typedef struct {
    const idv_db_result_t *rows;
    json_t *funnel;
    int limit;    /* sessions considered per interval */
    int is_whole;
} reading_t;

static void read_all(reading_t *reading, int row)
{
    put_outcomes(reading->funnel, reading->rows, row);
}

/* An interval without sessions has no row, and stays as it was made. */
static void read_interval(reading_t *reading, int row)
{
    json_t *intervals = json_object_get(reading->funnel, "intervals");
    int number = atoi(idv_db_get_text(reading->rows, row, NAME));
    json_t *interval = json_array_get(intervals, (size_t)number - 1);

    put_outcomes(interval, reading->rows, row);
    json_object_set_new(interval, "total",
                        json_integer((json_int_t)idv_db_get_int(
                            reading->rows, row, TOTAL)));
    if (idv_db_get_int(reading->rows, row, SESSIONS) >= reading->limit)
        reading->is_whole = 0;
}

/* Adds the row to LIST, with its name as the member MEMBER. */
static void read_group(reading_t *reading, int row, const char *list,
                       const char *member)
{
    json_t *groups = json_object_get(reading->funnel, list);
    json_t *group;

    if (json_array_size(groups) == GROUPS_MAX)
        return;
    group = json_pack("{s:s?}", member,
                      idv_db_get_text(reading->rows, row, NAME));
    put_outcomes(group, reading->rows, row);
    json_array_append_new(groups, group);
}

static void read_jurisdiction(reading_t *reading, int row)
{
    read_group(reading, row, "jurisdictions", "jurisdiction");
}

static void read_issuer(reading_t *reading, int row)
{
    read_group(reading, row, "documents", "jurisdiction");
}

static void read_document_kind(reading_t *reading, int row)
{
    read_group(reading, row, "document_kinds", "kind");
}

static void read_browser(reading_t *reading, int row)
{
    read_group(reading, row, "browsers", "browser");
}

/* Rows come by frequency, the list is by name. */
static void read_method(reading_t *reading, int row)
{
    const char *name = idv_db_get_text(reading->rows, row, NAME);
    json_t *methods = json_object_get(reading->funnel, "methods");
    json_t *method;
    size_t at = 0;

    if (is_passive(name))
        return;
    while (at < json_array_size(methods)
           && strcmp(json_string_value(json_object_get(
                         json_array_get(methods, at), "method")),
                     name)
                  < 0)
        at++;
    method = json_pack("{s:s}", "method", name);
    put_counts(method, reading->rows, row, of_method);
    put_median(method, reading->rows, row);
    json_array_insert_new(methods, at, method);
}

static void read_path(reading_t *reading, int row)
{
    apr_int64_t verified = idv_db_get_int(reading->rows, row, SESSIONS);

    if (verified)
        json_array_append_new(
            json_object_get(reading->funnel, "paths"),
            json_pack("{s:s?, s:I}", "path",
                      idv_db_get_text(reading->rows, row, NAME), "verified",
                      (json_int_t)verified));
}

static const struct {
    const char *kind;
    void (*read)(reading_t *reading, int row);
} kinds[] = {
    {"all", read_all},
    {"interval", read_interval},
    {"jurisdiction", read_jurisdiction},
    {"issuer", read_issuer},
    {"document_kind", read_document_kind},
    {"browser", read_browser},
    {"method", read_method},
    {"path", read_path},
};

static void read_row(reading_t *reading, int row)
{
    const char *kind = idv_db_get_text(reading->rows, row, KIND);

    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
        if (strcmp(kinds[i].kind, kind) == 0)
            kinds[i].read(reading, row);
}

int idv_funnel_intervals(const idv_funnel_query_t *query)
{
    idv_time_t count;

    if (!query->interval || query->from >= query->now)
        return 1;
    count = (query->now - query->from + query->interval - 1) / query->interval;
    return count > IDV_FUNNEL_INTERVALS_MAX ? IDV_FUNNEL_INTERVALS_MAX + 1
                                            : (int)count;
}

/* The intervals of QUERY, without sessions; IDS: the lowest id of each. */
static json_t *make_intervals(const idv_funnel_query_t *query, int count,
                              const char **ids, apr_pool_t *pool)
{
    json_t *intervals = json_array();

    for (int i = 0; i < count; i++) {
        idv_time_t start = query->from + i * query->interval;
        json_t *interval =
            json_pack("{s:I, s:i, s:i, s:n}", "start",
                      (json_int_t)idv_time_seconds(start), "total", 0,
                      "begun", 0, "median_seconds");

        for (int n = 0; of_all[n]; n++)
            json_object_set_new(interval, of_all[n], json_integer(0));
        json_array_append_new(intervals, interval);
        ids[i] = idv_id_bound(IDV_ID_SESSION, start, pool);
    }
    return intervals;
}

/* The passive methods. */
static idv_db_param_t passive_methods(apr_pool_t *pool)
{
    const char *names[IDV_METHOD_COUNT];
    int count = 0;

    for (int i = 0; i < IDV_METHOD_COUNT; i++)
        if (idv_method_value(i) && is_passive(idv_method_value(i)))
            names[count++] = idv_method_value(i);
    return idv_db_texts(names, count, pool);
}

/* An interval of exactly as many sessions as are looked at is said not to be
 * whole, which costs nobody anything. */
idv_error_t *idv_session_funnel(idv_db_t *db, const idv_funnel_query_t *query,
                                json_t **funnel, apr_pool_t *pool)
{
    const char *ids[IDV_FUNNEL_INTERVALS_MAX];
    int count = idv_funnel_intervals(query);
    json_t *intervals = make_intervals(query, count, ids, pool);
    reading_t reading = {.limit = IDV_FUNNEL_MAX / count, .is_whole = 1};
    idv_db_result_t *rows;
    idv_error_t *error = idv_db_query_brief(
        db, IDV_SQL_SESSION_FUNNEL,
        IDV_DB_PARAMS(idv_db_text(query->organization_id),
                      idv_db_texts(ids, count, pool),
                      idv_db_int(reading.limit),
                      idv_db_int(IDV_FUNNEL_TOTAL_MAX / count),
                      passive_methods(pool)),
        &rows, pool);

    if (error) {
        json_decref(intervals);
        return error;
    }
    *funnel = json_pack("{s:I, s:o, s:[], s:[], s:[], s:[], s:[], s:[]}",
                        "created_gte",
                        (json_int_t)idv_time_seconds(query->from), "intervals",
                        intervals, "jurisdictions", "documents",
                        "document_kinds", "browsers", "methods", "paths");
    reading.rows = rows;
    reading.funnel = *funnel;
    for (int row = 0; row < idv_db_rows(rows); row++)
        read_row(&reading, row);
    json_object_set_new(*funnel, "is_whole", json_boolean(reading.is_whole));
    return NULL;
}
