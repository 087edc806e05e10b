/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CORE_RATE_WINDOW_H
#define IDV_CORE_RATE_WINDOW_H

/*
 * Counts events by key in fixed windows of one minute, exactly, in memory
 * shared by many processes, without locks.
 *
 * The number of slots is a power of two. A slot belongs to one key in one
 * window, identified by its first word: 48 bits of the key's hash and the low
 * 16 bits of the window's number. Its second word holds the count and the full
 * number of the window, so that a count never carries over to the next window.
 * A slot is free if its window is neither the current nor the previous one (a
 * thread may be late by one), and is taken by compare-and-swap. Within a window
 * slots are only taken, never released, so all threads find the same slot for a
 * key: the first one that is the key's or free.
 *
 * Size the table for the keys of two minutes. If a key's neighbourhood is full,
 * the key is counted together with others in one of the table's shared slots,
 * chosen by its hash. Its count is then too high, never too low, so filling the
 * table with keys disables no limit. A secret seed keeps others from choosing
 * keys that meet in one slot.
 *
 * Pure except for the memory; thread-safe.
 */
#include <stdatomic.h>

#include "core/clock.h"

/* The highest limit that can be set; effectively unlimited. */
#define IDV_RATE_LIMIT_MAX 1000000000

/* Slots probed per key. */
#define IDV_RATE_PROBES 64

typedef struct {
    _Atomic apr_uint64_t owner;
    _Atomic apr_uint64_t count;
} idv_rate_slot_t;

/* The end of the window of NOW. */
idv_time_t idv_rate_window_end(idv_time_t now);

typedef struct {
    idv_rate_slot_t *slots; /* idv_rate_slots(count) of them, zero at first */
    apr_size_t count;       /* a power of two, at least IDV_RATE_PROBES */
} idv_rate_table_t;

/* The slots that a table for COUNT needs, with its shared ones and its seed. */
apr_size_t idv_rate_slots(apr_size_t count);

/* Sets the seed of TABLE, unless it has one. */
void idv_rate_table_seed(const idv_rate_table_t *table, apr_uint64_t seed);

/* Counts one event of KEY in the window of NOW. Returns the number of events in
 * the window, including this one; *IS_SHARED is non-zero if it may include those
 * of other keys. */
apr_int64_t idv_rate_window_take(const idv_rate_table_t *table, const char *key,
                                 idv_time_t now, int *is_shared);

/* What idv_rate_window_take() returned last for KEY in the window of NOW, or 0.
 * Counts nothing and takes no slot. */
apr_int64_t idv_rate_window_count(const idv_rate_table_t *table,
                                  const char *key, idv_time_t now);

#endif
