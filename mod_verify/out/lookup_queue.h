/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_OUT_LOOKUP_QUEUE_H
#define IDV_OUT_LOOKUP_QUEUE_H

/*
 * Look-ups of host names that wait for one of a few threads, in fair shares
 * for the owners of the names.
 *
 * A name whose name server hangs holds a thread for many seconds, and who has
 * endpoints may have hundreds of such names. So an owner, an organization,
 * looks up one name at a time, and a second one only while half of the threads
 * are idle; owners take turns; and no more than IDV_LOOKUPS_WAITING names wait
 * for one owner. With N threads, others have to wait only when about three
 * quarters of N organizations have names that hang, all at once.
 *
 * A name may wait for several owners, each with a turn of its own: nobody's
 * names wait behind those of another owner, not even the names that they
 * share. The first turn looks it up for all, and what nobody wants any more
 * when its turn comes is passed over.
 *
 * Pure bookkeeping, without threads or a clock of its own. Threads: one.
 * Memory: of the given pool, for the most that waited at a time; owners in
 * pools of their own while they have names that wait or are looked up.
 */
#include <apr_pools.h>

/* Names that may wait for one owner. */
#define IDV_LOOKUPS_WAITING 256
/* Bytes of a name with its end; the longest of the DNS has 253 characters. */
#define IDV_LOOKUP_NAME_SIZE 256

typedef struct idv_lookup_queue_t idv_lookup_queue_t;

/* Non-zero while HOST is to be looked up still. */
typedef int idv_lookup_wanted_t(void *baton, const char *host);

/* For THREADS threads, none of them busy. */
idv_lookup_queue_t *idv_lookup_queue_create(int threads,
                                            idv_lookup_wanted_t *wanted,
                                            void *baton, apr_pool_t *pool);

/* HOST waits for OWNER from now on, if it did not before. Zero when it cannot:
 * too many wait for OWNER, or HOST is longer than any name. */
int idv_lookup_queue_add(idv_lookup_queue_t *queue, const char *owner,
                         const char *host);

/* The name to be looked up next, on a thread that is its own until
 * idv_lookup_queue_end(); NULL: none waits, or none that may begin. Valid until
 * then. */
const char *idv_lookup_queue_begin(idv_lookup_queue_t *queue);

/* The look-up of HOST has ended; nothing happens when none was under way. */
void idv_lookup_queue_end(idv_lookup_queue_t *queue, const char *host);

#endif
