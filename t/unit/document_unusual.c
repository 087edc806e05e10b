/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Documents that issuers write unlike the standard: a doubt at most, where
 * nothing speaks against them but their form. What decides the age, the validity
 * or the issuer is judged as everywhere.
 */
#include "unit/unit.h"

#include <apr_strings.h>

#include "methods/document/aamva.h"
#include "methods/document/document_decision.h"
#include "methods/document/mrz.h"

#define LENGTH(table) (sizeof(table) / sizeof(*(table)))
#define R(name) IDV_DOCUMENT_REASON_##name
#define F(name) IDV_MRZ_FIELD_##name
#define PASSED IDV_METHOD_PASSED
#define IN_DOUBT IDV_METHOD_UNDETERMINED
#define FAILED IDV_METHOD_FAILED

/* 2026-11-27T12:00:00Z */
#define NOW ((idv_time_t)1795780800000)

static const idv_method_outcome_t *decide(const idv_document_t *document,
                                          apr_pool_t *pool)
{
    const idv_document_findings_t findings = {.readable = 1,
                                              .readers_agree = 1,
                                              .confidence = 0.9,
                                              .document = document};
    const idv_document_rule_t rule = {
        .now = NOW, .jurisdiction = "US-VA", .required_age = 21};
    idv_method_outcome_t *outcome;

    assert_null(idv_document_decide(&findings, &rule, &outcome, pool));
    return outcome;
}

static int has_reason(const idv_method_outcome_t *outcome,
                      idv_document_reason_t reason)
{
    const char *code = idv_document_reason_code(reason);

    for (int i = 0; code && i < outcome->check_count; i++)
        if (outcome->checks[i].reason
            && strcmp(outcome->checks[i].reason, code) == 0)
            return 1;
    return reason == R(NONE);
}

static void ends(const char *name, const idv_method_outcome_t *outcome,
                 idv_method_verdict_t verdict, idv_document_reason_t reason)
{
    if (outcome->verdict != verdict)
        fail_msg("%s: %d, %s", name, (int)outcome->verdict,
                 outcome->last_error ? outcome->last_error->code : "no error");
    if (!has_reason(outcome, reason))
        fail_msg("%s: without %s", name, idv_document_reason_code(reason));
    if (verdict == IN_DOUBT)
        assert_int_equal(outcome->doubts, 1u << IDV_DOUBT_UNDETERMINED);
}

/* --- zones --- */

static const char *const td3[] = {
    "P<D<<MUSTERMANN<<ERIKA<<<<<<<<<<<<<<<<<<<<<<",
    "C01X00T478D<<6408125F3402283<<<<<<<<<<<<<<<4"};
static const char *const td1[] = {"IDD<<L01X00T471<<<<<<<<<<<<<<<",
                                  "8308126<3108011D<<<<<<<<<<<<<4",
                                  "MUSTERMANN<<ERIKA<<<<<<<<<<<<<"};

static idv_mrz_text_t text_of(const char *const *rows, int count)
{
    idv_mrz_text_t text = {0};

    text.layout =
        idv_mrz_layout_find(count, (int)strlen(rows[0]), rows[0][0]);
    assert_non_null(text.layout);
    for (int row = 0; row < count; row++)
        strcpy(text.rows[row], rows[row]);
    return text;
}

static void set_digit(idv_mrz_text_t *text, idv_mrz_field_name_t data,
                      idv_mrz_field_name_t digit)
{
    if (text->layout->fields[digit].length)
        *(char *)idv_mrz_field(text, digit) = idv_mrz_check_digit(
            idv_mrz_field(text, data), text->layout->fields[data].length);
}

static void set_digits(idv_mrz_text_t *text)
{
    char *composite = (char *)idv_mrz_field(text, F(COMPOSITE_CHECK));

    set_digit(text, F(NUMBER), F(NUMBER_CHECK));
    set_digit(text, F(BIRTH), F(BIRTH_CHECK));
    set_digit(text, F(EXPIRY), F(EXPIRY_CHECK));
    set_digit(text, F(OPTIONAL), F(OPTIONAL_CHECK));
    for (*composite = '0'; *composite < '9'; ++*composite)
        if (!(idv_mrz_digits_wrong(text) & IDV_MRZ_DIGIT_COMPOSITE))
            break;
    assert_int_equal(idv_mrz_digits_wrong(text), 0);
}

static const idv_method_outcome_t *read_zone(const idv_mrz_text_t *text,
                                             apr_pool_t *pool)
{
    idv_document_t *document;

    assert_null(idv_mrz_parse(text, NOW, &document, pool));
    return decide(document, pool);
}

static const struct {
    int is_card;
    idv_mrz_field_name_t field;
    const char *value;
    idv_method_verdict_t verdict;
    idv_document_reason_t reason;
} zones[] = {
    {0, F(NATIONALITY), "XKX", IN_DOUBT, R(NATIONALITY_UNKNOWN)},
    {0, F(NATIONALITY), "ROM", IN_DOUBT, R(NATIONALITY_UNKNOWN)},
    {1, F(NATIONALITY), "ZAR", IN_DOUBT, R(NATIONALITY_UNKNOWN)},
    {1, F(NATIONALITY), "YUG", IN_DOUBT, R(NATIONALITY_UNKNOWN)},
    {1, F(NATIONALITY), "SUN", IN_DOUBT, R(NATIONALITY_UNKNOWN)},
    {1, F(NATIONALITY), "SCG", IN_DOUBT, R(NATIONALITY_UNKNOWN)},
    {0, F(NATIONALITY), "TMP", IN_DOUBT, R(NATIONALITY_UNKNOWN)},
    {0, F(NATIONALITY), "UNK", PASSED, R(NONE)},
    {0, F(NATIONALITY), "RKS", PASSED, R(NONE)},
    {1, F(NATIONALITY), "XXA", PASSED, R(NONE)},
    {1, F(NATIONALITY), "", PASSED, R(NONE)},
    {0, F(SEX), "H", IN_DOUBT, R(SEX_INVALID)},
    {1, F(SEX), "K", IN_DOUBT, R(SEX_INVALID)},
    {0, F(EXPIRY), "", IN_DOUBT, R(DATE_OF_EXPIRY_MISSING)},
    {1, F(EXPIRY), "", IN_DOUBT, R(DATE_OF_EXPIRY_MISSING)},
    {0, F(EXPIRY), "341300", IN_DOUBT, R(DATE_OF_EXPIRY_INVALID)},
    {0, F(EXPIRY), "200101", FAILED, R(EXPIRED)},
    {0, F(EXPIRY), "860101", FAILED, R(DATE_OF_EXPIRY_IMPLAUSIBLE)},
    {0, F(BIRTH), "640230", IN_DOUBT, R(DATE_OF_BIRTH_INVALID)},
    {0, F(BIRTH), "640000", PASSED, R(DATE_ZERO_FILLED)},
    {0, F(BIRTH), "64<<<<", PASSED, R(NONE)},
    {0, F(BIRTH), "<<<<<<", IN_DOUBT, R(AGE_UNDETERMINED)},
    {0, F(BIRTH), "110101", FAILED, R(UNDER_AGE)},
    {0, F(BIRTH), "241127", IN_DOUBT, R(AGE_UNDETERMINED)},
    {1, F(BIRTH), "141128", IN_DOUBT, R(AGE_UNDETERMINED)},
    {1, F(BIRTH), "261129", IN_DOUBT, R(AGE_UNDETERMINED)},
    {0, F(BIRTH), "270301", PASSED, R(NONE)}, /* of 1927 */
    {0, F(NAMES), "<<ERIKA<MARIA", PASSED, R(SURNAME_MISSING)},
    {1, F(NAMES), "<<ERIKA", PASSED, R(SURNAME_MISSING)},
    {0, F(NAMES), "MUST3R<<ERIKA", IN_DOUBT, R(CHARACTERS_INVALID)},
    {0, F(NAMES), "MUSTER<<<ERIKA", IN_DOUBT, R(NAMES_INVALID)},
    {0, F(NAMES), "", IN_DOUBT, R(NAMES_MISSING)},
    {0, F(CODE), "PV", IN_DOUBT, R(DOCUMENT_CODE_INVALID)},
    {0, F(NUMBER), "<01X00T47", IN_DOUBT, R(DOCUMENT_NUMBER_INVALID)},
    {0, F(NUMBER), "C01<X0T47", PASSED, R(NONE)},
    {0, F(NUMBER), "", FAILED, R(DOCUMENT_NUMBER_MISSING)},
    /* Who issued it is not a matter of form. */
    {0, F(ISSUER), "QQQ", FAILED, R(ISSUER_UNKNOWN)},
};

static void zones_of_issuers_who_deviate(void **state)
{
    for (size_t i = 0; i < LENGTH(zones); i++) {
        idv_mrz_text_t text =
            zones[i].is_card ? text_of(td1, 3) : text_of(td3, 2);
        char *field = (char *)idv_mrz_field(&text, zones[i].field);
        const char *name = zones[i].value;

        memset(field, '<', text.layout->fields[zones[i].field].length);
        memcpy(field, name, strlen(name));
        set_digits(&text);
        ends(name, read_zone(&text, *state), zones[i].verdict,
             zones[i].reason);
        if (zones[i].verdict != IN_DOUBT)
            continue;
        /* The same with a digit that does not hold. */
        field = (char *)idv_mrz_field(&text, F(COMPOSITE_CHECK));
        *field = *field == '9' ? '0' : (char)(*field + 1);
        ends(name, read_zone(&text, *state), FAILED,
             R(CHECK_DIGIT_COMPOSITE_WRONG));
    }
}

/* --- barcodes --- */

static const char *const card[][2] = {
    {"DAQ", "1"},        {"DCS", "MUSTER"},   {"DAC", "ERIKA"},
    {"DBB", "01021990"}, {"DBA", "01022030"}, {"DBD", "01022022"},
    {"DBC", "2"},        {"DAJ", "WV"},       {"DCG", "USA"},
    {"DAG", "1 STREET"}, {"DAI", "CITY"},     {"DAK", "25301"},
    {"DAD", "NONE"},     {"DAU", "068 in"},   {"DAY", "BRO"},
    {"DCF", "1"},        {"DCA", "D"},        {"DCB", ""},
    {"DCD", ""},         {"DDE", "N"},        {"DDF", "N"},
    {"DDG", "N"},
};

/* What is left out of the card, ids behind each other, or what one element has. */
static const struct {
    const char *without, *id, *value;
    idv_method_verdict_t verdict;
    idv_document_reason_t reason;
} barcodes[] = {
    {"", NULL, NULL, PASSED, R(NONE)},
    {"DCG", NULL, NULL, PASSED, R(COUNTRY_ELEMENT_MISSING)},
    {"DCF", NULL, NULL, IN_DOUBT, R(DISCRIMINATOR_MISSING)},
    {"DCGDCF", NULL, NULL, IN_DOUBT, R(DISCRIMINATOR_MISSING)},
    {"DAU", NULL, NULL, IN_DOUBT, R(DESCRIPTIVE_ELEMENT_MISSING)},
    {"DAUDAY", NULL, NULL, IN_DOUBT, R(DESCRIPTIVE_ELEMENT_MISSING)},
    {"DDEDDFDDG", NULL, NULL, IN_DOUBT, R(DESCRIPTIVE_ELEMENT_MISSING)},
    {"DCADCBDCD", NULL, NULL, IN_DOUBT, R(DESCRIPTIVE_ELEMENT_MISSING)},
    {"DAGDAIDAK", NULL, NULL, IN_DOUBT, R(DESCRIPTIVE_ELEMENT_MISSING)},
    {"DBC", NULL, NULL, IN_DOUBT, R(DESCRIPTIVE_ELEMENT_MISSING)},
    {"DBD", NULL, NULL, IN_DOUBT, R(DESCRIPTIVE_ELEMENT_MISSING)},
    {"DAD", NULL, NULL, IN_DOUBT, R(DESCRIPTIVE_ELEMENT_MISSING)},
    {"DCS", NULL, NULL, IN_DOUBT, R(DESCRIPTIVE_ELEMENT_MISSING)},
    /* Careless forgers leave out more than one, or what matters. */
    {"DCFDAK", NULL, NULL, FAILED, R(MANDATORY_ELEMENT_MISSING)},
    {"DAUDDE", NULL, NULL, FAILED, R(MANDATORY_ELEMENT_MISSING)},
    {"DBA", NULL, NULL, FAILED, R(MANDATORY_ELEMENT_MISSING)},
    {"DBB", NULL, NULL, FAILED, R(MANDATORY_ELEMENT_MISSING)},
    {"DAQ", NULL, NULL, FAILED, R(MANDATORY_ELEMENT_MISSING)},
    {"DAJ", NULL, NULL, FAILED, R(ISSUER_MISMATCH)},
    {"", "DBC", "U", IN_DOUBT, R(SEX_INVALID)},
    {"", "DBC", "", PASSED, R(NONE)},
    {"", "DAJ", "AP", IN_DOUBT, R(ADDRESS_ELSEWHERE)},
    {"", "DAJ", "QC", IN_DOUBT, R(ADDRESS_ELSEWHERE)},
    {"", "DAJ", "ZZ", FAILED, R(ISSUER_MISMATCH)},
    {"", "DCG", "MEX", FAILED, R(ISSUER_MISMATCH)},
    {"", "DBB", "1990/01/02", PASSED, R(NONE)},
    {"", "DBB", "121990", PASSED, R(DATE_WITHOUT_ZEROS)},
    {"", "DBB", "01001990", PASSED, R(DATE_ZERO_FILLED)},
    {"", "DBB", "00002005", IN_DOUBT, R(AGE_UNDETERMINED)},
    {"", "DBB", "01022011", FAILED, R(UNDER_AGE)},
    {"", "DCS", "", PASSED, R(NONE)},
    {"", "DDH", "122008", PASSED, R(DATE_WITHOUT_ZEROS)},
};

static void barcodes_of_issuers_who_deviate(void **state)
{
    apr_pool_t *pool = *state;

    for (size_t i = 0; i < LENGTH(barcodes); i++) {
        const char *text = "@\n\x1e\rANSI 636061080001DL00310440DL";
        const char *id = barcodes[i].id;
        idv_document_t *document;

        for (size_t k = 0; k < LENGTH(card); k++)
            if (!strstr(barcodes[i].without, card[k][0])
                && (!id || strcmp(id, card[k][0])))
                text = apr_pstrcat(pool, text, card[k][0], card[k][1], "\n",
                                   NULL);
        if (id)
            text = apr_pstrcat(pool, text, id, barcodes[i].value, "\n", NULL);
        assert_null(idv_aamva_parse(
            (idv_bytes_t){(const unsigned char *)text, strlen(text)}, NOW,
            &document, pool));
        ends(apr_pstrcat(pool, barcodes[i].without, id, barcodes[i].value,
                         NULL),
             decide(document, pool), barcodes[i].verdict, barcodes[i].reason);
    }
}

/* Without a date of expiry there is nothing to be past. */
static void documents_without_an_end_do_not_expire(void **state)
{
    idv_document_t *document =
        idv_document_create(IDV_DOCUMENT_SOURCE_PDF417_AAMVA, *state);
    const idv_method_outcome_t *outcome;

    document->kind = IDV_DOCUMENT_DRIVER_LICENSE;
    document->issuing_country = "US";
    document->issuing_region = "MD";
    document->date_of_birth = (idv_date_t){1983, 7, 1};
    document->date_of_issue = (idv_date_t){2000, 7, 1};
    outcome = decide(document, *state);
    assert_int_equal(outcome->verdict, PASSED);
    assert_int_equal(outcome->facts.expiry.year, 0);
    document->date_of_expiry = (idv_date_t){2008, 7, 1};
    ends("ended", decide(document, *state), FAILED, R(EXPIRED));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(zones_of_issuers_who_deviate),
        pooled_test(barcodes_of_issuers_who_deviate),
        pooled_test(documents_without_an_end_do_not_expire),
    };

    return unit_run("methods/document of unusual form", tests);
}
