/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_LAW_LAW_NOTICE_H
#define IDV_DOMAIN_LAW_LAW_NOTICE_H

/*
 * Advance notices about the law of a workflow: rules that change within 90
 * days, and rules with an overdue review.
 *
 * A rule is due for review on the day in its review record (`next_due`), or,
 * without one, a year after it was looked up. A rule with neither day is never
 * due: its confidence already marks it as weak.
 *
 * Memory: the given pool; the rule set outlives it. Threads: one at a time for
 * each set of notices. Failures: none.
 */
#include "core/clock.h"
#include "domain/law/compliance_rules.h"

#define IDV_LAW_NOTICE_DAYS 90
#define IDV_LAW_REVIEW_DAYS 365

typedef struct idv_law_notices_t idv_law_notices_t;

/* The first of COUNT notices. */
typedef struct {
    int count; /* 0: none, and the other members are not set */
    const char *jurisdiction;
    idv_date_t day; /* of the change, or the due day of the review */
} idv_law_notice_t;

/* The kinds of notices. */
#define IDV_LAW_NOTICE_KINDS(X)                                                \
    X(CHANGE, "change") /* the law changes on the day */                       \
    X(REVIEW, "review") /* the review was due on the day */

typedef enum {
#define X(name, value) IDV_LAW_NOTICE_##name,
    IDV_LAW_NOTICE_KINDS(X)
#undef X
    IDV_LAW_NOTICE_KIND_COUNT
} idv_law_notice_kind_t;

/* The value in events and in the database. */
const char *idv_law_notice_kind_value(idv_law_notice_kind_t kind);

/* The notices of RULES as of NOW. */
idv_law_notices_t *idv_law_notices(const idv_compliance_rules_t *rules,
                                   idv_time_t now, apr_pool_t *pool);

/* The changes that affect USE_CASE in JURISDICTIONS, an array of codes; empty
 * or NULL: anywhere. A country includes its regions, and a change of a country
 * affects its regions. */
void idv_law_notices_changes(const idv_law_notices_t *notices,
                             idv_use_case_t use_case,
                             const json_t *jurisdictions,
                             idv_law_notice_t *notice);

/* Likewise, current rules whose review is overdue. */
void idv_law_notices_reviews(idv_law_notices_t *notices,
                             idv_use_case_t use_case,
                             const json_t *jurisdictions,
                             idv_law_notice_t *notice);

/* The notices of KIND that affect USE_CASE in JURISDICTIONS, an array of
 * idv_law_notice_t: one per jurisdiction and day. */
apr_array_header_t *idv_law_notices_list(idv_law_notices_t *notices,
                                         idv_law_notice_kind_t kind,
                                         idv_use_case_t use_case,
                                         const json_t *jurisdictions);

/* The workflow that a notice is for. */
typedef struct {
    const char *workflow_id;
    const char *workflow_version_id;
    idv_use_case_t use_case;
} idv_law_notice_subject_t;

/* `data.object` of the event that tells NOTICE of KIND, as text. */
const char *idv_law_notice_text(const idv_law_notice_subject_t *subject,
                                idv_law_notice_kind_t kind,
                                const idv_law_notice_t *notice,
                                apr_pool_t *pool);

#endif
