/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_MDL_MDL_DEVIATIONS_H
#define IDV_METHODS_MDL_MDL_DEVIATIONS_H

/*
 * Counts the deviations from the certificate profile of ISO/IEC 18013-5 in
 * wallet documents: the reasons of form of mdl_findings.h.
 *
 * Memory: constant data. Threads: pure, except for the counters, which are
 * atomic. Failures: none.
 */
#include <stdatomic.h>

#include "domain/method/method_outcome.h"
#include "methods/mdl/mdl_findings.h"

/* Size of the list; some entries are unused. */
#define IDV_MDL_DEVIATIONS ((int)IDV_MDL_REASON_COUNT)

/* The code at INDEX; NULL: unused entry. */
const char *idv_mdl_deviation_code(int index);

/* Adds one to each of the IDV_MDL_DEVIATIONS COUNTERS whose deviation is in
 * OUTCOME, that of a wallet's answer. */
void idv_mdl_deviations_count(const idv_method_outcome_t *outcome,
                              _Atomic long long *counters);

#endif
