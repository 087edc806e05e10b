/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CORE_RATE_WINDOW_H
#define IDV_CORE_RATE_WINDOW_H

/*
 * Counts events by key in fixed windows of one minute, exactly, in memory that
 * many processes share, without locks.
 *
 * The table has a power of two of slots. A slot belongs to one key in one
 * window, which its first word says: 48 bits of the key's hash and the low 16
 * bits of the window's number. Its second word is the count and the full
 * number of the window, so that a count never passes from one window to the
 * next. A slot is free when its window is neither this nor the last one (a
 * thread may be late by one), and is taken by compare-and-swap. Within one
 * window slots are only ever taken, so all threads find the same slot for a
 * key: the first one that is the key's or free.
 *
 * When a key's neighbourhood is full it is not counted: the table has to be
 * made for the keys of two minutes. Pure but for the memory; thread-safe.
 */
#include <stdatomic.h>

#include "core/clock.h"

/* The highest limit that anybody can be given, as good as none. */
#define IDV_RATE_LIMIT_MAX 1000000000

/* Slots that are looked at for one key. */
#define IDV_RATE_PROBES 64

typedef struct {
    _Atomic apr_uint64_t owner;
    _Atomic apr_uint64_t count;
} idv_rate_slot_t;

/* The end of the window of NOW. */
idv_time_t idv_rate_window_end(idv_time_t now);

/* Counts one event of KEY in the window of NOW and returns how many there are
 * in it, this one included; 0 when it could not be counted. SLOTS points to
 * COUNT slots, zero at first; COUNT is a power of two. */
apr_int64_t idv_rate_window_take(idv_rate_slot_t *slots, apr_size_t count,
                                 const char *key, idv_time_t now);

#endif
