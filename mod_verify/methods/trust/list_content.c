/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/trust/list_content.h"

#include <ctype.h>
#include <string.h>

#include <apr_encode.h>
#include <apr_strings.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

#include "core/utf8.h"
#include "domain/value/civil_date.h"

/* The most bytes of a time, with more fractional digits than any clock has. */
#define TIME_TEXT_MAX 40

/* --- certificates --- */

idv_trust_content_t *idv_trust_content_create(idv_trust_kind_t kind,
                                              apr_pool_t *pool)
{
    idv_trust_content_t *content = apr_pcalloc(pool, sizeof(*content));

    content->kind = kind;
    content->certificates =
        apr_array_make(pool, 16, sizeof(idv_trust_certificate_t));
    return content;
}

static int has_type(const idv_trust_certificate_t *item, const char *type)
{
    for (int i = 0; i < item->doc_type_count; i++)
        if (strcmp(item->doc_types[i], type) == 0)
            return 1;
    return 0;
}

/* A certificate for all documents stays one for all documents. */
static idv_error_t *add_types(idv_trust_certificate_t *item,
                              const char *const *doc_types, apr_pool_t *pool)
{
    const char **types;

    if (!doc_types) {
        item->doc_types = NULL;
        item->doc_type_count = 0;
        return NULL;
    }
    types = apr_pcalloc(pool, sizeof(*types) * (IDV_TRUST_DOC_TYPES_MAX + 1));
    memcpy(types, item->doc_types,
           sizeof(*types) * (size_t)item->doc_type_count);
    item->doc_types = types;
    for (; *doc_types; doc_types++) {
        if (has_type(item, *doc_types))
            continue;
        if (item->doc_type_count == IDV_TRUST_DOC_TYPES_MAX)
            return idv_error_param(pool, NULL,
                                   "A certificate is for more than %d document "
                                   "types.",
                                   IDV_TRUST_DOC_TYPES_MAX);
        types[item->doc_type_count++] = apr_pstrdup(pool, *doc_types);
    }
    return NULL;
}

static idv_trust_certificate_t *find(const idv_trust_content_t *content,
                                     idv_bytes_t der)
{
    for (int i = 0; i < content->certificates->nelts; i++) {
        idv_trust_certificate_t *item = &APR_ARRAY_IDX(
            content->certificates, i, idv_trust_certificate_t);

        if (item->certificate.length == der.length
            && memcmp(item->certificate.data, der.data, der.length) == 0)
            return item;
    }
    return NULL;
}

idv_error_t *idv_trust_content_add(idv_trust_content_t *content,
                                   idv_bytes_t der,
                                   const char *const *doc_types,
                                   apr_pool_t *pool)
{
    idv_trust_certificate_t *item = find(content, der);
    static const char *const none[] = {NULL};
    X509 *certificate;

    /* It is for all documents already. */
    if (item && item->doc_type_count == 0)
        return NULL;
    if (item)
        return add_types(item, doc_types, pool);
    certificate = idv_x509_read(der, pool);
    if (!certificate)
        return idv_error_param(pool, NULL,
                               "An entry of the list is not a certificate.");
    if (content->certificates->nelts == IDV_TRUST_CERTIFICATES_MAX)
        return idv_error_param(pool, NULL,
                               "The list has more than %d certificates.",
                               IDV_TRUST_CERTIFICATES_MAX);
    item = apr_array_push(content->certificates);
    *item = (idv_trust_certificate_t){
        .certificate = idv_bytes_copy(der, pool),
        .is_signer = content->kind == IDV_TRUST_SANDBOX_SIGNER
                  || !X509_check_ca(certificate),
        .doc_types = none,
    };
    ERR_clear_error();
    return add_types(item, doc_types, pool);
}

static apr_status_t free_bio(void *bio)
{
    BIO_free(bio);
    return APR_SUCCESS;
}

static void read_pem(BIO *bio, apr_array_header_t *certificates,
                     apr_pool_t *pool)
{
    char *name, *header;
    unsigned char *data;
    long length;

    while (certificates->nelts <= IDV_TRUST_CERTIFICATES_MAX
           && PEM_read_bio(bio, &name, &header, &data, &length) == 1) {
        if (strcmp(name, PEM_STRING_X509) == 0)
            APR_ARRAY_PUSH(certificates, idv_bytes_t) =
                idv_bytes_copy((idv_bytes_t){data, (apr_size_t)length}, pool);
        OPENSSL_free(name);
        OPENSSL_free(header);
        OPENSSL_free(data);
    }
    ERR_clear_error();
}

#define DER_SEQUENCE 0x30

idv_error_t *idv_trust_certificates_read(idv_bytes_t file,
                                         apr_array_header_t *certificates,
                                         apr_pool_t *pool)
{
    int before = certificates->nelts;
    BIO *bio;

    if (file.length > IDV_TRUST_FILE_MAX)
        return idv_error_param(pool, NULL, "The file is longer than %d bytes.",
                               IDV_TRUST_FILE_MAX);
    if (file.length > 0 && file.data[0] == DER_SEQUENCE) {
        APR_ARRAY_PUSH(certificates, idv_bytes_t) = file;
        return NULL;
    }
    bio = BIO_new_mem_buf(file.data, (int)file.length);
    if (!bio)
        return idv_error_internal(pool, "no memory for PEM");
    apr_pool_cleanup_register(pool, bio, free_bio, apr_pool_cleanup_null);
    read_pem(bio, certificates, pool);
    return certificates->nelts > before
             ? NULL
             : idv_error_param(pool, NULL, "The file contains no "
                                           "certificates.");
}

/* --- texts --- */

const char *idv_trust_name(const char *text, apr_pool_t *pool)
{
    char *name = apr_pstrdup(pool, text), *out = name;
    apr_size_t length = 0;

    for (; *text && length < IDV_TRUST_NAME_MAX; text++) {
        int misleading = idv_utf8_misleads(text);

        if (misleading || (*text == ' ' && out == name)) {
            text += misleading ? misleading - 1 : 0;
            continue;
        }
        length += !idv_utf8_is_continuation(*text);
        *out++ = *text;
    }
    /* Completes the last character if the limit of the name fell within it. */
    while (idv_utf8_is_continuation(*text))
        *out++ = *text++;
    while (out > name && out[-1] == ' ')
        out--;
    *out = '\0';
    return idv_utf8_is_blank(name) ? NULL : name;
}

/* The number in two digits at TEXT, up to LIMIT; -1 for anything else. */
static int two_digits(const char *text, int limit)
{
    int number;

    if (!isdigit((unsigned char)text[0]) || !isdigit((unsigned char)text[1]))
        return -1;
    number = (text[0] - '0') * 10 + (text[1] - '0');
    return number <= limit ? number : -1;
}

int idv_trust_time(const char *text, idv_time_t *time, apr_pool_t *pool)
{
    size_t length = strlen(text);
    int hour, minute, second;
    idv_date_t date;
    const char *rest;

    if (length < 20 || length > TIME_TEXT_MAX || text[10] != 'T'
        || text[13] != ':' || text[16] != ':'
        || idv_date_parse(apr_pstrmemdup(pool, text, 10), &date, pool)
        || !idv_date_is_complete(date))
        return 0;
    hour = two_digits(text + 11, 23);
    minute = two_digits(text + 14, 59);
    second = two_digits(text + 17, 60);
    rest = text + 19;
    if (*rest == '.')
        rest += 1 + strspn(rest + 1, "0123456789");
    if (hour < 0 || minute < 0 || second < 0 || strcmp(rest, "Z") != 0)
        return 0;
    *time = idv_date_days(date) * IDV_DAY + hour * IDV_HOUR
          + minute * IDV_MINUTE + second * IDV_SECOND;
    return *time > 0;
}

idv_bytes_t idv_trust_base64(const char *text, apr_size_t limit,
                             apr_pool_t *pool)
{
    const idv_bytes_t none = {NULL, 0};
    char *bare = apr_palloc(pool, strlen(text) + 1), *out = bare;
    const unsigned char *bytes;
    apr_size_t length = 0;

    for (; *text; text++)
        if (!strchr(" \t\r\n", *text))
            *out++ = *text;
    *out = '\0';
    if (out - bare > (apr_ssize_t)(limit / 3 + 1) * 4)
        return none;
    bytes = apr_pdecode_base64_binary(pool, bare, out - bare,
                                      APR_ENCODE_NONE, &length);
    return bytes && length <= limit ? (idv_bytes_t){bytes, length} : none;
}

/* --- the signer --- */

static int is_among(idv_bytes_t der, const apr_array_header_t *list)
{
    for (int i = 0; i < list->nelts; i++) {
        const idv_bytes_t *item = &APR_ARRAY_IDX(list, i, const idv_bytes_t);

        if (item->length == der.length
            && memcmp(item->data, der.data, der.length) == 0)
            return 1;
    }
    return 0;
}

static int has_purpose(X509 *certificate, const char *purpose)
{
    EXTENDED_KEY_USAGE *usage =
        X509_get_ext_d2i(certificate, NID_ext_key_usage, NULL, NULL);
    ASN1_OBJECT *wanted = OBJ_txt2obj(purpose, 1);
    int found = 0;

    for (int i = 0; i < sk_ASN1_OBJECT_num(usage); i++)
        found |= OBJ_cmp(sk_ASN1_OBJECT_value(usage, i), wanted) == 0;
    ASN1_OBJECT_free(wanted);
    sk_ASN1_OBJECT_pop_free(usage, ASN1_OBJECT_free);
    return found;
}

typedef struct {
    X509_STORE *store;
    X509_STORE_CTX *context;
    STACK_OF(X509) *others;
} chain_check_t;

static apr_status_t free_check(void *data)
{
    chain_check_t *check = data;

    X509_STORE_CTX_free(check->context);
    X509_STORE_free(check->store);
    sk_X509_free(check->others);
    return APR_SUCCESS;
}

/* Non-zero if a chain leads from SIGNER to one of TRUSTED, through others that
 * came with the list. */
static int is_certified(X509 *signer, const idv_trust_signer_t *given,
                        const apr_array_header_t *trusted, apr_pool_t *pool)
{
    chain_check_t *check = apr_palloc(pool, sizeof(*check));
    X509_VERIFY_PARAM *rules;

    *check = (chain_check_t){X509_STORE_new(), X509_STORE_CTX_new(),
                             sk_X509_new_null()};
    apr_pool_cleanup_register(pool, check, free_check, apr_pool_cleanup_null);
    if (!check->store || !check->context || !check->others)
        return 0;
    for (int i = 0; i < trusted->nelts; i++) {
        X509 *anchor =
            idv_x509_read(APR_ARRAY_IDX(trusted, i, idv_bytes_t), pool);

        if (anchor)
            X509_STORE_add_cert(check->store, anchor);
    }
    for (int i = 1; i < given->count; i++) {
        X509 *other = idv_x509_read(given->chain[i], pool);

        if (other)
            sk_X509_push(check->others, other);
    }
    if (!X509_STORE_CTX_init(check->context, check->store, signer,
                             check->others))
        return 0;
    rules = X509_STORE_CTX_get0_param(check->context);
    X509_VERIFY_PARAM_set_purpose(rules, X509_PURPOSE_ANY);
    X509_VERIFY_PARAM_set_flags(rules, X509_V_FLAG_PARTIAL_CHAIN);
    X509_VERIFY_PARAM_set_time(rules, (time_t)idv_time_seconds(given->now));
    return X509_verify_cert(check->context) == 1;
}

idv_error_t *idv_trust_signer_key(const idv_trust_signer_t *signer,
                                  const apr_array_header_t *trusted,
                                  EVP_PKEY **key, const char **fingerprint,
                                  apr_pool_t *pool)
{
    const char *why = NULL;
    X509 *certificate =
        signer->count ? idv_x509_read(signer->chain[0], pool) : NULL;

    if (!certificate)
        return idv_error_param(pool, NULL,
                               "The list does not contain its signer's "
                               "certificate.");
    if (!idv_x509_is_valid_at(certificate, signer->now))
        why = "is signed by a certificate that is not valid at this time";
    else if (!is_among(signer->chain[0], trusted)) {
        if (!is_certified(certificate, signer, trusted, pool))
            why = "is not signed under a certificate of --signer";
        else if (!has_purpose(certificate, signer->purpose))
            why = "is signed by a certificate that may not sign such lists";
    }
    ERR_clear_error();
    if (why)
        return idv_error_param(pool, NULL, "The list %s.", why);
    *key = X509_get0_pubkey(certificate);
    *fingerprint = idv_x509_fingerprint(signer->chain[0], pool);
    return *key ? NULL
                : idv_error_param(pool, NULL, "The key of the list's signer "
                                              "cannot be read.");
}
