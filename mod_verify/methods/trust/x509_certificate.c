/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/trust/x509_certificate.h"

#include <string.h>
#include <time.h>

#include <apr_strings.h>
#include <openssl/err.h>
#include <openssl/x509v3.h>

static apr_status_t free_certificate(void *certificate)
{
    X509_free(certificate);
    return APR_SUCCESS;
}

X509 *idv_x509_read(idv_bytes_t der, apr_pool_t *pool)
{
    const unsigned char *end = der.data;
    X509 *certificate = der.length && der.length <= IDV_X509_MAX
                          ? d2i_X509(NULL, &end, (long)der.length)
                          : NULL;

    ERR_clear_error();
    if (certificate)
        apr_pool_cleanup_register(pool, certificate, free_certificate,
                                  apr_pool_cleanup_null);
    return certificate && end == der.data + der.length ? certificate : NULL;
}

int idv_x509_is_valid_at(const X509 *certificate, idv_time_t now)
{
    time_t seconds = (time_t)idv_time_seconds(now);

    return X509_cmp_time(X509_get0_notBefore(certificate), &seconds) < 0
        && X509_cmp_time(X509_get0_notAfter(certificate), &seconds) > 0;
}

idv_time_t idv_x509_time(const ASN1_TIME *time)
{
    struct tm broken;

    return ASN1_TIME_to_tm(time, &broken) == 1
             ? (idv_time_t)timegm(&broken) * IDV_SECOND
             : 0;
}

const char *idv_x509_fingerprint(idv_bytes_t der, apr_pool_t *pool)
{
    unsigned char digest[IDV_DIGEST_SIZE];

    idv_sha256(der.data, der.length, digest);
    return idv_hex(digest, sizeof(digest), pool);
}

/* --- addresses of revocation lists --- */

static int is_web_address(const unsigned char *text, int length)
{
    if (length > IDV_CRL_ADDRESS_MAX
        || ((length < 7 || memcmp(text, "http://", 7) != 0)
            && (length < 8 || memcmp(text, "https://", 8) != 0)))
        return 0;
    for (int i = 0; i < length; i++)
        if (text[i] <= ' ' || text[i] > '~')
            return 0;
    return 1;
}

/* Adds the addresses of POINT after the first COUNT; returns how many there are
 * then. */
static int add_addresses(const DIST_POINT *point, const char **addresses,
                         int count, apr_pool_t *pool)
{
    const GENERAL_NAMES *names;

    if (!point->distpoint || point->distpoint->type != 0)
        return count;
    names = point->distpoint->name.fullname;
    for (int i = 0;
         i < sk_GENERAL_NAME_num(names) && count < IDV_CRL_ADDRESSES_MAX; i++) {
        int type;
        const ASN1_STRING *text =
            GENERAL_NAME_get0_value(sk_GENERAL_NAME_value(names, i), &type);

        if (type == GEN_URI
            && is_web_address(ASN1_STRING_get0_data(text),
                              ASN1_STRING_length(text)))
            addresses[count++] = apr_pstrmemdup(
                pool, (const char *)ASN1_STRING_get0_data(text),
                (apr_size_t)ASN1_STRING_length(text));
    }
    return count;
}

int idv_x509_crl_addresses(idv_bytes_t points,
                           const char *addresses[IDV_CRL_ADDRESSES_MAX],
                           apr_pool_t *pool)
{
    const unsigned char *at = points.data;
    CRL_DIST_POINTS *list =
        points.length && points.length <= IDV_X509_MAX
            ? d2i_CRL_DIST_POINTS(NULL, &at, (long)points.length)
            : NULL;
    int count = 0;

    for (int i = 0; list && i < sk_DIST_POINT_num(list); i++)
        count = add_addresses(sk_DIST_POINT_value(list, i), addresses, count,
                              pool);
    CRL_DIST_POINTS_free(list);
    ERR_clear_error();
    return count;
}
