/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_SERVED_ORGANIZATIONS_H
#define IDV_WORKER_SERVED_ORGANIZATIONS_H

/*
 * Which organizations this node has served, and so how many places one of them
 * may have: submissions of one that sends many do not keep another's waiting.
 *
 * Organizations stand in the order in which they were served last, the one
 * served longest ago first. An organization that falls out of the list was
 * served longer ago than all in it.
 *
 * Memory: values. Threads: the one that owns the list. Nothing fails.
 */
#include "core/clock.h"
#include "core/id.h"

enum { IDV_SERVED_MAX = 64 };

/* Zero at the beginning. */
typedef struct {
    char ids[IDV_SERVED_MAX][IDV_ID_SIZE];
    idv_time_t at[IDV_SERVED_MAX];
    int count;
} idv_served_t;

/* ORGANIZATION is served now. */
void idv_served_note(idv_served_t *served, const char *organization);

/* How many of PLACES one organization may have: all of them when this node has
 * served no other lately, else all but one, so that another's submission need
 * not wait for a long one to end. */
int idv_served_share(const idv_served_t *served, int places);

#endif
