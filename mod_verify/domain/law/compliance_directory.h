/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_LAW_COMPLIANCE_DIRECTORY_H
#define IDV_DOMAIN_LAW_COMPLIANCE_DIRECTORY_H

/*
 * Directories of compliance rules.
 *
 * An overlay is the operator's own rules over those that ship: a second directory, whose files
 * say only what differs, so that single rules change without a copy of the set.
 *
 * A file of the overlay has the name and the form of the one that it lies over.
 * Objects are laid over each other member by member; everything else, lists and
 * null included, replaces what is there. It needs a `rule_version`, and answers
 * show both: "2026-11-27+shop-3". A country that does not ship may be added. The
 * result is read as strictly as a file that ships.
 *
 * Memory, threads and failures: as in compliance_rules.h.
 */
#include "domain/law/compliance_rules.h"

/* Reads every country of DIRECTORY. *RULES is NULL when *FAULTS, an array of
 * idv_compliance_fault_t, is not empty; a directory without a country is a
 * fault. The error is for a directory that cannot be read at all. */
idv_error_t *idv_compliance_directory_read(const char *directory,
                                           idv_compliance_rules_t **rules,
                                           apr_array_header_t **faults,
                                           apr_pool_t *pool) IDV_CHECKED;

/* Like idv_compliance_directory_read(), with OVERLAY (NULL: none) laid over
 * DIRECTORY. */
idv_error_t *idv_compliance_overlaid_read(const char *directory,
                                          const char *overlay,
                                          idv_compliance_rules_t **rules,
                                          apr_array_header_t **faults,
                                          apr_pool_t *pool) IDV_CHECKED;

#endif
