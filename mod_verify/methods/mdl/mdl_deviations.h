/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_MDL_MDL_DEVIATIONS_H
#define IDV_METHODS_MDL_MDL_DEVIATIONS_H

/*
 * The deviations from the certificate profile of ISO/IEC 18013-5 that issuers
 * of wallet documents have, by which they are counted: the reasons of form of
 * mdl_findings.h.
 *
 * Memory: constant data. Threads: pure, but for the counters, which are atomic.
 * Failures: none.
 */
#include <stdatomic.h>

#include "domain/method/method_outcome.h"
#include "methods/mdl/mdl_findings.h"

/* Places in the list; some are not taken. */
#define IDV_MDL_DEVIATIONS ((int)IDV_MDL_REASON_COUNT)

/* The code at INDEX; NULL: the place is not taken. */
const char *idv_mdl_deviation_code(int index);

/* Adds one to each of COUNTERS, as many as there are places, whose deviation
 * OUTCOME of a wallet's answer found. */
void idv_mdl_deviations_count(const idv_method_outcome_t *outcome,
                              _Atomic long long *counters);

#endif
