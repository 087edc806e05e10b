/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/trust/lote.h"

#include <string.h>

#include <apr_strings.h>
#include "core/json.h"
#include "methods/trust/etsi_service.h"
#include "methods/trust/web_signature.h"

#define CHAIN_MAX 8

static idv_error_t *refuse(const char *why, apr_pool_t *pool)
{
    return idv_error_param(pool, NULL, "The list of trusted entities %s.",
                           why);
}

/* The start of every header in base64url: {" */
static const char beginning[] = "eyJ";

int idv_lote_is(idv_bytes_t file)
{
    return file.length > sizeof(beginning)
        && memcmp(file.data, beginning, sizeof(beginning) - 1) == 0;
}

/* --- the signature --- */

static int read_chain(const json_t *header, idv_bytes_t chain[CHAIN_MAX],
                      apr_pool_t *pool)
{
    const json_t *list = json_object_get(header, "x5c");
    int count = 0;

    while (count < CHAIN_MAX && (size_t)count < json_array_size(list)) {
        const char *text =
            json_string_value(json_array_get(list, (size_t)count));

        chain[count++] =
            idv_trust_base64(text ? text : "", IDV_X509_MAX, pool);
    }
    return count;
}

static idv_error_t *check_signature(const idv_web_signature_t *jws,
                                    const apr_array_header_t *signers,
                                    idv_time_t now,
                                    idv_trust_content_t *content,
                                    apr_pool_t *pool)
{
    idv_bytes_t chain[CHAIN_MAX];
    idv_trust_signer_t signer = {
        .chain = chain, .purpose = IDV_ETSI_SIGNER_PURPOSE, .now = now};
    EVP_PKEY *key;

    signer.count = read_chain(jws->header, chain, pool);
    IDV_TRY(idv_trust_signer_key(&signer, signers, &key, &content->signer,
                                 pool));
    return idv_web_signature_is_by(jws, key, pool)
             ? NULL
             : refuse("has a wrong signature", pool);
}

/* --- the content --- */

static const char *text_at(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

static idv_error_t *read_scheme(const json_t *scheme,
                                idv_trust_content_t *content, apr_pool_t *pool)
{
    const json_t *names = json_object_get(scheme, "SchemeOperatorName");
    const char *name = text_at(json_array_get(names, 0), "value");
    const char *issued = text_at(scheme, "ListIssueDateTime");
    const char *next = text_at(scheme, "NextUpdate");

    content->sequence =
        json_integer_value(json_object_get(scheme, "LoTESequenceNumber"));
    if (name)
        content->name = idv_trust_name(name, pool);
    if (content->sequence <= 0 || !issued
        || !idv_trust_time(issued, &content->issued, pool)
        || (next && !idv_trust_time(next, &content->next_update, pool)))
        return refuse("has no number, or no dates", pool);
    return NULL;
}

static idv_error_t *read_service(const json_t *information,
                                 idv_trust_content_t *content, apr_pool_t *pool)
{
    const idv_etsi_service_t service = {
        .type = text_at(information, "ServiceTypeIdentifier"),
        .status = text_at(information, "ServiceStatus")};
    const char *const *doc_types = idv_etsi_service_doc_types(&service);
    const json_t *list = json_object_get(
        json_object_get(information, "ServiceDigitalIdentity"),
        "X509Certificates");
    const json_t *item;
    size_t i;

    if (!doc_types) {
        content->passed_over++;
        return NULL;
    }
    json_array_foreach (list, i, item) {
        const char *text = text_at(item, "val");

        IDV_TRY(idv_etsi_service_add(content, text ? text : "", doc_types,
                                     pool));
    }
    return NULL;
}

static idv_error_t *read_entities(const json_t *entities,
                                  idv_trust_content_t *content,
                                  apr_pool_t *pool)
{
    const json_t *entity, *service;
    size_t i, j;

    json_array_foreach (entities, i, entity) {
        const json_t *services =
            json_object_get(entity, "TrustedEntityServices");

        json_array_foreach (services, j, service)
            IDV_TRY(read_service(json_object_get(service, "ServiceInformation"),
                                 content, pool));
    }
    return content->certificates->nelts
             ? NULL
             : refuse("contains no service that issues documents", pool);
}

idv_error_t *idv_lote_read(idv_bytes_t file, const apr_array_header_t *signers,
                           idv_time_t now, idv_trust_content_t **content,
                           apr_pool_t *pool)
{
    json_t *payload, *list;
    idv_web_signature_t jws;
    const char *fault = idv_web_signature_fault(file, &jws, pool);

    *content = idv_trust_content_create(IDV_TRUST_ETSI, pool);
    if (fault)
        return refuse(fault, pool);
    IDV_TRY(check_signature(&jws, signers, now, *content, pool));
    IDV_TRY(idv_json_parse((const char *)jws.payload.data, jws.payload.length,
                           &payload, pool));
    /* Some publishers omit the outer object. */
    list = json_object_get(payload, "LoTE");
    if (!list)
        list = payload;
    IDV_TRY(read_scheme(json_object_get(list, "ListAndSchemeInformation"),
                        *content, pool));
    return read_entities(json_object_get(list, "TrustedEntitiesList"), *content,
                         pool);
}
