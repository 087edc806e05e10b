/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_T_UNIT_PASSPORT_WHOLE_H
#define IDV_T_UNIT_PASSPORT_WHOLE_H

/*
 * A whole passport, from the dump of an app to the outcome of the method: a chip
 * that the tests make, an app that uses it as it should, and the rule of the
 * session.
 */
#include "unit/passport_relay_chip.h"

#include "methods/passport/passport_decision.h"
#include "methods/passport/passport_reading.h"

#define LENGTH(table) (sizeof(table) / sizeof(*(table)))
#define R(name) IDV_PASSPORT_REASON_##name
#define C(name) IDV_PASSPORT_CHECK_##name

#define PLAIN_SHA256 "\x04\x00\x7f\x00\x07\x01\x01\x04\x01\x03"

static const unsigned char challenge_bytes[] = { 1, 2, 3, 4, 5, 6, 7, 8 };
static const unsigned char seed[IDV_CHIP_RELAY_SEED_SIZE] = { 7 };

/* A passport: its issuer, its chip, and what one submission says of it. */
typedef struct {
    apr_pool_t *pool;
    chip_issuer_t issuer;
    chip_key_t active_key;
    chip_way_t way;
    relay_chip_t chip;
    idv_chip_dump_t dump;
    idv_csca_list_t *list;
    idv_chip_answer_t answer;
    idv_chip_relay_t relay;
    idv_passport_evidence_t evidence;
    idv_passport_rule_t rule;
} passport_t;

/* r and s of the key's signature over the challenge. */
static inline idv_bytes_t sign_challenge(apr_pool_t *pool, const chip_key_t *key,
                                  idv_bytes_t text)
{
    idv_bytes_t der = chip_sign(pool, key, text);
    const unsigned char *at = der.data;
    ECDSA_SIG *pair = d2i_ECDSA_SIG(NULL, &at, (long)der.length);
    unsigned char *plain = apr_palloc(pool, 64);

    assert_int_equal(BN_bn2binpad(ECDSA_SIG_get0_r(pair), plain, 32), 32);
    assert_int_equal(BN_bn2binpad(ECDSA_SIG_get0_s(pair), plain + 32, 32), 32);
    ECDSA_SIG_free(pair);
    return (idv_bytes_t){ plain, 64 };
}

/* The app's part: the server's challenge signed, the relay answered. */
static inline void use_chip(passport_t *passport)
{
    apr_pool_t *pool = passport->pool;
    idv_chip_relay_step_t step;

    passport->dump.challenge = (idv_bytes_t){ challenge_bytes, 8 };
    passport->dump.signature = sign_challenge(pool, &passport->active_key,
                                              passport->dump.challenge);
    passport->relay = (idv_chip_relay_t){
        .dg14 = passport->dump.files[IDV_CHIP_DG14], .seed = seed
    };
    assert_null(idv_chip_relay_step(&passport->relay, &step, pool));
    passport->answer = relay_chip_answers(&passport->chip, pool, &step);
    passport->relay.answers = &passport->answer;
    passport->relay.answer_count = 1;
    passport->evidence = (idv_passport_evidence_t){
        .dump = &passport->dump,
        .list = passport->list,
        .now = CHIP_NOW,
        .challenge = passport->dump.challenge,
        .relay = &passport->relay,
    };
}

static inline passport_t *new_passport(apr_pool_t *pool)
{
    passport_t *passport = apr_pcalloc(pool, sizeof(*passport));
    idv_bytes_t *files = passport->dump.files;

    passport->pool = pool;
    passport->issuer = chip_plain_issuer(pool);
    passport->active_key = chip_key(pool, "P-256", "SHA256");
    passport->way = (chip_way_t){ IDV_CHIP_CIPHER_AES_128,
                                  chip_key(pool, "P-256", "SHA256").key, 0,
                                  0 };
    files[IDV_CHIP_COM] =
        DER(pool, 0x60, DER(pool, 0x5C, BYTES("\x61\x75\x6b\x6e\x6f")));
    files[IDV_CHIP_DG1] = chip_dg1(pool, CHIP_ZONE);
    files[IDV_CHIP_DG2] = chip_dg2(pool);
    files[IDV_CHIP_DG11] =
        DER(pool, 0x6B, DER(pool, 0x5F2B, BYTES("19640812")));
    files[IDV_CHIP_DG14] =
        relay_dg14(pool, &passport->way, 1, BYTES(PLAIN_SHA256));
    files[IDV_CHIP_DG15] =
        DER(pool, 0x6F, chip_public_key(pool, passport->active_key.key));
    passport->chip = (relay_chip_t){ .dg14 = files[IDV_CHIP_DG14],
                                     .ways = &passport->way,
                                     .way_count = 1 };
    passport->dump.reader = "test 1.0";
    passport->list = CHIP_LIST(pool, passport->issuer.csca);
    chip_sign_dump(pool, &passport->issuer, &passport->dump);
    passport->rule = (idv_passport_rule_t){
        .document = { .now = CHIP_NOW, .jurisdiction = "DE",
                      .required_age = 18 },
        .revocation = IDV_REVOCATION_GOOD,
    };
    use_chip(passport);
    return passport;
}

/* The findings, after they went through their text. */
static inline idv_passport_findings_t *read_passport(const passport_t *passport)
{
    idv_passport_findings_t *findings, *back;
    const char *text, *again;
    apr_size_t length, length_again;

    assert_null(
        idv_passport_read(&passport->evidence, &findings, passport->pool));
    assert_null(idv_passport_findings_write(findings, &text, &length,
                                            passport->pool));
    assert_null(
        idv_passport_findings_read(text, length, &back, passport->pool));
    assert_null(idv_passport_findings_write(back, &again, &length_again,
                                            passport->pool));
    assert_int_equal(length, length_again);
    assert_memory_equal(text, again, length);
    return back;
}

static inline idv_method_outcome_t *decide(const passport_t *passport)
{
    idv_method_outcome_t *outcome;

    assert_null(idv_passport_decide(read_passport(passport), &passport->rule,
                                    &outcome, passport->pool));
    return outcome;
}

/* The reason for which the check did not pass; "passed"; NULL: not made. */
static const char *reason_in(const idv_method_outcome_t *outcome,
                             idv_passport_check_t check)
{
    for (int i = 0; i < outcome->check_count; i++)
        if (strcmp(outcome->checks[i].name, idv_passport_check_code(check))
            == 0)
            return outcome->checks[i].result == IDV_CHECK_PASSED ? "passed"
                                             : outcome->checks[i].reason;
    return NULL;
}

static inline int flag(const idv_method_outcome_t *outcome, const char *key)
{
    json_t *value = json_object_get(outcome->verification_result, key);

    assert_true(json_is_boolean(value));
    return json_is_true(value);
}

static inline void assert_reason(const idv_method_outcome_t *outcome,
                          idv_passport_reason_t reason)
{
    const char *found =
        reason_in(outcome, idv_passport_reason_check(reason));

    if (!found || strcmp(found, idv_passport_reason_code(reason)) != 0)
        fail_msg("%s where %s is expected", found ? found : "nothing",
                 idv_passport_reason_code(reason));
}

/* --- what several tests do to it --- */

static inline void swap_portrait(passport_t *passport)
{
    passport->dump.files[IDV_CHIP_DG2] =
        with_other_byte(passport->pool, passport->dump.files[IDV_CHIP_DG2], -1);
}

/* The key of a chip that the attacker owns, and its signature. */
static inline void sign_anew(passport_t *passport, const char *not_before,
                      const char *not_after, idv_bytes_t extension)
{
    chip_issuer_t *issuer = &passport->issuer;

    issuer->signer = chip_certificate(
        passport->pool,
        &(chip_certificate_t){ .key = issuer->signer_key,
                               .issuer_key = issuer->csca_key,
                               .subject = "document signer",
                               .issuer = "csca",
                               .not_before = not_before,
                               .not_after = not_after,
                               .extension = extension });
    chip_sign_dump(passport->pool, issuer, &passport->dump);
}

static inline void let_signer_expire(passport_t *passport)
{
    sign_anew(passport, NULL, "260615115959Z", BYTES(""));
}

#endif
