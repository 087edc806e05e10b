/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CORE_SETTINGS_H
#define IDV_CORE_SETTINGS_H

/*
 * The administrator's configuration of a server, as plain values.
 *
 * The members come from settings.def, which has each one's directive and
 * default: texts (NULL if not set), numbers, flags (0 or 1) and lists (arrays
 * of `const char *`, never NULL). All values were validated when httpd read its
 * configuration.
 *
 * Values are immutable once the configuration is complete and live as long as
 * its generation. Threads: read only.
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
/* idv_operator_rule_t * (httpd/access/operator_access.h) or idv_gate_t *
 * (httpd/gate/gate_configuration.h). */
#define IDV_RULES(directive, member, read, help)                               \
    const apr_array_header_t *member;
#include "core/settings.def"
} idv_settings_t;

#endif
