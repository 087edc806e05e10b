/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_METHOD_SERVED_ORGANIZATIONS_H
#define IDV_WORKER_METHOD_SERVED_ORGANIZATIONS_H

/*
 * The organizations served by this node, and the resulting number of places for
 * each, so that one with many submissions does not block another.
 *
 * Organizations are in the order in which they were last served, oldest first.
 * An organization that drops out of the list was served longer ago than all in
 * it.
 *
 * Memory: values. Threads: the owner's. Failures: none.
 */
#include "core/clock.h"
#include "core/id.h"

enum { IDV_SERVED_MAX = 64 };

/* Zero at first. */
typedef struct {
    char ids[IDV_SERVED_MAX][IDV_ID_SIZE];
    idv_time_t at[IDV_SERVED_MAX];
    int count;
} idv_served_t;

/* Records that ORGANIZATION is being served. */
void idv_served_note(idv_served_t *served, const char *organization);

/* How many of PLACES one organization can use: all if this node has served no
 * other recently, else all but one, so that another's submission need not wait
 * for a long one to finish. */
int idv_served_share(const idv_served_t *served, int places);

#endif
