/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CORE_PLACE_TABLE_H
#define IDV_CORE_PLACE_TABLE_H

/*
 * A table of limited places (slots), shared by many processes, with limits that
 * keep any one client from taking them all.
 *
 * A place is held for an address, a credential and a group (an organization),
 * each of which may be "" for none. There is a limit for the node, for each
 * child process, for each address and for each credential. In a fair kind, one
 * address or one group also holds less than the free places, on the node and in
 * the child. So one holder gets at most a half, two holders one after the other
 * a half and a quarter, and a newcomer gets a place as long as one is free.
 *
 * A place ends at its deadline, so that places of a killed process are not
 * lost. The memory belongs to the caller. It must be zero at first, and either
 * mapped at the same address in all processes or not shared at all. It is
 * prepared once, before the second process exists; preparing it again while in
 * use changes nothing.
 *
 * Pure except for the memory. Threads and processes: any; if a process is
 * killed inside a function, the next one recovers the lock.
 */
#include <pthread.h>

#include "core/clock.h"
#include "core/error.h"

#define IDV_PLACE_TABLE_VERSION 3 /* of the memory layout */
#define IDV_PLACE_COUNT 4096
#define IDV_PLACE_NAME_SIZE 64 /* bytes of a name with its NUL; longer names are
                                * truncated */

/* The use of a kind of places, in metrics. */
typedef enum {
    IDV_PLACES_OF_BODIES,
    IDV_PLACES_OF_ANSWERS,
    IDV_PLACES_OF_WAITS
} idv_place_use_t;

/* X(NAME, "name in metrics", fair, use) */
#define IDV_PLACE_KINDS(X)                                                     \
    X(BODY, "body", 0, BODIES)                                                 \
    X(PARKED_BODY, "parked_body", 0, BODIES)                                   \
    X(UPLOAD, "upload", 1, BODIES)                                             \
    X(ANSWER, "answer", 1, ANSWERS)                                            \
    X(PARKED_ANSWER, "parked_answer", 1, ANSWERS)                              \
    X(PUBLIC_ANSWER, "public_answer", 1, ANSWERS)                              \
    X(PARKED_PUBLIC_ANSWER, "parked_public_answer", 1, ANSWERS)                \
    X(POLL, "poll", 0, WAITS)                                                  \
    X(EXCHANGE, "exchange", 1, WAITS)

typedef enum {
#define IDV_PLACE_KIND(name, text, fair, use) IDV_PLACE_##name,
    IDV_PLACE_KINDS(IDV_PLACE_KIND)
#undef IDV_PLACE_KIND
    IDV_PLACE_KIND_COUNT
} idv_place_kind_t;

/* The result of a claim: granted, or the limit that was reached. */
typedef enum {
    IDV_PLACE_GRANTED,
    IDV_PLACE_CREDENTIAL_FULL,
    IDV_PLACE_GROUP_FULL,
    IDV_PLACE_ADDRESS_FULL,
    IDV_PLACE_CHILD_FULL,
    IDV_PLACE_NODE_FULL
} idv_place_verdict_t;

typedef struct {
    apr_uint64_t ticket; /* of the holder; 0: free */
    idv_time_t until;    /* free from this time on */
    apr_int64_t child;   /* process id */
    idv_place_kind_t kind;
    char address[IDV_PLACE_NAME_SIZE];
    char credential[IDV_PLACE_NAME_SIZE];
    char group[IDV_PLACE_NAME_SIZE];
} idv_place_t;

typedef struct {
    pthread_mutex_t mutex;
    int is_prepared;
    apr_uint64_t tickets; /* number of tickets issued */
    apr_int64_t refused[IDV_PLACE_KIND_COUNT];
    apr_int64_t late[IDV_PLACE_KIND_COUNT];
    idv_place_t places[IDV_PLACE_COUNT];
} idv_place_table_t;

/* Limits of one kind; 0: unlimited. */
typedef struct {
    int node, child, address, credential;
} idv_place_limits_t;

typedef struct {
    idv_place_kind_t kind;
    const char *address, *credential, *group;
    apr_int64_t child;
    idv_time_t now, until;
} idv_place_claim_t;

/* Figures of one kind. */
typedef struct {
    apr_int64_t held, refused, late;
} idv_place_statistics_t;

/* Prepares TABLE, which is zero or was prepared before. */
idv_error_t *idv_place_table_prepare(idv_place_table_t *table,
                                     apr_pool_t *pool) IDV_CHECKED;

/* Takes a place for CLAIM and sets *TICKET (not 0) if granted; counts a refusal
 * otherwise. */
idv_place_verdict_t idv_place_take(idv_place_table_t *table,
                                   const idv_place_claim_t *claim,
                                   const idv_place_limits_t *limits,
                                   apr_uint64_t *ticket);

/* Sets the deadline of TICKET's place to UNTIL, if it is still held. */
void idv_place_extend(idv_place_table_t *table, apr_uint64_t ticket,
                      idv_time_t until);

/* Releases the place of TICKET, if it is still held. */
void idv_place_give(idv_place_table_t *table, apr_uint64_t ticket);

/* Counts an event of KIND that came too late. */
void idv_place_count_late(idv_place_table_t *table, idv_place_kind_t kind);

void idv_place_look(idv_place_table_t *table, idv_place_kind_t kind,
                    idv_time_t now, idv_place_statistics_t *statistics);

#endif
