/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_LAW_COMPLIANCE_SOURCES_H
#define IDV_DOMAIN_LAW_COMPLIANCE_SOURCES_H

/*
 * Sources of a rule in a file, and the confidence that they support. Only for
 * compliance_calendar.c.
 *
 * Memory, threads and faults: as in compliance_rule_reader.h.
 */
#include "domain/law/compliance_fault.h"

/* Checks the sources of RULE at PLACE, and that they support its confidence. */
void idv_compliance_sources_check(const idv_compliance_place_t *place,
                                  const json_t *rule);

#endif
