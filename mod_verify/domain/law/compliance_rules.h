/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_LAW_COMPLIANCE_RULES_H
#define IDV_DOMAIN_LAW_COMPLIANCE_RULES_H

/*
 * The rule set: the law of each jurisdiction for each product type, read at
 * start-up from the operator's JSON files (conf/compliance, one per country,
 * named after it: "US.json"). The README there explains them. Its schema.json
 * is for editors: it is not read here, but checked against this reader.
 *
 * A file is read whole and strictly. An unknown member, a wrong type, a value
 * out of bounds, a rule without sources or without a day, and two rules for the
 * same scope at the same time are faults. A set with a fault is unusable. A
 * region inherits every member that it does not set:
 *
 *     country "all" < country rule < region "all" < region rule
 *
 * A rule applies for a time and to the articles that it names
 * (domain/law/compliance_calendar.h). All of this is laid out while reading, so
 * that a lookup scans only a few spans.
 *
 * Nothing is guessed: a member that is missing or says "unknown" is unknown in
 * the rule. If neither the prohibition nor the age is known, the rule has no
 * rule_version. Nothing is omitted either: a query without an article gets the
 * strictest rule of all articles, and a query without a region gets the highest
 * age of the country's regions. (A prohibition in one region says nothing about
 * the others, so for prohibitions the country's own rule applies.)
 *
 * Memory: the set lives in the pool given to idv_compliance_rules_new() and
 * copies what it keeps. Threads: immutable after the last
 * idv_compliance_rules_add(), then freely shared. Failures: problems in a
 * document are faults, and all of them are reported; only an unreadable
 * directory is an error.
 */
#include "core/json.h"
#include "domain/law/compliance.h"
#include "domain/law/compliance_fault.h"

#define IDV_COMPLIANCE_FILE_MAX (4 * 1024 * 1024) /* bytes */

typedef struct idv_compliance_rules_t idv_compliance_rules_t;

/* An empty set with the default actions for unknown law. */
idv_compliance_rules_t *idv_compliance_rules_new(apr_pool_t *pool);

/* Sets ACTION for unknown law, for every product. Call it before the set is
 * shared. */
void idv_compliance_rules_set_unknown(idv_compliance_rules_t *rules,
                                      idv_unknown_action_t action);

/* Reads DOCUMENT, the content of the file NAME ("US.json", without a
 * directory), into RULES. Appends problems to FAULTS, an array of
 * idv_compliance_fault_t with at most IDV_COMPLIANCE_FAULTS_MAX in all. After a
 * fault the set must not be used. */
void idv_compliance_rules_add(idv_compliance_rules_t *rules, const char *name,
                              const json_t *document,
                              apr_array_header_t *faults);

/* Answers QUESTION with the region's rule, else the country's, else the unknown
 * rule, and sets `as_of`. RULES is NULL on a server without rules. */
void idv_compliance_rules_find(const idv_compliance_rules_t *rules,
                               const idv_compliance_question_t *question,
                               idv_compliance_rule_t *rule, apr_pool_t *pool);

/* An idv_compliance_lookup_t (domain/law/compliance.h); its baton is a set or
 * NULL. */
void idv_compliance_rules_look_up(const void *rules,
                                  const idv_compliance_question_t *question,
                                  idv_compliance_t *out, apr_pool_t *pool);

#endif
