/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_LAW_COMPLIANCE_RULES_H
#define IDV_DOMAIN_LAW_COMPLIANCE_RULES_H

/*
 * The rule set: what the law of each jurisdiction says about each product
 * type, read at start-up from the operator's JSON files (conf/compliance, one a
 * country and named after it, "US.json"; its README explains them, its
 * schema.json is for editors, not read here, and checked against this reader).
 *
 * A file is read whole and strictly: an unknown member, a wrong type, a value
 * out of its bounds, a rule without its sources or its day, two rules for the
 * same at the same time are faults, and a set with a fault is none. What a
 * region does not say, it inherits, member by member:
 *
 *     country "all" < country rule < region "all" < region rule
 *
 * A rule holds for a time and for the articles of a product that it names
 * (domain/law/compliance_calendar.h); all of that is laid out while reading, so
 * that a look-up goes through a few spans.
 *
 * Nothing is guessed: a member that nobody gives, or that says "unknown", is
 * unknown in the rule, and where neither the prohibition nor the age is known
 * the rule has no rule_version. Nothing is left out either: who names no
 * article gets the strictest rule of all, and who names no region the highest
 * age of the country's regions. (Whether a product is prohibited in a region
 * says nothing of the others: there the country's own rule stands.)
 *
 * Memory: the set lives in the pool given to idv_compliance_rules_new() and
 * copies what it keeps. Threads: immutable after the last
 * idv_compliance_rules_add(), then shared freely. Failures: what is wrong with
 * a document is a fault, and all faults are told; only a directory that cannot
 * be read is an error.
 */
#include <apr_tables.h>

#include "core/json.h"
#include "domain/law/compliance.h"

#define IDV_COMPLIANCE_FAULTS_MAX 100
#define IDV_COMPLIANCE_AGE_MAX 99
#define IDV_COMPLIANCE_DAYS_MAX 36500
#define IDV_COMPLIANCE_TEXT_MAX 1000              /* characters */
#define IDV_COMPLIANCE_FILE_MAX (4 * 1024 * 1024) /* bytes */

typedef struct idv_compliance_rules_t idv_compliance_rules_t;

/* Something wrong with a file. */
typedef struct {
    const char *file;
    const char *pointer; /* RFC 6901, "" for the document */
    const char *message; /* for the operator */
} idv_compliance_fault_t;

/* An empty set, with the default of what is done where it is not known what the
 * law says. */
idv_compliance_rules_t *idv_compliance_rules_new(apr_pool_t *pool);

/* Makes ACTION, for every product, what is done where it is not known what the
 * law says. Before the set is shared. */
void idv_compliance_rules_set_unknown(idv_compliance_rules_t *rules,
                                      idv_unknown_action_t action);

/* Reads DOCUMENT, the content of the file named NAME ("US.json", without a
 * directory), into RULES and adds what is wrong with it to FAULTS, an array of
 * idv_compliance_fault_t, up to IDV_COMPLIANCE_FAULTS_MAX in all. A document
 * with faults leaves the set in a state that must not be used. */
void idv_compliance_rules_add(idv_compliance_rules_t *rules, const char *name,
                              const json_t *document,
                              apr_array_header_t *faults);

/* Answers QUESTION with the region's rule, else its country's, else the one of
 * which nothing is known, and its `as_of`. RULES may be NULL, for a server
 * without any. */
void idv_compliance_rules_find(const idv_compliance_rules_t *rules,
                               const idv_compliance_question_t *question,
                               idv_compliance_rule_t *rule, apr_pool_t *pool);

/* An idv_compliance_lookup_t (domain/law/compliance.h) whose baton is a set,
 * or NULL. */
void idv_compliance_rules_look_up(const void *rules,
                                  const idv_compliance_question_t *question,
                                  idv_compliance_t *out, apr_pool_t *pool);

#endif
