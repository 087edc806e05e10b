/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_OUT_NAME_TABLE_H
#define IDV_OUT_NAME_TABLE_H

/*
 * The host names that the HTTP client (http_client.h) has been asked to call:
 * looked up without blocking it, judged by the guard (address_guard.h), and
 * remembered for some seconds.
 *
 * A name is good for nothing when one of its addresses is refused by the
 * guard: who mixes a forbidden address under public ones means to be dialled
 * there sooner or later.
 *
 * Crews of threads (thread_crew.h) call getaddrinfo(). A name whose name server
 * does not answer holds a thread for many seconds, and whoever has endpoints
 * can have many such names. So threads are shared out to the owners of names,
 * fairly (lookup_queue.h); names that have been good for long, and addresses,
 * are looked up by a crew of their own; and what took long to fail is not asked
 * for again soon. A name is looked up once at a time, whoever waits for it.
 * Each client has a table, and crews, of its own, so that no customer's names
 * hold up the captcha provider's.
 *
 * Threads: everything is called on the client's thread. Memory: of the table's
 * pool; each name has a pool of its own below it. Failures: only the creation
 * can fail; a name that cannot be looked up is known as not resolved.
 */
#include <apr_tables.h>

#include "core/clock.h"
#include "out/http_client.h"

typedef struct idv_name_table_t idv_name_table_t;

/* What is known of a name. */
typedef struct {
    idv_http_result_t result; /* IDV_HTTP_OK, or why not to dial it */
    const char *addresses;    /* "192.0.2.1,[2001:db8::1]" */
} idv_known_name_t;

/* An empty table, which judges with the ranges that ALLOWED opens: array of
 * idv_address_range_t, or NULL. */
idv_error_t *idv_name_table_create(const apr_array_header_t *allowed,
                                   idv_name_table_t **table,
                                   apr_pool_t *pool) IDV_CHECKED;

/* Watch these descriptors for reading; then idv_name_table_collect() tells who
 * waits, or returns 0 when FD is none of them. */
#define IDV_NAME_TABLE_DESCRIPTORS 2
int idv_name_table_descriptor(const idv_name_table_t *table, int index);
int idv_name_table_collect(idv_name_table_t *table, int fd);

/* Which name, for whom. */
typedef struct {
    const char *host;  /* a name, or an address without brackets */
    const char *owner; /* an organization's id; "": the operator */
    idv_time_t now;
} idv_name_question_t;

/* Told once that a name that idv_name_table_find() did not know is known now;
 * KNOWN is valid during the call. */
typedef void idv_name_known_t(void *baton, const idv_known_name_t *known);

/* Who waits for a name; memory of the caller, kept until then. */
typedef struct idv_name_waiter_t idv_name_waiter_t;
struct idv_name_waiter_t {
    idv_name_waiter_t *next, **link;
    idv_name_known_t *known;
    void *baton;
};

/* What is known of the name that QUESTION asks for, or NULL when it has to be
 * looked up: then WAITER is told when that ends. With IDV_LOOKUPS_WAITING names
 * that wait for the owner already, a name that is not known cannot be
 * resolved. */
const idv_known_name_t *idv_name_table_find(idv_name_table_t *table,
                                            const idv_name_question_t *question,
                                            idv_name_waiter_t *waiter);

/* WAITER is no longer interested; harmless when it does not wait. */
void idv_name_waiter_forget(idv_name_waiter_t *waiter);

#endif
