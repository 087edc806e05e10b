/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mod_verify: identity and age verification inside httpd. This file holds the
 * module record and the hooks; README.md is the map of the rest.
 */
#include <httpd.h>
#include <http_config.h>
#include <http_protocol.h>
#include <http_request.h>

#include "httpd/access/authentication.h"
#include "httpd/configuration/configuration.h"
#include "httpd/connection/reception.h"
#include "httpd/gate/gate_access.h"
#include "httpd/gate/gate_configuration.h"
#include "httpd/gate/gate_visit.h"
#include "httpd/hooks/metrics.h"
#include "httpd/hooks/request_hooks.h"
#include "httpd/hooks/response_filters.h"
#include "httpd/start/configuration_check.h"
#include "httpd/start/directives.h"
#include "httpd/start/service.h"

static void register_hooks(apr_pool_t *pool)
{
    ap_hook_check_config(idv_configuration_check, NULL, NULL, APR_HOOK_MIDDLE);
    ap_hook_test_config(idv_service_test_config, NULL, NULL, APR_HOOK_MIDDLE);
    ap_hook_post_config(idv_service_post_config, NULL, NULL, APR_HOOK_MIDDLE);
    ap_hook_child_init(idv_service_child_init, NULL, NULL, APR_HOOK_MIDDLE);
    /* Before all others, so that their log lines carry the request's id. */
    ap_hook_post_read_request(idv_request_hook_post_read_request, NULL, NULL,
                              APR_HOOK_REALLY_FIRST);
    ap_hook_translate_name(idv_request_hook_translate_name, NULL, NULL,
                           APR_HOOK_REALLY_FIRST);
    ap_hook_map_to_storage(idv_request_hook_map_to_storage, NULL, NULL,
                           APR_HOOK_REALLY_FIRST);
    ap_hook_type_checker(idv_request_hook_type_checker, NULL, NULL,
                         APR_HOOK_REALLY_FIRST);
    ap_hook_handler(idv_request_hook_handler, NULL, NULL, APR_HOOK_MIDDLE);
    ap_hook_handler(idv_metrics_handler, NULL, NULL, APR_HOOK_MIDDLE);
    ap_hook_handler(idv_request_hook_default_handler, NULL, NULL,
                    APR_HOOK_LAST);
    ap_hook_log_transaction(idv_request_hook_log_transaction, NULL, NULL,
                            APR_HOOK_MIDDLE);
    idv_authentication_register(pool);
    idv_gate_access_register(pool);
    idv_gate_visit_register();
    idv_response_filters_register();
    idv_reception_register(idv_request_hook_resume);
    idv_metrics_register();
}

AP_DECLARE_MODULE(verify) = {
    STANDARD20_MODULE_STUFF,
    idv_gate_section_create,
    idv_gate_section_merge,
    idv_configuration_create,
    idv_configuration_merge,
    idv_directives,
    register_hooks,
#if defined(AP_MODULE_FLAG_NONE)
    AP_MODULE_FLAG_NONE,
#endif
};
