/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/mdl/revocation_list.h"

#include <string.h>

#include <apr_strings.h>
#include <openssl/bn.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <zlib.h>

#include "methods/mdl/cose.h"
#include "methods/trust/certificate_view.h"
#include "methods/trust/x509_certificate.h"

#define FRESH_MIN IDV_MINUTE
#define FRESH_MAX IDV_DAY
#define CHUNK 16384 /* bytes that are decompressed at a time */

/* Labels of headers (RFC 9052, 3.1; RFC 9596; RFC 9360), and claims (RFC 8392;
 * Token Status List, 5.2 and 14.4). */
enum { LABEL_TYPE = 16, LABEL_X5CHAIN = 33 };
enum {
    CLAIM_SUBJECT = 2,
    CLAIM_EXPIRES = 4,
    CLAIM_IDENTIFIER_LIST = 65530,
    CLAIM_STATUS_LIST = 65533,
    CLAIM_TTL = 65534
};
enum { STATUS_VALID = 0, STATUS_INVALID = 1, STATUS_SUSPENDED = 2 };

static const char status_list_type[] = "application/statuslist+cwt";
static const char identifier_list_type[] = "application/identifierlist+cwt";

static X509 *authority_at(const idv_revocation_trust_t *trust, int i,
                          apr_pool_t *pool)
{
    X509 *authority = idv_x509_read(trust->authorities[i], pool);

    return authority && idv_x509_is_valid_at(authority, trust->now) ? authority
                                                                    : NULL;
}

/* --- certificate revocation lists --- */

static apr_status_t free_crl(void *crl)
{
    X509_CRL_free(crl);
    return APR_SUCCESS;
}

static X509_CRL *read_crl(idv_bytes_t bytes, apr_pool_t *pool)
{
    const unsigned char *end = bytes.data;
    X509_CRL *crl = bytes.length && bytes.length <= IDV_REVOCATION_LIST_MAX
                      ? d2i_X509_CRL(NULL, &end, (long)bytes.length)
                      : NULL;

    ERR_clear_error();
    if (crl)
        apr_pool_cleanup_register(pool, crl, free_crl, apr_pool_cleanup_null);
    return crl && end == bytes.data + bytes.length ? crl : NULL;
}

static int is_crl_signed(X509_CRL *crl, const idv_revocation_trust_t *trust,
                         apr_pool_t *pool)
{
    int is_signed = 0;

    for (int i = 0; i < trust->authority_count && !is_signed; i++) {
        X509 *authority = authority_at(trust, i, pool);

        is_signed =
            authority
            && X509_NAME_cmp(X509_get_subject_name(authority),
                             X509_CRL_get_issuer(crl))
                   == 0
            && (X509_get_key_usage(authority) & KU_CRL_SIGN)
            && X509_CRL_verify(crl, X509_get0_pubkey(authority)) == 1;
    }
    ERR_clear_error();
    return is_signed;
}

/* Non-zero if the distribution point of CRL, which is critical, restricts
 * nothing but its location (RFC 5280, 5.2.5). */
static int has_plain_scope(X509_CRL *crl)
{
    ISSUING_DIST_POINT *point =
        X509_CRL_get_ext_d2i(crl, NID_issuing_distribution_point, NULL, NULL);
    int is_plain = point && !point->onlyCA && !point->indirectCRL
                && !point->onlyattr && !point->onlysomereasons;

    ISSUING_DIST_POINT_free(point);
    return is_plain;
}

static int has_known_extensions(X509_CRL *crl)
{
    for (int i = X509_CRL_get_ext_by_critical(crl, 1, -1); i >= 0;
         i = X509_CRL_get_ext_by_critical(crl, 1, i)) {
        const ASN1_OBJECT *kind =
            X509_EXTENSION_get_object(X509_CRL_get_ext(crl, i));

        if (OBJ_obj2nid(kind) != NID_issuing_distribution_point
            || !has_plain_scope(crl))
            return 0;
    }
    return 1;
}

/* Signatures with SHA-1 and older hashes prove nothing. */
static int has_strong_digest(const X509_CRL *crl)
{
    int digest = NID_undef;

    return OBJ_find_sigid_algs(X509_CRL_get_signature_nid(crl), &digest, NULL)
        && digest != NID_sha1 && digest != NID_md5;
}

static int is_crl_current(const X509_CRL *crl, idv_time_t now)
{
    time_t seconds = (time_t)idv_time_seconds(now);
    const ASN1_TIME *next = X509_CRL_get0_nextUpdate(crl);

    return X509_cmp_time(X509_CRL_get0_lastUpdate(crl), &seconds) < 0 && next
        && X509_cmp_time(next, &seconds) > 0;
}

static idv_revocation_t look_up(X509_CRL *crl, const char *serial)
{
    BIGNUM *number = NULL;
    ASN1_INTEGER *wanted = NULL;
    X509_REVOKED *entry = NULL;
    idv_revocation_t says = IDV_REVOCATION_UNKNOWN;

    if (BN_hex2bn(&number, serial) == (int)strlen(serial))
        wanted = BN_to_ASN1_INTEGER(number, NULL);
    if (wanted)
        /* 2: it was on hold, but no longer is. */
        says = X509_CRL_get0_by_serial(crl, &entry, wanted) == 1
                 ? IDV_REVOCATION_REVOKED
                 : IDV_REVOCATION_GOOD;
    ASN1_INTEGER_free(wanted);
    BN_free(number);
    ERR_clear_error();
    return says;
}

idv_revocation_t idv_crl_says(idv_bytes_t bytes, const char *serial,
                              const idv_revocation_trust_t *trust,
                              apr_pool_t *pool)
{
    return idv_crl_fault(bytes, trust, pool)
             ? IDV_REVOCATION_UNKNOWN
             : look_up(read_crl(bytes, pool), serial);
}

/* --- an operator's files --- */

static apr_status_t free_bio(void *bio)
{
    BIO_free(bio);
    return APR_SUCCESS;
}

/* The list in a PEM text; NULL if there is none. */
static X509_CRL *read_pem(idv_bytes_t file, apr_pool_t *pool)
{
    BIO *bio = BIO_new_mem_buf(file.data, (int)file.length);
    X509_CRL *crl;

    if (!bio)
        return NULL;
    apr_pool_cleanup_register(pool, bio, free_bio, apr_pool_cleanup_null);
    crl = PEM_read_bio_X509_CRL(bio, NULL, NULL, NULL);
    ERR_clear_error();
    if (crl)
        apr_pool_cleanup_register(pool, crl, free_crl, apr_pool_cleanup_null);
    return crl;
}

static int count_revoked(X509_CRL *crl)
{
    const STACK_OF(X509_REVOKED) *entries = X509_CRL_get_REVOKED(crl);

    return entries ? sk_X509_REVOKED_num(entries) : 0;
}

idv_error_t *idv_crl_read(idv_bytes_t file, idv_crl_t *out, apr_pool_t *pool)
{
    unsigned char *der = NULL;
    X509_CRL *crl;
    int length;

    if (file.length > IDV_REVOCATION_LIST_MAX)
        return idv_error_param(pool, "FILE", "The list is longer than %d bytes.",
                               IDV_REVOCATION_LIST_MAX);
    crl = read_crl(file, pool);
    if (!crl)
        crl = read_pem(file, pool);
    if (!crl)
        return idv_error_param(pool, "FILE",
                               "This is not a certificate revocation list in "
                               "DER or PEM.");
    length = i2d_X509_CRL(crl, &der);
    if (length <= 0)
        return idv_error_internal(pool, "OpenSSL: a list cannot be written");
    out->der.data = apr_pmemdup(pool, der, (apr_size_t)length);
    out->der.length = (apr_size_t)length;
    OPENSSL_free(der);
    out->issued = idv_x509_time(X509_CRL_get0_lastUpdate(crl));
    out->next_update = X509_CRL_get0_nextUpdate(crl)
                         ? idv_x509_time(X509_CRL_get0_nextUpdate(crl))
                         : 0;
    out->revoked = count_revoked(crl);
    out->issuer = idv_certificate_name(X509_CRL_get_issuer(crl), pool);
    return NULL;
}

const char *idv_crl_fault(idv_bytes_t der, const idv_revocation_trust_t *trust,
                          apr_pool_t *pool)
{
    X509_CRL *crl = read_crl(der, pool);

    if (!crl)
        return "is not a certificate revocation list";
    if (!is_crl_current(crl, trust->now))
        return "is not valid now, or has no end of validity";
    if (!has_known_extensions(crl))
        return "does not cover all certificates of its issuer";
    if (!has_strong_digest(crl))
        return "is signed with a broken digest (SHA-1 or older)";
    return is_crl_signed(crl, trust, pool)
             ? NULL
             : "is not signed by a trusted and valid authority that may sign "
               "lists";
}

int idv_crl_names(idv_bytes_t der, idv_bytes_t authority, apr_pool_t *pool)
{
    const X509_CRL *crl = read_crl(der, pool);
    const X509 *certificate = idv_x509_read(authority, pool);

    return crl && certificate
        && X509_NAME_cmp(X509_CRL_get_issuer(crl),
                         X509_get_subject_name(certificate))
               == 0;
}

/* --- status lists --- */

/* The parts of a token. */
typedef struct {
    idv_cose_message_t message;
    const idv_cbor_t *claims;
} token_t;

static int read_token(idv_bytes_t bytes, token_t *token, apr_pool_t *pool)
{
    idv_cbor_budget_t budget = IDV_CBOR_BUDGET;
    const idv_cbor_t *item;

    if (idv_cbor_read(bytes, &budget, &item, pool))
        return 0;
    if (idv_cbor_is(item, IDV_CBOR_TAG) && item->number == IDV_CBOR_TAG_SIGN1)
        item = item->first;
    return !idv_cose_read(item, &budget, &token->message, pool)
        && !token->message.is_detached
        && !idv_cbor_read(token->message.payload, &budget, &token->claims,
                          pool);
}

/* The first certificate of the x5chain, which may be in either header. */
static X509 *signer_of(const idv_cose_message_t *message, apr_pool_t *pool)
{
    const idv_cbor_t *item =
        idv_cbor_member_number(message->protected_header, LABEL_X5CHAIN);

    if (!item)
        item =
            idv_cbor_member_number(message->unprotected_header, LABEL_X5CHAIN);
    if (idv_cbor_is(item, IDV_CBOR_ARRAY))
        item = item->first;
    return idv_cbor_is(item, IDV_CBOR_BYTES)
             ? idv_x509_read(item->content, pool)
             : NULL;
}

/* Non-zero if SIGNER is an authority of TRUST, or certified by one. */
static int is_trusted(X509 *signer, const idv_revocation_trust_t *trust,
                      apr_pool_t *pool)
{
    int is_found = 0;

    for (int i = 0; i < trust->authority_count && !is_found; i++) {
        X509 *authority = authority_at(trust, i, pool);

        is_found = authority
                && (X509_cmp(authority, signer) == 0
                    || (X509_check_issued(authority, signer) == X509_V_OK
                        && X509_verify(signer, X509_get0_pubkey(authority))
                               == 1));
    }
    ERR_clear_error();
    return is_found && idv_x509_is_valid_at(signer, trust->now)
        && (X509_get_key_usage(signer) & KU_DIGITAL_SIGNATURE);
}

/* Non-zero if TOKEN has the type WANTED, has ADDRESS as its subject, is in
 * force, and is signed by a trusted signer. */
static int is_token_good(const token_t *token, const char *wanted,
                         const char *address,
                         const idv_revocation_trust_t *trust, apr_pool_t *pool)
{
    const idv_cose_message_t *message = &token->message;
    const char *type = idv_cbor_text(
        idv_cbor_member_number(message->protected_header, LABEL_TYPE));
    const char *subject =
        idv_cbor_text(idv_cbor_member_number(token->claims, CLAIM_SUBJECT));
    const idv_cbor_t *end =
        idv_cbor_member_number(token->claims, CLAIM_EXPIRES);
    apr_int64_t expires = 0;
    X509 *signer = signer_of(message, pool);

    return type && strcmp(type, wanted) == 0 && subject
        && strcmp(subject, address) == 0
        && (!end
            || (idv_cbor_integer(end, &expires)
                && expires > idv_time_seconds(trust->now)))
        && signer && is_trusted(signer, trust, pool)
        && idv_cose_verify_signature(message, message->payload,
                                     X509_get0_pubkey(signer), pool)
               == IDV_COSE_VALID;
}

/* Non-zero if PACKED (RFC 1950) has a byte AT, which is then in *BYTE. */
static int unpack_byte(idv_bytes_t packed, apr_size_t at, unsigned char *byte)
{
    unsigned char chunk[CHUNK];
    z_stream stream = {.next_in = (unsigned char *)packed.data,
                       .avail_in = (uInt)packed.length};
    apr_size_t before = 0;
    int status = Z_OK, found = 0;

    if (at >= IDV_REVOCATION_LIST_MAX || inflateInit(&stream) != Z_OK)
        return 0;
    while (status == Z_OK && !found) {
        apr_size_t length;

        stream.next_out = chunk;
        stream.avail_out = CHUNK;
        status = inflate(&stream, Z_NO_FLUSH);
        length = CHUNK - stream.avail_out;
        if ((status == Z_OK || status == Z_STREAM_END)
            && at < before + length) {
            *byte = chunk[at - before];
            found = 1;
        }
        before += length;
    }
    inflateEnd(&stream);
    return found;
}

static idv_revocation_t meaning_of(int status)
{
    if (status == STATUS_VALID)
        return IDV_REVOCATION_GOOD;
    return status == STATUS_INVALID || status == STATUS_SUSPENDED
             ? IDV_REVOCATION_REVOKED
             : IDV_REVOCATION_UNKNOWN;
}

idv_revocation_t idv_status_list_says(idv_bytes_t list, const char *address,
                                      apr_int64_t index,
                                      const idv_revocation_trust_t *trust,
                                      apr_pool_t *pool)
{
    const idv_cbor_t *status, *packed;
    apr_int64_t bits, per_byte;
    unsigned char byte;
    token_t token;

    if (!read_token(list, &token, pool)
        || !is_token_good(&token, status_list_type, address, trust, pool))
        return IDV_REVOCATION_UNKNOWN;
    status = idv_cbor_member_number(token.claims, CLAIM_STATUS_LIST);
    packed = idv_cbor_member(status, "lst");
    if (!idv_cbor_is(packed, IDV_CBOR_BYTES)
        || !idv_cbor_integer(idv_cbor_member(status, "bits"), &bits)
        || (bits != 1 && bits != 2 && bits != 4 && bits != 8) || index < 0)
        return IDV_REVOCATION_UNKNOWN;
    per_byte = 8 / bits;
    if (!unpack_byte(packed->content, (apr_size_t)(index / per_byte), &byte))
        return IDV_REVOCATION_UNKNOWN;
    /* The first entry is in the lowest bits. */
    return meaning_of(byte >> (index % per_byte * bits) & ((1 << bits) - 1));
}

/* --- identifier lists --- */

/* A token has one kind of list: with both, it would be unclear which one
 * counts. */
idv_revocation_t idv_identifier_list_says(idv_bytes_t list, const char *address,
                                          idv_bytes_t identifier,
                                          const idv_revocation_trust_t *trust,
                                          apr_pool_t *pool)
{
    const idv_cbor_t *identifiers;
    token_t token;

    if (identifier.length == 0 || !read_token(list, &token, pool)
        || !is_token_good(&token, identifier_list_type, address, trust, pool)
        || idv_cbor_member_number(token.claims, CLAIM_STATUS_LIST))
        return IDV_REVOCATION_UNKNOWN;
    identifiers = idv_cbor_member(
        idv_cbor_member_number(token.claims, CLAIM_IDENTIFIER_LIST),
        "identifiers");
    if (!idv_cbor_is(identifiers, IDV_CBOR_MAP))
        return IDV_REVOCATION_UNKNOWN;
    return idv_cbor_member_bytes(identifiers, identifier)
             ? IDV_REVOCATION_REVOKED
             : IDV_REVOCATION_GOOD;
}

/* --- lifetime of a copy --- */

static idv_time_t token_end(idv_bytes_t list, idv_time_t fetched,
                            apr_pool_t *pool)
{
    apr_int64_t ttl = 0, expires = 0;
    token_t token;
    idv_time_t end;

    if (!read_token(list, &token, pool))
        return 0;
    idv_cbor_integer(idv_cbor_member_number(token.claims, CLAIM_TTL), &ttl);
    idv_cbor_integer(idv_cbor_member_number(token.claims, CLAIM_EXPIRES),
                     &expires);
    if (ttl < 0 || ttl > IDV_LATEST_SECOND || expires < 0
        || expires > IDV_LATEST_SECOND)
        return 0;
    end = ttl ? fetched + ttl * IDV_SECOND : expires * IDV_SECOND;
    return expires && expires * IDV_SECOND < end ? expires * IDV_SECOND : end;
}

idv_time_t idv_revocation_list_fresh_until(idv_bytes_t list, idv_time_t fetched,
                                           apr_pool_t *pool)
{
    const X509_CRL *crl = read_crl(list, pool);
    idv_time_t end =
        crl ? idv_x509_time(X509_CRL_get0_nextUpdate(crl)) : token_end(list, fetched, pool);

    if (end < fetched + FRESH_MIN)
        return fetched + FRESH_MIN;
    return end < fetched + FRESH_MAX ? end : fetched + FRESH_MAX;
}
