/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_LAW_COMPLIANCE_CHANGES_H
#define IDV_DOMAIN_LAW_COMPLIANCE_CHANGES_H

/*
 * What a set of compliance rules holds, and what changes next in it.
 *
 * Memory, threads and failures: as in compliance_rules.h.
 */
#include "domain/law/compliance_rules.h"

/* How much a set holds; a region counts with its country's rules. */
typedef struct {
    int countries;
    int regions;
    int rules;
    int unknown; /* rules of which nothing is known */
} idv_compliance_extent_t;

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

/* Counts, with memory of the set's pool: before the set is shared. */
void idv_compliance_rules_extent(const idv_compliance_rules_t *rules,
                                 idv_compliance_extent_t *extent);

#endif
