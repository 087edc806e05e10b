/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_OUT_RECEIVER_NAME_H
#define IDV_OUT_RECEIVER_NAME_H

/*
 * Host names of receivers, looked up and judged, remembered for some seconds.
 *
 * A name is good for nothing when one of its addresses is refused by the
 * guard: who mixes a forbidden address under public ones means to be dialled
 * there sooner or later.
 *
 * A name whose name server does not answer holds a thread for many seconds, and
 * whoever has endpoints can have many such names. So threads are shared out to
 * the owners of names, fairly (lookup_queue.h); names that have been good for
 * long, and addresses, are looked up by threads of their own; and what took
 * long to fail is not asked for again soon. A name is looked up once at a time,
 * whoever waits for it. The captcha provider's name has a table, and threads,
 * of its own; mail servers are looked up by the threads of the mail client.
 *
 * Threads and memory: as the client that owns the table.
 */
#include <apr_tables.h>

#include "core/clock.h"
#include "out/webhook_client.h"

typedef struct idv_receiver_names_t idv_receiver_names_t;

/* What is known of a name. */
typedef struct {
    idv_webhook_result_t result; /* IDV_WEBHOOK_OK, or why not to dial it */
    const char *addresses;       /* "192.0.2.1,[2001:db8::1]" */
} idv_receiver_name_t;

/* Told when a name that idv_receiver_names_find() did not know is known now;
 * KNOWN is valid during the call. */
typedef void idv_receiver_name_known_t(void *baton,
                                       const idv_receiver_name_t *known);

/* ALLOWED: see address_guard.h. */
idv_error_t *idv_receiver_names_create(const apr_array_header_t *allowed,
                                       idv_receiver_names_t **names,
                                       apr_pool_t *pool) IDV_CHECKED;

/* Watch these descriptors for reading; then idv_receiver_names_collect() tells
 * who waits, or returns 0 when FD is none of them. */
#define IDV_RECEIVER_NAMES_DESCRIPTORS 2
int idv_receiver_names_descriptor(const idv_receiver_names_t *names, int index);
int idv_receiver_names_collect(idv_receiver_names_t *names, int fd);

/* Which name, for whom. */
typedef struct {
    const char *host;
    const char *owner; /* an organization's id; "": the operator */
    idv_time_t now;
} idv_receiver_question_t;

/* What is known of the name that QUESTION asks for, or NULL when it has to be
 * looked up: then WAITER (memory of the caller, kept until then) is told when
 * that ends. With IDV_LOOKUPS_WAITING names that wait for the owner already, a
 * name that is not known cannot be resolved. */
typedef struct idv_receiver_waiter_t idv_receiver_waiter_t;
struct idv_receiver_waiter_t {
    idv_receiver_waiter_t *next, **link;
    idv_receiver_name_known_t *known;
    void *baton;
};
const idv_receiver_name_t *
idv_receiver_names_find(idv_receiver_names_t *names,
                        const idv_receiver_question_t *question,
                        idv_receiver_waiter_t *waiter);

/* WAITER is no longer interested. */
void idv_receiver_waiter_forget(idv_receiver_waiter_t *waiter);

#endif
