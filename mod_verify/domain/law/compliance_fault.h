/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_LAW_COMPLIANCE_FAULT_H
#define IDV_DOMAIN_LAW_COMPLIANCE_FAULT_H

/*
 * Faults of compliance files, and the position in a file that each belongs to.
 * Only the readers of these files use positions.
 *
 * Memory: faults live in the pool of their array, positions in the scratch pool
 * of the reading. Threads: as in compliance_rules.h. Failures: none.
 */
#include <apr_tables.h>

#include "core/json.h"

#define IDV_COMPLIANCE_FAULTS_MAX 100
#define IDV_COMPLIANCE_TEXT_MAX 1000 /* characters */

/* A problem in a file. */
typedef struct {
    const char *file;
    const char *pointer; /* RFC 6901, "" for the document */
    const char *message; /* text for the operator */
} idv_compliance_fault_t;

/* A position in the document being read. */
typedef struct {
    apr_pool_t *pool;    /* of the rule set */
    apr_pool_t *scratch; /* of the reading */
    const char *file;
    const char *rule_version;
    apr_array_header_t *faults;
    const char *pointer; /* RFC 6901 */
} idv_compliance_place_t;

/* The place of the member KEY of the object at PLACE. */
idv_compliance_place_t
idv_compliance_place_below(const idv_compliance_place_t *place,
                           const char *key);

/* The place of the element INDEX of the array at PLACE. */
idv_compliance_place_t
idv_compliance_place_at(const idv_compliance_place_t *place, size_t index);

/* Adds a fault unless it is already listed or the maximum is reached. */
void idv_compliance_fault_add(apr_array_header_t *faults, const char *file,
                              const char *pointer, const char *message);

/* Adds a fault at PLACE. */
void idv_compliance_complain(const idv_compliance_place_t *place,
                             const char *message);

/* The text at PLACE, of 1 to IDV_COMPLIANCE_TEXT_MAX characters; NULL after a
 * fault. */
const char *idv_compliance_text(const idv_compliance_place_t *place,
                                const json_t *value);

/* Non-zero if VALUE is the text "unknown". */
int idv_compliance_is_unknown(const json_t *value);

#endif
