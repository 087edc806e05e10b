/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_LAW_COMPLIANCE_SOURCES_H
#define IDV_DOMAIN_LAW_COMPLIANCE_SOURCES_H

/*
 * Where a rule of a file comes from: its sources, and what confidence they carry.
 * For compliance_rule_reader.c alone.
 *
 * Memory, threads and faults: as in compliance_rule_reader.h.
 */
#include "domain/law/compliance_rule_reader.h"

/* Checks the sources of RULE, which is at PLACE, and whether its confidence is
 * what they carry. */
void idv_compliance_sources_check(const idv_compliance_place_t *place,
                                  const json_t *rule);

#endif
