/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_LAW_COMPLIANCE_DIRECTORY_H
#define IDV_DOMAIN_LAW_COMPLIANCE_DIRECTORY_H

/*
 * Directories of compliance rules.
 *
 * An overlay holds the operator's own rules on top of the supplied ones: a
 * second directory whose files contain only the differences, so that single
 * rules change without a copy of the set.
 *
 * An overlay file has the name and the form of the file that it changes.
 * Objects are merged member by member; any other value, including lists and
 * null, replaces the existing one. The file needs a `rule_version`, and answers
 * show both: "2026-11-27+shop-3". An overlay can add countries that are not
 * supplied. The result is read as strictly as a supplied file.
 *
 * Memory, threads and failures: as in compliance_rules.h.
 */
#include "domain/law/compliance_rules.h"

/* Reads every country of DIRECTORY. *RULES is NULL if *FAULTS, an array of
 * idv_compliance_fault_t, is not empty; a directory without a country is a
 * fault. The error is only for a directory that cannot be read. */
idv_error_t *idv_compliance_directory_read(const char *directory,
                                           idv_compliance_rules_t **rules,
                                           apr_array_header_t **faults,
                                           apr_pool_t *pool) IDV_CHECKED;

/* Like idv_compliance_directory_read(), with OVERLAY (NULL: none) merged over
 * DIRECTORY. */
idv_error_t *idv_compliance_overlaid_read(const char *directory,
                                          const char *overlay,
                                          idv_compliance_rules_t **rules,
                                          apr_array_header_t **faults,
                                          apr_pool_t *pool) IDV_CHECKED;

#endif
