/* SPDX-License-Identifier: Apache-2.0 */
/* Document signers: who is trusted, and each rule of their profile. */
#include "unit/mdl_issuer.h"

#define MDL "org.iso.18013.5.1.mDL"

typedef struct {
    EVP_PKEY *authority_key, *signer_key;
    X509 *authority, *signer;
    idv_trust_anchor_t anchor;
} chain_t;

static chain_t *make_chain(const certificate_t *authority,
                           const certificate_t *signer, apr_pool_t *pool)
{
    chain_t *chain = apr_pcalloc(pool, sizeof(*chain));

    chain->authority_key = new_key(authority->curve, pool);
    chain->signer_key = new_key(signer->curve, pool);
    chain->authority = certify(authority, chain->authority_key, NULL,
                               chain->authority_key, pool);
    chain->signer = certify(signer, chain->signer_key, chain->authority,
                            chain->authority_key, pool);
    chain->anchor = (idv_trust_anchor_t){
        .certificate = certificate_bytes(chain->authority, pool),
        .list = "test-1",
    };
    return chain;
}

static idv_signer_t *examine_by(const chain_t *chain,
                                const idv_trust_anchor_t *anchors, int count,
                                idv_time_t now, apr_pool_t *pool)
{
    idv_trust_t trust = { anchors, count, now };
    idv_signer_t *signer;

    assert_null(idv_signer_examine(certificate_bytes(chain->signer, pool), MDL,
                                   &trust, &signer, pool));
    return signer;
}

static idv_signer_t *examine(const chain_t *chain, apr_pool_t *pool)
{
    return examine_by(chain, &chain->anchor, 1, ISSUER_NOW, pool);
}

static void a_good_signer_is_trusted(void **state)
{
    certificate_t wish = good_signer;
    chain_t *chain;
    idv_signer_t *signer;

    wish.state = "US-MD";
    chain = make_chain(&good_authority, &wish, *state);
    signer = examine(chain, *state);
    assert_ptr_equal(signer->anchor, &chain->anchor);
    assert_int_equal(signer->profile, IDV_PROFILE_GOOD);
    assert_true(signer->is_current);
    assert_string_equal(signer->country, "US");
    assert_string_equal(signer->region, "MD");
    assert_string_equal(signer->serial, "4d");
    assert_int_equal(strlen(signer->fingerprint), 64);
    assert_int_equal(strlen(signer->anchor_fingerprint), 64);
    assert_true(signer->not_before == ISSUER_NOW - 100 * IDV_DAY);
    assert_true(signer->not_after == ISSUER_NOW + 300 * IDV_DAY);
    assert_int_equal(signer->crl_address_count, 1);
    assert_string_equal(signer->crl_addresses[0],
                        "http://crl.example.com/ds.crl");
}

static void each_rule_of_the_profile_holds(void **state)
{
    struct {
        certificate_t wish;
        idv_profile_fault_t fault;
    } rows[] = {
        { good_signer, IDV_PROFILE_VERSION },
        { good_signer, IDV_PROFILE_SERIAL_NUMBER },
        { good_signer, IDV_PROFILE_COUNTRY },
        { good_signer, IDV_PROFILE_CRITICAL_EXTENSION },
        { good_signer, IDV_PROFILE_IS_AUTHORITY },
        { good_signer, IDV_PROFILE_KEY_USAGE },
        { good_signer, IDV_PROFILE_KEY_USAGE },
        { good_signer, IDV_PROFILE_EXTENDED_KEY_USAGE },
        { good_signer, IDV_PROFILE_EXTENDED_KEY_USAGE },
        { good_signer, IDV_PROFILE_COUNTRY },
        { good_signer, IDV_PROFILE_AUTHORITY_COUNTRY },
    };

    rows[0].wish.version = 0;
    rows[1].wish.serial = 0;
    rows[2].wish.country = NULL;
    rows[3].wish.extra = "0500";
    rows[4].wish.basic = "critical,CA:TRUE";
    rows[5].wish.key_usage = NULL;
    rows[6].wish.key_usage = "critical,digitalSignature,keyCertSign";
    rows[7].wish.purposes = NULL;
    rows[8].wish.purposes = "1.0.18013.5.1.6"; /* of readers */
    rows[9].wish.country = "U1";
    rows[10].wish.country = "CA";
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        chain_t *chain = make_chain(&good_authority, &rows[i].wish, *state);
        idv_signer_t *signer = examine(chain, *state);

        if (signer->profile != rows[i].fault)
            fail_msg("row %d: %s", (int)i,
                     idv_profile_fault_code(signer->profile));
    }
}

/* Real issuers have these; what they are trusted for is the same. */
static void deviations_widen_no_trust(void **state)
{
    struct {
        certificate_t wish;
        idv_profile_deviation_t deviation;
    } rows[] = {
        { good_signer, IDV_PROFILE_CONFORMING },
        { good_signer, IDV_DEVIATION_ISSUER_TERM_LONG },
        { good_signer, IDV_DEVIATION_ISSUER_PURPOSE_NOT_CRITICAL },
        { good_signer, IDV_DEVIATION_ISSUER_PURPOSE_BROAD },
        { good_signer, IDV_DEVIATION_ISSUER_KEY_USAGE_NOT_CRITICAL },
        { good_signer, IDV_DEVIATION_ISSUER_KEY_USAGE_BROAD },
        { good_signer, IDV_DEVIATION_ISSUER_PURPOSE_NOT_CRITICAL },
        { good_signer, IDV_DEVIATION_ISSUER_AUTHORITY_KEY_MISSING },
        { good_signer, IDV_DEVIATION_ISSUER_PLACE_UNUSUAL },
    };

    rows[7].wish.has_no_authority_key = 1;
    rows[8].wish.country = "us";
    rows[0].wish.end = 357; /* 457 days */
    rows[1].wish.end = 358;
    rows[2].wish.purposes = "1.0.18013.5.1.2";
    rows[3].wish.purposes = "critical,1.0.18013.5.1.2,1.3.6.1.4.1.55555.2";
    rows[4].wish.key_usage = "digitalSignature";
    rows[5].wish.key_usage = "critical,digitalSignature,nonRepudiation";
    rows[6].wish.purposes = "1.0.18013.5.1.2";
    rows[6].wish.end = 358; /* the first is told */
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        idv_signer_t *signer = examine(
            make_chain(&good_authority, &rows[i].wish, *state), *state);

        assert_non_null(signer->anchor);
        if (signer->profile != IDV_PROFILE_GOOD
            || signer->deviation != rows[i].deviation)
            fail_msg("row %d: %d", (int)i, (int)signer->deviation);
    }
}

/* Signers in use, where they were handed over. */
static void signers_in_use_are_signers(void **state)
{
    static const char *const names[] = {
        "../shared/cases/wallets/m_mt_ds_eku_not_critical.der",
        "../shared/cases/wallets/m_mt_ds_eku_not_critical_2.der",
    };
    idv_trust_t trust = { NULL, 0, ISSUER_NOW };

    for (int i = 0; i < 2; i++) {
        unsigned char *bytes = apr_palloc(*state, 8192);
        FILE *file = fopen(names[i], "rb");
        idv_signer_t *signer;
        size_t length;

        if (!file) {
            print_message("skipped: no %s\n", names[i]);
            continue;
        }
        length = fread(bytes, 1, 8192, file);
        fclose(file);
        assert_null(idv_signer_examine((idv_bytes_t){ bytes, length }, MDL,
                                       &trust, &signer, *state));
        assert_int_equal(signer->profile, IDV_PROFILE_GOOD);
        assert_string_equal(signer->region, "MT");
        assert_null(signer->anchor);
    }
}

/* The same region in other words is a note, another region is a fault. */
static void check_regions(apr_pool_t *pool)
{
    static const struct {
        const char *authority, *signer;
        idv_profile_fault_t fault;
        idv_profile_deviation_t deviation;
    } rows[] = {
        { "US-MD", "US-MD", IDV_PROFILE_GOOD, IDV_PROFILE_CONFORMING },
        { "US-MD", "MD", IDV_PROFILE_GOOD, IDV_DEVIATION_ISSUER_PLACE_UNUSUAL },
        { "MD", "US-MD", IDV_PROFILE_GOOD, IDV_DEVIATION_ISSUER_PLACE_UNUSUAL },
        { "Maryland", "US-MD", IDV_PROFILE_GOOD,
          IDV_DEVIATION_ISSUER_PLACE_UNUSUAL },
        { NULL, "US-MD", IDV_PROFILE_GOOD, IDV_PROFILE_CONFORMING },
        { "MD", "US-VA", IDV_PROFILE_AUTHORITY_REGION, 0 },
        { "MD", "VA", IDV_PROFILE_AUTHORITY_REGION, 0 },
        { "Maryland", "Virginia", IDV_PROFILE_AUTHORITY_REGION, 0 },
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        certificate_t authority = good_authority, signer = good_signer;
        idv_signer_t *found;

        authority.state = rows[i].authority;
        signer.state = rows[i].signer;
        found = examine(make_chain(&authority, &signer, pool), pool);
        assert_int_equal(found->profile, rows[i].fault);
        if (found->profile == IDV_PROFILE_GOOD)
            assert_int_equal(found->deviation, rows[i].deviation);
    }
}

static void the_profile_of_the_authority_holds(void **state)
{
    static const char *const constraints[] = { "critical,CA:TRUE",
                                               "critical,CA:TRUE,pathlen:1" };
    certificate_t authority = good_authority, signer = good_signer;
    idv_signer_t *found;

    /* No other certificate of a chain is looked at, however long it may be. */
    for (int i = 0; i < 2; i++) {
        authority.basic = constraints[i];
        found = examine(make_chain(&authority, &signer, *state), *state);
        assert_int_equal(found->profile, IDV_PROFILE_GOOD);
        assert_int_equal(found->deviation, IDV_DEVIATION_AUTHORITY_PATH_OPEN);
    }
    authority.basic = "critical,CA:FALSE";
    found = examine(make_chain(&authority, &signer, *state), *state);
    assert_true(found->profile == IDV_PROFILE_AUTHORITY_PROFILE
                || !found->anchor);
    authority = good_authority;
    authority.key_usage = "critical,keyCertSign";
    found = examine(make_chain(&authority, &signer, *state), *state);
    assert_int_equal(found->profile, IDV_PROFILE_GOOD);
    assert_int_equal(found->deviation,
                     IDV_DEVIATION_AUTHORITY_KEY_USAGE_NARROW);
    authority.key_usage = "critical,cRLSign";
    found = examine(make_chain(&authority, &signer, *state), *state);
    assert_true(found->profile == IDV_PROFILE_AUTHORITY_PROFILE
                || !found->anchor);
    check_regions(*state);
    authority = good_authority;
    authority.state = "US-MD";
    signer.state = "US-VA";
    found = examine(make_chain(&authority, &signer, *state), *state);
    assert_int_equal(found->profile, IDV_PROFILE_AUTHORITY_REGION);
    signer.state = "US-MD";
    found = examine(make_chain(&authority, &signer, *state), *state);
    assert_int_equal(found->profile, IDV_PROFILE_GOOD);
}

static void only_the_anchors_that_are_given_are_trusted(void **state)
{
    chain_t *chain = make_chain(&good_authority, &good_signer, *state);
    chain_t *other = make_chain(&good_authority, &good_signer, *state);
    idv_trust_anchor_t both[2] = { other->anchor, chain->anchor };

    assert_null(examine_by(chain, NULL, 0, ISSUER_NOW, *state)->anchor);
    /* The same names, another key. */
    assert_null(examine_by(chain, &other->anchor, 1, ISSUER_NOW, *state)
                    ->anchor);
    assert_ptr_equal(examine_by(chain, both, 2, ISSUER_NOW, *state)->anchor,
                     &both[1]);
}

/* An anchor with the right name and key identifier, or the name alone, but without
 * the key. */
static void key_identifiers_prove_nothing(void **state)
{
    for (int i = 0; i < 2; i++) {
        certificate_t wish = good_signer;
        chain_t *chain = make_chain(&good_authority, &wish, *state);

        wish.has_no_authority_key = i;
        chain->signer = certify(&wish, chain->signer_key, chain->authority,
                                new_key("P-256", *state), *state);
        assert_null(examine(chain, *state)->anchor);
    }
}

static void anchors_may_be_limited_to_document_types(void **state)
{
    static const char *const others[] = { "org.iso.7367.1.mVRC" };
    static const char *const ours[] = { "org.iso.7367.1.mVRC", MDL };
    chain_t *chain = make_chain(&good_authority, &good_signer, *state);

    chain->anchor.doc_types = others;
    chain->anchor.doc_type_count = 1;
    assert_null(examine(chain, *state)->anchor);
    chain->anchor.doc_types = ours;
    chain->anchor.doc_type_count = 2;
    assert_non_null(examine(chain, *state)->anchor);
}

static void a_signer_may_be_its_own_anchor(void **state)
{
    chain_t *chain = make_chain(&good_authority, &good_signer, *state);
    chain_t *other = make_chain(&good_authority, &good_signer, *state);
    certificate_t wish = good_signer;
    idv_trust_anchor_t both[2];
    chain_t *pinned;

    chain->anchor.certificate = certificate_bytes(chain->signer, *state);
    /* As an authority it is none. */
    assert_null(examine(chain, *state)->anchor);
    chain->anchor.is_signer = 1;
    assert_non_null(examine(chain, *state)->anchor);
    assert_true(examine(chain, *state)->is_current);
    /* Whoever pinned it has seen what it is. */
    wish.purposes = NULL;
    wish.key_usage = NULL;
    wish.end = 3000;
    pinned = make_chain(&good_authority, &wish, *state);
    both[0] = pinned->anchor;
    both[1] = (idv_trust_anchor_t){
        .certificate = certificate_bytes(pinned->signer, *state),
        .is_signer = 1,
    };
    assert_int_equal(examine(pinned, *state)->profile, IDV_PROFILE_KEY_USAGE);
    for (int i = 0; i < 2; i++) {
        idv_signer_t *signer =
            examine_by(pinned, both + i, 2 - i, ISSUER_NOW, *state);

        assert_ptr_equal(signer->anchor, &both[1]);
        assert_int_equal(signer->profile, IDV_PROFILE_GOOD);
        assert_int_equal(signer->deviation, IDV_PROFILE_CONFORMING);
    }
    /* ... also where its authority would do with a deviation. */
    wish = good_signer;
    wish.purposes = "1.0.18013.5.1.2";
    pinned = make_chain(&good_authority, &wish, *state);
    both[0] = pinned->anchor;
    both[1].certificate = certificate_bytes(pinned->signer, *state);
    assert_ptr_equal(examine_by(pinned, both, 2, ISSUER_NOW, *state)->anchor,
                     &both[1]);
    other->anchor = chain->anchor;
    assert_null(examine(other, *state)->anchor);
}

/* A certificate that signed itself, as test suites have them. */
static chain_t *make_self_signed(const certificate_t *wish, apr_pool_t *pool)
{
    chain_t *chain = apr_pcalloc(pool, sizeof(*chain));

    chain->signer_key = new_key(wish->curve, pool);
    chain->signer = certify(wish, chain->signer_key, NULL, chain->signer_key,
                            pool);
    chain->anchor = (idv_trust_anchor_t){
        .certificate = certificate_bytes(chain->signer, pool),
        .list = "pins",
    };
    return chain;
}

#define NOTE(name) (1u << IDV_PIN_##name)

static void pinned_signers_have_notes(void **state)
{
    chain_t *chain = make_self_signed(&good_authority, *state);
    chain_t *below = make_chain(&good_authority, &good_signer, *state);
    chain_t *suite = chain;
    idv_signer_t *signer = examine(chain, *state);

    assert_int_equal(signer->profile, IDV_PROFILE_IS_AUTHORITY);
    chain->anchor.is_signer = chain->anchor.is_pinned = 1;
    signer = examine(chain, *state);
    assert_ptr_equal(signer->anchor, &chain->anchor);
    assert_int_equal(signer->profile, IDV_PROFILE_GOOD);
    assert_true(signer->is_current);
    assert_int_equal(signer->pin_notes,
                     NOTE(ISSUER_SELF_SIGNED) | NOTE(ISSUER_IS_AUTHORITY)
                         | NOTE(ISSUER_KEY_USAGE_WRONG)
                         | NOTE(ISSUER_PURPOSE_MISSING));
    assert_int_equal(signer->crl_address_count, 0);
    /* An authority that is pinned as a signer certifies nobody. */
    below->anchor.is_signer = below->anchor.is_pinned = 1;
    assert_null(examine(below, *state)->anchor);
    assert_int_equal(examine(below, *state)->pin_notes, 0);
    /* A signer as the standard wants it has nothing to note. */
    below->anchor.certificate = certificate_bytes(below->signer, *state);
    signer = examine(below, *state);
    assert_non_null(signer->anchor);
    assert_int_equal(signer->pin_notes, 0);
    /* It must be the pinned certificate, not another with its name. */
    chain = make_self_signed(&good_authority, *state);
    chain->anchor = suite->anchor;
    assert_null(examine(chain, *state)->anchor);
}

static void expired_is_not_forged(void **state)
{
    certificate_t authority = good_authority;
    chain_t *chain;
    idv_signer_t *signer;

    chain = make_chain(&authority, &good_signer, *state);
    signer = examine_by(chain, &chain->anchor, 1,
                        ISSUER_NOW + 301 * IDV_DAY, *state);
    assert_non_null(signer->anchor);
    assert_false(signer->is_current);
    signer = examine_by(chain, &chain->anchor, 1,
                        ISSUER_NOW - 101 * IDV_DAY, *state);
    assert_false(signer->is_current);
    authority.end = 10;
    chain = make_chain(&authority, &good_signer, *state);
    signer = examine_by(chain, &chain->anchor, 1, ISSUER_NOW + 20 * IDV_DAY,
                        *state);
    assert_non_null(signer->anchor);
    assert_false(signer->is_current);
}

/* Renewed under the same name and key: whichever is current counts. */
static void a_renewed_authority_counts(void **state)
{
    certificate_t old = good_authority;
    chain_t *chain = make_chain(&good_authority, &good_signer, *state);
    idv_trust_anchor_t anchors[2] = { chain->anchor, chain->anchor };
    idv_signer_t *signer;

    old.end = -1;
    anchors[0].certificate = certificate_bytes(
        certify(&old, chain->authority_key, NULL, chain->authority_key, *state),
        *state);
    signer = examine_by(chain, anchors, 2, ISSUER_NOW, *state);
    assert_true(signer->is_current);
    assert_ptr_equal(signer->anchor, &anchors[1]);
    signer = examine_by(chain, anchors, 1, ISSUER_NOW, *state);
    assert_false(signer->is_current);
}

/* A link certificate: the new key, signed by the old one. */
static void link_certificates_are_anchors(void **state)
{
    chain_t *chain = make_chain(&good_authority, &good_signer, *state);
    EVP_PKEY *old_key = new_key("P-256", *state);
    certificate_t old = good_authority;
    X509 *old_authority = certify(&old, old_key, NULL, old_key, *state);

    chain->anchor.certificate = certificate_bytes(
        certify(&good_authority, chain->authority_key, old_authority, old_key,
                *state),
        *state);
    assert_non_null(examine(chain, *state)->anchor);
    assert_true(examine(chain, *state)->is_current);
}

static void weak_digests_are_refused(void **state)
{
    certificate_t signer = good_signer;

    signer.digest = "SHA1";
    assert_null(
        examine(make_chain(&good_authority, &signer, *state), *state)->anchor);
}

static void explicit_parameters_are_refused(void **state)
{
    chain_t *chain = make_chain(&good_authority, &good_signer, *state);

    EVP_PKEY_set_utf8_string_param(chain->signer_key, "encoding", "explicit");
    chain->signer = certify(&good_signer, chain->signer_key, chain->authority,
                            chain->authority_key, *state);
    assert_null(examine(chain, *state)->anchor);
}

static void only_web_addresses_are_read_out(void **state)
{
    certificate_t wish = good_signer;
    idv_signer_t *signer;

    wish.crl = "URI:ldap://example.com/x,DNS:example.com,"
               "URI:https://a.example/1,URI:http://a.example/2";
    signer = examine(make_chain(&good_authority, &wish, *state), *state);
    assert_int_equal(signer->crl_address_count, 2);
    assert_string_equal(signer->crl_addresses[0], "https://a.example/1");
    wish.crl = NULL;
    signer = examine(make_chain(&good_authority, &wish, *state), *state);
    assert_int_equal(signer->crl_address_count, 0);
    assert_int_equal(signer->profile, IDV_PROFILE_GOOD);
}

static void what_is_no_certificate_is_an_error(void **state)
{
    chain_t *chain = make_chain(&good_authority, &good_signer, *state);
    idv_bytes_t der = certificate_bytes(chain->signer, *state);
    unsigned char *longer = apr_pcalloc(*state, der.length + 1);
    idv_trust_t trust = { &chain->anchor, 1, ISSUER_NOW };
    idv_signer_t *signer;

    memcpy(longer, der.data, der.length);
    assert_non_null(
        idv_signer_examine((idv_bytes_t){ longer, der.length + 1 }, MDL, &trust,
                           &signer, *state));
    assert_non_null(
        idv_signer_examine((idv_bytes_t){ longer, der.length - 1 }, MDL, &trust,
                           &signer, *state));
    assert_non_null(idv_signer_examine((idv_bytes_t){ longer, 0 }, MDL, &trust,
                                       &signer, *state));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(a_good_signer_is_trusted),
        pooled_test(each_rule_of_the_profile_holds),
        pooled_test(deviations_widen_no_trust),
        pooled_test(signers_in_use_are_signers),
        pooled_test(the_profile_of_the_authority_holds),
        pooled_test(only_the_anchors_that_are_given_are_trusted),
        pooled_test(key_identifiers_prove_nothing),
        pooled_test(anchors_may_be_limited_to_document_types),
        pooled_test(a_signer_may_be_its_own_anchor),
        pooled_test(pinned_signers_have_notes),
        pooled_test(expired_is_not_forged),
        pooled_test(a_renewed_authority_counts),
        pooled_test(link_certificates_are_anchors),
        pooled_test(weak_digests_are_refused),
        pooled_test(explicit_parameters_are_refused),
        pooled_test(only_web_addresses_are_read_out),
        pooled_test(what_is_no_certificate_is_an_error),
    };

    return unit_run("mdl_issuer_certificate", tests);
}
