/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_PASSPORT_DEVIATIONS_H
#define IDV_METHODS_PASSPORT_DEVIATIONS_H

/*
 * The deviations from the standard that signed data of chips may have: one list
 * of codes, by which they are counted. They are the reasons of form of
 * document_decision.h, and those of the checks of form in passport_checks.h.
 *
 * Memory: constant data. Threads: pure, but for the counters, which are atomic.
 * Nothing fails.
 */
#include <stdatomic.h>

#include "domain/method/method_outcome.h"
#include "methods/document/document.h"
#include "methods/passport/passport_checks.h"

/* Places in the list; not every one is taken. */
#define IDV_DEVIATIONS                                                         \
    ((int)IDV_DOCUMENT_REASON_COUNT + (int)IDV_PASSPORT_REASON_COUNT)

/* The code at INDEX; NULL: the place is not taken. */
const char *idv_deviation_code(int index);

/* Adds one to each of COUNTERS, as many as there are places, whose deviation
 * OUTCOME of a chip found. */
void idv_deviations_count(const idv_method_outcome_t *outcome,
                          _Atomic long long *counters);

#endif
