/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_COMPLIANCE_RULES_H
#define IDV_DOMAIN_COMPLIANCE_RULES_H

/*
 * The rule set: what the law of each jurisdiction says about each product
 * type, read from the operator's JSON files (conf/compliance, one a country;
 * its README explains them, its schema.json is checked against this reader).
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
 * idv_compliance_rules_add(), then shared freely. Pure: no files, no clock.
 */
#include <apr_tables.h>

#include "core/json.h"
#include "domain/compliance.h"
#include "domain/use_case.h"

#define IDV_COMPLIANCE_FAULTS_MAX 100
#define IDV_COMPLIANCE_AGE_MAX 99
#define IDV_COMPLIANCE_DAYS_MAX 36500
#define IDV_COMPLIANCE_TEXT_MAX 1000 /* characters */

#define IDV_PENALTY_TYPES(X)                                                   \
    X(CIVIL, "CIVIL")                                                          \
    X(CRIMINAL, "CRIMINAL")                                                    \
    X(BOTH, "BOTH")

typedef enum {
    IDV_PENALTY_NONE, /* not known */
#define X(name, value) IDV_PENALTY_##name,
    IDV_PENALTY_TYPES(X)
#undef X
        IDV_PENALTY_COUNT
} idv_penalty_t;

/* The value in the interface; NULL for none. */
const char *idv_penalty_value(idv_penalty_t penalty);

/* One product type in one jurisdiction. All zero is "nothing is known", but
 * for data_retention_days. */
typedef struct {
    idv_compliance_t compliance;   /* what a session needs of it */
    const char *prohibited_reason; /* NULL unless prohibited */
    int consent_required;          /* explicit consent before processing */
    const char *penalty_description;
    idv_penalty_t penalty_type;
    int data_retention_days; /* longest; 0: not at all; -1: not known */
} idv_compliance_rule_t;

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

/* Adds one fault, unless there are enough. */
void idv_compliance_fault_add(apr_array_header_t *faults, const char *file,
                              const char *pointer, const char *message);

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

/* Counts, with memory of the set's pool: before the set is shared. */
void idv_compliance_rules_extent(const idv_compliance_rules_t *rules,
                                 idv_compliance_extent_t *extent);

#endif
