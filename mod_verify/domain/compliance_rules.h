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
 * out of its bounds, a rule without its sources or its day, two rules for the
 * same at the same time are faults, and a set with a fault is none. What a
 * region does not say, it inherits, member by member:
 *
 *     country "all" < country rule < region "all" < region rule
 *
 * A rule holds for a time and for the articles of a product that it names
 * (domain/compliance_calendar.h); all of that is laid out while reading, so
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
#include "domain/compliance.h"

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

/* Answers QUESTION with the region's rule, else its country's, else the one of
 * which nothing is known, and its `as_of`. RULES may be NULL, for a server
 * without any. */
void idv_compliance_rules_find(const idv_compliance_rules_t *rules,
                               const idv_compliance_question_t *question,
                               idv_compliance_rule_t *rule, apr_pool_t *pool);

/* An idv_compliance_lookup_t (domain/compliance.h) whose baton is a set,
 * or NULL. */
void idv_compliance_rules_look_up(const void *rules,
                                  const idv_compliance_question_t *question,
                                  idv_compliance_t *out, apr_pool_t *pool);

/* A change of the law. */
typedef struct {
    const char *jurisdiction;
    idv_use_case_t use_case;
    idv_article_t article; /* IDV_ARTICLE_NONE: of the product as a whole */
    idv_channel_t channel;
    const char *day; /* YYYY-MM-DD; NULL: enacted without a day */
    const idv_compliance_rule_t *before, *after;
} idv_compliance_change_t;

/* The changes after the day AFTER and until the day UNTIL, in the order of
 * days, those without a day last; an array of idv_compliance_change_t. Regions
 * that only inherit a change are not listed. Call it from one thread. */
apr_array_header_t *
idv_compliance_rules_changes(const idv_compliance_rules_t *rules,
                             idv_date_t after, idv_date_t until,
                             apr_pool_t *pool);

/* The jurisdictions of the set, in order; an array of const char *. */
apr_array_header_t *
idv_compliance_rules_jurisdictions(const idv_compliance_rules_t *rules,
                                   apr_pool_t *pool);

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
