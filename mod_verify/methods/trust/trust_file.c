/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/trust/trust_file.h"

#include <string.h>

#include <apr_strings.h>

#include "methods/passport/csca_list.h"
#include "methods/trust/etsi_list.h"
#include "methods/trust/lote.h"
#include "methods/trust/vical.h"

_Static_assert((int)IDV_CSCA_FILE_MAX >= (int)IDV_TRUST_FILE_MAX
                   && (int)IDV_CSCA_LIST_MAX >= (int)IDV_TRUST_CERTIFICATES_MAX,
               "the reader of master lists reads what may be imported");

/* --- plain certificates --- */

static idv_error_t *read_authorities(idv_bytes_t file,
                                     idv_trust_content_t *content,
                                     apr_pool_t *pool)
{
    apr_array_header_t *list = apr_array_make(pool, 16, sizeof(idv_bytes_t));

    IDV_TRY(idv_trust_certificates_read(file, list, pool));
    for (int i = 0; i < list->nelts; i++)
        IDV_TRY(idv_trust_content_add(
            content, APR_ARRAY_IDX(list, i, idv_bytes_t), NULL, pool));
    return NULL;
}

/* Adds what stands in LIST behind the first BEFORE. */
static idv_error_t *take_over(const idv_csca_list_t *list, int before,
                              idv_trust_content_t *content, apr_pool_t *pool)
{
    for (int i = before; i < list->items->nelts; i++)
        IDV_TRY(idv_trust_content_add(
            content, APR_ARRAY_IDX(list->items, i, idv_csca_t).certificate.der,
            NULL, pool));
    return NULL;
}

static idv_error_t *read_country_authorities(idv_bytes_t file,
                                             idv_trust_content_t *content,
                                             apr_pool_t *pool)
{
    idv_csca_list_t *list = idv_csca_list_create(pool);
    int count;

    IDV_TRY(idv_csca_list_read_certificates(list, file, "file", &count));
    return take_over(list, 0, content, pool);
}

/* --- master lists --- */

/* What a master list may be signed under: what is trusted, and what the operator
 * gives. Certificates that are no country's authority are passed over. */
static idv_csca_list_t *list_of_trusted(const idv_trust_reading_t *reading,
                                        apr_pool_t *pool)
{
    idv_csca_list_t *list = idv_csca_list_create(pool);
    const idv_trust_anchors_t *anchors = reading->anchors;

    for (int i = 0; anchors && i < anchors->entry_count; i++)
        if (idv_csca_list_add(list, anchors->entries[i].trusted.certificate,
                              "trusted", NULL))
            continue;
    for (int i = 0; i < reading->signers->nelts; i++)
        if (idv_csca_list_add(list,
                              APR_ARRAY_IDX(reading->signers, i, idv_bytes_t),
                              "given", NULL))
            continue;
    return list;
}

static idv_error_t *describe(const idv_master_list_t *told,
                             idv_trust_content_t *content, apr_pool_t *pool)
{
    unsigned char digest[IDV_DIGEST_SIZE];
    idv_certificate_t signer;

    IDV_TRY(idv_certificate_read(told->signer, &signer, pool));
    idv_sha256(told->signer.data, told->signer.length, digest);
    content->signer = idv_hex(digest, sizeof(digest), pool);
    content->name = *signer.country ? apr_pstrdup(pool, signer.country) : NULL;
    content->issued = told->signing_time;
    return NULL;
}

/* The file is read twice: first to learn under which trusted certificate it is
 * signed, then beside that one alone, so that all others in it are seen. */
static idv_error_t *read_master_list(idv_bytes_t file,
                                     const idv_trust_reading_t *reading,
                                     idv_trust_content_t *content,
                                     apr_pool_t *pool)
{
    idv_csca_list_t *list = list_of_trusted(reading, pool);
    idv_master_list_t told;
    int has_issuer;

    IDV_TRY(idv_csca_list_read_master_list(list, file, "file", reading->now,
                                           &told));
    if (!told.is_anchored)
        return idv_error_param(
            pool, NULL,
            "The master list is signed under a certificate that is not trusted "
            "yet: give it by --signer, after its fingerprint was compared with "
            "what its state publishes.");
    IDV_TRY(describe(&told, content, pool));
    list = idv_csca_list_create(pool);
    IDV_TRY(idv_csca_list_add(list, told.signer_issuer, "issuer", NULL));
    IDV_TRY(idv_csca_list_read_master_list(list, file, "file", reading->now,
                                           &told));
    /* It was there before, so it was not added when the file has it, too. */
    has_issuer = told.certificates > told.added;
    return take_over(list, has_issuer ? 0 : 1, content, pool);
}

/* --- any file --- */

static idv_error_t *read_signed(idv_bytes_t file,
                                const idv_trust_reading_t *reading,
                                idv_trust_content_t **content, apr_pool_t *pool)
{
    if (reading->signers->nelts == 0)
        return idv_error_param(pool, "signer",
                               "A list of others is taken with its signature "
                               "only: give the certificate of its signer, or "
                               "of who certifies the signer, by --signer.");
    if (reading->kind == IDV_TRUST_VICAL)
        return idv_vical_read(file, reading->signers, reading->now, content,
                              pool);
    if (idv_lote_is(file))
        return idv_lote_read(file, reading->signers, reading->now, content,
                             pool);
    return idv_etsi_list_read(file, reading->signers, reading->now, content,
                              pool);
}

idv_error_t *idv_trust_file_read(idv_bytes_t file,
                                 const idv_trust_reading_t *reading,
                                 idv_trust_content_t **content,
                                 apr_pool_t *pool)
{
    if (file.length > IDV_TRUST_FILE_MAX)
        return idv_error_param(pool, NULL, "The file is longer than %d bytes.",
                               IDV_TRUST_FILE_MAX);
    if (reading->kind == IDV_TRUST_VICAL || reading->kind == IDV_TRUST_ETSI)
        return read_signed(file, reading, content, pool);
    *content = idv_trust_content_create(reading->kind, pool);
    switch (reading->kind) {
    case IDV_TRUST_CSCA:
        return read_country_authorities(file, *content, pool);
    case IDV_TRUST_CSCA_MASTER_LIST:
        return read_master_list(file, reading, *content, pool);
    default:
        return read_authorities(file, *content, pool);
    }
}

/* contentType of a ContentInfo that is SignedData (RFC 5652, 5.1). */
static const unsigned char signed_data[] = {0x06, 0x09, 0x2a, 0x86, 0x48, 0x86,
                                            0xf7, 0x0d, 0x01, 0x07, 0x02};

/* Bytes of a tag and its length, in the longest encoding of such a file. */
#define HEAD_MAX 6

int idv_trust_file_kind(idv_bytes_t file)
{
    if (idv_lote_is(file))
        return IDV_TRUST_ETSI;
    for (apr_size_t at = 0; at < file.length; at++) {
        if (file.data[at] == '<')
            return IDV_TRUST_ETSI;
        if (!strchr(" \t\r\n\xef\xbb\xbf", file.data[at]))
            break;
    }
    if (file.length && (file.data[0] == 0x84 || file.data[0] == 0xd2))
        return IDV_TRUST_VICAL;
    for (apr_size_t at = 2; at <= HEAD_MAX
                            && at + sizeof(signed_data) <= file.length;
         at++)
        if (memcmp(file.data + at, signed_data, sizeof(signed_data)) == 0)
            return IDV_TRUST_CSCA_MASTER_LIST;
    return -1;
}
