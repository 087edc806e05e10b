/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CORE_SETTINGS_H
#define IDV_CORE_SETTINGS_H

/*
 * What the administrator has configured for a server, as plain values.
 *
 * The members are those of settings.def, where each stands with its directive
 * and its default: texts (NULL when not set), numbers, flags (0 or 1) and lists
 * (arrays of `const char *`, never NULL). All were checked when httpd read its
 * configuration.
 *
 * A value of this type is immutable from the end of the configuration on and
 * lives as long as that generation of the configuration. Threads: read only.
 */
#include <apr_tables.h>

typedef struct {
#define IDV_TEXT(directive, member, preset, check, help) const char *member;
#define IDV_NUMBER(directive, member, preset, minimum, maximum, help) int member;
#define IDV_FLAG(directive, member, preset, help) int member;
#define IDV_LIST(directive, member, check, help)                               \
    const apr_array_header_t *member;
#define IDV_RATES(directive, secret, preset, publishable, other_preset, help)   \
    int secret, publishable;
#define IDV_PAIR(directive, first, second, check, help)                        \
    const char *first, *second;
/* Of idv_operator_rule_t *, httpd/operator_access.h, or of idv_gate_t *,
 * httpd/gate_configuration.h. */
#define IDV_RULES(directive, member, read, help)                               \
    const apr_array_header_t *member;
#include "core/settings.def"
} idv_settings_t;

#endif
