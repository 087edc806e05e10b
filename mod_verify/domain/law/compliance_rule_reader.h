/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_LAW_COMPLIANCE_RULE_READER_H
#define IDV_DOMAIN_LAW_COMPLIANCE_RULE_READER_H

/*
 * Reads one rule of a compliance file, member by member on top of the inherited
 * values, and collects its faults. Only for compliance_calendar.c, which reads
 * all rules of a product, and compliance_sources.c.
 *
 * Memory: values that a rule keeps are copied to the pool of the set. Threads:
 * as in compliance_rules.h. Failures: none; a fault is added and reading
 * continues (compliance_fault.h).
 */
#include "domain/law/compliance.h"
#include "domain/law/compliance_fault.h"

#define IDV_COMPLIANCE_AGE_MAX 99
#define IDV_COMPLIANCE_DAYS_MAX 36500

#define IDV_COMPLIANCE_STATUSES(X)                                             \
    X(IN_FORCE, "in_force")                                                    \
    X(ENACTED, "enacted")                                                      \
    X(ENJOINED, "enjoined")

typedef enum {
#define X(name, value) IDV_COMPLIANCE_##name,
    IDV_COMPLIANCE_STATUSES(X)
#undef X
        IDV_COMPLIANCE_STATUS_COUNT
} idv_compliance_status_t;

/* Days since 1970-01-01, and the values for no bound. */
typedef apr_int64_t idv_compliance_day_t;
#define IDV_COMPLIANCE_ALWAYS APR_INT64_MIN
#define IDV_COMPLIANCE_FOREVER APR_INT64_MAX

/* The scope of a rule: articles, channel and time. */
typedef struct {
    unsigned articles;     /* bits 1 << idv_article_t; 0: the whole product */
    idv_channel_t channel; /* IN_PERSON: every channel */
    idv_compliance_day_t from;  /* ALWAYS: start not established */
    idv_compliance_day_t until; /* the first day on which it no longer
                                 * applies */
    idv_compliance_status_t status;
} idv_compliance_term_t;

/* The certainty of a part of a rule, and its note. */
typedef struct {
    idv_confidence_t confidence;
    const char *note; /* NULL: none; lives as long as the rule set */
} idv_compliance_remark_t;

/* A rule under construction. idv_compliance_t does not distinguish unknown from
 * false; these flags do. */
typedef struct {
    idv_compliance_rule_t rule;
    idv_compliance_term_t term; /* of the last rule read */
    int prohibition_known;
    int age_known;
    /* Remarks of the parts that set the prohibition and the age, and of the
     * most specific part. */
    idv_compliance_remark_t prohibition, age, newest;
} idv_compliance_draft_t;

/* The rule without any known content. */
extern const idv_compliance_rule_t idv_compliance_nothing_known;

/* Non-zero if a rule can have a member NAME. */
int idv_compliance_rule_has_member(const char *name);

/* Adds a fault for each member of RULE that a rule cannot have. */
void idv_compliance_names_check(const idv_compliance_place_t *place,
                                const json_t *rule);

/* Applies RULE, as written in the document, to DRAFT. A RULE that was read
 * before needs no other checks. */
void idv_compliance_rule_lay(const idv_compliance_place_t *place,
                             const json_t *rule, idv_compliance_draft_t *draft);

/* Checks members of the complete rule that depend on each other, and derives
 * the values that follow from them. */
void idv_compliance_rule_finish(const idv_compliance_place_t *place,
                                idv_compliance_draft_t *draft);

#endif
