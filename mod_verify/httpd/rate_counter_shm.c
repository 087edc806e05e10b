/* SPDX-License-Identifier: Apache-2.0 */
#include "core/rate_window.h"
#include "httpd/rate_counter.h"
#include "worker/retained.h"

#define SLOT_VERSION 1 /* of idv_rate_slot_t and of how it is used */

typedef struct {
    idv_rate_slot_t *slots;
    apr_size_t count;
} table_t;

/* Written in the parent before any child is there. */
static table_t table;

static idv_error_t *post_config(const idv_rate_counter_t *counter,
                                const idv_settings_t *settings,
                                apr_pool_t *pconf)
{
    table_t *self = counter->baton;
    apr_size_t count = 1;
    void *memory;

    /* Keys of two minutes are in the table, and it may be half full. */
    while (count < 4 * (apr_size_t)settings->rate_limit_keys)
        count *= 2;
    IDV_TRY(idv_retained_memory("rates", SLOT_VERSION,
                                count * sizeof(idv_rate_slot_t), &memory,
                                pconf));
    self->slots = memory;
    self->count = count;
    return NULL;
}

static idv_error_t *child_init(const idv_rate_counter_t *counter,
                               apr_pool_t *pchild)
{
    (void)counter;
    (void)pchild;
    return NULL;
}

static idv_error_t *take(const idv_rate_counter_t *counter, const char *key,
                         idv_time_t now, apr_int64_t *count, apr_pool_t *pool)
{
    table_t *self = counter->baton;

    (void)pool;
    *count = self->slots
        ? idv_rate_window_take(self->slots, self->count, key, now) : 0;
    return NULL;
}

const idv_rate_counter_t idv_rate_counter_shm = {
    "shm", post_config, child_init, take, &table};
