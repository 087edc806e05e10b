/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_LAW_COMPLIANCE_CHECK_H
#define IDV_DOMAIN_LAW_COMPLIANCE_CHECK_H

/*
 * The public legal query: its parameters, their validation and the answer, for
 * each product and for the strictest combination. Informational; the same rules
 * (domain/law/compliance_rules.h) decide when a session is created.
 *
 * Memory: the given pool. Threads: pure. Failures: `parameter_invalid`.
 */
#include "core/json_writer.h"
#include "domain/law/compliance_rules.h"
#include "domain/request/parameters.h"

#define IDV_COMPLIANCE_CHECK_MAX 10 /* products per query */

typedef struct {
    const char *use_cases_text;
    const char *jurisdiction;
    const char *article_text;
    const char *channel_text; /* NULL: not given; means in person */
    const char *as_of;        /* NULL means today, filled in later */
    idv_article_t article;
    idv_channel_t channel;
    idv_date_t day;
    int count;
    idv_use_case_t use_cases[IDV_COMPLIANCE_CHECK_MAX];
    const char *source; /* of the jurisdiction */
} idv_compliance_check_t;

/* The parameters of a check, and the validation that the table cannot express
 * (idv_parameter_check_t). */
extern const idv_parameter_t idv_compliance_check_parameters[];
idv_error_t *idv_compliance_check_value(void *input, const char *name,
                                        apr_pool_t *pool) IDV_CHECKED;

/* An article and a channel apply to those products that have them; at least one
 * product must. */
idv_error_t *idv_compliance_check_article(const idv_compliance_check_t *check,
                                          apr_pool_t *pool) IDV_CHECKED;

/* Writes the members of an answer that describe the law, into an existing
 * object or as an object of their own. */
void idv_compliance_rule_write(idv_json_writer_t *object,
                               const idv_compliance_rule_t *rule);
const char *idv_compliance_rule_text(const idv_compliance_rule_t *rule,
                                     apr_pool_t *pool);

/* The sources of the answer to CHECK: a JSON object with the parts of each
 * product's rule, most specific first, as written in their files. */
const char *idv_compliance_sources_text(const idv_compliance_rules_t *rules,
                                        const idv_compliance_check_t *check,
                                        apr_pool_t *pool);

/* The answer to CHECK, with jurisdiction and day filled in: a JSON object. */
const char *idv_compliance_check_text(const idv_compliance_rules_t *rules,
                                      const idv_compliance_check_t *check,
                                      apr_pool_t *pool);

#endif
