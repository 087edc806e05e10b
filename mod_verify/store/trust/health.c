/* SPDX-License-Identifier: Apache-2.0 */
#include "store/trust/health.h"

#include <string.h>

#include <apr_strings.h>

#include "domain/account/billing.h"
#include "store/trust/expiry.h"

/* Due work is done within seconds, by a busy watchdog within a minute. */
#define LATE_AFTER (5 * IDV_MINUTE)
#define MAIL_LATE_AFTER (30 * IDV_MINUTE)
/* Retention looks every ten minutes; an hour is what it leaves to uploads. */
#define EVIDENCE_LATE_AFTER (IDV_HOUR + 30 * IDV_MINUTE)
#define RETENTION_LATE_AFTER IDV_HOUR
#define FAILING_AFTER IDV_HOUR
#define REVIEW_NOTICE IDV_DAY
#define KEY_NOTICE (14 * IDV_DAY)

#define CLOCKS_APART (2 * IDV_SECOND)
#define CONNECTIONS_TENTHS 9
#define TRANSACTIONS_MAX 1000000000

#define COUNTED_MAX 10000  /* rows of late work */
#define ACCOUNTS_AT_ONCE 1000

/* --- the server --- */

/* In the order of late_work.sql. */
static const idv_health_check_t late_checks[] = {
    IDV_HEALTH_SESSIONS_LATE, IDV_HEALTH_REVIEWS_LATE,
    IDV_HEALTH_SUBMISSIONS_LATE, IDV_HEALTH_MAILS_STUCK,
    IDV_HEALTH_EVIDENCE_PURGE_LATE, IDV_HEALTH_RETENTION_LATE,
};

static idv_error_t *look_at_work(idv_db_t *db, idv_time_t retention,
                                 idv_health_report_t *report, apr_pool_t *pool)
{
    idv_time_t now = report->created;
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(
        db, IDV_SQL_HEALTH_LATE_WORK,
        IDV_DB_PARAMS(idv_db_time(now - LATE_AFTER),
                      idv_db_time(now - MAIL_LATE_AFTER),
                      idv_db_time(now - EVIDENCE_LATE_AFTER),
                      idv_db_time(now - retention - RETENTION_LATE_AFTER),
                      idv_db_int(COUNTED_MAX)),
        &rows, pool));
    for (int row = 0; row < idv_db_rows(rows); row++)
        if (idv_db_get_int(rows, row, 1) > 0)
            idv_health_add(report, (idv_health_finding_t){
                                       .check = late_checks[row],
                                       .count = idv_db_get_int(rows, row, 1),
                                       .at = idv_db_get_int(rows, row, 2)});
    return NULL;
}

/* The content of a row of server.sql. */
typedef struct {
    idv_time_t clock, before, after; /* of the database, and of this machine */
    idv_db_result_t *row;
} server_t;

static idv_error_t *ask_server(idv_db_t *db, server_t *server, apr_pool_t *pool)
{
    server->before = idv_time_now();
    IDV_TRY(idv_db_query(db, IDV_SQL_HEALTH_SERVER, IDV_DB_NO_PARAMS,
                         &server->row, pool));
    server->after = idv_time_now();
    server->clock = idv_db_get_int(server->row, 0, 0);
    return NULL;
}

/* The minimum difference of the clocks: the duration of the query is not
 * counted. */
static idv_time_t difference_of(const server_t *server)
{
    if (server->clock < server->before)
        return server->before - server->clock;
    return server->clock > server->after ? server->clock - server->after : 0;
}

static void add_plain(idv_health_report_t *report, idv_health_check_t check)
{
    idv_health_add(report, (idv_health_finding_t){.check = check});
}

#define MEGABYTE (1024 * 1024)

static void look_at_buffers(const server_t *server, idv_health_report_t *report,
                            apr_pool_t *pool)
{
    apr_int64_t sessions = idv_db_get_int(server->row, 0, 7);
    apr_int64_t buffers = idv_db_get_int(server->row, 0, 8);

    if (sessions > buffers)
        idv_health_add(report, (idv_health_finding_t){
                                   .check = IDV_HEALTH_DATABASE_BUFFERS,
                                   .detail = apr_psprintf(
                                       pool,
                                       "%" APR_INT64_T_FMT
                                       " MB of sessions, shared_buffers of "
                                       "%" APR_INT64_T_FMT " MB.",
                                       sessions / MEGABYTE,
                                       buffers / MEGABYTE)});
}

idv_error_t *idv_health_look_at_server(idv_db_t *db, idv_time_t retention,
                                       idv_health_report_t *report,
                                       apr_pool_t *pool)
{
    apr_int64_t connections, most;
    server_t server;

    IDV_TRY(ask_server(db, &server, pool));
    connections = idv_db_get_int(server.row, 0, 2);
    most = idv_db_get_int(server.row, 0, 3);
    if (difference_of(&server) > CLOCKS_APART)
        idv_health_add(report,
                       (idv_health_finding_t){
                           .check = IDV_HEALTH_CLOCK_DIFFERS,
                           .detail = apr_psprintf(
                               pool, "%" APR_INT64_T_FMT " seconds.",
                               difference_of(&server) / IDV_SECOND)});
    if (idv_db_get_bool(server.row, 0, 1))
        add_plain(report, IDV_HEALTH_DATABASE_READ_ONLY);
    if (connections * 10 >= most * CONNECTIONS_TENTHS)
        idv_health_add(report, (idv_health_finding_t){
                                   .check = IDV_HEALTH_DATABASE_CONNECTIONS,
                                   .count = connections});
    if (idv_db_get_int(server.row, 0, 4) > TRANSACTIONS_MAX)
        idv_health_add(report, (idv_health_finding_t){
                                   .check = IDV_HEALTH_DATABASE_WRAPAROUND,
                                   .count = idv_db_get_int(server.row, 0, 4)});
    look_at_buffers(&server, report, pool);
    if (!idv_db_get_bool(server.row, 0, 6))
        add_plain(report, IDV_HEALTH_TRUST_LISTS_NONE);
    return look_at_work(db, retention, report, pool);
}

idv_error_t *idv_health_live_organizations(idv_db_t *db, apr_int64_t *count,
                                           apr_pool_t *pool)
{
    server_t server;

    IDV_TRY(ask_server(db, &server, pool));
    *count = idv_db_get_int(server.row, 0, 5);
    return NULL;
}

/* --- organizations --- */

/* The organizations to check, and the destination of findings. */
typedef struct {
    idv_db_t *db;
    const char *const *ids;
    idv_health_report_t *report;
    apr_pool_t *pool;
} look_t;

static idv_db_param_t ids_of(const look_t *look)
{
    return look->ids ? idv_db_text_list(look->ids, look->pool)
                     : idv_db_text(NULL);
}

/* How many of ROWS are shown; one more was requested. */
static int shown_of(const look_t *look, const idv_db_result_t *rows)
{
    int count = idv_db_rows(rows);

    if (count <= IDV_HEALTH_SHOWN)
        return count;
    look->report->has_more = 1;
    return IDV_HEALTH_SHOWN;
}

/* Adds the findings of STATEMENT, which takes two times; *COUNT is the number
 * of its rows shown. */
static idv_error_t *find_between(const look_t *look, idv_sql_t statement,
                                 const idv_time_t bounds[2],
                                 idv_db_result_t **rows, int *count)
{
    IDV_TRY(idv_db_query_planned(look->db, statement,
                                 IDV_DB_PARAMS(ids_of(look),
                                               idv_db_time(bounds[0]),
                                               idv_db_time(bounds[1]),
                                               idv_db_int(IDV_HEALTH_SHOWN + 1)),
                                 rows, look->pool));
    *count = shown_of(look, *rows);
    return NULL;
}

static void add_endpoint(const look_t *look, const idv_db_result_t *rows,
                         int row)
{
    idv_time_t failing = idv_db_get_int(rows, row, 3);
    idv_health_finding_t finding = {
        .organization_id = idv_db_get_text(rows, row, 0),
        .object_id = idv_db_get_text(rows, row, 1)};

    if (idv_db_get_bool(rows, row, 2)) {
        finding.check = IDV_HEALTH_ENDPOINT_DISABLED;
        finding.at = idv_db_get_int(rows, row, 4);
        idv_health_add(look->report, finding);
        return;
    }
    if (failing && failing < look->report->created - FAILING_AFTER) {
        finding.check = IDV_HEALTH_ENDPOINT_FAILING;
        finding.at = failing;
        idv_health_add(look->report, finding);
    }
    if (idv_db_get_int(rows, row, 5) > 0) {
        finding.check = IDV_HEALTH_DELIVERIES_LATE;
        finding.count = idv_db_get_int(rows, row, 5);
        finding.at = idv_db_get_int(rows, row, 6);
        idv_health_add(look->report, finding);
    }
}

static idv_error_t *look_at_endpoints(const look_t *look)
{
    const idv_time_t bounds[2] = {look->report->created - LATE_AFTER,
                                  look->report->created - FAILING_AFTER};
    idv_db_result_t *rows;
    int count;

    IDV_TRY(
        find_between(look, IDV_SQL_HEALTH_ENDPOINTS, bounds, &rows, &count));
    for (int row = 0; row < count; row++)
        add_endpoint(look, rows, row);
    return NULL;
}

static idv_error_t *look_at_reviews(const look_t *look)
{
    const idv_time_t bounds[2] = {look->report->created,
                                  look->report->created + REVIEW_NOTICE};
    idv_db_result_t *rows;
    int count;

    IDV_TRY(find_between(look, IDV_SQL_HEALTH_REVIEWS, bounds, &rows, &count));
    for (int row = 0; row < count; row++)
        idv_health_add(look->report,
                       (idv_health_finding_t){
                           .check = IDV_HEALTH_REVIEWS_DUE,
                           .organization_id = idv_db_get_text(rows, row, 0),
                           .count = idv_db_get_int(rows, row, 1),
                           .at = idv_db_get_int(rows, row, 2)});
    return NULL;
}

static idv_error_t *look_at_keys(const look_t *look)
{
    const idv_time_t bounds[2] = {look->report->created,
                                  look->report->created + KEY_NOTICE};
    idv_db_result_t *rows;
    int count;

    IDV_TRY(find_between(look, IDV_SQL_HEALTH_KEYS, bounds, &rows, &count));
    for (int row = 0; row < count; row++)
        idv_health_add(look->report,
                       (idv_health_finding_t){
                           .check = IDV_HEALTH_KEY_ENDS,
                           .organization_id = idv_db_get_text(rows, row, 0),
                           .object_id = idv_db_get_text(rows, row, 1),
                           .at = idv_db_get_int(rows, row, 2)});
    return NULL;
}

static idv_error_t *look_at_unrestricted_keys(const look_t *look)
{
    idv_db_result_t *rows;
    int count;

    IDV_TRY(idv_db_query_planned(look->db, IDV_SQL_HEALTH_UNRESTRICTED_KEYS,
                                 IDV_DB_PARAMS(ids_of(look),
                                               idv_db_time(look->report->created),
                                               idv_db_int(IDV_HEALTH_SHOWN + 1)),
                                 &rows, look->pool));
    count = shown_of(look, rows);
    for (int row = 0; row < count; row++)
        idv_health_add(look->report,
                       (idv_health_finding_t){
                           .check = IDV_HEALTH_KEY_UNRESTRICTED,
                           .organization_id = idv_db_get_text(rows, row, 0),
                           .object_id = idv_db_get_text(rows, row, 1)});
    return NULL;
}

/* In the order of the columns of workflows.sql. */
static const idv_health_check_t workflow_checks[] = {
    IDV_HEALTH_PASSPORT_TRUST_MISSING, IDV_HEALTH_WALLET_TRUST_MISSING,
    IDV_HEALTH_READER_MISSING,         IDV_HEALTH_EMAIL_MISSING,
};

static idv_error_t *look_at_workflows(const look_t *look)
{
    idv_db_result_t *rows;
    int count;

    IDV_TRY(idv_db_query_planned(look->db, IDV_SQL_HEALTH_WORKFLOWS,
                                 IDV_DB_PARAMS(ids_of(look),
                                               idv_db_int(IDV_HEALTH_SHOWN + 1)),
                                 &rows, look->pool));
    count = shown_of(look, rows);
    for (int row = 0; row < count; row++)
        for (int i = 0; i < (int)(sizeof(workflow_checks) / sizeof(*workflow_checks)); i++)
            if (idv_db_get_bool(rows, row, 2 + i))
                idv_health_add(
                    look->report,
                    (idv_health_finding_t){
                        .check = workflow_checks[i],
                        .organization_id = idv_db_get_text(rows, row, 0),
                        .object_id = idv_db_get_text(rows, row, 1)});
    return NULL;
}

/* --- what ends --- */

static const idv_health_check_t ending_checks[IDV_EXPIRING_KIND_COUNT][2] = {
    [IDV_EXPIRING_LIST] = {IDV_HEALTH_TRUST_LIST_DUE,
                           IDV_HEALTH_TRUST_LIST_OVERDUE},
    [IDV_EXPIRING_CERTIFICATES] = {IDV_HEALTH_TRUST_CERTIFICATES_DUE,
                                   IDV_HEALTH_TRUST_CERTIFICATES_OVERDUE},
    [IDV_EXPIRING_READER] = {IDV_HEALTH_READER_DUE, IDV_HEALTH_READER_OVERDUE},
    [IDV_EXPIRING_REVOCATION_LIST] = {IDV_HEALTH_REVOCATION_LIST_DUE,
                                      IDV_HEALTH_REVOCATION_LIST_OVERDUE},
};

static int is_looked_at(const look_t *look, const char *organization_id)
{
    if (!look->ids)
        return 1;
    for (int i = 0; look->ids[i]; i++)
        if (strcmp(look->ids[i], organization_id) == 0)
            return 1;
    return 0;
}

static idv_error_t *look_at_ends(const look_t *look)
{
    apr_array_header_t *expiring;
    int shown = 0;

    /* All of them, since the list is not asked for organizations. */
    IDV_TRY(idv_expiring_list(look->db, look->report->created, COUNTED_MAX,
                              &expiring, look->pool));
    for (int i = 0; i < expiring->nelts; i++) {
        const idv_expiring_t *one =
            &APR_ARRAY_IDX(expiring, i, idv_expiring_t);

        if (!is_looked_at(look, one->organization_id))
            continue;
        if (shown++ == IDV_HEALTH_SHOWN) {
            look->report->has_more = 1;
            break;
        }
        idv_health_add(
            look->report,
            (idv_health_finding_t){
                .check = ending_checks[one->kind]
                                      [one->state == IDV_EXPIRY_OVERDUE],
                .organization_id =
                    *one->organization_id ? one->organization_id : NULL,
                .object_id = one->id,
                .detail = one->name,
                .count = one->certificates,
                .at = one->ends});
    }
    return NULL;
}

/* --- accounts --- */

/* The reason why an organization can create no sessions; COUNT: none. */
static idv_health_check_t account_check(const idv_db_result_t *rows, int row)
{
    idv_billing_account_t account = {
        .free_allotment = idv_db_get_int(rows, row, 4),
        .credit_balance = idv_db_get_int(rows, row, 5)};
    int sandbox = idv_db_get_bool(rows, row, 1);
    idv_billing_bounds_t bounds;

    account.usage.counts[IDV_LEDGER_FREE] = idv_db_get_int(rows, row, 6);
    account.usage.counts[IDV_LEDGER_CHARGED] = idv_db_get_int(rows, row, 7);
    account.usage.counts[IDV_LEDGER_SANDBOX] = idv_db_get_int(rows, row, 8);
    if (!idv_db_is_null(rows, row, 3))
        return IDV_HEALTH_ORGANIZATION_DISABLED;
    if (!sandbox && idv_db_get_bool(rows, row, 2))
        return IDV_HEALTH_BILLING_SUSPENDED;
    if (idv_billing_is_admitted(&account, !sandbox, &bounds))
        return IDV_HEALTH_CHECK_COUNT;
    return sandbox ? IDV_HEALTH_SANDBOX_EXHAUSTED
                   : IDV_HEALTH_CREDITS_EXHAUSTED;
}

static idv_error_t *look_at_accounts(const look_t *look)
{
    const char *after = "";
    idv_db_result_t *rows;
    int shown = 0, count;

    do {
        IDV_TRY(idv_db_query_planned(
            look->db, IDV_SQL_HEALTH_ACCOUNTS,
            IDV_DB_PARAMS(ids_of(look),
                          idv_db_int(idv_billing_month(look->report->created)),
                          idv_db_text(after), idv_db_int(ACCOUNTS_AT_ONCE)),
            &rows, look->pool));
        count = idv_db_rows(rows);
        for (int row = 0; row < count; row++) {
            idv_health_check_t check = account_check(rows, row);

            after = idv_db_get_text(rows, row, 0);
            if (check == IDV_HEALTH_CHECK_COUNT)
                continue;
            if (shown++ == IDV_HEALTH_SHOWN) {
                look->report->has_more = 1;
                return NULL;
            }
            idv_health_add(look->report, (idv_health_finding_t){
                                             .check = check,
                                             .organization_id = after,
                                             .at = idv_db_get_int(rows, row,
                                                                  3)});
        }
    } while (count == ACCOUNTS_AT_ONCE);
    return NULL;
}

idv_error_t *idv_health_look_at_organizations(idv_db_t *db,
                                              const char *const *ids,
                                              idv_health_report_t *report,
                                              apr_pool_t *pool)
{
    look_t look = {db, ids, report, pool};

    IDV_TRY(look_at_ends(&look));
    IDV_TRY(look_at_endpoints(&look));
    IDV_TRY(look_at_accounts(&look));
    IDV_TRY(look_at_reviews(&look));
    IDV_TRY(look_at_workflows(&look));
    IDV_TRY(look_at_unrestricted_keys(&look));
    return look_at_keys(&look);
}

/* --- the law of workflows --- */

static void add_notice(const look_t *look, idv_health_finding_t finding,
                       const idv_law_notice_t *notice, int *shown)
{
    char day[IDV_DATE_TEXT_SIZE];

    if (notice->count == 0)
        return;
    if (*shown >= IDV_HEALTH_SHOWN) {
        look->report->has_more = 1;
        return;
    }
    ++*shown;
    finding.count = notice->count;
    finding.at = idv_date_days(notice->day) * IDV_DAY;
    finding.detail = apr_psprintf(look->pool, "First %s, %s.",
                                  notice->jurisdiction,
                                  idv_date_format(notice->day, day));
    idv_health_add(look->report, finding);
}

idv_error_t *idv_health_look_at_law(idv_db_t *db, const char *const *ids,
                                    idv_law_notices_t *notices,
                                    idv_health_report_t *report,
                                    apr_pool_t *pool)
{
    const look_t look = {db, ids, report, pool};
    idv_db_result_t *rows;
    int shown[2] = {0, 0};

    IDV_TRY(idv_db_query(db, IDV_SQL_HEALTH_LAW, IDV_DB_PARAMS(ids_of(&look)),
                         &rows, pool));
    for (int row = 0; row < idv_db_rows(rows); row++) {
        idv_use_case_t use_case =
            idv_use_case_parse(idv_db_get_text(rows, row, 2));
        const char *text = idv_db_get_text(rows, row, 3);
        json_t *places = text ? json_loads(text, 0, NULL) : NULL;
        idv_health_finding_t finding = {
            .organization_id = idv_db_get_text(rows, row, 0),
            .object_id = idv_db_get_text(rows, row, 1)};
        idv_law_notice_t notice;

        idv_law_notices_changes(notices, use_case, places, &notice);
        finding.check = IDV_HEALTH_WORKFLOW_LAW_CHANGES;
        add_notice(&look, finding, &notice, &shown[0]);
        idv_law_notices_reviews(notices, use_case, places, &notice);
        finding.check = IDV_HEALTH_WORKFLOW_LAW_REVIEW;
        add_notice(&look, finding, &notice, &shown[1]);
        json_decref(places);
    }
    return NULL;
}
