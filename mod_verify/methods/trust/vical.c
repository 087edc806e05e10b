/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/trust/vical.h"

#include <apr_strings.h>

#include "methods/mdl/cose.h"
#include "methods/mdl/mdoc.h"

#define LABEL_X5CHAIN 33 /* RFC 9360, 2 */

static idv_error_t *refuse(const char *why, apr_pool_t *pool)
{
    return idv_error_param(pool, NULL, "The VICAL %s.", why);
}

/* --- the signature --- */

/* The x5chain of MESSAGE: one certificate, or an array. */
static int read_chain(const idv_cose_message_t *message,
                      idv_bytes_t chain[IDV_COSE_MAX_CERTIFICATES])
{
    const idv_cbor_t *item =
        idv_cbor_member_number(message->unprotected_header, LABEL_X5CHAIN);
    int count = 0;

    if (idv_cbor_is(item, IDV_CBOR_BYTES)) {
        chain[0] = item->content;
        return 1;
    }
    if (!idv_cbor_is(item, IDV_CBOR_ARRAY)
        || item->count > IDV_COSE_MAX_CERTIFICATES)
        return 0;
    for (item = item->first; item; item = item->next) {
        if (!idv_cbor_is(item, IDV_CBOR_BYTES))
            return 0;
        chain[count++] = item->content;
    }
    return count;
}

static idv_error_t *check_signature(const idv_cose_message_t *message,
                                    const apr_array_header_t *signers,
                                    idv_time_t now,
                                    idv_trust_content_t *content,
                                    apr_pool_t *pool)
{
    idv_bytes_t chain[IDV_COSE_MAX_CERTIFICATES];
    idv_trust_signer_t signer = {.chain = chain,
                                 .purpose = IDV_VICAL_SIGNER_PURPOSE,
                                 .now = now};
    EVP_PKEY *key;

    if (message->is_detached)
        return refuse("has no content", pool);
    signer.count = read_chain(message, chain);
    IDV_TRY(idv_trust_signer_key(&signer, signers, &key, &content->signer,
                                 pool));
    switch (idv_cose_verify_signature(message, message->payload, key, pool)) {
    case IDV_COSE_VALID:
        return NULL;
    case IDV_COSE_WRONG:
        return refuse("has a wrong signature", pool);
    default:
        return refuse("is signed by an algorithm or key that is not allowed",
                      pool);
    }
}

/* --- the content --- */

static idv_error_t *read_entry(const idv_cbor_t *entry,
                               idv_trust_content_t *content, apr_pool_t *pool)
{
    const idv_cbor_t *certificate = idv_cbor_member(entry, "certificate");
    const idv_cbor_t *type = idv_cbor_member(entry, "docType");
    const char *types[IDV_TRUST_DOC_TYPES_MAX + 1] = {NULL};
    int count = 0, before = content->certificates->nelts;

    if (!idv_cbor_is(certificate, IDV_CBOR_BYTES)
        || !idv_cbor_is(type, IDV_CBOR_ARRAY) || type->count == 0
        || type->count > IDV_TRUST_DOC_TYPES_MAX)
        return refuse("has an entry of an unknown form", pool);
    for (type = type->first; type; type = type->next) {
        types[count] = idv_cbor_text(type);
        if (!types[count] || !*types[count]
            || strlen(types[count++]) > IDV_TRUST_NAME_MAX)
            return refuse("has an entry of an unknown form", pool);
    }
    IDV_TRY(idv_trust_content_add(content, certificate->content, types, pool));
    if (content->certificates->nelts > before
        && APR_ARRAY_IDX(content->certificates, before, idv_trust_certificate_t)
               .is_signer) {
        apr_array_pop(content->certificates);
        content->passed_over++;
    }
    return NULL;
}

/* A time that may be absent. */
static int read_time(const idv_cbor_t *map, const char *name, idv_time_t *time,
                     apr_pool_t *pool)
{
    const idv_cbor_t *value = idv_cbor_member(map, name);

    return !value || (idv_mdoc_time(value, time, pool) && *time > 0);
}

static idv_error_t *read_map(const idv_cbor_t *map,
                             idv_trust_content_t *content, apr_pool_t *pool)
{
    const idv_cbor_t *entry = idv_cbor_member(map, "certificateInfos");
    const idv_cbor_t *number = idv_cbor_member(map, "vicalIssueID");
    const char *version = idv_cbor_text(idv_cbor_member(map, "version"));
    const char *name = idv_cbor_text(idv_cbor_member(map, "vicalProvider"));

    if (!version || strncmp(version, "1.", 2) != 0)
        return refuse("has an unknown version", pool);
    if (!name || !idv_cbor_is(entry, IDV_CBOR_ARRAY)
        || !idv_cbor_member(map, "date")
        || !read_time(map, "date", &content->issued, pool)
        || !read_time(map, "nextUpdate", &content->next_update, pool)
        || (number
            && (!idv_cbor_integer(number, &content->sequence)
                || content->sequence < 0)))
        return refuse("is malformed", pool);
    content->name = idv_trust_name(name, pool);
    for (entry = entry->first; entry; entry = entry->next)
        IDV_TRY(read_entry(entry, content, pool));
    return content->certificates->nelts
             ? NULL
             : refuse("contains no certificate of an authority", pool);
}

idv_error_t *idv_vical_read(idv_bytes_t file, const apr_array_header_t *signers,
                            idv_time_t now, idv_trust_content_t **content,
                            apr_pool_t *pool)
{
    idv_cbor_budget_t budget = IDV_CBOR_BUDGET;
    const idv_cbor_t *item, *map;
    idv_cose_message_t message;
    idv_error_t *error;

    *content = idv_trust_content_create(IDV_TRUST_VICAL, pool);
    error = idv_cbor_read(file, &budget, &item, pool);
    if (error)
        return refuse(apr_pstrcat(pool, "is damaged or incomplete (",
                                  error->message, ")", NULL),
                      pool);
    if (idv_cbor_is(item, IDV_CBOR_TAG) && item->number == IDV_CBOR_TAG_SIGN1)
        item = item->first;
    IDV_TRY(idv_cose_read(item, &budget, &message, pool));
    IDV_TRY(check_signature(&message, signers, now, *content, pool));
    IDV_TRY(idv_cbor_read(message.payload, &budget, &map, pool));
    return read_map(map, *content, pool);
}
