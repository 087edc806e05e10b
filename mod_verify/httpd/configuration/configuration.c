/* SPDX-License-Identifier: Apache-2.0 */
#include "httpd/configuration/configuration.h"

#include <apr_strings.h>

void *idv_configuration_create(apr_pool_t *pool, server_rec *server)
{
    idv_configuration_t *configuration =
        apr_pcalloc(pool, sizeof(*configuration));
    idv_settings_t *settings = &configuration->settings;

    (void)server;
#define IDV_TEXT(directive, member, preset, check, help)                       \
    settings->member = preset;
#define IDV_NUMBER(directive, member, preset, minimum, maximum, help)          \
    settings->member = preset;
#define IDV_FLAG(directive, member, preset, help) settings->member = preset;
#define IDV_LIST(directive, member, check, help)                               \
    settings->member = apr_array_make(pool, 0, sizeof(const char *));
#define IDV_RATES(directive, secret, preset, publishable, other_preset, help)  \
    settings->secret = preset;                                                 \
    settings->publishable = other_preset;
#define IDV_PAIR(directive, first, second, check, help)                        \
    settings->first = settings->second = NULL;
#define IDV_RULES(directive, member, read, help)                               \
    settings->member = apr_array_make(pool, 0, sizeof(void *));
#include "core/settings.def"
    return configuration;
}

void *idv_configuration_merge(apr_pool_t *pool, void *base, void *overlay)
{
    idv_configuration_t *merged = apr_pmemdup(pool, base, sizeof(*merged));
    const idv_configuration_t *own = overlay;

#define TAKE(origin, member)                                                   \
    if (own->origins[IDV_AT_##origin]) {                                       \
        merged->origins[IDV_AT_##origin] = own->origins[IDV_AT_##origin];      \
        merged->settings.member = own->settings.member;                        \
    }
#define IDV_TEXT(directive, member, preset, check, help) TAKE(member, member)
#define IDV_NUMBER(directive, member, preset, minimum, maximum, help)          \
    TAKE(member, member)
#define IDV_FLAG(directive, member, preset, help) TAKE(member, member)
#define IDV_LIST(directive, member, check, help) TAKE(member, member)
#define IDV_RATES(directive, secret, preset, publishable, other_preset, help)  \
    TAKE(secret, secret)                                                       \
    TAKE(publishable, publishable)
#define IDV_PAIR(directive, first, second, check, help)                        \
    TAKE(first, first)                                                         \
    TAKE(first, second)
#define IDV_RULES(directive, member, read, help) TAKE(member, member)
#include "core/settings.def"
    merged->gate_mentions = own->gate_mentions;
    return merged;
}

idv_configuration_t *idv_configuration_of(const server_rec *server)
{
    return ap_get_module_config(server->module_config, &verify_module);
}

int idv_configuration_in_service(const server_rec *server)
{
    return idv_configuration_of(server)->keyring != NULL;
}
