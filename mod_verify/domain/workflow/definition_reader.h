/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_WORKFLOW_DEFINITION_READER_H
#define IDV_DOMAIN_WORKFLOW_DEFINITION_READER_H

/*
 * Reads the values of a workflow's definition and notes their faults. Only for
 * workflow_compile.c, which reads the settings, and workflow_nodes.c.
 *
 * Memory: the pool of the compiler. Threads: pure. Failures: none; a fault is
 * added and reading continues.
 */
#include "domain/workflow/workflow_check.h"

typedef struct {
    idv_workflow_t *workflow;
    idv_workflow_node_t *nodes;
    int has_nodes; /* flag: the object `nodes` can be read */
    const char *start;
    apr_array_header_t *faults;
    apr_pool_t *pool;
} idv_workflow_compiler_t;

/* A value of the definition, and its position. */
typedef struct {
    idv_workflow_compiler_t *compiler;
    json_t *value;
    const char *pointer;       /* RFC 6901 */
    idv_workflow_node_t *node; /* that it is of; NULL: it is a setting */
} idv_definition_place_t;

/* One key of an object and what reads its value; NULL: it was read before. */
typedef struct {
    const char *key;
    int required;
    void (*read)(const idv_definition_place_t *at);
} idv_definition_key_t;

/* Adds a fault of RULE at AT. FORMAT has at most IDV_WORKFLOW_FAULT_VALUES_MAX
 * conversions, each %d or %s. */
void idv_definition_fault(const idv_definition_place_t *at, const char *rule,
                          const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The place of the member KEY of the object at AT, also when there is none. */
idv_definition_place_t idv_definition_member(const idv_definition_place_t *at,
                                             const char *key);

/* The place of the element INDEX of the array at AT. */
idv_definition_place_t idv_definition_element(const idv_definition_place_t *at,
                                              size_t index);

/* Reads the object at AT by READERS, which end with a NULL key. */
void idv_definition_read_keys(const idv_definition_place_t *at,
                              const idv_definition_key_t *readers);

/* The same for a value that may be no object. */
void idv_definition_read_object(const idv_definition_place_t *at,
                                const idv_definition_key_t *readers);

/* A whole number from MIN to MAX; MIN for a faulty value. */
int idv_definition_integer(const idv_definition_place_t *at, int min, int max);

int idv_definition_boolean(const idv_definition_place_t *at);

/* Zero for the text ONE, which a faulty value counts as, non-zero for OTHER. */
int idv_definition_either(const idv_definition_place_t *at, const char *one,
                          const char *other);

#endif
