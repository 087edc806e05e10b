/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_LAW_COMPLIANCE_SET_H
#define IDV_DOMAIN_LAW_COMPLIANCE_SET_H

/*
 * Internals of a rule set: one calendar per jurisdiction and product. Only for
 * compliance_rules.c, which reads and answers, and compliance_changes.c, which
 * compares.
 *
 * Memory and threads: as in compliance_rules.h.
 */
#include "domain/law/compliance_calendar.h"

#define IDV_COMPLIANCE_LETTERS 26
#define IDV_COMPLIANCE_COUNTRIES                                               \
    (IDV_COMPLIANCE_LETTERS * IDV_COMPLIANCE_LETTERS)

/* The law of one jurisdiction. */
typedef struct {
    const char *code; /* of the region; NULL for a country */
    const idv_compliance_calendar_t *calendars[IDV_USE_CASE_COUNT];
} idv_compliance_jurisdiction_t;

typedef struct {
    idv_compliance_jurisdiction_t jurisdiction;
    apr_array_header_t *regions; /* idv_compliance_jurisdiction_t, by code */
} idv_compliance_country_t;

struct idv_compliance_rules_t {
    apr_pool_t *pool;
    /* The action if the law is unknown. */
    idv_unknown_action_t unknown[IDV_USE_CASE_COUNT];
    /* By alpha-2 code: AA is 0, AB is 1; NULL: no rules. */
    idv_compliance_country_t *countries[IDV_COMPLIANCE_COUNTRIES];
};

#endif
