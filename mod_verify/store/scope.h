/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_SCOPE_H
#define IDV_STORE_SCOPE_H

/*
 * Whose objects a statement may see. What lies outside of a scope is missing
 * for whoever asks, exactly as what never existed.
 */
typedef struct {
    const char *organization_id;
    const char *application_id; /* NULL: all of the organization's */
} idv_scope_t;

#endif
