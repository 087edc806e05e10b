/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/trust/trust_file.h"

#include <string.h>
#include <strings.h>

#include <apr_strings.h>

#include "methods/passport/csca_list.h"
#include "methods/trust/etsi_list.h"
#include "methods/trust/lote.h"
#include "methods/trust/plain_list.h"
#include "methods/trust/vical.h"

_Static_assert((int)IDV_CSCA_FILE_MAX >= (int)IDV_TRUST_FILE_MAX
                   && (int)IDV_CSCA_LIST_MAX >= (int)IDV_TRUST_CERTIFICATES_MAX,
               "the reader of master lists reads what may be imported");

/* --- master lists --- */

/* The certificates under which a master list may be signed: those that are
 * trusted, and those that the operator passes. Certificates that are not a
 * country's authority are skipped. */
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

/* The file is read twice: first to find the trusted certificate under which it
 * is signed, then with only that certificate in the list, so that all others in
 * the file are added. */
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
            "yet. Compare its fingerprint with the one that its state "
            "publishes, then pass it with --signer.");
    IDV_TRY(describe(&told, content, pool));
    list = idv_csca_list_create(pool);
    IDV_TRY(idv_csca_list_add(list, told.signer_issuer, "issuer", NULL));
    IDV_TRY(idv_csca_list_read_master_list(list, file, "file", reading->now,
                                           &told));
    /* The issuer was already in the list, so it was not added again if the file
     * contains it. */
    has_issuer = told.certificates > told.added;
    return idv_trust_content_add_csca(content, list, has_issuer ? 0 : 1, pool);
}

/* --- files that are not lists --- */

/* The start of the text in FILE, after a UTF-8 byte order mark and blanks. */
static idv_bytes_t text_of(idv_bytes_t file)
{
    while (file.length > 0 && strchr(" \t\r\n\xef\xbb\xbf", *file.data)
           && *file.data) {
        file.data++;
        file.length--;
    }
    return file;
}

static int begins(idv_bytes_t file, const char *beginning)
{
    apr_size_t length = strlen(beginning);

    return file.length >= length
        && strncasecmp((const char *)file.data, beginning, length) == 0;
}

/* Files that people mistake for a list when they download one: how they start,
 * and what to do about it. */
static const struct {
    const char *beginning;
    const char *told;
} strangers[] = {
    {"<!doctype html", "The file is a web page, not a list. Read what it says, "
                       "and fetch the list itself."},
    {"<html", "The file is a web page, not a list. Read what it says, and "
              "fetch the list itself."},
    {"PK\003\004", "The file is a ZIP archive. Unpack it, and pass its "
                   "contents."},
    {"\x1f\x8b", "The file is compressed (gzip). Unpack it first."},
    {"dn:", "The file is an LDIF. It contains master lists or certificates in "
            "base64. Pass each of them as a file of its own."},
    {"version:", "The file is an LDIF. It contains master lists or "
                 "certificates in base64. Pass each of them as a file of its "
                 "own."},
    {"-----BEGIN PKCS7", "The file is a list in PEM. Convert it to DER with "
                         "`openssl pkcs7 -outform DER`."},
    {"-----BEGIN CMS", "The file is a list in PEM. Convert it to DER with "
                       "`openssl cms -cmsout -inform PEM -outform DER`."},
};

/* The length in bytes that a DER file, which starts with a SEQUENCE, declares;
 * 0: it declares none. */
static apr_size_t length_told(idv_bytes_t file)
{
    apr_size_t length = 0;
    int bytes;

    if (file.length < 2 || file.data[0] != 0x30)
        return 0;
    if (file.data[1] < 0x80)
        return 2 + (apr_size_t)file.data[1];
    bytes = file.data[1] & 0x7f;
    if (bytes < 1 || bytes > 4 || file.length < 2 + (apr_size_t)bytes)
        return 0;
    for (int i = 0; i < bytes; i++)
        length = length << 8 | file.data[2 + i];
    return 2 + (apr_size_t)bytes + length;
}

/* Refuses a file that is clearly not a list of KIND, and says what it is. The
 * readers could only report that they cannot read it. */
static idv_error_t *refuse_stranger(idv_bytes_t file, idv_trust_kind_t kind,
                                    apr_pool_t *pool)
{
    idv_bytes_t text = text_of(file);
    apr_size_t told = length_told(file);
    int other = idv_trust_file_kind(file);

    if (text.length == 0)
        return idv_error_param(pool, NULL, "The file is empty.");
    for (size_t i = 0; i < sizeof(strangers) / sizeof(*strangers); i++)
        if (begins(text, strangers[i].beginning))
            return idv_error_param(pool, NULL, "%s", strangers[i].told);
    if (told > file.length)
        return idv_error_param(pool, NULL,
                               "The file is incomplete: it has %" APR_SIZE_T_FMT
                               " of %" APR_SIZE_T_FMT " bytes. Fetch it again.",
                               file.length, told);
    if (other >= 0 && other != (int)kind)
        return idv_error_param(
            pool, NULL, "The file looks like a list of another kind: %s.",
            idv_trust_kind_value((idv_trust_kind_t)other));
    if (!idv_trust_kind_is_plain(kind) && begins(text, "-----BEGIN CERTIFICATE"))
        return idv_error_param(
            pool, NULL,
            "The file contains plain certificates, but %s is a signed list. "
            "Import certificates with --kind iaca or csca.",
            idv_trust_kind_value(kind));
    return NULL;
}

/* --- any file --- */

static idv_error_t *read_signed(idv_bytes_t file,
                                const idv_trust_reading_t *reading,
                                idv_trust_content_t **content, apr_pool_t *pool)
{
    if (reading->signers->nelts == 0)
        return idv_error_param(pool, "signer",
                               "A list that others publish must be signed. "
                               "Pass the certificate of its signer, or of the "
                               "signer's issuer, with --signer.");
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
    IDV_TRY(refuse_stranger(file, reading->kind, pool));
    if (reading->kind == IDV_TRUST_VICAL || reading->kind == IDV_TRUST_ETSI)
        return read_signed(file, reading, content, pool);
    if (reading->kind != IDV_TRUST_CSCA_MASTER_LIST)
        return idv_trust_plain_read(file, reading->kind, content, pool);
    *content = idv_trust_content_create(reading->kind, pool);
    return read_master_list(file, reading, *content, pool);
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
    if (begins(text_of(file), "<"))
        return IDV_TRUST_ETSI;
    if (file.length && (file.data[0] == 0x84 || file.data[0] == 0xd2))
        return IDV_TRUST_VICAL;
    for (apr_size_t at = 2; at <= HEAD_MAX
                            && at + sizeof(signed_data) <= file.length;
         at++)
        if (memcmp(file.data + at, signed_data, sizeof(signed_data)) == 0)
            return IDV_TRUST_CSCA_MASTER_LIST;
    return -1;
}
