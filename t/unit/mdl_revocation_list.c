/* SPDX-License-Identifier: Apache-2.0 */
/* What lists of revoked certificates and documents say, and when nothing. */
#include "unit/trust_publisher.h"

#include <zlib.h>

#include "methods/mdl/revocation_list.h"

#define ADDRESS "https://issuer.example.com/status/1"

/* --- certificate revocation lists --- */

typedef struct {
    long from, until;        /* days from ISSUER_NOW; until 0: not stated */
    long serials[3];         /* revoked */
    int reason;              /* of the first; -1: none */
    const char *extension;   /* critical, of the kind below; NULL: none */
    int kind;
    const char *digest;
} crl_wish_t;

static const crl_wish_t good_crl = {
    .from = -1, .until = 1, .serials = {77}, .reason = -1, .digest = "SHA256"};

static void add_revoked(X509_CRL *crl, long serial, int reason)
{
    X509_REVOKED *entry = X509_REVOKED_new();
    ASN1_INTEGER *number = ASN1_INTEGER_new();
    ASN1_ENUMERATED *why = ASN1_ENUMERATED_new();
    ASN1_TIME *time = ASN1_TIME_set(NULL, (time_t)(ISSUER_NOW / IDV_SECOND) - 9);

    ASN1_INTEGER_set(number, serial);
    X509_REVOKED_set_serialNumber(entry, number);
    X509_REVOKED_set_revocationDate(entry, time);
    if (reason >= 0) {
        ASN1_ENUMERATED_set(why, reason);
        X509_REVOKED_add1_ext_i2d(entry, NID_crl_reason, why, 0, 0);
    }
    assert_int_equal(X509_CRL_add0_revoked(crl, entry), 1);
    ASN1_INTEGER_free(number);
    ASN1_ENUMERATED_free(why);
    ASN1_TIME_free(time);
}

static void add_critical(X509_CRL *crl, int kind, const char *value)
{
    X509_EXTENSION *extension;
    X509V3_CTX context;

    if (kind == NID_delta_crl) {
        ASN1_INTEGER *base = ASN1_INTEGER_new();

        ASN1_INTEGER_set(base, 1);
        assert_int_equal(X509_CRL_add1_ext_i2d(crl, kind, base, 1, 0), 1);
        ASN1_INTEGER_free(base);
        return;
    }
    X509V3_set_ctx(&context, NULL, NULL, NULL, crl, 0);
    X509V3_set_ctx_nodb(&context);
    extension = X509V3_EXT_conf_nid(NULL, &context, kind, value);
    assert_non_null(extension);
    X509_CRL_add_ext(crl, extension, -1);
    X509_EXTENSION_free(extension);
}

static idv_bytes_t new_crl(const crl_wish_t *wish, X509 *issuer, EVP_PKEY *key,
                           apr_pool_t *pool)
{
    time_t now = (time_t)(ISSUER_NOW / IDV_SECOND);
    ASN1_TIME *from = ASN1_TIME_adj(NULL, now, (int)wish->from, 0);
    ASN1_TIME *until = ASN1_TIME_adj(NULL, now, (int)wish->until, 0);
    X509_CRL *crl = X509_CRL_new();
    unsigned char *bytes = NULL;
    idv_bytes_t der;

    X509_CRL_set_version(crl, 1);
    X509_CRL_set_issuer_name(crl, X509_get_subject_name(issuer));
    X509_CRL_set1_lastUpdate(crl, from);
    if (wish->until)
        X509_CRL_set1_nextUpdate(crl, until);
    for (int i = 0; i < 3 && wish->serials[i]; i++)
        add_revoked(crl, wish->serials[i], i == 0 ? wish->reason : -1);
    if (wish->extension)
        add_critical(crl, wish->kind, wish->extension);
    X509_CRL_sort(crl);
    assert_true(X509_CRL_sign(crl, key, EVP_get_digestbyname(wish->digest)) > 0);
    der.length = (apr_size_t)i2d_X509_CRL(crl, &bytes);
    der.data = apr_pmemdup(pool, bytes, der.length);
    OPENSSL_free(bytes);
    ASN1_TIME_free(from);
    ASN1_TIME_free(until);
    X509_CRL_free(crl);
    return der;
}

static idv_revocation_trust_t trust_in(const publisher_t *publisher)
{
    return (idv_revocation_trust_t){&publisher->root, 1, ISSUER_NOW};
}

static idv_revocation_t crl_says(const crl_wish_t *wish,
                                 const publisher_t *publisher,
                                 const char *serial, apr_pool_t *pool)
{
    const idv_revocation_trust_t trust = trust_in(publisher);

    return idv_crl_says(new_crl(wish, publisher->root_certificate,
                                publisher->root_key, pool),
                        serial, &trust, pool);
}

static void a_crl_tells_who_is_revoked(void **state)
{
    const publisher_t publisher = new_publisher(&good_signer, *state);
    crl_wish_t wish = good_crl;

    assert_int_equal(crl_says(&wish, &publisher, "4d", *state),
                     IDV_REVOCATION_REVOKED);
    assert_int_equal(crl_says(&wish, &publisher, "004D", *state),
                     IDV_REVOCATION_REVOKED);
    assert_int_equal(crl_says(&wish, &publisher, "4e", *state),
                     IDV_REVOCATION_GOOD);
    wish.serials[0] = 0;
    assert_int_equal(crl_says(&wish, &publisher, "4d", *state),
                     IDV_REVOCATION_GOOD);
    wish = good_crl;
    wish.reason = 6; /* certificateHold */
    assert_int_equal(crl_says(&wish, &publisher, "4d", *state),
                     IDV_REVOCATION_REVOKED);
    wish.reason = 8; /* removeFromCRL */
    assert_int_equal(crl_says(&wish, &publisher, "4d", *state),
                     IDV_REVOCATION_GOOD);
    wish = good_crl;
    wish.kind = NID_issuing_distribution_point;
    wish.extension = "critical,fullname:URI:http://crl.example.com/ds.crl";
    assert_int_equal(crl_says(&wish, &publisher, "4d", *state),
                     IDV_REVOCATION_REVOKED);
}

static void what_a_crl_does_not_say_for_certain_is_unknown(void **state)
{
    const publisher_t publisher = new_publisher(&good_signer, *state);
    const publisher_t other = new_publisher(&good_signer, *state);
    idv_revocation_trust_t trust = trust_in(&other);
    crl_wish_t wishes[7];
    idv_bytes_t crl = new_crl(&good_crl, publisher.root_certificate,
                              publisher.root_key, *state);

    for (int i = 0; i < 7; i++)
        wishes[i] = good_crl;
    wishes[0].until = -1;
    wishes[0].from = -2;
    wishes[1].until = 0;
    wishes[2].from = 1;
    wishes[2].until = 2;
    wishes[3].kind = NID_delta_crl;
    wishes[3].extension = "";
    wishes[4].kind = NID_issuing_distribution_point;
    wishes[4].extension = "critical,onlyCA:TRUE";
    wishes[5].kind = NID_issuing_distribution_point;
    wishes[5].extension = "critical,indirectCRL:TRUE";
    wishes[6].digest = "SHA1";
    for (int i = 0; i < 7; i++)
        assert_int_equal(crl_says(&wishes[i], &publisher, "4d", *state),
                         IDV_REVOCATION_UNKNOWN);
    /* Another authority of the same name. */
    assert_int_equal(idv_crl_says(crl, "4d", &trust, *state),
                     IDV_REVOCATION_UNKNOWN);
    trust = trust_in(&publisher);
    assert_int_equal(idv_crl_says(crl, "4d", &trust, *state),
                     IDV_REVOCATION_REVOKED);
    assert_int_equal(idv_crl_says(crl, "x", &trust, *state),
                     IDV_REVOCATION_UNKNOWN);
    assert_int_equal(idv_crl_says(BYTES("<html>"), "4d", &trust, *state),
                     IDV_REVOCATION_UNKNOWN);
    assert_int_equal(idv_crl_says((idv_bytes_t){NULL, 0}, "4d", &trust, *state),
                     IDV_REVOCATION_UNKNOWN);
    crl.length--;
    assert_int_equal(idv_crl_says(crl, "4d", &trust, *state),
                     IDV_REVOCATION_UNKNOWN);
}

/* --- status lists --- */

typedef struct {
    const char *type, *subject;
    apr_int64_t expires, ttl; /* 0: not there */
    int bits;
    idv_bytes_t entries; /* before they are compressed */
    int is_chain_protected;
    const char *identifier; /* an identifier list with it; NULL: a status list */
    int is_both;            /* flag: the status list, too */
} status_wish_t;

static const status_wish_t good_status = {
    .type = "application/statuslist+cwt",
    .subject = ADDRESS,
    .expires = ISSUER_NOW / IDV_SECOND + 3600,
    .ttl = 600,
    .bits = 2,
    .entries = {(const unsigned char *)"\xe4\x01", 2}, /* 0 1 2 3, 1 0 0 0 */
};

static idv_bytes_t compressed(idv_bytes_t bytes, apr_pool_t *pool)
{
    uLongf length = compressBound(bytes.length);
    unsigned char *out = apr_palloc(pool, length);

    assert_int_equal(compress(out, &length, bytes.data, bytes.length), Z_OK);
    return (idv_bytes_t){out, length};
}

static void put_identifiers(idv_cbor_writer_t *writer, const char *identifier)
{
    idv_cbor_put_integer(writer, 65530);
    idv_cbor_put_map(writer, 1);
    idv_cbor_put_text(writer, "identifiers");
    idv_cbor_put_map(writer, 1);
    idv_cbor_put_bytes(writer, (idv_bytes_t){(const unsigned char *)identifier,
                                             strlen(identifier)});
    idv_cbor_put_map(writer, 0);
}

static void put_statuses(idv_cbor_writer_t *writer, const status_wish_t *wish,
                         apr_pool_t *pool)
{
    idv_cbor_put_integer(writer, 65533);
    idv_cbor_put_map(writer, 2);
    idv_cbor_put_text(writer, "bits");
    idv_cbor_put_integer(writer, wish->bits);
    idv_cbor_put_text(writer, "lst");
    idv_cbor_put_bytes(writer, compressed(wish->entries, pool));
}

static idv_bytes_t claims_of(const status_wish_t *wish, apr_pool_t *pool)
{
    int has_statuses = !wish->identifier || wish->is_both;
    idv_cbor_writer_t writer;

    idv_cbor_writer_init(&writer, pool);
    idv_cbor_put_map(&writer, 1 + has_statuses + !!wish->identifier
                                  + !!wish->expires + !!wish->ttl);
    idv_cbor_put_integer(&writer, 2);
    idv_cbor_put_text(&writer, wish->subject);
    if (wish->expires) {
        idv_cbor_put_integer(&writer, 4);
        idv_cbor_put_integer(&writer, wish->expires);
    }
    if (wish->identifier)
        put_identifiers(&writer, wish->identifier);
    if (has_statuses)
        put_statuses(&writer, wish, pool);
    if (wish->ttl) {
        idv_cbor_put_integer(&writer, 65534);
        idv_cbor_put_integer(&writer, wish->ttl);
    }
    return idv_cbor_written(&writer);
}

static void put_chain(idv_cbor_writer_t *writer, idv_bytes_t certificate)
{
    idv_cbor_put_integer(writer, 33);
    idv_cbor_put_bytes(writer, certificate);
}

static idv_bytes_t new_status_list(const status_wish_t *wish,
                                   idv_bytes_t certificate, EVP_PKEY *key,
                                   apr_pool_t *pool)
{
    idv_cbor_writer_t header, covered, message;
    idv_bytes_t claims = claims_of(wish, pool);

    idv_cbor_writer_init(&header, pool);
    idv_cbor_put_map(&header, 2 + wish->is_chain_protected);
    idv_cbor_put_integer(&header, 1);
    idv_cbor_put_integer(&header, -7);
    idv_cbor_put_integer(&header, 16);
    idv_cbor_put_text(&header, wish->type);
    if (wish->is_chain_protected)
        put_chain(&header, certificate);
    idv_cbor_writer_init(&covered, pool);
    idv_cbor_put_array(&covered, 4);
    idv_cbor_put_text(&covered, "Signature1");
    idv_cbor_put_bytes(&covered, idv_cbor_written(&header));
    idv_cbor_put_bytes(&covered, BYTES(""));
    idv_cbor_put_bytes(&covered, claims);
    idv_cbor_writer_init(&message, pool);
    idv_cbor_put_tag(&message, IDV_CBOR_TAG_SIGN1);
    idv_cbor_put_array(&message, 4);
    idv_cbor_put_bytes(&message, idv_cbor_written(&header));
    idv_cbor_put_map(&message, !wish->is_chain_protected);
    if (!wish->is_chain_protected)
        put_chain(&message, certificate);
    idv_cbor_put_bytes(&message, claims);
    idv_cbor_put_bytes(&message,
                       sign_raw(key, idv_cbor_written(&covered), pool));
    return idv_cbor_written(&message);
}

static idv_revocation_t status_says(const status_wish_t *wish,
                                    const publisher_t *publisher,
                                    apr_int64_t index, apr_pool_t *pool)
{
    const idv_revocation_trust_t trust = trust_in(publisher);

    return idv_status_list_says(
        new_status_list(wish, publisher->signer, publisher->key, pool), ADDRESS,
        index, &trust, pool);
}

static void a_status_list_tells_of_each_document(void **state)
{
    static const idv_revocation_t expected[] = {
        IDV_REVOCATION_GOOD,    IDV_REVOCATION_REVOKED, IDV_REVOCATION_REVOKED,
        IDV_REVOCATION_UNKNOWN, IDV_REVOCATION_REVOKED, IDV_REVOCATION_GOOD};
    const publisher_t publisher = new_publisher(&good_signer, *state);
    status_wish_t wish = good_status;

    for (int i = 0; i < 6; i++)
        assert_int_equal(status_says(&wish, &publisher, i, *state),
                         expected[i]);
    wish.is_chain_protected = 1;
    wish.expires = 0;
    assert_int_equal(status_says(&wish, &publisher, 1, *state),
                     IDV_REVOCATION_REVOKED);
    wish.bits = 1;
    assert_int_equal(status_says(&wish, &publisher, 2, *state),
                     IDV_REVOCATION_REVOKED);
    assert_int_equal(status_says(&wish, &publisher, 3, *state),
                     IDV_REVOCATION_GOOD);
    wish.bits = 8;
    assert_int_equal(status_says(&wish, &publisher, 1, *state),
                     IDV_REVOCATION_REVOKED);
    assert_int_equal(status_says(&wish, &publisher, 0, *state),
                     IDV_REVOCATION_UNKNOWN);
}

static void entries_far_behind_are_found_within_the_limit(void **state)
{
    const publisher_t publisher = new_publisher(&good_signer, *state);
    const apr_size_t most = IDV_REVOCATION_LIST_MAX;
    unsigned char *entries = apr_pcalloc(*state, most + 8);
    status_wish_t wish = good_status;

    wish.bits = 8;
    wish.entries = (idv_bytes_t){entries, most + 8};
    entries[most - 1] = 1;
    entries[most] = 1;
    assert_int_equal(
        status_says(&wish, &publisher, (apr_int64_t)most - 1, *state),
        IDV_REVOCATION_REVOKED);
    assert_int_equal(status_says(&wish, &publisher, (apr_int64_t)most, *state),
                     IDV_REVOCATION_UNKNOWN);
}

static void what_a_status_list_does_not_say_for_certain_is_unknown(void **state)
{
    const publisher_t publisher = new_publisher(&good_signer, *state);
    const publisher_t other = new_publisher(&good_signer, *state);
    publisher_t forger = publisher;
    status_wish_t wishes[5];

    for (int i = 0; i < 5; i++)
        wishes[i] = good_status;
    wishes[0].type = "application/identifierlist+cwt";
    wishes[1].subject = "https://issuer.example.com/status/2";
    wishes[2].expires = ISSUER_NOW / IDV_SECOND;
    wishes[3].bits = 3;
    wishes[4].entries.length = 0;
    for (int i = 0; i < 5; i++)
        assert_int_equal(status_says(&wishes[i], &publisher, 1, *state),
                         IDV_REVOCATION_UNKNOWN);
    assert_int_equal(status_says(&good_status, &publisher, 8, *state),
                     IDV_REVOCATION_UNKNOWN);
    assert_int_equal(status_says(&good_status, &publisher, -1, *state),
                     IDV_REVOCATION_UNKNOWN);
    forger.key = other.key;
    assert_int_equal(status_says(&good_status, &forger, 1, *state),
                     IDV_REVOCATION_UNKNOWN);
    forger = other;
    forger.root = publisher.root;
    assert_int_equal(status_says(&good_status, &forger, 1, *state),
                     IDV_REVOCATION_UNKNOWN);
}

/* --- copies --- */

static idv_revocation_t identifier_says(const status_wish_t *wish,
                                        const publisher_t *publisher,
                                        const char *identifier,
                                        apr_pool_t *pool)
{
    const idv_revocation_trust_t trust = trust_in(publisher);

    return idv_identifier_list_says(
        new_status_list(wish, publisher->signer, publisher->key, pool), ADDRESS,
        (idv_bytes_t){(const unsigned char *)identifier, strlen(identifier)},
        &trust, pool);
}

/* Who stands in a list of identifiers is revoked; what is no such list, or says
 * more than one thing, says nothing. */
static void an_identifier_list_names_who_is_revoked(void **state)
{
    const publisher_t publisher = new_publisher(&good_signer, *state);
    const publisher_t stranger = new_publisher(&good_signer, *state);
    const idv_revocation_trust_t trust = trust_in(&publisher);
    const status_wish_t good = {.type = "application/identifierlist+cwt",
                                .subject = ADDRESS,
                                .expires = ISSUER_NOW / IDV_SECOND + 3600,
                                .identifier = "abc"};
    status_wish_t wish = good;

    assert_int_equal(identifier_says(&wish, &publisher, "abc", *state),
                     IDV_REVOCATION_REVOKED);
    assert_int_equal(identifier_says(&wish, &publisher, "ab", *state),
                     IDV_REVOCATION_GOOD);
    assert_int_equal(identifier_says(&wish, &publisher, "", *state),
                     IDV_REVOCATION_UNKNOWN);
    wish.type = good_status.type;
    assert_int_equal(identifier_says(&wish, &publisher, "abc", *state),
                     IDV_REVOCATION_UNKNOWN);
    wish = good;
    wish.subject = ADDRESS "0";
    assert_int_equal(identifier_says(&wish, &publisher, "abc", *state),
                     IDV_REVOCATION_UNKNOWN);
    wish = good;
    wish.expires = ISSUER_NOW / IDV_SECOND - 1;
    assert_int_equal(identifier_says(&wish, &publisher, "abc", *state),
                     IDV_REVOCATION_UNKNOWN);
    wish = good;
    wish.is_both = 1;
    wish.bits = good_status.bits;
    wish.entries = good_status.entries;
    assert_int_equal(identifier_says(&wish, &publisher, "abc", *state),
                     IDV_REVOCATION_UNKNOWN);
    assert_int_equal(
        idv_identifier_list_says(new_status_list(&good, stranger.signer,
                                                 stranger.key, *state),
                                 ADDRESS, BYTES("abc"), &trust, *state),
        IDV_REVOCATION_UNKNOWN);
}

static void copies_will_do_for_as_long_as_lists_say(void **state)
{
    const publisher_t publisher = new_publisher(&good_signer, *state);
    const idv_time_t now = ISSUER_NOW;
    status_wish_t status = good_status;
    crl_wish_t crl = good_crl;

#define FRESH(list) (idv_revocation_list_fresh_until(list, now, *state) - now)
#define STATUS new_status_list(&status, publisher.signer, publisher.key, *state)
#define CRL                                                                    \
    new_crl(&crl, publisher.root_certificate, publisher.root_key, *state)
    assert_int_equal(FRESH(STATUS), 600 * IDV_SECOND);
    status.ttl = 7200;
    assert_int_equal(FRESH(STATUS), 3600 * IDV_SECOND);
    status.ttl = 1;
    assert_int_equal(FRESH(STATUS), IDV_MINUTE);
    status.ttl = 400 * 86400;
    status.expires = 0;
    assert_int_equal(FRESH(STATUS), IDV_DAY);
    assert_int_equal(FRESH(CRL), IDV_DAY);
    crl.until = -1;
    assert_int_equal(FRESH(CRL), IDV_MINUTE);
    assert_int_equal(FRESH(BYTES("garbage")), IDV_MINUTE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(a_crl_tells_who_is_revoked),
        pooled_test(what_a_crl_does_not_say_for_certain_is_unknown),
        pooled_test(a_status_list_tells_of_each_document),
        pooled_test(entries_far_behind_are_found_within_the_limit),
        pooled_test(what_a_status_list_does_not_say_for_certain_is_unknown),
        pooled_test(an_identifier_list_names_who_is_revoked),
        pooled_test(copies_will_do_for_as_long_as_lists_say),
    };

    return unit_run("mdl_revocation_list", tests);
}
