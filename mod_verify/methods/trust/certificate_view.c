/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/trust/certificate_view.h"

#include <time.h>

#include <apr_strings.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/x509.h>

const char *idv_certificate_name(const X509_NAME *name, apr_pool_t *pool)
{
    BIO *bio = BIO_new(BIO_s_mem());
    const char *printed = NULL;
    json_t *valid;
    char *text;
    long length;

    if (bio
        && X509_NAME_print_ex(bio, name, 0,
                              XN_FLAG_RFC2253 & ~ASN1_STRFLGS_ESC_MSB)
               >= 0) {
        length = BIO_get_mem_data(bio, &text);
        printed = apr_pstrmemdup(pool, text, (apr_size_t)(length > 0 ? length : 0));
        valid = json_string(printed);
        if (!valid)
            printed = NULL;
        json_decref(valid);
    }
    BIO_free(bio);
    return printed;
}

static json_t *subject_json(const X509 *certificate, apr_pool_t *pool)
{
    const char *name =
        idv_certificate_name(X509_get_subject_name(certificate), pool);

    return name ? json_string(name) : json_null();
}

static json_t *seconds_json(const ASN1_TIME *time)
{
    struct tm broken;

    return ASN1_TIME_to_tm(time, &broken) == 1
             ? json_integer((json_int_t)timegm(&broken))
             : json_null();
}

json_t *idv_certificate_view_json(idv_bytes_t der, apr_pool_t *pool)
{
    const unsigned char *at = der.data;
    X509 *certificate = d2i_X509(NULL, &at, (long)der.length);
    unsigned char digest[IDV_DIGEST_SIZE];
    json_t *view;

    idv_sha256(der.data, der.length, digest);
    view = json_pack(
        "{s:s, s:o, s:o, s:o}", "fingerprint",
        idv_hex(digest, sizeof(digest), pool), "subject",
        certificate ? subject_json(certificate, pool) : json_null(),
        "not_before",
        certificate ? seconds_json(X509_get0_notBefore(certificate))
                    : json_null(),
        "not_after",
        certificate ? seconds_json(X509_get0_notAfter(certificate))
                    : json_null());
    X509_free(certificate);
    ERR_clear_error();
    return view;
}
