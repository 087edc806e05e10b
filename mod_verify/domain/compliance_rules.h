/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_COMPLIANCE_RULES_H
#define IDV_DOMAIN_COMPLIANCE_RULES_H

/*
 * The rule set: what the law of each jurisdiction says about each product
 * type, read at start-up from the operator's JSON files (conf/compliance, one a
 * country and named after it, "US.json"; its README explains them, its
 * schema.json is for editors, not read here, and checked against this reader).
 *
 * A file is read whole and strictly: an unknown member, a wrong type, a value
 * out of its bounds, a rule without its sources are faults, and a set with a
 * fault is none. What a region does not say, it inherits, member by member:
 *
 *     country "all" < country rule < region "all" < region rule
 *
 * Inheritance is done while reading, so that a look-up is one index and, for a
 * region, one hash: every jurisdiction holds its ten complete rules.
 *
 * Nothing is guessed: a member that nobody gives, or that says "unknown", is
 * unknown in the rule, and where neither the prohibition nor the age is known
 * the rule has no rule_version.
 *
 * Memory: the set lives in the pool given to idv_compliance_rules_new() and
 * copies what it keeps. Threads: immutable after the last
 * idv_compliance_rules_add(), then shared freely. Failures: what is wrong with a
 * document is a fault, and all faults are told; only a directory that cannot be
 * read is an error.
 */
#include <apr_tables.h>

#include "core/json.h"
#include "domain/compliance.h"

#define IDV_COMPLIANCE_FAULTS_MAX 100
#define IDV_COMPLIANCE_AGE_MAX 99
#define IDV_COMPLIANCE_DAYS_MAX 36500
#define IDV_COMPLIANCE_TEXT_MAX 1000 /* characters */
#define IDV_COMPLIANCE_FILE_MAX (4 * 1024 * 1024) /* bytes */

typedef struct idv_compliance_rules_t idv_compliance_rules_t;

/* Something wrong with a file. */
typedef struct {
    const char *file;
    const char *pointer; /* RFC 6901, "" for the document */
    const char *message; /* for the operator */
} idv_compliance_fault_t;

/* How much a set holds; a region counts with its country's rules. */
typedef struct {
    int countries;
    int regions;
    int rules;
    int unknown; /* rules of which nothing is known */
} idv_compliance_extent_t;

/* An empty set. */
idv_compliance_rules_t *idv_compliance_rules_new(apr_pool_t *pool);

/* Reads DOCUMENT, the content of the file named NAME ("US.json", without a
 * directory), into RULES and adds what is wrong with it to FAULTS, an array of
 * idv_compliance_fault_t, up to IDV_COMPLIANCE_FAULTS_MAX in all. A document
 * with faults leaves the set in a state that must not be used. */
void idv_compliance_rules_add(idv_compliance_rules_t *rules, const char *name,
                              const json_t *document,
                              apr_array_header_t *faults);

/* The rule for USE_CASE in JURISDICTION (normal form): the region's, else its
 * country's, else the one of which nothing is known; never NULL. RULES may be
 * NULL, for a server without any. */
const idv_compliance_rule_t *
idv_compliance_rules_find(const idv_compliance_rules_t *rules,
                          const char *jurisdiction, idv_use_case_t use_case);

/* An idv_compliance_lookup_t (domain/session_create.h) whose baton is a set,
 * or NULL. */
void idv_compliance_rules_look_up(void *rules, const char *jurisdiction,
                                  idv_use_case_t use_case,
                                  idv_compliance_t *out, apr_pool_t *pool);

/* Reads every country of DIRECTORY. *RULES is NULL when *FAULTS, an array of
 * idv_compliance_fault_t, is not empty; a directory without a country is a
 * fault. The error is for a directory that cannot be read at all. */
idv_error_t *idv_compliance_directory_read(const char *directory,
                                           idv_compliance_rules_t **rules,
                                           apr_array_header_t **faults,
                                           apr_pool_t *pool) IDV_CHECKED;

/* Counts, with memory of the set's pool: before the set is shared. */
void idv_compliance_rules_extent(const idv_compliance_rules_t *rules,
                                 idv_compliance_extent_t *extent);

#endif
