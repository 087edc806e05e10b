/* SPDX-License-Identifier: Apache-2.0 */
/* The AAMVA parser: synthetic payloads of every version, the deviations of real
 * cards, every reason, and a set of public payloads where it is at hand. */
#include "unit/unit.h"

#include <stdio.h>

#include <apr_file_info.h>
#include <apr_file_io.h>
#include <apr_strings.h>

#include "methods/document/aamva.h"
#include "methods/document/aamva_file.h"

#define LENGTH(table) (sizeof(table) / sizeof(*(table)))
#define R(name) IDV_DOCUMENT_REASON_##name

/* 2024-07-01T12:00:00Z */
#define NOW ((idv_time_t)1719835200000)

static char seen[IDV_DOCUMENT_REASON_COUNT];

static idv_bytes_t bytes_of(const char *text)
{
    return (idv_bytes_t){ (const unsigned char *)text, strlen(text) };
}

static idv_document_t *parse(const char *text, apr_pool_t *pool)
{
    idv_document_t *document;
    idv_error_t *error =
        idv_aamva_parse(bytes_of(text), NOW, &document, pool);

    if (error)
        fail_msg("%s", error->message);
    for (int i = 0; i < document->checks->nelts; i++)
        seen[APR_ARRAY_IDX(document->checks, i, idv_document_check_t)
                 .reason] = 1;
    for (int name = 0; name < IDV_DOCUMENT_CHECK_COUNT; name++)
        if (name != IDV_DOCUMENT_CHECK_DATE_FORM)
            assert_int_equal(
                idv_document_find_check(document, name) != NULL,
                idv_document_check_is_due(document->source, name));
    return document;
}

static int failures(const idv_document_t *document)
{
    int count = 0;

    for (int i = 0; i < document->checks->nelts; i++)
        if (APR_ARRAY_IDX(document->checks, i, idv_document_check_t).reason
                != R(NONE)
            && !idv_document_reason_is_silent(
                APR_ARRAY_IDX(document->checks, i, idv_document_check_t)
                    .reason))
            count++;
    return count;
}

static void assert_date(idv_date_t date, const char *expected)
{
    char text[IDV_DATE_TEXT_SIZE];

    assert_string_equal(idv_date_format(date, text), expected);
}

/* A payload with right offsets. */
static const char *card(const char *issuer, int version, const char *type,
                        const char *elements, apr_pool_t *pool)
{
    int offset = 21 + 10 + (version > 1 ? 2 : 0) - 2;
    const char *versions = version > 1
                               ? apr_psprintf(pool, "%02d00", version)
                               : apr_psprintf(pool, "%02d", version);

    return apr_psprintf(pool, "@\n\x1e\rANSI %s%s01%s%04d%04d%s%s\r", issuer,
                        versions, type, offset, (int)strlen(elements) + 3,
                        type, elements);
}

/* What is of no other interest here: of cards of every version, and of those
 * that came later. */
#define ADDRESS "\nDAG1 TEST STREET\nDAIRICHMOND\nDAK232320000  "
#define CLASS "\nDCAD\nDCBNONE\nDCDNONE"
#define LATER "\nDADNONE\nDAU068 in\nDAYBRO\nDCF061234567\nDDEN\nDDFN" \
              "\nDDGN\nDCG"
#define REST                                                                   \
    ADDRESS CLASS "\nDAU068 in\nDAYBRO\nDCF061234567\nDDEN\nDDFN\nDDGN"

static void every_version_reads(void **state)
{
    static const char *const names[] = {
        [1] = "DAAMUSTERMANN,ERIKA,MARIA",
        [2] = "DCSMUSTERMANN\nDCTERIKA,MARIA",
        [3] = "DCSMUSTERMANN\nDCTERIKA MARIA",
        [4] = "DCSMUSTERMANN\nDDEN\nDACERIKA\nDDFN\nDADMARIA\nDDGN",
    };
    apr_pool_t *pool = *state;

    for (int version = 1; version <= 11; version++) {
        int is_first = version == 1;
        const char *elements = apr_psprintf(
            pool, "DAQT16700185\n%s\nDBA%s\nDBB%s\nDBD%s\nDBC2%s\nDAJVA" REST,
            names[version < 4 ? version : 4],
            is_first ? "20280815" : "08152028",
            is_first ? "19580715" : "07151958",
            is_first ? "20200814" : "08142020", is_first ? "" : "\nDCGUSA");
        idv_document_t *document = parse(
            card("636000", version, "DL", elements, pool), pool);

        assert_int_equal(failures(document), 0);
        assert_int_equal(document->kind, IDV_DOCUMENT_DRIVER_LICENSE);
        assert_string_equal(document->issuing_country, "US");
        assert_string_equal(document->issuing_region, "VA");
        assert_string_equal(document->number, "T16700185");
        assert_string_equal(document->surname, "MUSTERMANN");
        assert_string_equal(document->given_names, "ERIKA MARIA");
        assert_int_equal(document->sex, 'F');
        assert_date(document->date_of_birth, "1958-07-15");
        assert_date(document->date_of_expiry, "2028-08-15");
        assert_date(document->date_of_issue, "2020-08-14");
    }
}

/* One issuer parts its elements by bars; a bar in a line is a part of it. */
static void bars_end_lines_where_nothing_else_does(void **state)
{
    apr_pool_t *pool = *state;
    const char *elements =
        "DAQT16700185\nDCSMUSTERMANN\nDDEN\nDACERIKA\nDDFN\nDADMARIA\nDDGN\n"
        "DBA08152028\nDBB07151958\nDBD08142020\nDBC2\nDAJVA\nDCGUSA" REST;
    char *barred = apr_pstrdup(pool, card("636000", 8, "DL", elements, pool));
    idv_document_t *document;

    for (char *p = barred; *p; p++)
        if (*p == '\n' || *p == '\r')
            *p = '|';
    document = parse(barred, pool);
    assert_int_equal(failures(document), 0);
    assert_string_equal(document->number, "T16700185");
    assert_string_equal(document->surname, "MUSTERMANN");
    assert_string_equal(document->given_names, "ERIKA MARIA");
    assert_date(document->date_of_birth, "1958-07-15");
    elements = "DAQT16700185\nDCSMUSTER|DACERIKA|DADMARIA|DAJMD\nDACANNA\n"
               "DADMARIA\nDBA08152028\nDBB07151958\nDBD08142020\nDBC2\nDAJVA\n"
               "DCGUSA" REST;
    document = parse(card("636000", 8, "DL", elements, pool), pool);
    assert_string_equal(document->given_names, "ANNA MARIA");
}

static void canada_writes_the_year_first(void **state)
{
    apr_pool_t *pool = *state;
    idv_document_t *document = parse(
        card("636012", 8, "ID",
             "DAQS92444387965702\nDCSTESTER,\nDACMARY\nDADNONE\nDBA20280603\n"
             "DBB19960603\nDBD20230607\nDBC1\nDAJON\nDCGCAN" REST,
             pool),
        pool);

    assert_int_equal(failures(document), 0);
    assert_int_equal(document->kind, IDV_DOCUMENT_ID_CARD);
    assert_string_equal(document->issuing_country, "CA");
    assert_string_equal(document->issuing_region, "ON");
    assert_string_equal(document->surname, "TESTER");
    assert_string_equal(document->given_names, "MARY");
    assert_date(document->date_of_birth, "1996-06-03");
}

#define BODY                                                                   \
    "DAQ1\nDCSMUSTER\nDACERIKA\nDBA01022030\nDBB01021990\nDBD01022020\n"       \
    "DBC2\nDAJVA\nDCGUSA\nDADNONE" REST

/* The same card behind every header that has been seen in the wild. */
static void deviations_of_real_cards_read(void **state)
{
    static const char *const payloads[] = {
        "@\n\x1e\rANSI 636000080001DL00310440DL" BODY "\r",
        "@\n\x1e\r" "ANSI636000080001DL00310440DL" BODY "\r",
        "\xef\xbb\xbf@\n\x1e\nANSI 636000080001DL00000367DL" BODY "\n",
        "@\r\n\x1e\r\nANSI 636000080001DL00310440DL" BODY "\r\n",
        "@\n\nANSI 636000080001DLabacDL" BODY,
        "@\n6AAMVA636000080001DL00290179" BODY,
        "@\n\x1e\rANSI 636000080002DL00410264ZV03050002DL" BODY "\rZVZVA01\r",
        "@\n\x1e\rANSI 636000080002ZV03050002DL00410264ZVZVADAQ\nDL" BODY,
        "@\n\x1e\rANSI 636000080001EN00310440EN" BODY "\r",
    };
    apr_pool_t *pool = *state;

    for (size_t i = 0; i < LENGTH(payloads); i++) {
        idv_document_t *document = parse(payloads[i], pool);

        assert_int_equal(failures(document), 0);
        assert_string_equal(document->number, "1");
        assert_string_equal(document->surname, "MUSTER");
        assert_date(document->date_of_birth, "1990-01-02");
        assert_int_equal(document->kind, IDV_DOCUMENT_DRIVER_LICENSE);
    }
}

static void what_is_no_card_is_refused(void **state)
{
    static const char *const payloads[] = {
        "",
        "@",
        "ANSI 636000080001DL00310440DL" BODY,
        "@\n\x1e\rANSI 63600A080001DL00310440DL" BODY,
        "@\n\x1e\rANSI 636000000001DL00310440DL" BODY,
        "@\n\x1e\rANSI 6360000800",
        "@\n\x1e\rANSI 636000080001",
        "@\n\x1e\rANSI 636000080001ZV00310440ZV\nZVA",
        "https://example.org/@ANSI",
    };
    apr_pool_t *pool = *state;
    idv_document_t *document;
    char *large = apr_palloc(pool, IDV_AAMVA_MAX_PAYLOAD + 2), *out;

    for (size_t i = 0; i < LENGTH(payloads); i++)
        assert_non_null(
            idv_aamva_parse(bytes_of(payloads[i]), NOW, &document, pool));
    memset(large, ' ', IDV_AAMVA_MAX_PAYLOAD + 1);
    large[IDV_AAMVA_MAX_PAYLOAD + 1] = '\0';
    memcpy(large, payloads[2], strlen(payloads[2]));
    assert_non_null(idv_aamva_parse(bytes_of(large), NOW, &document, pool));
    out = large + sprintf(large, "@\nANSI 636000080001DL00310440DL");
    for (int i = 0; i <= IDV_AAMVA_MAX_ELEMENTS; i++)
        out += sprintf(out, "D%c%c1\n", 'A' + i / 26, 'A' + i % 26);
    assert_non_null(idv_aamva_parse(bytes_of(large), NOW, &document, pool));
}

/* Each row replaces one element of a good card (NULL: takes it away). */
static void elements_are_judged(void **state)
{
    static const struct {
        const char *id, *value;
        idv_document_reason_t reason;
    } rows[] = {
        { "DAJ", "MD", R(ADDRESS_ELSEWHERE) },
        { "DAJ", "ON", R(ADDRESS_ELSEWHERE) },
        { "DAJ", "AE", R(ADDRESS_ELSEWHERE) },
        { "DAJ", "QQ", R(ISSUER_MISMATCH) },
        { "DAJ", NULL, R(ISSUER_MISMATCH) },
        { "DAJ", "VA\nDAJMD", R(ISSUER_MISMATCH) },
        { "DCG", "CAN", R(ISSUER_MISMATCH) },
        { "DCG", "XYZ", R(ISSUER_MISMATCH) },
        { "DCG", "", R(NONE) },
        { "DCG", NULL, R(COUNTRY_ELEMENT_MISSING) },
        { "DAQ", "", R(DOCUMENT_NUMBER_MISSING) },
        { "DAQ", NULL, R(DOCUMENT_NUMBER_MISSING) },
        { "DAQ", "12345678901234567890123456", R(DOCUMENT_NUMBER_INVALID) },
        { "DAQ", "1\nDAQ2", R(DOCUMENT_NUMBER_INVALID) },
        { "DAQ", "1\nDAQ1", R(NONE) },
        { "DAQ", "12\xe9", R(DOCUMENT_NUMBER_INVALID) },
        { "DCS", "M\xdcLLER", R(NONE) },
        { "DBC", "3", R(SEX_INVALID) },
        { "DBC", "9", R(NONE) },
        { "DBC", "", R(NONE) },
        { "DBC", NULL, R(DESCRIPTIVE_ELEMENT_MISSING) },
        { "DAY", NULL, R(DESCRIPTIVE_ELEMENT_MISSING) },
        { "DAQ", NULL, R(MANDATORY_ELEMENT_MISSING) },
        { "DBA", NULL, R(MANDATORY_ELEMENT_MISSING) },
        { "DBB", NULL, R(MANDATORY_ELEMENT_MISSING) },
        { "DAC", NULL, R(DESCRIPTIVE_ELEMENT_MISSING) },
        { "DAC", "", R(NONE) },
        { "DCF", NULL, R(DISCRIMINATOR_MISSING) },
        { "DAK", NULL, R(DESCRIPTIVE_ELEMENT_MISSING) },
        { "DCA", NULL, R(DESCRIPTIVE_ELEMENT_MISSING) },
        { "DBB", NULL, R(DATE_OF_BIRTH_MISSING) },
        { "DBB", "", R(DATE_OF_BIRTH_MISSING) },
        { "DBB", "02301990", R(DATE_OF_BIRTH_INVALID) },
        { "DBB", "0102199", R(DATE_OF_BIRTH_INVALID) },
        { "DBB", "01021890", R(DATE_OF_BIRTH_INVALID) },
        { "DBB", "01021990\nDBB01021991", R(DATE_OF_BIRTH_INVALID) },
        { "DBB", "07032024", R(DATE_OF_BIRTH_IN_FUTURE) },
        { "DBB", "1311990", R(DATE_WITHOUT_ZEROS) },
        { "DBB", "1131990", R(DATE_WITHOUT_ZEROS) },
        { "DBB", "191990", R(DATE_WITHOUT_ZEROS) },
        { "DBB", "1-13-1990", R(NONE) },
        { "DBB", "1990-01-13", R(NONE) },
        { "DBB", "1990/1/13", R(NONE) },
        { "DBB", "13-01-1990", R(DATE_OF_BIRTH_INVALID) },
        { "DBB", "1990-13-01", R(DATE_OF_BIRTH_INVALID) },
        { "DBB", "1990-1990-01", R(DATE_OF_BIRTH_INVALID) },
        { "DBB", "1-1990-13", R(DATE_OF_BIRTH_INVALID) },
        { "DBB", "1990-01", R(DATE_OF_BIRTH_INVALID) },
        { "DBB", "1-13-90", R(DATE_OF_BIRTH_INVALID) },
        { "DBB", "1-13-1990-1", R(DATE_OF_BIRTH_INVALID) },
        { "DBB", "00001990", R(DATE_ZERO_FILLED) },
        { "DBB", "19900000", R(DATE_ZERO_FILLED) },
        { "DBB", "19900100", R(DATE_ZERO_FILLED) },
        { "DBB", "01001990", R(DATE_ZERO_FILLED) },
        { "DBB", "00000000", R(DATE_OF_BIRTH_INVALID) },
        { "DBB", "13001990", R(DATE_OF_BIRTH_INVALID) },
        { "DBB", "13199", R(DATE_OF_BIRTH_INVALID) },
        { "DBA", NULL, R(DATE_OF_EXPIRY_MISSING) },
        { "DBA", "", R(NONE) },
        { "DBA", "99999999", R(NONE) },
        { "DBA", "13012030", R(DATE_OF_EXPIRY_INVALID) },
        { "DBA", "01022030\nDBA01022031", R(DATE_OF_EXPIRY_INVALID) },
        { "DBA", "1132030", R(DATE_AMBIGUOUS) },
        { "DBA", "1312030", R(DATE_WITHOUT_ZEROS) },
        { "DBA", "01022090", R(DATE_OF_EXPIRY_IMPLAUSIBLE) },
        { "DBA", "01021990", R(DATE_OF_EXPIRY_IMPLAUSIBLE) },
        { "DBA", "01022019", R(DATE_OF_ISSUE_IMPLAUSIBLE) },
        { "DBD", "01021989", R(DATE_OF_ISSUE_IMPLAUSIBLE) },
        { "DBD", "01022025", R(DATE_OF_ISSUE_IN_FUTURE) },
        { "DBD", "00002020", R(DATE_OF_ISSUE_INVALID) },
        { "DBD", "", R(NONE) },
        { "DBD", NULL, R(DESCRIPTIVE_ELEMENT_MISSING) },
        { "DDH", "01022008", R(NONE) },
        { "DDH", "01012008", R(NONE) },
        { "DDH", "01022007", R(AGE_DATES_MISMATCH) },
        { "DDI", "01022009", R(NONE) },
        { "DDI", "01042009", R(AGE_DATES_MISMATCH) },
        { "DDJ", "01022011", R(NONE) },
        { "DDJ", "01012012", R(AGE_DATES_MISMATCH) },
        { "DDJ", "00000000", R(NONE) },
        { "DDJ", "122011", R(DATE_WITHOUT_ZEROS) },
        { "DDJ", "1222011", R(AGE_DATES_MISMATCH) },
        { "DDJ", "UNDER21", R(AGE_DATES_MISMATCH) },
        { "DCK", "W63066269784ILKTTL01", R(NONE) },
        { "DCK", "1234567890123456789012345", R(NONE) },
        { "DCK", "12345678901234567890123456", R(INVENTORY_NUMBER_UNUSUAL) },
        { "DCK", "1\nDCK2", R(INVENTORY_NUMBER_UNUSUAL) },
        { "DCK", "12\xe9", R(INVENTORY_NUMBER_UNUSUAL) },
        { "DCK", "", R(INVENTORY_NUMBER_UNKNOWN) },
        { "DCK", NULL, R(INVENTORY_NUMBER_UNKNOWN) },
        { "DDE", "T", R(NONE) },
        { "DDF", "U", R(NONE) },
        { "DDG", "", R(NONE) },
        { "DDG", "X", R(NAME_TRUNCATION_UNUSUAL) },
        { "DDG", "NN", R(NAME_TRUNCATION_UNUSUAL) },
        { "DDG", "T\nDDGN", R(NAME_TRUNCATION_UNUSUAL) },
        { "DDE", NULL, R(DESCRIPTIVE_ELEMENT_MISSING) },
    };
    static const char *const base[][2] = {
        { "DAQ", "1" },        { "DCS", "MUSTER" },   { "DAC", "ERIKA" },
        { "DBB", "01021990" }, { "DBA", "01022030" }, { "DBD", "01022020" },
        { "DBC", "2" },        { "DAJ", "VA" },       { "DCG", "USA" },
        { "DAG", "1 STREET" }, { "DAI", "CITY" },     { "DAK", "23232" },
        { "DAD", "NONE" },     { "DAU", "068 in" },   { "DAY", "BRO" },
        { "DCF", "1" },        { "DCA", "D" },        { "DCB", "" },
        { "DCD", "" },
        { "DDE", "N" },        { "DDF", "N" },        { "DDG", "N" },
        { "DDH", "" },         { "DDI", "" },         { "DDJ", "" },
        { "DCK", "" },
    };
    apr_pool_t *pool = *state;

    for (size_t i = 0; i < LENGTH(rows); i++) {
        const char *elements = "";
        idv_document_t *document;

        for (size_t k = 0; k < LENGTH(base); k++) {
            int here = strcmp(base[k][0], rows[i].id) == 0;
            const char *value = here ? rows[i].value : base[k][1];

            if (value)
                elements = apr_pstrcat(pool, elements, base[k][0], value, "\n",
                                       NULL);
        }
        document = parse(card("636000", 8, "DL", elements, pool), pool);
        if (rows[i].reason == R(NONE))
            assert_int_equal(failures(document), 0);
        else
            assert_int_equal(
                idv_document_find_check(
                    document, idv_document_reason_check(rows[i].reason))
                    ->reason,
                rows[i].reason);
    }
}

static void names_come_in_many_forms(void **state)
{
    static const struct {
        const char *elements, *surname, *given;
    } rows[] = {
        { "DAAMUSTER,ERIKA,MARIA,JR", "MUSTER", "ERIKA MARIA JR" },
        { "DAAMUSTER,ERIKA, ,", "MUSTER", "ERIKA" },
        { "DAAERIKA MARIA MUSTER", "ERIKA MARIA MUSTER", NULL },
        { "DAAMUSTER,", "MUSTER", NULL },
        { "DABMUSTER\nDACERIKA\nDADM", "MUSTER", "ERIKA M" },
        { "DCSMUSTER\nDCTERIKA  MARIA ", "MUSTER", "ERIKA MARIA" },
        { "DCSMUSTER\nDACNONE\nDADNONE", "MUSTER", NULL },
        { "DCSMUSTER\nDACERIKA\nDADunavl", "MUSTER", "ERIKA" },
        { "DCSM\xdcLLER\nDAC" "ANDR\xc3\x89", "M\xc3\x9cLLER",
          "ANDR\xc3\x89" },
    };
    apr_pool_t *pool = *state;
    char *longest = apr_palloc(pool, 200);
    idv_document_t *document;

    for (size_t i = 0; i < LENGTH(rows); i++) {
        document = parse(card("636000", 3, "DL", rows[i].elements, pool), pool);
        assert_string_equal(document->surname, rows[i].surname);
        if (rows[i].given)
            assert_string_equal(document->given_names, rows[i].given);
        else
            assert_null(document->given_names);
    }
    parse(card("636000", 3, "DL", "DAQ1", pool), pool);
    memset(longest, 'A', 199);
    memcpy(longest, "DCS", 3);
    longest[199] = '\0';
    document = parse(card("636000", 3, "DL", longest, pool), pool);
    assert_null(document->surname);
}

/* Dates of which a part is not known leave the age open. */
static void open_births_are_read_so(void **state)
{
    static const struct {
        const char *text, *date;
    } rows[] = {
        {"01131990", "1990-01-13"}, {"1311990", "1990-01-31"},
        {"1131990", "1990"},        {"191990", "1990-01-09"},
        {"1990119", "1990"},        {"1990131", "1990-01-31"},
        {"11-3-1990", "1990-11-03"}, {"06/27/1951", "1951-06-27"},
        {"00001968", "1968"},       {"19680000", "1968"},
        {"19680500", "1968-05"},    {"05001968", "1968-05"},
        {"00171968", "1968"},
    };
    apr_pool_t *pool = *state;

    for (size_t i = 0; i < LENGTH(rows); i++) {
        const char *elements = apr_pstrcat(
            pool, "DAQ1\nDCSMUSTER\nDACERIKA\nDBA01022030\nDBC2\nDAJVA"
                  "\nDBB", rows[i].text, NULL);

        assert_date(parse(card("636000", 3, "DL", elements, pool), pool)
                        ->date_of_birth,
                    rows[i].date);
    }
}

/* One letter, as it is printed in UTF-8, ISO 8859-1 and code page 437. */
static void letters_of_three_encodings_read_alike(void **state)
{
    static const struct {
        const char *printed, *read;
    } rows[] = {
        {"PE\xc3\x91" "A", "PE\xc3\x91" "A"},
        {"PE\xd1" "A", "PE\xc3\x91" "A"},
        {"PE\xa5" "A", "PE\xc3\x91" "A"},
        {"pe\xa4" "a", "pe\xc3\xb1" "a"},
        {"M\x9aLLER", "M\xc3\x9cLLER"},
        {"M\xdcLLER", "M\xc3\x9cLLER"},
        {"\x90TIENNE", "\xc3\x89TIENNE"},
        {"\xc9TIENNE", "\xc3\x89TIENNE"},
        {"N\xa3" "\xa4" "EZ", "N\xc3\xba\xc3\xb1" "EZ"},
        {"Jos\xe9", "Jos\xc3\xa9"},
        {"Jos\x82", "Jos\xc3\xa9"},
        /* Next to a letter of ISO 8859-1, a sign is a sign. */
        {"\xc9" "A\xa5", "\xc3\x89" "A\xc2\xa5"},
    };
    apr_pool_t *pool = *state;

    for (size_t i = 0; i < LENGTH(rows); i++) {
        const char *elements =
            apr_pstrcat(pool, "DAQ1\nDCS", rows[i].printed, NULL);

        assert_string_equal(
            parse(card("604431", 10, "DL", elements, pool), pool)->surname,
            rows[i].read);
    }
}

/* North Carolina: a header of eight digits, the address of the residence, dates
 * with hyphens. */
static void early_headers_read(void **state)
{
#define EARLY                                                                  \
    "DABMUSTER\nDACERIKA\nDADMARIA\nDAE\nDAL1 ROAD\nDAM\nDANRALEIGH\nDAONC" \
    "\nDAP27600\nDAQ12345678\nDARC\nDAS1\nDATNone\nDBA06-27-2027"             \
    "\nDBB06-27-1951\nDBCF\nDBD06-08-2019\n"
    static const char *const payloads[] = {
        "@\n\x1c\rAAMVA36004001DL00280191DL" EARLY,
        "@\n\x1c\rAAMVA6360040101DL00280191DL" EARLY,
        "@\n\x1c\rANSI 36004001DL00280191DL" EARLY,
    };
    apr_pool_t *pool = *state;

    for (size_t i = 0; i < LENGTH(payloads); i++) {
        idv_document_t *document = parse(payloads[i], pool);

        assert_int_equal(failures(document), 0);
        assert_string_equal(document->issuing_region, "NC");
        assert_string_equal(document->number, "12345678");
        assert_string_equal(document->surname, "MUSTER");
        assert_string_equal(document->given_names, "ERIKA MARIA");
        assert_date(document->date_of_birth, "1951-06-27");
        assert_date(document->date_of_issue, "2019-06-08");
        assert_date(document->date_of_expiry, "2027-06-27");
        assert_int_equal(document->sex, 'F');
    }
    /* Eight digits of another version are no header. */
    assert_non_null(
        idv_aamva_parse(bytes_of("@\n\x1c\rAAMVA36004002DL00280191DL" EARLY),
                        NOW, &(idv_document_t *){NULL}, pool));
}

/* British Columbia: the tracks of the magnetic stripe in the symbol. */
static void tracks_read(void **state)
{
    static const struct {
        const char *first, *expiry, *city, *end;
    } rows[] = {
        {"%BCVICTORIA^MUSTER,$ERIKA MARIA^", "2803", "VICTORIA", "2028-03-31"},
        {"%BCPORT COQUITLAMUSTER,$ERIKA MARIA^", "2802", "", "2028-02-29"},
        {"\r\n%BCVICTORIA^MUSTER,ERIKA,MARIA^", "2899", "", "2028-03-07"},
        {"%BCVICTORIA^MUSTER,$ERIKA MARIA^", "2888", "", "2028-03-31"},
        {"%BCVICTORIA^MUSTER,$ERIKA MARIA^", "2777", "", NULL},
    };
    static const char *const others[] = {
        "%", "%BC^?", "%BC^?;636028?", "%BCX^Y^Z^?;6360281=280319750307=?",
        "%BCX^Y^Z^?;63602A1=280319750307=?%0A?",
        "%BCX^Y^Z^?;6360281=2803197503=?%0A?",
    };
    apr_pool_t *pool = *state;
    idv_document_t *document;

    for (size_t i = 0; i < LENGTH(rows); i++) {
        document = parse(
            apr_pstrcat(pool, rows[i].first,
                        "1 ROAD$VICTORIA BC  V8V 1A1^?;6360281234567=",
                        rows[i].expiry,
                        "19750307=?_%0AV8V1A1                     F165 60BRO"
                        "BLU1234567890                     00X0000A0A?",
                        NULL),
            pool);
        assert_int_equal(failures(document), 0);
        assert_string_equal(document->issuing_country, "CA");
        assert_string_equal(document->issuing_region, "BC");
        assert_string_equal(document->number, "1234567");
        if (i != 1)
            assert_string_equal(document->surname, "MUSTER");
        assert_string_equal(document->given_names, "ERIKA MARIA");
        assert_date(document->date_of_birth, "1975-03-07");
        if (rows[i].end)
            assert_date(document->date_of_expiry, rows[i].end);
        else
            assert_int_equal(document->date_of_expiry.year, 0);
        assert_int_equal(document->sex, 'F');
    }
    for (size_t i = 0; i < LENGTH(others); i++)
        assert_non_null(
            idv_aamva_parse(bytes_of(others[i]), NOW, &document, pool));
}

/* Where blanks part the elements, a word of a name is none. */
static void blanks_part_elements(void **state)
{
    apr_pool_t *pool = *state;
    idv_document_t *document = parse(
        "@ \nANSI 636025080002DL00410268ZP03090030DLDAQ12345678 DCSVON DEM DAL "
        "DDEU DACERIKA DDFU DADMARIA DDGU DCAC DCBNONE DCDNONE DBD10052020 "
        "DBB08041969 DBA08042029 DBC2 DAU066 IN DAYBRO DAG1 MAIN STREET "
        "DAIHARRISBURG DAJPA DAK171010000   DCF1234567890123456789012345 DCGUSA "
        "DCK1234567890123456 DDB10012015 DDK1 DDL1 \nZPZPAN ZPB00 ZPC123",
        pool);

    assert_int_equal(failures(document), 0);
    assert_string_equal(document->number, "12345678");
    assert_string_equal(document->surname, "VON DEM DAL");
    assert_string_equal(document->given_names, "ERIKA MARIA");
    assert_date(document->date_of_expiry, "2029-08-04");
}

static void issuers_are_known(void **state)
{
    static const struct {
        const char *issuer, *jurisdiction, *country, *region;
        idv_document_reason_t reason;
    } rows[] = {
        { "636003", "MD", "US", "MD", R(NONE) },
        { "604432", "AB", "CA", "AB", R(NONE) },
        { "604431", "PR", "US", "PR", R(NONE) },
        { "636027", "ZZ", "US", NULL, R(NONE) },
        { "000000", "ZZ", IDV_DOCUMENT_TEST_ISSUER, NULL, R(NONE) },
        { "123456", "MD", NULL, NULL, R(ISSUER_UNKNOWN) },
    };
    apr_pool_t *pool = *state;

    for (size_t i = 0; i < LENGTH(rows); i++) {
        const char *elements = apr_pstrcat(
            pool, "DAQ1\nDCSMUSTER\nDACERIKA\nDBB01021990\nDBA01022030"
                  "\nDBC2\nDBD01022020" ADDRESS CLASS LATER "\nDAJ",
            rows[i].jurisdiction, NULL);
        idv_document_t *document =
            parse(card(rows[i].issuer, 10, "DL", elements, pool), pool);

        assert_int_equal(failures(document), rows[i].reason != R(NONE));
        assert_int_equal(
            idv_document_find_check(document, IDV_DOCUMENT_CHECK_ISSUER)
                ->reason,
            rows[i].reason);
        if (rows[i].country)
            assert_string_equal(document->issuing_country, rows[i].country);
        else
            assert_null(document->issuing_country);
        if (rows[i].region)
            assert_string_equal(document->issuing_region, rows[i].region);
        else
            assert_null(document->issuing_region);
    }
}

/* Versions that came after the table are read, and what they demand is open. */
static void later_versions_leave_their_elements_open(void **state)
{
    static const int versions[] = {12, 13, 99};
    apr_pool_t *pool = *state;

    for (size_t i = 0; i < LENGTH(versions); i++) {
        idv_document_t *document = parse(
            card("636000", versions[i], "DL",
                 "DAQ1\nDCSMUSTER\nDACERIKA\nDBB01021990\nDBA01022030"
                 "\nDBD01022020\nDAJVA",
                 pool),
            pool);

        assert_string_equal(document->surname, "MUSTER");
        assert_int_equal(
            idv_document_find_check(document,
                                    IDV_DOCUMENT_CHECK_MANDATORY_ELEMENTS)
                ->reason,
            R(MANDATORY_ELEMENTS_UNKNOWN));
    }
}

static void truncation_is_told_of_each_name(void **state)
{
    static const struct {
        const char *flags, *expected;
    } rows[] = {
        {"DDET\nDDFN\nDDGU", "TNU"},
        {"DDEN\nDDF\nDDGN", "N-N"},
        {"DDEX\nDDFN\nDDGN", "-NN"},
        {"DDE\nDDF\nDDG", ""},
        {"DAYBRO", ""},
    };
    apr_pool_t *pool = *state;

    for (size_t i = 0; i < LENGTH(rows); i++) {
        idv_document_t *document =
            parse(card("636000", 4, "DL",
                       apr_pstrcat(pool, "DAQ1\nDCSMUSTER\n", rows[i].flags,
                                   NULL),
                       pool),
                  pool);

        assert_string_equal(document->truncation, rows[i].expected);
        assert_int_equal(
            idv_document_find_check(document,
                                    IDV_DOCUMENT_CHECK_NAME_TRUNCATION)
                    ->reason
                == R(NAME_TRUNCATION_UNKNOWN),
            !*rows[i].expected);
    }
}

/* Public payloads, not part of the project: IDV_VECTORS names their folder. */
static void public_payloads_parse(void **state)
{
    apr_pool_t *pool = *state;
    const char *root = getenv("IDV_VECTORS");
    const char *folder =
        apr_pstrcat(pool, root ? root : "../shared/vectors", "/aamva", NULL);
    apr_dir_t *directory;
    apr_finfo_t info;
    int count = 0;

    if (apr_dir_open(&directory, folder, pool) != APR_SUCCESS) {
        printf("# no public payloads at hand (IDV_VECTORS), skipped\n");
        skip();
    }
    while (apr_dir_read(&info, APR_FINFO_NAME | APR_FINFO_SIZE, directory)
           == APR_SUCCESS) {
        const char *path = apr_pstrcat(pool, folder, "/", info.name, NULL);
        char *text;
        apr_file_t *file;
        apr_size_t length;
        idv_document_t *document;

        if (!strstr(info.name, ".txt"))
            continue;
        text = apr_pcalloc(pool, info.size + 1);
        assert_int_equal(apr_file_open(&file, path, APR_READ, 0, pool),
                         APR_SUCCESS);
        assert_int_equal(apr_file_read_full(file, text, info.size, &length),
                         APR_SUCCESS);
        document = parse(text, pool);
        /* That of New York is a card without a number. */
        assert_int_equal(document->number != NULL,
                         strcmp(info.name, "NY.txt") != 0);
        assert_non_null(document->surname);
        assert_non_null(document->issuing_region);
        /* The file is named after the region. */
        assert_memory_equal(document->issuing_region, info.name, 2);
        assert_true(idv_date_is_complete(document->date_of_birth));
        assert_true(idv_date_is_complete(document->date_of_expiry));
        assert_int_equal(
            idv_document_find_check(document, IDV_DOCUMENT_CHECK_ISSUER)
                ->reason,
            R(NONE));
        assert_int_equal(
            idv_document_find_check(document,
                                    IDV_DOCUMENT_CHECK_MANDATORY_ELEMENTS)
                ->reason,
            R(NONE));
        assert_int_not_equal(
            idv_document_find_check(document,
                                    IDV_DOCUMENT_CHECK_INVENTORY_NUMBER)
                ->reason,
            R(INVENTORY_NUMBER_UNUSUAL));
        assert_int_not_equal(
            idv_document_find_check(document,
                                    IDV_DOCUMENT_CHECK_NAME_TRUNCATION)
                ->reason,
            R(NAME_TRUNCATION_UNUSUAL));
        count++;
    }
    assert_true(count > 0);
    printf("# %d public payloads\n", count);
}

/* Runs last: what the tests above have seen. */
static void every_reason_of_a_barcode_was_met(void **state)
{
    static const idv_document_reason_t expected[] = {
        R(ISSUER_UNKNOWN),          R(ISSUER_MISMATCH),
        R(DOCUMENT_NUMBER_MISSING), R(DOCUMENT_NUMBER_INVALID),
        R(MANDATORY_ELEMENT_MISSING),
        R(NAMES_MISSING),           R(NAMES_INVALID),
        R(SEX_INVALID),             R(DATE_OF_BIRTH_MISSING),
        R(DATE_OF_BIRTH_INVALID),   R(DATE_OF_BIRTH_IN_FUTURE),
        R(DATE_OF_ISSUE_INVALID),   R(DATE_OF_ISSUE_IN_FUTURE),
        R(DATE_OF_ISSUE_IMPLAUSIBLE),
        R(DATE_OF_EXPIRY_MISSING),  R(DATE_OF_EXPIRY_INVALID),
        R(DATE_OF_EXPIRY_IMPLAUSIBLE),
        R(AGE_DATES_MISMATCH),
        R(MANDATORY_ELEMENTS_UNKNOWN),
        R(COUNTRY_ELEMENT_MISSING), R(DATE_WITHOUT_ZEROS),
        R(DATE_ZERO_FILLED),        R(DATE_AMBIGUOUS),
        R(INVENTORY_NUMBER_UNUSUAL), R(INVENTORY_NUMBER_UNKNOWN),
        R(NAME_TRUNCATION_UNUSUAL), R(NAME_TRUNCATION_UNKNOWN),
    };

    (void)state;
    for (size_t i = 0; i < LENGTH(expected); i++)
        assert_true(seen[expected[i]]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(every_version_reads),
        pooled_test(canada_writes_the_year_first),
        pooled_test(deviations_of_real_cards_read),
        pooled_test(what_is_no_card_is_refused),
        pooled_test(elements_are_judged),
        pooled_test(names_come_in_many_forms),
        pooled_test(open_births_are_read_so),
        pooled_test(letters_of_three_encodings_read_alike),
        pooled_test(early_headers_read),
        pooled_test(tracks_read),
        pooled_test(blanks_part_elements),
        pooled_test(issuers_are_known),
        pooled_test(later_versions_leave_their_elements_open),
        pooled_test(truncation_is_told_of_each_name),
        pooled_test(public_payloads_parse),
        pooled_test(bars_end_lines_where_nothing_else_does),
        cmocka_unit_test(every_reason_of_a_barcode_was_met),
    };

    return unit_run("document/aamva", tests);
}
