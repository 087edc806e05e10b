/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_RISK_RISK_DATA_H
#define IDV_DOMAIN_RISK_RISK_DATA_H

/*
 * The files that operators give to the risk engine: the policy, and lists of
 * e-mail domains (JSON arrays of strings, as their public lists come). Read at
 * start-up only.
 *
 * Memory: in the pool given. Threads: immutable after reading.
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

/* The policy when no file is configured. */
const idv_risk_policy_t *idv_risk_policy_default(void);

/* Reads a policy strictly: every member has to be there, nothing else may be,
 * and a signal has one cause at most.
 * The error's detail names the JSON pointer of the fault. */
idv_error_t *idv_risk_policy_load(const json_t *json, idv_risk_policy_t *policy,
                                  apr_pool_t *pool) IDV_CHECKED;

/* Reads the policy in the file at PATH. The error's detail says what is wrong
 * with it. */
idv_error_t *idv_risk_policy_read(const char *path, idv_risk_policy_t *policy,
                                  apr_pool_t *pool) IDV_CHECKED;

/* Reads the list in the file at PATH. SCRATCH needs several times the size of
 * the file, and errors, whose detail says what is wrong with it, live there. */
idv_error_t *idv_email_domains_read(const char *path,
                                    const idv_email_domains_t **domains,
                                    apr_pool_t *pool,
                                    apr_pool_t *scratch) IDV_CHECKED;

/* Non-zero when the list has DOMAIN (lower case, IDNA form) or one above it. */
int idv_email_domain_is_listed(const idv_email_domains_t *domains,
                               const char *domain);

/* What the lists of DATA and its own pattern (domain/value/email_pattern.h) say of
 * the e-mail address EMAIL, in its normal form, into FACTS; NULL: nothing, and
 * a list that is not there says nothing. A disposable address is not told to be
 * a free one besides, as lists of free services hold disposable ones, too. */
void idv_risk_judge_email(const idv_risk_data_t *data, const char *email,
                          idv_risk_facts_t *facts);

#endif
