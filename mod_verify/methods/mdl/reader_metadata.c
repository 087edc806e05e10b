/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/mdl/reader_metadata.h"

#include <string.h>

#include <openssl/err.h>
#include <openssl/x509.h>

#include "methods/mdl/cbor.h"
#include "methods/mdl/issuer_certificate.h"
#include "methods/mdl/response_encryption.h"

/* An OCTET STRING of 32 bytes. */
#define DER_HEAD_SIZE 2
#define VALUE_SIZE (DER_HEAD_SIZE + IDV_DIGEST_SIZE)

static int is_metadata(idv_bytes_t bytes, apr_pool_t *pool)
{
    idv_cbor_budget_t budget = IDV_CBOR_BUDGET;
    const idv_cbor_t *item, *inner;

    return bytes.length <= IDV_READER_METADATA_MAX
        && !idv_cbor_read(bytes, &budget, &item, pool)
        && !idv_cbor_open(item, &budget, &inner, pool)
        && idv_cbor_is(inner, IDV_CBOR_MAP);
}

static apr_size_t without_line_end(idv_bytes_t text)
{
    apr_size_t length = text.length;

    while (length > 0
           && (text.data[length - 1] == '\n' || text.data[length - 1] == '\r'))
        length--;
    return length;
}

idv_error_t *idv_reader_metadata_read(idv_bytes_t file, idv_bytes_t *metadata,
                                      apr_pool_t *pool)
{
    *metadata = file;
    if (is_metadata(file, pool))
        return NULL;
    if (!idv_base64url_decode((const char *)file.data, without_line_end(file),
                              metadata, pool)
        && is_metadata(*metadata, pool))
        return NULL;
    return idv_error_param(pool, "metadata",
                           "Expected the CBOR of the metadata (tag 24), at most "
                           "%d bytes, or its base64url.",
                           IDV_READER_METADATA_MAX);
}

idv_bytes_t idv_reader_metadata_value(idv_bytes_t metadata, apr_pool_t *pool)
{
    unsigned char *value = apr_palloc(pool, VALUE_SIZE);

    value[0] = V_ASN1_OCTET_STRING;
    value[1] = IDV_DIGEST_SIZE;
    idv_sha256(metadata.data, metadata.length, value + DER_HEAD_SIZE);
    return (idv_bytes_t){value, VALUE_SIZE};
}

/* The value of the extension of LEAF; no data: it has none. */
static idv_bytes_t named_by(X509 *leaf)
{
    ASN1_OBJECT *object = OBJ_txt2obj(IDV_READER_METADATA_EXTENSION, 1);
    int at = object ? X509_get_ext_by_OBJ(leaf, object, -1) : -1;
    const ASN1_OCTET_STRING *value =
        at < 0 ? NULL : X509_EXTENSION_get_data(X509_get_ext(leaf, at));

    ASN1_OBJECT_free(object);
    ERR_clear_error();
    return value ? (idv_bytes_t){ASN1_STRING_get0_data(value),
                                 (apr_size_t)ASN1_STRING_length(value)}
                 : (idv_bytes_t){NULL, 0};
}

idv_error_t *idv_reader_metadata_check(const idv_reader_identity_t *identity,
                                       int *is_bound, apr_pool_t *pool)
{
    idv_bytes_t metadata = identity->metadata, expected, named;
    X509 *leaf = idv_x509_read(identity->chain[0], pool);

    *is_bound = 0;
    if (!leaf)
        return idv_error_internal(pool, "a chain without a leaf");
    named = named_by(leaf);
    if (!named.data)
        return NULL;
    if (!metadata.length)
        return idv_error_param(pool, "metadata",
                               "is required: the first certificate names "
                               "metadata. Pass the file with --metadata.");
    expected = idv_reader_metadata_value(metadata, pool);
    if (named.length != expected.length
        || memcmp(named.data, expected.data, expected.length) != 0)
        return idv_error_param(pool, "metadata",
                               "The first certificate names other metadata. "
                               "Pass the bytes that the authority registered.");
    *is_bound = 1;
    return NULL;
}
