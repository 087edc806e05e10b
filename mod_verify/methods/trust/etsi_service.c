/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/trust/etsi_service.h"

#include <string.h>

typedef struct {
    const char *type;
    const char *doc_types[2];
} service_t;

static const service_t services[] = {
#define IDV_ETSI_SERVICE(type, doc_type) {type, {doc_type, NULL}},
#include "methods/trust/etsi_services.def"
#undef IDV_ETSI_SERVICE
};

/* The last part of a status's address (TS 119 612, 5.5.4; TS 119 602, annex H);
 * publishers use different prefixes. */
static const char *const statuses[] = {"granted", "recognisedatnationallevel",
                                       "notified"};

static int is_in_force(const idv_etsi_service_t *service)
{
    const char *last;

    if (!service->status)
        return !service->needs_status;
    last = strrchr(service->status, '/');
    last = last ? last + 1 : service->status;
    for (size_t i = 0; i < sizeof(statuses) / sizeof(*statuses); i++)
        if (strcmp(statuses[i], last) == 0)
            return 1;
    return 0;
}

const char *const *idv_etsi_service_doc_types(const idv_etsi_service_t *service)
{
    if (!service->type || !is_in_force(service))
        return NULL;
    for (size_t i = 0; i < sizeof(services) / sizeof(*services); i++)
        if (strcmp(services[i].type, service->type) == 0)
            return services[i].doc_types;
    return NULL;
}

idv_error_t *idv_etsi_service_add(idv_trust_content_t *content,
                                  const char *text,
                                  const char *const *doc_types,
                                  apr_pool_t *pool)
{
    idv_bytes_t der = idv_trust_base64(text, IDV_X509_MAX, pool);

    if (!der.length)
        return idv_error_param(pool, NULL,
                               "A certificate in the list is not base64, or is "
                               "too long.");
    return idv_trust_content_add(content, der, doc_types, pool);
}
