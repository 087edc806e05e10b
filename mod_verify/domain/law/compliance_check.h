/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_LAW_COMPLIANCE_CHECK_H
#define IDV_DOMAIN_LAW_COMPLIANCE_CHECK_H

/*
 * What the law of a place says about product types, for whoever asks: the
 * question, its faults and the answer, each product's and the strictest of all.
 * Informational; the same rules (domain/law/compliance_rules.h) decide when a
 * session is created.
 *
 * Memory: the given pool. Threads: pure. Failures: `parameter_invalid`.
 */
#include "core/json_writer.h"
#include "domain/law/compliance_rules.h"
#include "domain/request/parameters.h"

#define IDV_COMPLIANCE_CHECK_MAX 10 /* products that are asked for at once */

typedef struct {
    const char *use_cases_text;
    const char *jurisdiction;
    const char *article_text;
    const char *channel_text; /* NULL: not asked; in person */
    const char *as_of;        /* NULL until it is known: today */
    idv_article_t article;
    idv_channel_t channel;
    idv_date_t day;
    int count;
    idv_use_case_t use_cases[IDV_COMPLIANCE_CHECK_MAX];
    const char *source; /* of the jurisdiction */
} idv_compliance_check_t;

/* What one is read by, and what the table cannot say (idv_parameter_check_t).
 */
extern const idv_parameter_t idv_compliance_check_parameters[];
idv_error_t *idv_compliance_check_value(void *input, const char *name,
                                        apr_pool_t *pool) IDV_CHECKED;

/* An article and a channel narrow those products that have them, and one at
 * least. */
idv_error_t *idv_compliance_check_article(const idv_compliance_check_t *check,
                                          apr_pool_t *pool) IDV_CHECKED;

/* The members of an answer that say what the law is, into an object; and as an
 * object of their own. */
void idv_compliance_rule_write(idv_json_writer_t *object,
                               const idv_compliance_rule_t *rule);
const char *idv_compliance_rule_text(const idv_compliance_rule_t *rule,
                                     apr_pool_t *pool);

/* What the answer to CHECK rests on: a JSON object with the parts of each
 * product's rule, the most specific first, as their files tell it. */
const char *idv_compliance_sources_text(const idv_compliance_rules_t *rules,
                                        const idv_compliance_check_t *check,
                                        apr_pool_t *pool);

/* The answer to CHECK, whose place and day are known: a JSON object. */
const char *idv_compliance_check_text(const idv_compliance_rules_t *rules,
                                      const idv_compliance_check_t *check,
                                      apr_pool_t *pool);

#endif
