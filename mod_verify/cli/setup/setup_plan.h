/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CLI_SETUP_SETUP_PLAN_H
#define IDV_CLI_SETUP_SETUP_PLAN_H

/*
 * What an apply does, or would do: an entry for each object with its action and
 * its fields, old and new. New secrets are kept apart from it.
 *
 * Memory: the given pool. Threads: one. Failures: none.
 */
#include <stdio.h>

#include <apr_pools.h>
#include <jansson.h>

typedef struct {
    json_t *objects; /* entries */
    json_t *unmanaged; /* objects that no file can name, with the reason */
    json_t *secrets;
    int counts[4]; /* by idv_setup_action_t */
    int is_complete; /* flag: nothing has failed */
    apr_pool_t *pool;
} idv_setup_plan_t;

typedef enum {
    IDV_SETUP_CREATE,
    IDV_SETUP_CHANGE,
    IDV_SETUP_DELETE,
    IDV_SETUP_UNCHANGED
} idv_setup_action_t;

/* The object of an entry. */
typedef struct {
    const char *kind;
    const char *organization; /* its name; NULL: of all organizations */
    const char *name;
    const char *id;
    const json_t *warnings; /* of its commands, a list; NULL: none */
} idv_setup_subject_t;

void idv_setup_plan_init(idv_setup_plan_t *plan, apr_pool_t *pool);

/* Takes over FIELDS, a list of {"field", "old", "new"}; NULL: none. */
void idv_setup_plan_add(idv_setup_plan_t *plan, idv_setup_action_t action,
                        const idv_setup_subject_t *subject, json_t *fields);

/* An object that is left alone, because WHY. */
void idv_setup_plan_leave(idv_setup_plan_t *plan,
                          const idv_setup_subject_t *subject, const char *why);

/* Whether nothing changes. */
int idv_setup_plan_is_empty(const idv_setup_plan_t *plan);

/* The answer of `apply`. New reference. */
json_t *idv_setup_plan_json(const idv_setup_plan_t *plan, int is_applied);

/* That answer on a terminal. */
void idv_setup_plan_print(const json_t *answer, FILE *out, apr_pool_t *pool);

#endif
