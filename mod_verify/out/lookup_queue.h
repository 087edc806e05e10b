/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_OUT_LOOKUP_QUEUE_H
#define IDV_OUT_LOOKUP_QUEUE_H

/*
 * Lookups of host names that wait for one of a few threads, shared fairly
 * between the owners of the names.
 *
 * A name with a hanging name server blocks a thread for many seconds, and one
 * customer can have hundreds of such names. So an owner (an organization) looks
 * up one name at a time, and a second one only while half of the threads are
 * idle. Owners take turns, and at most IDV_LOOKUPS_WAITING names wait per
 * owner. With N threads, others have to wait only if about three quarters of N
 * organizations have hanging names at the same time.
 *
 * A name can wait for several owners, each with a turn of its own, so that
 * nobody's names wait behind another owner's, even if they share names. The
 * first turn looks it up for all; a name that nobody wants any longer is
 * skipped.
 *
 * Pure bookkeeping, without threads or a clock. Threads: one. Memory: the given
 * pool, for the maximum that waited at a time; owners have pools of their own
 * while they have names waiting or in progress.
 */
#include <apr_pools.h>

/* Maximum number of names that wait for one owner. */
#define IDV_LOOKUPS_WAITING 256
/* Bytes of a name with its NUL; the longest DNS name has 253 characters. */
#define IDV_LOOKUP_NAME_SIZE 256

typedef struct idv_lookup_queue_t idv_lookup_queue_t;

/* Non-zero while HOST is still wanted. */
typedef int idv_lookup_wanted_t(void *baton, const char *host);

/* A queue for THREADS threads, all idle. */
idv_lookup_queue_t *idv_lookup_queue_create(int threads,
                                            idv_lookup_wanted_t *wanted,
                                            void *baton, apr_pool_t *pool);

/* Queues HOST for OWNER, unless it waits already. Zero if impossible: too many
 * names wait for OWNER, or HOST is too long. */
int idv_lookup_queue_add(idv_lookup_queue_t *queue, const char *owner,
                         const char *host);

/* The next name to look up, on a thread reserved for it until
 * idv_lookup_queue_end(); NULL: none waits, or none may start. Valid until
 * then. */
const char *idv_lookup_queue_begin(idv_lookup_queue_t *queue);

/* Ends the lookup of HOST; no effect if none was running. */
void idv_lookup_queue_end(idv_lookup_queue_t *queue, const char *host);

#endif
