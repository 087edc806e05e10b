/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_LAW_COMPLIANCE_CHANGES_H
#define IDV_DOMAIN_LAW_COMPLIANCE_CHANGES_H

/*
 * Size of a set of compliance rules and its upcoming changes.
 *
 * Memory, threads and failures: as in compliance_rules.h.
 */
#include "domain/law/compliance_rules.h"

/* Size of a set; a region counts with its country's rules. */
typedef struct {
    int countries;
    int regions;
    int rules;
    int unknown; /* rules without any known content */
} idv_compliance_extent_t;

/* A change of the law. */
typedef struct {
    const char *jurisdiction;
    idv_use_case_t use_case;
    idv_article_t article; /* IDV_ARTICLE_NONE: the whole product */
    idv_channel_t channel;
    const char *day; /* YYYY-MM-DD; NULL: enacted without a day */
    const idv_compliance_rule_t *before, *after;
} idv_compliance_change_t;

/* The changes after AFTER up to and including UNTIL, ordered by day, those
 * without a day last; an array of idv_compliance_change_t. Regions that only
 * inherit a change are not listed. Not thread-safe: call it from one thread. */
apr_array_header_t *
idv_compliance_rules_changes(const idv_compliance_rules_t *rules,
                             idv_date_t after, idv_date_t until,
                             apr_pool_t *pool);

/* The jurisdictions of the set, in order; an array of const char *. */
apr_array_header_t *
idv_compliance_rules_jurisdictions(const idv_compliance_rules_t *rules,
                                   apr_pool_t *pool);

/* Counts the set's content. Allocates from the set's pool, so call it before
 * the set is shared. */
void idv_compliance_rules_extent(const idv_compliance_rules_t *rules,
                                 idv_compliance_extent_t *extent);

#endif
