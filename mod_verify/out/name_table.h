/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_OUT_NAME_TABLE_H
#define IDV_OUT_NAME_TABLE_H

/*
 * Host names used by the HTTP client (http_client.h): looked up without
 * blocking it, checked by the guard (address_guard.h), and cached for some
 * seconds.
 *
 * If the guard refuses one address of a name, the whole name is refused: mixing
 * a forbidden address with public ones is an attempt to have it dialled sooner
 * or later.
 *
 * Thread crews (thread_crew.h) call getaddrinfo(). A name with a silent name
 * server blocks a thread for many seconds, and one customer can have many such
 * names. So threads are shared fairly between the owners of names
 * (lookup_queue.h); names that have long been good, and addresses, use a crew
 * of their own; and a name that took long to fail is not retried soon. Each
 * name is looked up only once at a time, however many wait for it. Each client
 * has its own table and crews, so that customers' names cannot delay the
 * captcha provider's.
 *
 * Threads: everything is called on the client's thread. Memory: the table's
 * pool; each name has a subpool. Failures: only the creation can fail; a name
 * whose lookup fails is unresolved.
 */
#include <apr_tables.h>

#include "core/clock.h"
#include "core/error.h"
#include "out/http_exchange.h"

typedef struct idv_name_table_t idv_name_table_t;

/* A cached name. */
typedef struct {
    idv_http_result_t result; /* IDV_HTTP_OK, or why not to dial it */
    const char *addresses;    /* "192.0.2.1,[2001:db8::1]" */
} idv_known_name_t;

/* An empty table; ALLOWED lists the ranges that the guard allows: an array of
 * idv_address_range_t, or NULL. */
idv_error_t *idv_name_table_create(const apr_array_header_t *allowed,
                                   idv_name_table_t **table,
                                   apr_pool_t *pool) IDV_CHECKED;

/* Watch these descriptors for reading. When one is readable,
 * idv_name_table_collect() notifies the waiters; it returns 0 if FD is not one
 * of them. */
#define IDV_NAME_TABLE_DESCRIPTORS 2
int idv_name_table_descriptor(const idv_name_table_t *table, int index);
int idv_name_table_collect(idv_name_table_t *table, int fd);

/* The name to look up and its owner. */
typedef struct {
    const char *host;  /* a name, or an address without brackets */
    const char *owner; /* an organization's id; "": the operator */
    idv_time_t now;
} idv_name_question_t;

/* Called once when a name that idv_name_table_find() did not know becomes
 * known; KNOWN is valid during the call. */
typedef void idv_name_known_t(void *baton, const idv_known_name_t *known);

/* A waiter for a name; caller's memory, kept until then. */
typedef struct idv_name_waiter_t idv_name_waiter_t;
struct idv_name_waiter_t {
    idv_name_waiter_t *next, **link;
    idv_name_known_t *known;
    void *baton;
};

/* The cached result for QUESTION, or NULL if a lookup is needed; then WAITER is
 * notified when it ends. If IDV_LOOKUPS_WAITING names already wait for the
 * owner, an unknown name counts as unresolvable. */
const idv_known_name_t *idv_name_table_find(idv_name_table_t *table,
                                            const idv_name_question_t *question,
                                            idv_name_waiter_t *waiter);

/* Removes WAITER; harmless if it is not waiting. */
void idv_name_waiter_forget(idv_name_waiter_t *waiter);

#endif
