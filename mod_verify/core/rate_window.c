/* SPDX-License-Identifier: Apache-2.0 */
#include "core/rate_window.h"

#define WINDOW_BITS 16
#define WINDOW_MASK 0xffffu

idv_time_t idv_rate_window_end(idv_time_t now)
{
    return (now / IDV_MINUTE + 1) * IDV_MINUTE;
}

/* One shared slot for this many others. */
#define SLOTS_PER_SHARED 4

static apr_size_t count_shared(apr_size_t count)
{
    return count / SLOTS_PER_SHARED;
}

apr_size_t idv_rate_slots(apr_size_t count)
{
    return count + count_shared(count) + 1;
}

/* The last slot holds the seed, so that it is retained with the counts. */
static _Atomic apr_uint64_t *seed_of(const idv_rate_table_t *table)
{
    return &table->slots[idv_rate_slots(table->count) - 1].owner;
}

void idv_rate_table_seed(const idv_rate_table_t *table, apr_uint64_t seed)
{
    apr_uint64_t none = 0;

    (void)atomic_compare_exchange_strong(seed_of(table), &none, seed);
}

/* FNV-1a, finished with the mixer of SplitMix64. */
static apr_uint64_t hash(const char *key, apr_uint64_t seed)
{
    apr_uint64_t value = 0xcbf29ce484222325u ^ seed;

    for (; *key; key++)
        value = (value ^ (unsigned char)*key) * 0x100000001b3u;
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
    return value ^ (value >> 31);
}

static int is_free(apr_uint64_t owner, apr_uint32_t window)
{
    apr_uint32_t age = (window - (apr_uint32_t)owner) & WINDOW_MASK;

    /* A slot of the next window belongs to a thread that is ahead. */
    return owner == 0 || (age > 1 && age < WINDOW_MASK);
}

/* What a slot of this key in this window begins with. */
static apr_uint64_t owner_of(apr_uint64_t hashed, apr_uint32_t window)
{
    apr_uint64_t owner = (hashed & ~(apr_uint64_t)WINDOW_MASK)
        | (window & WINDOW_MASK);

    return owner ? owner : (apr_uint64_t)1 << WINDOW_BITS;
}

static idv_rate_slot_t *slot_at(const idv_rate_table_t *table,
                                apr_uint64_t place)
{
    return &table->slots[place & (table->count - 1)];
}

static idv_rate_slot_t *find(const idv_rate_table_t *table,
                             apr_uint64_t hashed, apr_uint32_t window)
{
    apr_uint64_t mine = owner_of(hashed, window);

    for (apr_size_t i = 0; i < IDV_RATE_PROBES; i++) {
        idv_rate_slot_t *slot = slot_at(table, hashed + i);
        apr_uint64_t owner = atomic_load(&slot->owner);

        if (owner != mine && is_free(owner, window)
            && atomic_compare_exchange_strong(&slot->owner, &owner, mine))
            return slot;
        if (owner == mine)
            return slot;
    }
    return NULL;
}

/* By other bits than the neighbourhood, where all are full. */
static idv_rate_slot_t *shared_slot(const idv_rate_table_t *table,
                                    apr_uint64_t hashed)
{
    return &table->slots[table->count
                         + ((hashed >> 32)
                            & (count_shared(table->count) - 1))];
}

apr_int64_t idv_rate_window_take(const idv_rate_table_t *table, const char *key,
                                 idv_time_t now, int *is_shared)
{
    const apr_uint32_t window = (apr_uint32_t)(now / IDV_MINUTE);
    const apr_uint64_t hashed = hash(key, atomic_load(seed_of(table)));
    idv_rate_slot_t *slot = find(table, hashed, window);
    apr_uint64_t known, next;

    *is_shared = slot == NULL;
    if (!slot)
        slot = shared_slot(table, hashed);
    known = atomic_load(&slot->count);
    do {
        apr_uint32_t counted = (apr_uint32_t)(known >> 32);

        if (counted > window)
            return 1; /* this window is over already */
        next = counted == window ? known + 1
                                 : ((apr_uint64_t)window << 32) + 1;
    } while (!atomic_compare_exchange_weak(&slot->count, &known, next));
    return (apr_int64_t)(next & 0xffffffffu);
}

apr_int64_t idv_rate_window_count(const idv_rate_table_t *table,
                                  const char *key, idv_time_t now)
{
    const apr_uint32_t window = (apr_uint32_t)(now / IDV_MINUTE);
    const apr_uint64_t hashed = hash(key, atomic_load(seed_of(table)));
    idv_rate_slot_t *slot = shared_slot(table, hashed);
    apr_uint64_t known;

    for (apr_size_t i = 0; i < IDV_RATE_PROBES; i++) {
        idv_rate_slot_t *next = slot_at(table, hashed + i);
        apr_uint64_t owner = atomic_load(&next->owner);

        if (owner == owner_of(hashed, window)) {
            slot = next;
            break;
        }
        if (is_free(owner, window))
            return 0;
    }
    known = atomic_load(&slot->count);
    return known >> 32 == window ? (apr_int64_t)(known & 0xffffffffu) : 0;
}
