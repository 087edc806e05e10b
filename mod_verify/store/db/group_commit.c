/* SPDX-License-Identifier: Apache-2.0 */
#include "store/db/group_commit.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

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
    idv_db_batch_item_t item; /* the first member */
    const char *lock_key;
    outcome_t outcome;
    pthread_cond_t told;
    member_t *next;
};

struct idv_group_commit_t {
    const idv_db_source_t *source;
    pthread_mutex_t mutex; /* guards all that follows, and outcomes */
    int led;               /* somebody leads */
    member_t *first, **end; /* those that wait, the oldest first */
};

static apr_status_t destroy_group(void *data)
{
    idv_group_commit_t *group = data;

    pthread_mutex_destroy(&group->mutex);
    return APR_SUCCESS;
}

idv_error_t *idv_group_commit_create(const idv_db_source_t *source,
                                     idv_group_commit_t **out,
                                     apr_pool_t *pchild)
{
    idv_group_commit_t *group = apr_pcalloc(pchild, sizeof(*group));
    int status = pthread_mutex_init(&group->mutex, NULL);

    if (status)
        return idv_error_apr(pchild, status, "making a lock");
    apr_pool_cleanup_register(pchild, group, destroy_group,
                              apr_pool_cleanup_null);
    group->source = source;
    group->end = &group->first;
    *out = group;
    return NULL;
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
static int gather(idv_group_commit_t *group, member_t **members, int count)
{
    pthread_mutex_lock(&group->mutex);
    while (group->first && count < IDV_GROUP_COMMIT_MAX) {
        members[count++] = group->first;
        group->first = group->first->next;
    }
    if (!group->first)
        group->end = &group->first;
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
static outcome_t commit(idv_db_t *db, member_t **members, int count)
{
    idv_db_batch_item_t limit = {.statement = IDV_SQL_CONNECTION_IMPATIENT};
    idv_db_batch_item_t *items[IDV_GROUP_COMMIT_MAX + 1];
    idv_db_batch_outcome_t outcome;
    int limited = members[count - 1]->lock_key != NULL;

    items[0] = &limit;
    for (int i = 0; i < count; i++)
        items[limited + i] = &members[i]->item;
    outcome = idv_db_batch(db, items, limited + count);
    PQclear(limit.result);
    return outcome_of(outcome);
}

/* Tells all MEMBERS but SELF their outcome, and the first of the threads that
 * have come meanwhile that it leads. A member lives on the stack of its thread
 * and may be gone as soon as the mutex is released. */
static void tell(idv_group_commit_t *group, const member_t *self,
                 member_t **members, int count, outcome_t outcome)
{
    pthread_mutex_lock(&group->mutex);
    for (int i = 0; i < count; i++) {
        members[i]->outcome = outcome;
        if (members[i] != self)
            pthread_cond_signal(&members[i]->told);
    }
    group->led = group->first != NULL;
    if (group->first) {
        member_t *next = group->first;

        group->first = next->next;
        if (!group->first)
            group->end = &group->first;
        next->outcome = LEADING;
        pthread_cond_signal(&next->told);
    }
    pthread_mutex_unlock(&group->mutex);
}

static idv_error_t *lead(idv_group_commit_t *group, member_t *self,
                         apr_pool_t *pool)
{
    /* The connection serves many organizations, so it counts for none. */
    static const idv_db_claim_t claim = {.organization_id = NULL};
    member_t *members[IDV_GROUP_COMMIT_MAX] = {self};
    idv_db_t *db;
    idv_error_t *error =
        group->source->open(group->source, &claim, &db, pool);
    int count = gather(group, members, 1);
    outcome_t outcome = error ? UNCONNECTED : commit(db, members, count);

    if (!error)
        group->source->close(group->source, db);
    tell(group, self, members, count, outcome);
    return error;
}

/* --- following --- */

/* Waits until SELF is to lead (non-zero) or has its outcome (zero). */
static int wait_to_lead(idv_group_commit_t *group, member_t *self)
{
    int leads;

    pthread_mutex_lock(&group->mutex);
    if (!group->led) {
        group->led = 1;
        self->outcome = LEADING;
    } else {
        *group->end = self;
        group->end = &self->next;
        while (self->outcome == WAITING)
            pthread_cond_wait(&self->told, &group->mutex);
    }
    leads = self->outcome == LEADING;
    pthread_mutex_unlock(&group->mutex);
    return leads;
}

static idv_error_t *result_of(const member_t *self, idv_db_result_t **result,
                              apr_pool_t *pool)
{
    *result = idv_db_batch_result(&self->item, pool);
    switch (self->outcome) {
    case COMMITTED:
        return NULL;
    case FAILED:
        *result = NULL;
        return NULL;
    case UNCONNECTED:
        return idv_error_unavailable(pool, RETRY_AFTER_SECONDS,
                                     "no database connection to commit with");
    default:
        return idv_error_unavailable(pool, RETRY_AFTER_SECONDS,
                                     "the connection was lost before the "
                                     "commit was confirmed");
    }
}

idv_error_t *idv_group_commit_run(idv_group_commit_t *group,
                                  const idv_group_commit_call_t *call,
                                  idv_db_result_t **result, apr_pool_t *pool)
{
    member_t self = {
        .item = {.statement = call->statement, .params = call->params},
        .lock_key = call->lock_key,
    };
    idv_error_t *error = NULL;
    int status = pthread_cond_init(&self.told, NULL);
    idv_span_t span;

    *result = NULL;
    if (status)
        return idv_error_apr(pool, status, "making a condition");
    idv_span_begin(&span, call->trace, IDV_SPAN_DATABASE,
                   idv_sql_texts[call->statement].name);
    if (wait_to_lead(group, &self))
        error = lead(group, &self, pool);
    pthread_cond_destroy(&self.told);
    if (!error)
        error = result_of(&self, result, pool);
    idv_span_end(&span, error != NULL);
    return error;
}
