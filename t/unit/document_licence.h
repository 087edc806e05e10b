/* SPDX-License-Identifier: Apache-2.0 */
/* A licence whose decision is tested: its findings, a rule that it meets, and the reason of
 * a check in the outcome. */
#ifndef UNIT_DOCUMENT_LICENCE_H
#define UNIT_DOCUMENT_LICENCE_H

#include <string.h>

#include "methods/document/document_decision.h"

#define LENGTH(table) (sizeof(table) / sizeof(*(table)))
#define R(name) IDV_DOCUMENT_REASON_##name

static inline idv_time_t instant(int year, int month, int day, int hour)
{
    idv_date_t date = { year, month, day };

    return idv_date_days(date) * IDV_DAY + hour * IDV_HOUR;
}

/* A licence of Maryland, born on 2003-07-01, good until 2028-07-01. */
static inline idv_document_t *licence(apr_pool_t *pool)
{
    idv_document_t *document =
        idv_document_create(IDV_DOCUMENT_SOURCE_PDF417_AAMVA, pool);

    document->kind = IDV_DOCUMENT_DRIVER_LICENSE;
    document->issuing_country = "US";
    document->issuing_region = "MD";
    document->number = "M-236-887-236-780";
    document->surname = "MUSTERMANN";
    document->given_names = "ERIKA";
    document->date_of_birth = (idv_date_t){ 2003, 7, 1 };
    document->date_of_issue = (idv_date_t){ 2020, 7, 1 };
    document->date_of_expiry = (idv_date_t){ 2028, 7, 1 };
    for (int name = 0; name < IDV_DOCUMENT_CHECK_COUNT; name++)
        if (idv_document_check_is_due(document->source, name))
            idv_document_check(document, name, R(NONE));
    return document;
}

static inline idv_document_findings_t findings_of(const idv_document_t *document)
{
    return (idv_document_findings_t){ .readable = 1,
                                      .readers_agree = 1,
                                      .confidence = 0.9,
                                      .document = document };
}

static inline idv_document_rule_t rule_at(idv_time_t now)
{
    return (idv_document_rule_t){ .now = now,
                                  .jurisdiction = "US-MD",
                                  .required_age = 21 };
}

static inline const char *reason_in(const idv_method_outcome_t *outcome,
                                    const char *check)
{
    for (int i = 0; i < outcome->check_count; i++)
        if (strcmp(outcome->checks[i].name, check) == 0)
            return outcome->checks[i].reason;
    return NULL;
}

#endif
