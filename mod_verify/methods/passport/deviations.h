/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_PASSPORT_DEVIATIONS_H
#define IDV_METHODS_PASSPORT_DEVIATIONS_H

/*
 * The deviations from the standard in signed data of chips: one list of codes,
 * to count them. They are the reasons of form of document_decision.h, and those
 * of the checks of form in passport_checks.h.
 *
 * Memory: constant data. Threads: pure, except for the counters, which are
 * atomic. Nothing fails.
 */
#include <stdatomic.h>

#include "domain/method/method_outcome.h"
#include "methods/document/document.h"
#include "methods/passport/passport_checks.h"

/* Size of the list; some entries are unused. */
#define IDV_DEVIATIONS                                                         \
    ((int)IDV_DOCUMENT_REASON_COUNT + (int)IDV_PASSPORT_REASON_COUNT)

/* The code at INDEX; NULL: unused entry. */
const char *idv_deviation_code(int index);

/* Adds one to each of the IDV_DEVIATIONS COUNTERS whose deviation is in
 * OUTCOME, that of a chip. */
void idv_deviations_count(const idv_method_outcome_t *outcome,
                          _Atomic long long *counters);

#endif
