/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/mdl/reader_key.h"

#include <string.h>

#include <apr_strings.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509v3.h>

#include "core/word_list.h"
#include "methods/mdl/elliptic_key.h"
#include "methods/trust/list_content.h"

#define RSA_BITS 3072
#define RSA_BITS_MIN 2048

static const char *const kind_values[] = {
#define X(name, value) value,
    IDV_READER_KINDS(X)
#undef X
};

static const char *const type_values[] = {
#define X(name, value) value,
    IDV_READER_KEY_TYPES(X)
#undef X
};

const char *idv_reader_kind_value(idv_reader_kind_t kind)
{
    return kind_values[kind];
}

int idv_reader_kind_parse(const char *value)
{
    return idv_word_find(kind_values, IDV_READER_KIND_COUNT, value);
}

const char *idv_reader_key_type_value(idv_reader_key_type_t type)
{
    return type_values[type];
}

int idv_reader_kind_allows(idv_reader_kind_t kind, idv_reader_key_type_t type)
{
    return type == IDV_READER_KEY_P256 || kind == IDV_READER_APPLE;
}

/* --- keys --- */

static idv_error_t *failed(const char *what, apr_pool_t *pool)
{
    ERR_clear_error();
    return idv_error_internal(pool, "OpenSSL: %s", what);
}

static apr_status_t free_bio(void *bio)
{
    BIO_free(bio);
    return APR_SUCCESS;
}

/* A BIO that is freed with POOL; NULL without memory. BIO_s_secmem() wipes
 * buffers that it has outgrown. */
static BIO *memory_bio(const BIO_METHOD *method, apr_pool_t *pool)
{
    BIO *bio = BIO_new(method);

    if (bio)
        apr_pool_cleanup_register(pool, bio, free_bio, apr_pool_cleanup_null);
    return bio;
}

/* The text written to BIO, with a NUL at its end. */
static idv_bytes_t written(BIO *bio, apr_pool_t *pool)
{
    char *text;
    long length = BIO_get_mem_data(bio, &text);

    return (idv_bytes_t){
        (unsigned char *)apr_pstrmemdup(pool, text, (apr_size_t)length),
        (apr_size_t)length};
}

idv_error_t *idv_reader_key_create(idv_reader_key_type_t type,
                                   idv_bytes_t *private_key, apr_pool_t *pool)
{
    EVP_PKEY *key = idv_key_own(
        type == IDV_READER_KEY_RSA
            ? EVP_PKEY_Q_keygen(NULL, NULL, "RSA", (size_t)RSA_BITS)
            : EVP_PKEY_Q_keygen(NULL, NULL, "EC", "P-256"),
        pool);
    BIO *bio = memory_bio(BIO_s_secmem(), pool);

    if (!key || !bio
        || !PEM_write_bio_PKCS8PrivateKey(bio, key, NULL, NULL, 0, NULL, NULL))
        return failed("no new key", pool);
    *private_key = written(bio, pool);
    idv_wipe_with_pool((void *)private_key->data, private_key->length, pool);
    return NULL;
}

static idv_error_t *open_key(idv_bytes_t private_key, EVP_PKEY **key,
                             apr_pool_t *pool)
{
    BIO *bio = BIO_new_mem_buf(private_key.data, (int)private_key.length);

    if (bio)
        apr_pool_cleanup_register(pool, bio, free_bio, apr_pool_cleanup_null);
    *key = idv_key_own(
        bio ? PEM_read_bio_PrivateKey(bio, NULL, NULL, NULL) : NULL, pool);
    return *key ? NULL : failed("a stored key cannot be read", pool);
}

/* --- signatures --- */

enum { COSE_ES256 = -7, COSE_PS256 = -37 };

idv_error_t *idv_reader_algorithm(idv_bytes_t private_key, int *algorithm,
                                  apr_pool_t *pool)
{
    EVP_PKEY *key;

    IDV_TRY(open_key(private_key, &key, pool));
    *algorithm = EVP_PKEY_is_a(key, "RSA") ? COSE_PS256 : COSE_ES256;
    return NULL;
}

/* RSASSA-PSS with SHA-256 and a salt as long as the hash (RFC 8230, 2). */
static idv_error_t *sign_by_rsa(EVP_PKEY *key, idv_bytes_t message,
                                idv_bytes_t *signature, apr_pool_t *pool)
{
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    EVP_PKEY_CTX *parameters; /* the context's own */
    size_t length = (size_t)EVP_PKEY_get_size(key);
    unsigned char *bytes = apr_palloc(pool, length);
    int done =
        context
        && EVP_DigestSignInit(context, &parameters, EVP_sha256(), NULL, key)
               == 1
        && EVP_PKEY_CTX_set_rsa_padding(parameters, RSA_PKCS1_PSS_PADDING) == 1
        && EVP_PKEY_CTX_set_rsa_pss_saltlen(parameters, RSA_PSS_SALTLEN_DIGEST)
               == 1
        && EVP_DigestSign(context, bytes, &length, message.data,
                          message.length)
               == 1;

    EVP_MD_CTX_free(context);
    if (!done)
        return failed("no signature", pool);
    *signature = (idv_bytes_t){bytes, length};
    return NULL;
}

idv_error_t *idv_reader_sign(idv_bytes_t private_key, idv_bytes_t message,
                             idv_bytes_t *signature, apr_pool_t *pool)
{
    unsigned char *bytes = apr_palloc(pool, IDV_P256_SIGNATURE_SIZE);
    EVP_PKEY *key;

    IDV_TRY(open_key(private_key, &key, pool));
    if (EVP_PKEY_is_a(key, "RSA"))
        return sign_by_rsa(key, message, signature, pool);
    *signature = (idv_bytes_t){bytes, IDV_P256_SIGNATURE_SIZE};
    return idv_p256_sign(key, message, bytes, pool);
}

/* --- the request --- */

static int add_entry(X509_NAME *name, int kind, const char *text)
{
    return !text
        || X509_NAME_add_entry_by_NID(name, kind, MBSTRING_UTF8,
                                      (const unsigned char *)text, -1, -1, 0)
               == 1;
}

static int add_name(X509_NAME *name, const idv_reader_subject_t *subject)
{
    return add_entry(name, NID_countryName, subject->country)
        && add_entry(name, NID_stateOrProvinceName, subject->state)
        && add_entry(name, NID_organizationName, subject->organization)
        && add_entry(name, NID_commonName, subject->common_name)
        && add_entry(name, NID_pkcs9_emailAddress, subject->email);
}

static int add_dns_name(STACK_OF(X509_EXTENSION) **list, const char *dns_name)
{
    STACK_OF(GENERAL_NAME) *names = sk_GENERAL_NAME_new_null();
    GENERAL_NAME *name = GENERAL_NAME_new();
    ASN1_IA5STRING *text = ASN1_IA5STRING_new();
    int added = 0;

    if (names && name && text && ASN1_STRING_set(text, dns_name, -1)) {
        GENERAL_NAME_set0_value(name, GEN_DNS, text);
        text = NULL;
        if (sk_GENERAL_NAME_push(names, name)) {
            name = NULL;
            added = X509V3_add1_i2d(list, NID_subject_alt_name, names, 0, 0)
                 == 1;
        }
    }
    ASN1_IA5STRING_free(text);
    GENERAL_NAME_free(name);
    sk_GENERAL_NAME_pop_free(names, GENERAL_NAME_free);
    return added;
}

/* Non-zero if VALUE is the DER of one value, with nothing behind it. */
static int is_der(idv_bytes_t value)
{
    const unsigned char *at = value.data;
    ASN1_TYPE *type = d2i_ASN1_TYPE(NULL, &at, (long)value.length);
    int is_whole = type && at == value.data + value.length;

    ASN1_TYPE_free(type);
    ERR_clear_error();
    return is_whole;
}

static int add_extension(STACK_OF(X509_EXTENSION) **list,
                         const idv_reader_subject_t *subject)
{
    ASN1_OBJECT *object = OBJ_txt2obj(subject->extension, 1);
    ASN1_OCTET_STRING *value = ASN1_OCTET_STRING_new();
    X509_EXTENSION *extension = NULL;
    int added = 0;

    if (object && value
        && ASN1_OCTET_STRING_set(value, subject->extension_value.data,
                                 (int)subject->extension_value.length))
        extension = X509_EXTENSION_create_by_OBJ(NULL, object, 0, value);
    if (extension)
        added = X509v3_add_ext(list, extension, -1) != NULL;
    X509_EXTENSION_free(extension);
    ASN1_OCTET_STRING_free(value);
    ASN1_OBJECT_free(object);
    return added;
}

/* A request has one list of extensions (RFC 2985, 5.4.2). */
static int add_extensions(X509_REQ *request, const idv_reader_subject_t *subject)
{
    STACK_OF(X509_EXTENSION) *list = NULL;
    int added = (!subject->dns_name || add_dns_name(&list, subject->dns_name))
             && (!subject->extension || add_extension(&list, subject))
             && (!list || X509_REQ_add_extensions(request, list) == 1);

    sk_X509_EXTENSION_pop_free(list, X509_EXTENSION_free);
    return added;
}

static idv_error_t *check_extension(const idv_reader_subject_t *subject,
                                    apr_pool_t *pool)
{
    ASN1_OBJECT *object =
        subject->extension ? OBJ_txt2obj(subject->extension, 1) : NULL;
    int is_known = object != NULL;

    ASN1_OBJECT_free(object);
    ERR_clear_error();
    return !subject->extension
                || (is_known && is_der(subject->extension_value))
             ? NULL
             : idv_error_param(pool, "extension",
                               "Write the object identifier in numbers, \"=\" "
                               "and the DER of its value in hexadecimal "
                               "digits.");
}

static apr_status_t free_request(void *request)
{
    X509_REQ_free(request);
    return APR_SUCCESS;
}

idv_error_t *idv_reader_request(idv_bytes_t private_key,
                                const idv_reader_subject_t *subject,
                                const char **request, apr_pool_t *pool)
{
    X509_REQ *made = X509_REQ_new();
    BIO *bio = memory_bio(BIO_s_mem(), pool);
    EVP_PKEY *key;

    if (!made || !bio)
        return failed("no memory for a request", pool);
    apr_pool_cleanup_register(pool, made, free_request, apr_pool_cleanup_null);
    IDV_TRY(check_extension(subject, pool));
    IDV_TRY(open_key(private_key, &key, pool));
    if (!add_name(X509_REQ_get_subject_name(made), subject)) {
        ERR_clear_error();
        return idv_error_param(pool, NULL,
                               "A name must have at most 64 characters, and "
                               "the country must be a code of two letters.");
    }
    if (X509_REQ_set_pubkey(made, key) != 1
        || !add_extensions(made, subject)
        || X509_REQ_sign(made, key, EVP_sha256()) <= 0
        || !PEM_write_bio_X509_REQ(bio, made))
        return failed("no request", pool);
    *request = (const char *)written(bio, pool).data;
    return NULL;
}

/* --- the chain --- */

static int has_signed(X509 *issuer, X509 *certificate)
{
    int result =
        X509_check_issued(issuer, certificate) == X509_V_OK
        && X509_verify(certificate, X509_get0_pubkey(issuer)) == 1;

    ERR_clear_error();
    return result;
}

static int is_key_allowed(idv_reader_kind_t kind, const EVP_PKEY *key)
{
    if (idv_curve_of(key) == IDV_CURVE_P256)
        return 1;
    return kind == IDV_READER_APPLE && EVP_PKEY_is_a(key, "RSA")
        && EVP_PKEY_get_bits(key) >= RSA_BITS_MIN;
}

/* The fault of the leaf of IDENTITY; NULL: none. */
static const char *leaf_fault(X509 *leaf, const EVP_PKEY *key,
                              idv_reader_kind_t kind)
{
    if (X509_check_private_key(leaf, key) != 1)
        return "The first certificate is not for this identity's key.";
    if (!is_key_allowed(kind, key))
        return "This kind of identity does not support the type of the key.";
    if (has_signed(leaf, leaf))
        return "The first certificate is self-signed. An authority must "
               "certify the key.";
    if (X509_check_ca(leaf))
        return "The first certificate is an authority's. Put the certificate "
               "of the key first.";
    /* If the extension is absent, OpenSSL reports all usages, but wallets
     * require the extension. */
    if (X509_get_version(leaf) != X509_VERSION_3
        || !(X509_get_extension_flags(leaf) & EXFLAG_KUSAGE))
        return "Wallets would refuse the first certificate. It must be of "
               "version 3 and have the key usage digitalSignature.";
    if (!(X509_get_key_usage(leaf) & KU_DIGITAL_SIGNATURE))
        return "The key usage of the first certificate does not allow "
               "signatures.";
    return NULL;
}

static const char *link_fault(X509 *certificate, X509 *next, idv_time_t now)
{
    if (!idv_x509_is_valid_at(certificate, now))
        return "A certificate is not valid at this time.";
    if (next && !has_signed(next, certificate))
        return "Each certificate must be followed by the certificate of its "
               "issuer.";
    return NULL;
}

static idv_error_t *read_links(const apr_array_header_t *list, X509 **links,
                               apr_pool_t *pool)
{
    if (list->nelts > IDV_READER_CHAIN_MAX + 1)
        return idv_error_param(pool, "FILE", "More than %d certificates.",
                               IDV_READER_CHAIN_MAX + 1);
    for (int i = 0; i < list->nelts; i++) {
        idv_bytes_t der = APR_ARRAY_IDX(list, i, idv_bytes_t);

        links[i] = idv_x509_read(der, pool);
        if (!links[i] || der.length > IDV_READER_CERTIFICATE_MAX)
            return idv_error_param(pool, "FILE",
                                   "Not a certificate, or longer than %d "
                                   "bytes.",
                                   IDV_READER_CERTIFICATE_MAX);
    }
    return NULL;
}

idv_error_t *idv_reader_chain_read(idv_bytes_t file, idv_time_t now,
                                   idv_reader_identity_t *identity,
                                   apr_pool_t *pool)
{
    apr_array_header_t *list = apr_array_make(pool, 4, sizeof(idv_bytes_t));
    X509 *links[IDV_READER_CHAIN_MAX + 1];
    const char *fault;
    EVP_PKEY *key;
    int count;

    IDV_TRY(open_key(identity->private_key, &key, pool));
    IDV_TRY(idv_trust_certificates_read(file, list, pool));
    IDV_TRY(read_links(list, links, pool));
    fault = leaf_fault(links[0], key, identity->kind);
    count = list->nelts;
    for (int i = 0; i < count && !fault; i++)
        fault = link_fault(links[i], i + 1 < count ? links[i + 1] : NULL, now);
    if (!fault && count > 1 && has_signed(links[count - 1], links[count - 1]))
        count--;
    if (!fault && count > IDV_READER_CHAIN_MAX)
        fault = "The chain is too long.";
    ERR_clear_error();
    if (fault)
        return idv_error_param(pool, "FILE", "%s", fault);
    identity->chain_length = count;
    identity->not_after = 0;
    for (int i = 0; i < count; i++) {
        idv_time_t end = idv_x509_time(X509_get0_notAfter(links[i]));

        identity->chain[i] = APR_ARRAY_IDX(list, i, idv_bytes_t);
        if (!identity->not_after || end < identity->not_after)
            identity->not_after = end;
    }
    return NULL;
}
