/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_LAW_LAW_NOTICE_H
#define IDV_DOMAIN_LAW_LAW_NOTICE_H

/*
 * What the operator of a workflow should know about its law in advance: rules
 * that change within 90 days, and rules that nobody has reviewed in time.
 *
 * A rule is due for review on the day that its review record names
 * (`next_due`), or without one a year after it was looked up. A rule without
 * either day is not due: its confidence already says that it is weak.
 *
 * Memory: the given pool; the rule set outlives it. Threads: one at a time for each
 * set of notices. Failures: none.
 */
#include "core/clock.h"
#include "domain/law/compliance_rules.h"

#define IDV_LAW_NOTICE_DAYS 90
#define IDV_LAW_REVIEW_DAYS 365

typedef struct idv_law_notices_t idv_law_notices_t;

/* The first of COUNT notices. */
typedef struct {
    int count; /* 0: none, and nothing else is filled in */
    const char *jurisdiction;
    idv_date_t day; /* of the change, or on which the review was due */
} idv_law_notice_t;

/* The notices of RULES as of NOW. */
idv_law_notices_t *idv_law_notices(const idv_compliance_rules_t *rules,
                                   idv_time_t now, apr_pool_t *pool);

/* The changes that concern USE_CASE in JURISDICTIONS, an array of codes; empty
 * or NULL: anywhere. A country stands for its regions, and a region is
 * concerned by a change of its country. */
void idv_law_notices_changes(const idv_law_notices_t *notices,
                             idv_use_case_t use_case,
                             const json_t *jurisdictions,
                             idv_law_notice_t *notice);

/* Likewise the rules of today whose review is overdue. */
void idv_law_notices_reviews(idv_law_notices_t *notices,
                             idv_use_case_t use_case,
                             const json_t *jurisdictions,
                             idv_law_notice_t *notice);

#endif
