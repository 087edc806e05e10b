/* SPDX-License-Identifier: Apache-2.0 */
#include "store/db/statement_group.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>

#include "store/db/row_statement.h"

#define RETRY_AFTER_SECONDS 1

typedef enum {
    WAITING,
    LEADING,
    COMMITTED,
    FAILED,  /* nothing has happened */
    UNKNOWN, /* whether it has */
    UNCONNECTED
} outcome_t;

/* A thread with its statement; on the stack of that thread. */
typedef struct member_t member_t;
struct member_t {
    idv_row_call_t call; /* the first member */
    const char *lock_key, *organization_id;
    outcome_t outcome;
    sem_t told; /* it leads, or has its outcome */
    member_t *next;
};

struct idv_statement_group_t {
    const idv_db_source_t *source;
    apr_interval_time_t patience;
    pthread_mutex_t mutex; /* guards all that follows */
    int leaders;
    member_t *first, **end; /* those that wait, the oldest first */
};

static apr_status_t destroy_group(void *data)
{
    idv_statement_group_t *group = data;

    pthread_mutex_destroy(&group->mutex);
    return APR_SUCCESS;
}

idv_error_t *idv_statement_group_create(const idv_db_source_t *source,
                                        apr_interval_time_t patience,
                                        idv_statement_group_t **out,
                                        apr_pool_t *pchild)
{
    idv_statement_group_t *group = apr_pcalloc(pchild, sizeof(*group));
    int status = pthread_mutex_init(&group->mutex, NULL);

    if (status)
        return idv_error_apr(pchild, status, "making a lock");
    apr_pool_cleanup_register(pchild, group, destroy_group,
                              apr_pool_cleanup_null);
    group->source = source;
    group->patience = patience;
    group->end = &group->first;
    *out = group;
    return NULL;
}

/* --- the threads that wait --- */

/* The caller of all three has the mutex. */

static void enqueue(idv_statement_group_t *group, member_t *member)
{
    *group->end = member;
    group->end = &member->next;
}

static member_t *dequeue(idv_statement_group_t *group)
{
    member_t *member = group->first;

    group->first = member->next;
    if (!group->first)
        group->end = &group->first;
    return member;
}

/* Zero if MEMBER does not wait any more. */
static int leave_queue(idv_statement_group_t *group, member_t *member)
{
    member_t **link = &group->first;

    while (*link && *link != member)
        link = &(*link)->next;
    if (!*link)
        return 0;
    *link = member->next;
    if (!*link)
        group->end = link;
    return 1;
}

/* --- leading --- */

static int by_lock_key(const void *a, const void *b)
{
    const member_t *left = *(const member_t *const *)a;
    const member_t *right = *(const member_t *const *)b;

    if (!left->lock_key || !right->lock_key)
        return (left->lock_key != NULL) - (right->lock_key != NULL);
    return strcmp(left->lock_key, right->lock_key);
}

/* Takes the oldest of the waiting threads into MEMBERS, which has COUNT
 * already, and sorts all by their keys, so that locks are taken in one order
 * everywhere. Returns the number of members. */
static int gather(idv_statement_group_t *group, member_t **members, int count)
{
    pthread_mutex_lock(&group->mutex);
    while (group->first && count < IDV_STATEMENT_GROUP_MAX)
        members[count++] = dequeue(group);
    pthread_mutex_unlock(&group->mutex);
    qsort(members, (size_t)count, sizeof(void *), by_lock_key);
    return count;
}

static outcome_t outcome_of(idv_db_batch_outcome_t outcome)
{
    switch (outcome) {
    case IDV_DB_BATCH_COMMITTED:
        return COMMITTED;
    case IDV_DB_BATCH_FAILED:
        return FAILED;
    default:
        return UNKNOWN;
    }
}

/* Commits what MEMBERS have, and says what has become of it. Members without a
 * key, which are sorted to the beginning, wait for no lock; a group with a key
 * sets its patience first. */
static outcome_t commit(idv_db_t *db, member_t **members, int count,
                        apr_pool_t *pool)
{
    idv_row_call_t *const *calls = (idv_row_call_t *const *)members;
    idv_db_batch_item_t limit = {.statement = IDV_SQL_CONNECTION_IMPATIENT};
    idv_db_batch_item_t *items[IDV_STATEMENT_GROUP_MAX + 1];
    idv_row_batch_t batch;
    idv_db_batch_outcome_t outcome;
    int limited = members[count - 1]->lock_key != NULL;

    idv_row_batch_gather(calls, count, &batch, pool);
    items[0] = &limit;
    for (int i = 0; i < batch.count; i++)
        items[limited + i] = &batch.items[i];
    outcome = idv_db_batch(db, items, limited + batch.count);
    PQclear(limit.result);
    return idv_row_batch_divide(calls, count, &batch) ? outcome_of(outcome)
                                                      : UNKNOWN;
}

/* Wakes MEMBER, which lives on the stack of its thread and may be gone then. */
static void tell(member_t *member, outcome_t outcome)
{
    member->outcome = outcome;
    sem_post(&member->told);
}

/* A leader has finished: the last one is followed by the thread that has waited
 * longest. */
static void hand_over(idv_statement_group_t *group)
{
    member_t *next = NULL;

    pthread_mutex_lock(&group->mutex);
    if (group->leaders == 1 && group->first)
        next = dequeue(group);
    else
        group->leaders--;
    pthread_mutex_unlock(&group->mutex);
    if (next)
        tell(next, LEADING);
}

static idv_error_t *lead(idv_statement_group_t *group, member_t *self,
                         apr_pool_t *pool)
{
    const idv_db_claim_t claim = {.organization_id = self->organization_id};
    member_t *members[IDV_STATEMENT_GROUP_MAX] = {self};
    apr_pool_t *scratch;
    idv_db_t *db;
    idv_error_t *error =
        group->source->open(group->source, &claim, &db, pool);
    int count = gather(group, members, 1);
    outcome_t outcome = UNCONNECTED;

    if (!error) {
        apr_pool_create(&scratch, pool);
        outcome = commit(db, members, count, scratch);
        apr_pool_destroy(scratch);
        group->source->close(group->source, db);
    }
    hand_over(group);
    self->outcome = outcome;
    for (int i = 0; i < count; i++)
        if (members[i] != self)
            tell(members[i], outcome);
    return error;
}

/* --- following --- */

/* Waits until SELF was told something. With patience it does not wait longer
 * than that in the queue, but becomes one more leader. */
static void await(idv_statement_group_t *group, member_t *self)
{
    apr_time_t until = apr_time_now() + group->patience;
    const struct timespec deadline = {apr_time_sec(until),
                                      apr_time_usec(until) * 1000};
    int status, leads;

    do
        status = group->patience ? sem_timedwait(&self->told, &deadline)
                                 : sem_wait(&self->told);
    while (status && errno == EINTR);
    if (!status)
        return;
    pthread_mutex_lock(&group->mutex);
    leads = leave_queue(group, self);
    group->leaders += leads;
    pthread_mutex_unlock(&group->mutex);
    if (leads)
        self->outcome = LEADING;
    else /* it is about to be told */
        while (sem_wait(&self->told))
            ;
}

/* Waits until SELF is to lead (non-zero) or has its outcome (zero). */
static int wait_to_lead(idv_statement_group_t *group, member_t *self)
{
    int leads;

    pthread_mutex_lock(&group->mutex);
    leads = group->leaders == 0;
    if (leads)
        group->leaders = 1;
    else
        enqueue(group, self);
    pthread_mutex_unlock(&group->mutex);
    if (leads)
        return 1;
    await(group, self);
    return self->outcome == LEADING;
}

static idv_error_t *result_of(const member_t *self, idv_db_result_t **result,
                              apr_pool_t *pool)
{
    *result = idv_db_batch_result(&self->call.item, pool);
    switch (self->outcome) {
    case COMMITTED:
        return NULL;
    case FAILED:
        *result = NULL;
        return NULL;
    case UNCONNECTED:
        return idv_error_unavailable(pool, RETRY_AFTER_SECONDS,
                                     "no database connection became free");
    default:
        return idv_error_unavailable(pool, RETRY_AFTER_SECONDS,
                                     "the connection was lost before the "
                                     "commit was confirmed");
    }
}

idv_error_t *idv_statement_group_run(idv_statement_group_t *group,
                                     const idv_statement_call_t *call,
                                     idv_db_result_t **result,
                                     apr_pool_t *pool)
{
    member_t self = {
        .call = {.item = {.statement = call->statement,
                          .params = call->params},
                 .row_id = call->row_id,
                 .shared = call->shared},
        .lock_key = call->lock_key,
        .organization_id = call->organization_id,
    };
    idv_error_t *error = NULL;
    idv_span_t span;

    *result = NULL;
    if (sem_init(&self.told, 0, 0))
        return idv_error_apr(pool, errno, "making a semaphore");
    idv_span_begin(&span, call->trace, IDV_SPAN_DATABASE,
                   idv_sql_texts[call->statement].name);
    if (wait_to_lead(group, &self))
        error = lead(group, &self, pool);
    sem_destroy(&self.told);
    if (!error)
        error = result_of(&self, result, pool);
    idv_span_end(&span, error != NULL);
    return error;
}
