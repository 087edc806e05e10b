/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_COMPLIANCE_DIRECTORY_H
#define IDV_DOMAIN_COMPLIANCE_DIRECTORY_H

/*
 * The rule set as a directory holds it: one JSON file for each country, named
 * after it ("US.json"), and schema.json, which is for editors and tests and
 * not read here. Read at start-up only, all or nothing.
 */
#include "domain/compliance_rules.h"

#define IDV_COMPLIANCE_FILE_MAX (4 * 1024 * 1024) /* bytes */

/* Reads every country of DIRECTORY. *RULES is NULL when *FAULTS, an array of
 * idv_compliance_fault_t, is not empty; a directory without a country is a
 * fault. The error is for a directory that cannot be read at all. */
idv_error_t *idv_compliance_directory_read(const char *directory,
                                           idv_compliance_rules_t **rules,
                                           apr_array_header_t **faults,
                                           apr_pool_t *pool) IDV_CHECKED;

#endif
