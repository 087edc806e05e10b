/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/trust/expiry_watch.h"

#include <apr_strings.h>

#include "store/trust/expiry.h"

APLOG_USE_MODULE(verify);

#define LOOK_INTERVAL (5 * IDV_MINUTE)
#define TELL_INTERVAL IDV_DAY
#define EXPIRING_MAX 100 /* lines a day, as the help texts in statistics.h say */

struct idv_expiry_watch_t {
    idv_worker_t *worker;
    idv_event_timer_t timer;
    idv_time_t tell_at; /* 0: at once */
};

static const char *owner_of(const idv_expiring_t *item, apr_pool_t *pool)
{
    return *item->organization_id
             ? apr_pstrcat(pool, " of organization ", item->organization_id,
                           NULL)
             : "";
}

static void tell(const idv_expiry_watch_t *watch, const idv_expiring_t *item,
                 apr_pool_t *pool)
{
    const char *verb = item->state == IDV_EXPIRY_DUE ? "is" : "was";
    const char *end = idv_time_iso8601(item->ends, pool);

    if (item->kind == IDV_EXPIRING_CERTIFICATES)
        idv_worker_log(watch->worker, APLOG_WARNING, "IDV0810",
                       "the trust list %s (%s)%s has certificates (%d) to be "
                       "replaced, the first %s valid until %s: import new ones",
                       item->id, item->name, owner_of(item, pool),
                       item->certificates, verb, end);
    else if (item->kind == IDV_EXPIRING_LIST)
        idv_worker_log(watch->worker, APLOG_WARNING, "IDV0787",
                       "the next edition of the trust list %s (%s)%s %s due at "
                       "%s: import it",
                       item->id, item->name, owner_of(item, pool), verb, end);
    else if (item->kind == IDV_EXPIRING_REVOCATION_LIST)
        idv_worker_log(watch->worker, APLOG_WARNING, "IDV0960",
                       "the revocation list of the authority %s (%s) %s valid "
                       "until %s: import a newer edition",
                       item->id, item->name, verb, end);
    else
        idv_worker_log(watch->worker, APLOG_WARNING, "IDV0788",
                       "the certificate of the reader identity %s (%s)%s %s "
                       "valid until %s: install a new one",
                       item->id, item->name, owner_of(item, pool), verb, end);
}

static void count(const idv_expiry_watch_t *watch,
                  const apr_array_header_t *expiring)
{
    idv_statistics_t *statistics = watch->worker->statistics;
    int counts[IDV_EXPIRING_KIND_COUNT] = {0};

    for (int i = 0; i < expiring->nelts; i++) {
        const idv_expiring_t *item =
            &APR_ARRAY_IDX(expiring, i, idv_expiring_t);

        counts[item->kind] += item->certificates ? item->certificates : 1;
    }
    idv_statistics_set(statistics, trust_lists_ending,
                       counts[IDV_EXPIRING_LIST]);
    idv_statistics_set(statistics, trust_certificates_ending,
                       counts[IDV_EXPIRING_CERTIFICATES]);
    idv_statistics_set(statistics, readers_ending, counts[IDV_EXPIRING_READER]);
    idv_statistics_set(statistics, revocation_lists_ending,
                       counts[IDV_EXPIRING_REVOCATION_LIST]);
}

/* Non-zero when what ends could be read. */
static int look(idv_expiry_watch_t *watch, idv_time_t now)
{
    idv_worker_t *worker = watch->worker;
    idv_db_t *db = idv_worker_database(worker);
    apr_pool_t *scratch = idv_event_loop_scratch(worker->loop);
    apr_array_header_t *expiring;
    idv_error_t *error;

    if (!db)
        return 0;
    error = idv_expiring_date_certificates(db, scratch);
    if (!error)
        error = idv_expiring_date_revocation_lists(db, scratch);
    if (!error)
        error = idv_expiring_list(db, now, EXPIRING_MAX, &expiring, scratch);
    if (error) {
        idv_worker_database_failed(worker, error);
        return 0;
    }
    count(watch, expiring);
    if (now < watch->tell_at)
        return 1;
    watch->tell_at = now + TELL_INTERVAL;
    for (int i = 0; i < expiring->nelts; i++)
        tell(watch, &APR_ARRAY_IDX(expiring, i, idv_expiring_t), scratch);
    return 1;
}

static void on_due(void *baton)
{
    idv_expiry_watch_t *watch = baton;
    idv_time_t pause = look(watch, idv_time_now())
                         ? LOOK_INTERVAL
                         : IDV_POLL_INTERVAL;

    idv_event_loop_schedule(watch->worker->loop, &watch->timer, pause);
}

idv_expiry_watch_t *idv_expiry_watch_create(idv_worker_t *worker,
                                            apr_pool_t *pool)
{
    idv_expiry_watch_t *watch = apr_pcalloc(pool, sizeof(*watch));

    watch->worker = worker;
    watch->timer.callback = on_due;
    watch->timer.baton = watch;
    idv_event_loop_schedule(worker->loop, &watch->timer, IDV_SECOND);
    return watch;
}

void idv_expiry_watch_stop(idv_expiry_watch_t *watch)
{
    idv_event_loop_cancel(watch->worker->loop, &watch->timer);
}
