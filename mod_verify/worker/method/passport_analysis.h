/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_METHOD_PASSPORT_ANALYSIS_H
#define IDV_WORKER_METHOD_PASSPORT_ANALYSIS_H

/*
 * The watchdog's functions for passport chips, as listed and described in the
 * table in analysis_method.c. They add to a submission what the reader needs
 * (the certificates trusted by the organization, the challenge, the relay),
 * decide on the findings, and store the requested steps of the relay.
 *
 * If the reader names a CSCA that it was not given, its input compromised it:
 * all of its findings are discarded.
 */
#include "domain/method/method_outcome.h"
#include "store/transaction/session_transition.h"
#include "worker/method/analysis_case.h"
#include "worker/method/revocation_fetcher.h"

const char *idv_passport_takes_too_long(void);

idv_error_t *idv_passport_complete(idv_db_t *db, const idv_analysis_case_t *read,
                                   idv_analysis_request_t *request,
                                   apr_pool_t *pool) IDV_CHECKED;

idv_error_t *idv_passport_validate(idv_bytes_t findings, void **validated,
                                   apr_pool_t *pool) IDV_CHECKED;

idv_error_t *idv_passport_conclude(idv_db_t *db, const idv_analysis_case_t *read,
                                   const void *validated,
                                   idv_method_outcome_t **outcome,
                                   apr_pool_t *pool) IDV_CHECKED;

int idv_passport_lists(const void *validated,
                       const char *addresses[IDV_REVOCATION_ADDRESSES_MAX]);

idv_error_t *idv_passport_answer(idv_db_t *db, const idv_analysis_case_t *read,
                                 idv_bytes_t findings,
                                 idv_session_queued_t *queued,
                                 apr_pool_t *pool) IDV_CHECKED;

#endif
