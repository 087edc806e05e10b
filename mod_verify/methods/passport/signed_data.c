/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/passport/signed_data.h"

#include <stdlib.h>
#include <string.h>

#include <apr_strings.h>
#include <openssl/cms.h>
#include <openssl/err.h>

#include "methods/passport/certificate.h"
#include "methods/passport/tlv.h"

#define GENERALIZED_TIME 0x18
#define ATTRIBUTES_MAX 32

/* --- reading --- */

/* Attribute ::= SEQUENCE { attrType OBJECT IDENTIFIER, attrValues SET OF ANY };
 * those of RFC 5652, 11, which have one value each. An attribute that occurs
 * twice could be interpreted differently in different places. */
static void read_attribute(idv_tlv_reader_t *reader, idv_signed_data_t *data)
{
    idv_tlv_reader_t attribute = idv_tlv_enter(reader, IDV_TLV_SEQUENCE);
    idv_bytes_t type = idv_tlv_expect(&attribute, IDV_TLV_OBJECT).content;
    idv_tlv_reader_t values = idv_tlv_enter(&attribute, IDV_TLV_SET);
    idv_bytes_t prefix = IDV_TLV_BYTES("\x2a\x86\x48\x86\xf7\x0d\x01\x09");
    int twice = 0;

    if (type.length != prefix.length + 1
        || memcmp(type.data, prefix.data, prefix.length) != 0)
        return;
    if (type.data[prefix.length] == 3) {
        twice = data->signed_type.length > 0;
        data->signed_type = idv_tlv_expect(&values, IDV_TLV_OBJECT).content;
    } else if (type.data[prefix.length] == 4) {
        twice = data->signed_digest.length > 0;
        data->signed_digest =
            idv_tlv_expect(&values, IDV_TLV_OCTET_STRING).content;
    } else if (type.data[prefix.length] == 5) {
        idv_tlv_t time = idv_tlv_read(&values);

        twice = data->signing_time != 0;
        data->signing_time =
            idv_certificate_time(time.content, time.tag == GENERALIZED_TIME);
    } else {
        return;
    }
    idv_tlv_finish(&values);
    if (twice)
        *reader->fault = 1;
}

/* The attributes with the tag that is signed: SET OF instead of [0]. */
static void read_attributes(idv_tlv_t attributes, int *fault,
                            idv_signed_data_t *data, apr_pool_t *result)
{
    idv_tlv_reader_t reader = idv_tlv_open(attributes.content, fault);
    unsigned char *copy;

    for (int i = 0; i < ATTRIBUTES_MAX && idv_tlv_has_more(&reader); i++)
        read_attribute(&reader, data);
    idv_tlv_finish(&reader);
    if (attributes.whole.length == 0)
        return;
    copy = apr_pmemdup(result, attributes.whole.data, attributes.whole.length);
    copy[0] = IDV_TLV_SET;
    data->signed_attributes = (idv_bytes_t){copy, attributes.whole.length};
}

static void forget_signer(idv_signed_data_t *data)
{
    const idv_bytes_t none = {data->content.data, 0};

    data->issuer = data->serial = data->key_id = none;
    data->digest_algorithm = data->signature_algorithm = none;
    data->signed_attributes = data->signed_type = data->signed_digest = none;
    data->signature = none;
    data->signing_time = 0;
}

/* SignerInfo ::= SEQUENCE { version, sid, digestAlgorithm, [0] signedAttrs,
 * signatureAlgorithm, signature, [1] unsignedAttrs } */
static void read_signer(idv_tlv_reader_t *info, idv_signed_data_t *data,
                        apr_pool_t *result)
{
    idv_tlv_reader_t signer = idv_tlv_enter(info, IDV_TLV_SEQUENCE);

    forget_signer(data);
    idv_tlv_read_integer(&signer);
    if (idv_tlv_peek(&signer) == 0x80) {
        data->key_id = idv_tlv_read(&signer).content;
    } else {
        idv_tlv_reader_t sid = idv_tlv_enter(&signer, IDV_TLV_SEQUENCE);

        data->issuer = idv_tlv_expect(&sid, IDV_TLV_SEQUENCE).whole;
        data->serial = idv_tlv_expect(&sid, IDV_TLV_INTEGER).content;
    }
    data->digest_algorithm = idv_tlv_expect(&signer, IDV_TLV_SEQUENCE).whole;
    if (idv_tlv_peek(&signer) == IDV_TLV_CONTEXT(0))
        read_attributes(idv_tlv_read(&signer), signer.fault, data, result);
    data->signature_algorithm = idv_tlv_expect(&signer, IDV_TLV_SEQUENCE).whole;
    data->signature = idv_tlv_expect(&signer, IDV_TLV_OCTET_STRING).content;
}

/* Every signer must be well-formed, whichever is chosen. */
static void read_signers(idv_tlv_reader_t *infos, idv_signed_data_t *data,
                         apr_pool_t *result)
{
    do {
        idv_bytes_t whole = idv_tlv_read(infos).whole;
        idv_tlv_reader_t info = idv_tlv_open(whole, infos->fault);

        if (data->signer_count >= IDV_SIGNED_DATA_SIGNERS_MAX) {
            *infos->fault = 1;
            return;
        }
        read_signer(&info, data, result);
        data->signers[data->signer_count++] = whole;
    } while (idv_tlv_has_more(infos));
    if (!*infos->fault && data->signer_count > 1)
        idv_signed_data_choose(data, 0, result);
}

static void read_certificates(idv_tlv_reader_t *reader, idv_signed_data_t *data)
{
    while (idv_tlv_has_more(reader)) {
        idv_tlv_t element = idv_tlv_read(reader);

        if (element.tag == IDV_TLV_SEQUENCE
            && data->certificate_count < IDV_SIGNED_DATA_CERTIFICATES_MAX)
            data->certificates[data->certificate_count++] = element.whole;
    }
}

/* SignedData ::= SEQUENCE { version, digestAlgorithms, encapContentInfo,
 * [0] certificates, [1] crls, signerInfos } */
static void read_signed_data(idv_tlv_reader_t *outer, idv_signed_data_t *data,
                             apr_pool_t *result)
{
    idv_tlv_reader_t reader = idv_tlv_enter(outer, IDV_TLV_SEQUENCE), inner;

    idv_tlv_finish(outer);
    data->version = idv_tlv_read_integer(&reader);
    idv_tlv_expect(&reader, IDV_TLV_SET);
    inner = idv_tlv_enter(&reader, IDV_TLV_SEQUENCE);
    data->content_type = idv_tlv_expect(&inner, IDV_TLV_OBJECT).content;
    inner = idv_tlv_enter(&inner, IDV_TLV_CONTEXT(0));
    data->content = idv_tlv_expect(&inner, IDV_TLV_OCTET_STRING).content;
    idv_tlv_finish(&inner);
    if (idv_tlv_peek(&reader) == IDV_TLV_CONTEXT(0)) {
        inner = idv_tlv_enter(&reader, IDV_TLV_CONTEXT(0));
        read_certificates(&inner, data);
    }
    if (idv_tlv_peek(&reader) == IDV_TLV_CONTEXT(1))
        idv_tlv_read(&reader);
    inner = idv_tlv_enter(&reader, IDV_TLV_SET);
    read_signers(&inner, data, result);
    idv_tlv_finish(&reader);
}

/* Zero if BYTES are a ContentInfo of SignedData that was read; below zero if
 * they are a ContentInfo of something else. */
static int read_content_info(idv_bytes_t bytes, idv_signed_data_t *data,
                             apr_pool_t *result)
{
    int fault = 0;
    idv_tlv_reader_t outer = idv_tlv_open(bytes, &fault);
    idv_tlv_reader_t reader = idv_tlv_enter(&outer, IDV_TLV_SEQUENCE);
    idv_bytes_t type = idv_tlv_expect(&reader, IDV_TLV_OBJECT).content;

    memset(data, 0, sizeof(*data));
    if (!fault
        && !idv_bytes_equal(type, IDV_TLV_BYTES("\x2a\x86\x48\x86\xf7\x0d\x01"
                                                "\x07\x02")))
        return -1;
    idv_tlv_finish(&outer);
    outer = idv_tlv_enter(&reader, IDV_TLV_CONTEXT(0));
    read_signed_data(&outer, data, result);
    idv_tlv_finish(&reader);
    return fault;
}

/* The signed data BYTES, converted to DER; length 0 if OpenSSL cannot read them
 * either. */
static idv_bytes_t write_anew(idv_bytes_t bytes, apr_pool_t *result)
{
    const unsigned char *at = bytes.data;
    CMS_ContentInfo *info = d2i_CMS_ContentInfo(NULL, &at, (long)bytes.length);
    unsigned char *der = NULL;
    int length = info && at == bytes.data + bytes.length
                   ? i2d_CMS_ContentInfo(info, &der)
                   : 0;
    idv_bytes_t anew = {bytes.data, 0};

    if (length > 0)
        anew = (idv_bytes_t){apr_pmemdup(result, der, (apr_size_t)length),
                             (apr_size_t)length};
    OPENSSL_free(der);
    CMS_ContentInfo_free(info);
    ERR_clear_error();
    return anew;
}

idv_error_t *idv_signed_data_read(idv_bytes_t bytes, idv_signed_data_t *data,
                                  apr_pool_t *result)
{
    int fault = read_content_info(bytes, data, result);

    if (fault > 0) {
        idv_bytes_t anew = write_anew(bytes, result);

        if (anew.length > 0)
            fault = read_content_info(anew, data, result);
    }
    if (fault < 0)
        return idv_error_param(result, "content_type",
                               "The content type is not SignedData.");
    if (fault > 0)
        return idv_error_param(result, NULL, "This is not SignedData.");
    return NULL;
}

void idv_signed_data_choose(idv_signed_data_t *data, int index,
                            apr_pool_t *result)
{
    int fault = 0; /* it was read before */
    idv_tlv_reader_t info = idv_tlv_open(data->signers[index], &fault);

    read_signer(&info, data, result);
}

/* --- checking --- */

static int is_named(const idv_signed_data_t *data,
                    const idv_certificate_t *certificate)
{
    if (data->issuer.length == 0)
        return data->key_id.length > 0
            && idv_bytes_equal(certificate->key_id, data->key_id);
    return idv_bytes_equal(certificate->serial, data->serial)
        && idv_certificate_names_match(certificate->issuer, data->issuer);
}

idv_bytes_t idv_signed_data_signer(const idv_signed_data_t *data,
                                   apr_pool_t *scratch)
{
    if (data->certificate_count == 1 && data->signer_count == 1)
        return data->certificates[0];
    for (int i = 0; i < data->certificate_count; i++) {
        idv_certificate_t certificate;

        if (!idv_certificate_read(data->certificates[i], &certificate, scratch)
            && is_named(data, &certificate))
            return data->certificates[i];
    }
    return (idv_bytes_t){data->content.data, 0};
}

static int compare_encodings(const void *a, const void *b)
{
    const idv_bytes_t *first = a, *second = b;
    apr_size_t shorter =
        first->length < second->length ? first->length : second->length;
    int order = memcmp(first->data, second->data, shorter);

    if (order != 0 || first->length == second->length)
        return order;
    return first->length < second->length ? -1 : 1;
}

/* The attributes in DER's order for a SET OF (X.690, 11.6). */
static idv_bytes_t sorted_attributes(idv_bytes_t attributes, apr_pool_t *pool)
{
    idv_bytes_t elements[ATTRIBUTES_MAX];
    int fault = 0, count = 0;
    idv_tlv_reader_t outer = idv_tlv_open(attributes, &fault);
    idv_tlv_reader_t reader = idv_tlv_enter(&outer, IDV_TLV_SET);
    unsigned char *copy, *at;

    while (count < ATTRIBUTES_MAX && idv_tlv_has_more(&reader))
        elements[count++] = idv_tlv_read(&reader).whole;
    if (count < 2)
        return attributes;
    copy = apr_pmemdup(pool, attributes.data, attributes.length);
    at = copy + (elements[0].data - attributes.data);
    qsort(elements, (size_t)count, sizeof(*elements), compare_encodings);
    for (int i = 0; i < count; i++) {
        memcpy(at, elements[i].data, elements[i].length);
        at += elements[i].length;
    }
    return (idv_bytes_t){copy, attributes.length};
}

/* Without signed attributes, the content itself is signed. RFC 5652, 5.3,
 * allows that only for content of the type id-data: with other types,
 * attributes could be passed off as content. */
static idv_signature_result_t check_attributes(const idv_signed_data_t *data,
                                               const EVP_MD *digest)
{
    unsigned char hash[EVP_MAX_MD_SIZE];

    if (data->signed_attributes.length == 0
        || !idv_bytes_equal(data->signed_type, data->content_type))
        return IDV_SIGNATURE_TYPE_MISMATCH;
    if (!idv_bytes_equal(idv_hash(digest, data->content, hash),
                         data->signed_digest))
        return IDV_SIGNATURE_DIGEST_MISMATCH;
    return IDV_SIGNATURE_RIGHT;
}

/* Checks the attributes as sent and, for signers that signed DER but sent
 * something else, in DER's order. */
static int is_signed_by(const idv_signed_data_t *data, EVP_PKEY *key,
                        const idv_signature_scheme_t *scheme, apr_pool_t *pool)
{
    return idv_signature_is_right(key, scheme, data->signed_attributes,
                                  data->signature)
        || idv_signature_is_right(
               key, scheme, sorted_attributes(data->signed_attributes, pool),
               data->signature);
}

idv_signature_result_t idv_signed_data_verify(const idv_signed_data_t *data,
                                              EVP_PKEY *key, apr_pool_t *pool)
{
    const EVP_MD *digest = idv_digest_find(data->digest_algorithm);
    idv_signature_scheme_t scheme;
    idv_signature_result_t checked;

    if (!digest
        || idv_signature_scheme_read(data->signature_algorithm, digest, &scheme,
                                     pool))
        return IDV_SIGNATURE_UNSUPPORTED;
    checked = check_attributes(data, digest);
    if (checked != IDV_SIGNATURE_RIGHT)
        return checked;
    if (is_signed_by(data, key, &scheme, pool))
        return IDV_SIGNATURE_RIGHT;
    key = idv_public_key_unrestricted(key, pool);
    return key && is_signed_by(data, key, &scheme, pool)
             ? IDV_SIGNATURE_OTHER_SCHEME
             : IDV_SIGNATURE_WRONG;
}
