/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CLI_SETUP_SETUP_VALUE_H
#define IDV_CLI_SETUP_SETUP_VALUE_H

/*
 * Values of fields: when two are equal, how a command takes one as an option,
 * and how a plan shows the difference.
 *
 * Memory: the given pool. Threads: pure. Failures: none.
 */
#include "cli/setup/setup_kinds.h"

/* Whether ONE and OTHER (NULL: none, as null) say the same. */
int idv_setup_equal(const idv_setup_field_t *field, const json_t *one,
                    const json_t *other, apr_pool_t *pool);

/* VALUE as the text of an option; NULL: the option is not given. References and
 * files are not among the types that this knows. */
const char *idv_setup_option(const idv_setup_field_t *field,
                             const json_t *value, apr_pool_t *pool);

/* Adds to FIELDS, a list of {"field", "old", "new"}, how FIELD changes from
 * BEFORE (NULL: the object is new) to AFTER. */
void idv_setup_show(const idv_setup_field_t *field, const json_t *before,
                    const json_t *after, json_t *fields, apr_pool_t *pool);

#endif
