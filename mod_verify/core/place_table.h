/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CORE_PLACE_TABLE_H
#define IDV_CORE_PLACE_TABLE_H

/*
 * Places that a few at a time may hold, shared by many processes, such that
 * nobody takes them all.
 *
 * A place is held for an address, a credential and a group (an organization),
 * each of which may be "" for none. There is a most for the node, for each
 * child process, for each address and for each credential. In a fair kind, what
 * one address and what one group hold is besides less than what is free, on the
 * node and in the child: alone they come to a half, two of them, one after the
 * other, to a half and a quarter, and a newcomer finds a place as long as there
 * is one.
 *
 * A place ends by itself at its time, so that one whose process was killed is
 * not lost. The memory is the caller's, zero at first and mapped at the same
 * address in all processes, or not at all in common; it is prepared once, before
 * there is a second process, and may be prepared again while it is in use, when
 * it changes nothing.
 *
 * Pure but for the memory. Threads and processes: any; a process that is killed
 * inside leaves a lock that the next one repairs.
 */
#include <pthread.h>

#include "core/clock.h"
#include "core/error.h"

#define IDV_PLACE_TABLE_VERSION 3 /* of what the memory means */
#define IDV_PLACE_COUNT 4096
#define IDV_PLACE_NAME_SIZE 64 /* bytes of a name with its end; longer is cut */

/* What the places of a kind are for, in metrics. */
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

/* Why there is a place, or none: whose share is used up. */
typedef enum {
    IDV_PLACE_GRANTED,
    IDV_PLACE_CREDENTIAL_FULL,
    IDV_PLACE_GROUP_FULL,
    IDV_PLACE_ADDRESS_FULL,
    IDV_PLACE_CHILD_FULL,
    IDV_PLACE_NODE_FULL
} idv_place_verdict_t;

typedef struct {
    apr_uint64_t ticket; /* of who holds it; 0: free */
    idv_time_t until;    /* free from then on */
    apr_int64_t child;   /* process id */
    idv_place_kind_t kind;
    char address[IDV_PLACE_NAME_SIZE];
    char credential[IDV_PLACE_NAME_SIZE];
    char group[IDV_PLACE_NAME_SIZE];
} idv_place_t;

typedef struct {
    pthread_mutex_t mutex;
    int is_prepared;
    apr_uint64_t tickets; /* given out so far */
    apr_int64_t refused[IDV_PLACE_KIND_COUNT];
    apr_int64_t late[IDV_PLACE_KIND_COUNT];
    idv_place_t places[IDV_PLACE_COUNT];
} idv_place_table_t;

/* The most of one kind; 0: no limit. */
typedef struct {
    int node, child, address, credential;
} idv_place_limits_t;

typedef struct {
    idv_place_kind_t kind;
    const char *address, *credential, *group;
    apr_int64_t child;
    idv_time_t now, until;
} idv_place_claim_t;

/* What is known of one kind. */
typedef struct {
    apr_int64_t held, refused, late;
} idv_place_statistics_t;

/* Readies TABLE, which is zero or was prepared before. */
idv_error_t *idv_place_table_prepare(idv_place_table_t *table,
                                     apr_pool_t *pool) IDV_CHECKED;

/* Takes a place by CLAIM and sets *TICKET, not 0, when it is granted; counts a
 * refusal otherwise. */
idv_place_verdict_t idv_place_take(idv_place_table_t *table,
                                   const idv_place_claim_t *claim,
                                   const idv_place_limits_t *limits,
                                   apr_uint64_t *ticket);

/* Has the place of TICKET, if it is still held, end at UNTIL. */
void idv_place_extend(idv_place_table_t *table, apr_uint64_t ticket,
                      idv_time_t until);

/* Frees the place of TICKET, if it is still held. */
void idv_place_give(idv_place_table_t *table, apr_uint64_t ticket);

/* Counts one of KIND that did not come in time. */
void idv_place_count_late(idv_place_table_t *table, idv_place_kind_t kind);

void idv_place_look(idv_place_table_t *table, idv_place_kind_t kind,
                    idv_time_t now, idv_place_statistics_t *statistics);

#endif
