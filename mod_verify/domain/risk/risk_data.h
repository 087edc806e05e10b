/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_RISK_RISK_DATA_H
#define IDV_DOMAIN_RISK_RISK_DATA_H

/*
 * Files that operators supply to the risk engine: the policy, and lists of
 * e-mail domains (JSON arrays of strings, the format of the public lists). Read
 * only at start-up.
 *
 * Memory: the given pool. Threads: immutable after reading.
 */
#include "domain/risk/risk.h"

#define IDV_RISK_FILE_MAX (16 * 1024 * 1024) /* bytes */
#define IDV_EMAIL_DOMAINS_MAX 1000000

typedef struct idv_email_domains_t idv_email_domains_t;

typedef struct {
    idv_risk_policy_t policy;
    const idv_email_domains_t *disposable_domains; /* NULL: no list */
    const idv_email_domains_t *free_domains;       /* NULL: no list */
} idv_risk_data_t;

/* The policy used if no file is configured. */
const idv_risk_policy_t *idv_risk_policy_default(void);

/* Reads a policy strictly: every member is required, unknown members are
 * refused, and a signal has at most one cause. The error's detail contains the
 * JSON pointer of the fault. */
idv_error_t *idv_risk_policy_load(const json_t *json, idv_risk_policy_t *policy,
                                  apr_pool_t *pool) IDV_CHECKED;

/* Reads the policy file at PATH. The error's detail says what is wrong. */
idv_error_t *idv_risk_policy_read(const char *path, idv_risk_policy_t *policy,
                                  apr_pool_t *pool) IDV_CHECKED;

/* Reads the list at PATH. SCRATCH needs several times the file's size; errors
 * live there, and their detail says what is wrong. */
idv_error_t *idv_email_domains_read(const char *path,
                                    const idv_email_domains_t **domains,
                                    apr_pool_t *pool,
                                    apr_pool_t *scratch) IDV_CHECKED;

/* Non-zero if the list contains DOMAIN (lower case, IDNA form) or a parent
 * domain. */
int idv_email_domain_is_listed(const idv_email_domains_t *domains,
                               const char *domain);

/* Fills FACTS with what DATA's lists and its pattern
 * (domain/value/email_pattern.h) say about EMAIL (normal form). NULL fills
 * nothing, and neither does a missing list. A disposable address is not also
 * reported as free, because lists of free services contain disposable ones. */
void idv_risk_judge_email(const idv_risk_data_t *data, const char *email,
                          idv_risk_facts_t *facts);

#endif
