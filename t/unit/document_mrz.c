/* SPDX-License-Identifier: Apache-2.0 */
/* The MRZ parser against the specimens that ICAO Doc 9303 prints, and against
 * variations of them whose check digits are computed anew. */
#include "unit/unit.h"

#include <stdio.h>

#include "methods/document/mrz.h"

#define LENGTH(table) (sizeof(table) / sizeof(*(table)))

/* 2024-07-01T12:00:00Z */
#define NOW ((idv_time_t)1719835200000)

typedef struct {
    int count;
    const char *lines[3];
} zone_t;

static const zone_t td1 = { 3, { "I<UTOD231458907<<<<<<<<<<<<<<<",
                                 "7408122F1204159UTO<<<<<<<<<<<6",
                                 "ERIKSSON<<ANNA<MARIA<<<<<<<<<<" } };
static const zone_t td1_long = { 3, { "I<UTOD23145890<7349<<<<<<<<<<<",
                                      "3407127M9507122UTO<<<<<<<<<<<2",
                                      "STEVENSON<<PETER<JOHN<<<<<<<<<" } };
static const zone_t td2 = { 2, { "I<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<",
                                 "D231458907UTO7408122F1204159<<<<<<<6" } };
static const zone_t td3 = {
    2, { "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<",
         "L898902C36UTO7408122F1204159ZE184226B<<<<<10" }
};
static const zone_t mrva = {
    2, { "V<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<",
         "L8988901C4XXX4009078F96121096ZE184226B<<<<<<" }
};
static const zone_t mrvb = { 2, { "V<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<",
                                  "L8988901C4XXX4009078F9612109<<<<<<<<" } };

static const zone_t *const zones[] = { &td1, &td2, &td3, &mrva, &mrvb };

static char seen[IDV_DOCUMENT_REASON_COUNT];

static idv_mrz_text_t text_of(const zone_t *zone)
{
    idv_mrz_text_t text = {0};

    text.layout = idv_mrz_layout_find(zone->count, (int)strlen(zone->lines[0]),
                                      zone->lines[0][0]);
    assert_non_null(text.layout);
    for (int row = 0; row < zone->count; row++) {
        assert_int_equal(strlen(zone->lines[row]), text.layout->columns);
        strcpy(text.rows[row], zone->lines[row]);
    }
    return text;
}

static idv_document_t *parse_at(const idv_mrz_text_t *text, idv_time_t now,
                                apr_pool_t *pool)
{
    idv_document_t *document;

    assert_null(idv_mrz_parse(text, now, &document, pool));
    for (int i = 0; i < document->checks->nelts; i++)
        seen[APR_ARRAY_IDX(document->checks, i, idv_document_check_t)
                 .reason] = 1;
    return document;
}

static int failures(const idv_document_t *document)
{
    int count = 0;

    for (int i = 0; i < document->checks->nelts; i++)
        count += APR_ARRAY_IDX(document->checks, i, idv_document_check_t).reason
                 != IDV_DOCUMENT_REASON_NONE;
    return count;
}

static idv_document_reason_t reason_of(const idv_document_t *document,
                                       idv_document_check_name_t name)
{
    const idv_document_check_t *check = idv_document_find_check(document, name);

    assert_non_null(check);
    return check->reason;
}

static void assert_date(idv_date_t date, const char *expected)
{
    char text[IDV_DATE_TEXT_SIZE];

    assert_string_equal(idv_date_format(date, text), expected);
}

static void set_check(idv_mrz_text_t *text, idv_mrz_field_name_t data,
                      idv_mrz_field_name_t check)
{
    int length = text->layout->fields[data].length;

    *(char *)idv_mrz_field(text, check) =
        idv_mrz_check_digit(idv_mrz_field(text, data), length);
}

/* Puts VALUE into a field and computes all check digits anew. */
static void set_field(idv_mrz_text_t *text, idv_mrz_field_name_t name,
                      const char *value)
{
    const idv_mrz_layout_t *layout = text->layout;
    char *field = (char *)idv_mrz_field(text, name);

    memset(field, '<', layout->fields[name].length);
    memcpy(field, value, strlen(value));
    set_check(text, IDV_MRZ_FIELD_NUMBER, IDV_MRZ_FIELD_NUMBER_CHECK);
    set_check(text, IDV_MRZ_FIELD_BIRTH, IDV_MRZ_FIELD_BIRTH_CHECK);
    set_check(text, IDV_MRZ_FIELD_EXPIRY, IDV_MRZ_FIELD_EXPIRY_CHECK);
    if (layout->fields[IDV_MRZ_FIELD_OPTIONAL_CHECK].length)
        set_check(text, IDV_MRZ_FIELD_OPTIONAL, IDV_MRZ_FIELD_OPTIONAL_CHECK);
    if (layout->fields[IDV_MRZ_FIELD_COMPOSITE_CHECK].length)
        for (char c = '0'; c <= '9'; c++) {
            *(char *)idv_mrz_field(text, IDV_MRZ_FIELD_COMPOSITE_CHECK) = c;
            if (!(idv_mrz_digits_wrong(text) & IDV_MRZ_DIGIT_COMPOSITE))
                break;
        }
}

static void layouts_have_a_field_at_every_position(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(zones); i++) {
        idv_mrz_text_t text = text_of(zones[i]);
        char covered[3][IDV_MRZ_MAX_COLUMNS] = { { 0 } };

        for (int f = 0; f < IDV_MRZ_FIELD_COUNT; f++) {
            const idv_mrz_field_t *field = &text.layout->fields[f];

            for (int k = 0; k < field->length; k++)
                covered[field->row][field->column + k]++;
        }
        for (int row = 0; row < text.layout->rows; row++)
            for (int k = 0; k < text.layout->columns; k++)
                assert_int_equal(covered[row][k], 1);
    }
}

static void specimens_read_as_printed(void **state)
{
    static const struct {
        const zone_t *zone;
        idv_document_source_t source;
        idv_document_kind_t kind;
        const char *number, *nationality, *birth, *expiry;
    } specimens[] = {
        { &td1, IDV_DOCUMENT_SOURCE_MRZ_TD1, IDV_DOCUMENT_ID_CARD,
          "D23145890", "UT", "1974-08-12", "2012-04-15" },
        { &td2, IDV_DOCUMENT_SOURCE_MRZ_TD2, IDV_DOCUMENT_ID_CARD,
          "D23145890", "UT", "1974-08-12", "2012-04-15" },
        { &td3, IDV_DOCUMENT_SOURCE_MRZ_TD3, IDV_DOCUMENT_PASSPORT,
          "L898902C3", "UT", "1974-08-12", "2012-04-15" },
        { &mrva, IDV_DOCUMENT_SOURCE_MRZ_MRVA, IDV_DOCUMENT_VISA,
          "L8988901C", NULL, "1940-09-07", "1996-12-10" },
        { &mrvb, IDV_DOCUMENT_SOURCE_MRZ_MRVB, IDV_DOCUMENT_VISA,
          "L8988901C", NULL, "1940-09-07", "1996-12-10" },
    };
    apr_pool_t *pool = *state;

    for (size_t i = 0; i < LENGTH(specimens); i++) {
        idv_mrz_text_t text = text_of(specimens[i].zone);
        idv_document_t *document = parse_at(&text, NOW, pool);

        assert_int_equal(idv_mrz_wrong_check_digits(&text), 0);
        assert_int_equal(failures(document), 0);
        assert_int_equal(document->source, specimens[i].source);
        assert_int_equal(document->kind, specimens[i].kind);
        assert_string_equal(document->issuing_country, "UT");
        assert_string_equal(document->number, specimens[i].number);
        assert_string_equal(document->surname, "ERIKSSON");
        assert_string_equal(document->given_names, "ANNA MARIA");
        assert_int_equal(document->sex, 'F');
        assert_date(document->date_of_birth, specimens[i].birth);
        assert_date(document->date_of_expiry, specimens[i].expiry);
        if (specimens[i].nationality)
            assert_string_equal(document->nationality,
                                specimens[i].nationality);
        else
            assert_null(document->nationality);
        for (int name = 0; name < IDV_DOCUMENT_CHECK_COUNT; name++)
            assert_int_equal(idv_document_find_check(document, name) != NULL,
                             idv_document_check_is_due(document->source, name));
    }
}

static void long_numbers_go_on_in_the_optional_data(void **state)
{
    apr_pool_t *pool = *state;
    idv_mrz_text_t text = text_of(&td1_long);
    idv_document_t *document = parse_at(&text, NOW, pool);

    assert_int_equal(failures(document), 0);
    assert_string_equal(document->number, "D23145890734");
    /* Without a continuation the filler is not a check digit. */
    memset(&text.rows[0][15], '<', 15);
    assert_int_equal(
        reason_of(parse_at(&text, NOW, pool),
                  IDV_DOCUMENT_CHECK_CHECK_DIGIT_DOCUMENT_NUMBER),
        IDV_DOCUMENT_REASON_CHECK_DIGIT_DOCUMENT_NUMBER_WRONG);
}

static void each_wrong_check_digit_has_its_reason(void **state)
{
    static const struct {
        idv_mrz_field_name_t field;
        idv_document_check_name_t check;
    } digits[] = {
        { IDV_MRZ_FIELD_NUMBER_CHECK,
          IDV_DOCUMENT_CHECK_CHECK_DIGIT_DOCUMENT_NUMBER },
        { IDV_MRZ_FIELD_BIRTH_CHECK,
          IDV_DOCUMENT_CHECK_CHECK_DIGIT_DATE_OF_BIRTH },
        { IDV_MRZ_FIELD_EXPIRY_CHECK,
          IDV_DOCUMENT_CHECK_CHECK_DIGIT_DATE_OF_EXPIRY },
        { IDV_MRZ_FIELD_OPTIONAL_CHECK,
          IDV_DOCUMENT_CHECK_CHECK_DIGIT_OPTIONAL_DATA },
        { IDV_MRZ_FIELD_COMPOSITE_CHECK,
          IDV_DOCUMENT_CHECK_CHECK_DIGIT_COMPOSITE },
    };
    apr_pool_t *pool = *state;

    for (size_t i = 0; i < LENGTH(zones); i++)
        for (size_t d = 0; d < LENGTH(digits); d++) {
            idv_mrz_text_t text = text_of(zones[i]);
            char *digit = (char *)idv_mrz_field(&text, digits[d].field);

            if (text.layout->fields[digits[d].field].length == 0)
                continue;
            *digit = *digit == '9' ? '0' : *digit + 1;
            assert_int_not_equal(idv_mrz_wrong_check_digits(&text), 0);
            assert_int_not_equal(
                reason_of(parse_at(&text, NOW, pool), digits[d].check),
                IDV_DOCUMENT_REASON_NONE);
        }
}

static void any_single_wrong_digit_is_noticed(void **state)
{
    idv_mrz_text_t text = text_of(&td3);

    (void)state;
    for (int column = 0; column < 44; column++) {
        char original = text.rows[1][column];

        if (original < '0' || original > '9')
            continue;
        for (char c = '0'; c <= '9'; c++) {
            text.rows[1][column] = c;
            assert_int_equal(idv_mrz_wrong_check_digits(&text) == 0,
                             c == original);
        }
        text.rows[1][column] = original;
    }
}

static void empty_optional_data_need_no_check_digit(void **state)
{
    apr_pool_t *pool = *state;
    idv_mrz_text_t text = text_of(&td3);
    char *check;

    set_field(&text, IDV_MRZ_FIELD_OPTIONAL, "");
    check = (char *)idv_mrz_field(&text, IDV_MRZ_FIELD_OPTIONAL_CHECK);
    assert_int_equal(*check, '0');
    assert_int_equal(idv_mrz_wrong_check_digits(&text), 0);
    *check = '<';
    assert_int_equal(idv_mrz_wrong_check_digits(&text), 0);
    assert_int_equal(failures(parse_at(&text, NOW, pool)), 0);
}

/* Each row: a field changed, check digits right, and what is wrong with it. */
static void fields_are_judged(void **state)
{
    static const struct {
        const zone_t *zone;
        idv_mrz_field_name_t field;
        const char *value;
        idv_document_reason_t reason;
    } rows[] = {
#define R(name) IDV_DOCUMENT_REASON_##name
#define F(name) IDV_MRZ_FIELD_##name
        { &td1, F(CODE), "ID", R(NONE) },
        { &td1, F(CODE), "AC", R(NONE) },
        { &td1, F(CODE), "X", R(DOCUMENT_CODE_INVALID) },
        { &td2, F(CODE), "IV", R(DOCUMENT_CODE_INVALID) },
        { &td3, F(CODE), "PP", R(NONE) },
        { &td3, F(CODE), "I", R(DOCUMENT_CODE_INVALID) },
        { &td3, F(ISSUER), "D", R(NONE) },
        { &td3, F(ISSUER), "GBD", R(NONE) },
        { &td3, F(ISSUER), "UNO", R(NONE) },
        { &td3, F(ISSUER), "EUE", R(NONE) },
        { &td3, F(ISSUER), "RKS", R(NONE) },
        { &td3, F(ISSUER), "XKX", R(ISSUER_UNKNOWN) },
        { &td3, F(ISSUER), "XXA", R(ISSUER_UNKNOWN) },
        { &td3, F(ISSUER), "ZZZ", R(ISSUER_UNKNOWN) },
        { &td3, F(ISSUER), "DE", R(ISSUER_UNKNOWN) },
        { &td3, F(ISSUER), "", R(ISSUER_UNKNOWN) },
        { &td3, F(NATIONALITY), "XXB", R(NONE) },
        { &td3, F(NATIONALITY), "GBN", R(NONE) },
        { &td1, F(NATIONALITY), "", R(NONE) },
        { &td3, F(NATIONALITY), "XPO", R(NATIONALITY_UNKNOWN) },
        { &td3, F(NATIONALITY), "QQQ", R(NATIONALITY_UNKNOWN) },
        { &td3, F(NUMBER), "", R(DOCUMENT_NUMBER_MISSING) },
        { &td3, F(NUMBER), "<12345678", R(DOCUMENT_NUMBER_INVALID) },
        { &td3, F(NAMES), "", R(NAMES_MISSING) },
        { &td3, F(NAMES), "<MUSTERMANN", R(NAMES_INVALID) },
        { &td3, F(NAMES), "MUSTERMANN", R(NONE) },
        { &td3, F(NAMES), "VAN<DER<MUSTER<<ERIKA", R(NONE) },
        { &td3, F(NAMES), "MUSTER<<ERIKA<<MARIA", R(NAMES_INVALID) },
        { &td3, F(NAMES), "MUSTER<<<ERIKA", R(NAMES_INVALID) },
        { &td3, F(NAMES), "<<ERIKA<MARIA", R(SURNAME_MISSING) },
        { &td2, F(NAMES), "<<ERIKA", R(SURNAME_MISSING) },
        { &td1, F(NAMES), "<<ERIKA<MARIA", R(SURNAME_MISSING) },
        { &td3, F(NAMES), "<<ERIKA<<MARIA", R(NAMES_INVALID) },
        { &td3, F(NAMES), "<<<ERIKA", R(NAMES_INVALID) },
        { &td3, F(NAMES), "MUSTER<<ERIK4", R(CHARACTERS_INVALID) },
        { &td3, F(SEX), "", R(NONE) },
        { &td3, F(SEX), "A", R(SEX_INVALID) },
        { &td3, F(BIRTH), "850230", R(DATE_OF_BIRTH_INVALID) },
        { &td3, F(BIRTH), "851301", R(DATE_OF_BIRTH_INVALID) },
        { &td3, F(BIRTH), "850001", R(DATE_ZERO_FILLED) },
        { &td3, F(BIRTH), "850100", R(DATE_ZERO_FILLED) },
        { &td1, F(BIRTH), "680000", R(DATE_ZERO_FILLED) },
        { &td3, F(EXPIRY), "250600", R(DATE_OF_EXPIRY_INVALID) },
        { &td3, F(BIRTH), "8<0101", R(DATE_OF_BIRTH_INVALID) },
        { &td3, F(BIRTH), "85<<<<", R(NONE) },
        { &td3, F(BIRTH), "", R(NONE) },
        { &td3, F(EXPIRY), "", R(DATE_OF_EXPIRY_MISSING) },
        { &td3, F(EXPIRY), "25<<01", R(DATE_OF_EXPIRY_INVALID) },
        { &td3, F(EXPIRY), "250631", R(DATE_OF_EXPIRY_INVALID) },
        { &td3, F(EXPIRY), "800101", R(DATE_OF_EXPIRY_IMPLAUSIBLE) },
        /* The window, on 2 July 2024 where the day begins first. */
        { &td3, F(EXPIRY), "740702", R(NONE) },
        { &td3, F(EXPIRY), "740703", R(DATE_OF_EXPIRY_IMPLAUSIBLE) },
        { &td3, F(EXPIRY), "940702", R(NONE) },
        { &td3, F(EXPIRY), "940701", R(DATE_OF_EXPIRY_IMPLAUSIBLE) },
#undef F
    };
    apr_pool_t *pool = *state;

    for (size_t i = 0; i < LENGTH(rows); i++) {
        idv_mrz_text_t text = text_of(rows[i].zone);
        idv_document_t *document;

        set_field(&text, rows[i].field, rows[i].value);
        document = parse_at(&text, NOW, pool);
        assert_int_equal(idv_mrz_wrong_check_digits(&text), 0);
        if (rows[i].reason == R(NONE))
            assert_int_equal(failures(document), 0);
        else
            assert_int_equal(
                reason_of(document, idv_document_reason_check(rows[i].reason)),
                rows[i].reason);
    }
}

static void centuries_follow_the_clock(void **state)
{
    static const struct {
        const char *field, *now, *date, *earlier;
    } births[] = {
        { "240701", "2024-07-01", "2024-07-01", "1924-07-01" },
        /* A day that is to come is not surely one of a century ago. */
        { "240703", "2024-07-01", "2024-07-03", "1924-07-03" },
        { "240801", "2024-07-01", "2024-08-01", "1924-08-01" },
        { "240802", "2024-07-01", "1924-08-02", NULL },
        { "241127", "2026-11-27", "2024-11-27", "1924-11-27" },
        /* Nobody who is alive is older than 112. */
        { "110701", "2024-07-01", "2011-07-01", NULL },
        { "110702", "2024-07-01", "2011-07-02", "1911-07-02" },
        { "110630", "2024-07-01", "2011-06-30", NULL },
        { "11<<<<", "2024-07-01", "2011", "1911" },
        { "10<<<<", "2024-07-01", "2010", NULL },
        { "000229", "2024-07-01", "2000-02-29", NULL },
        { "280229", "2024-07-01", "1928-02-29", NULL },
        { "99<<<<", "2024-07-01", "1999", NULL },
        { "9905<<", "2024-07-01", "1999-05", NULL },
        { "990500", "2024-07-01", "1999-05", NULL },
        { "990000", "2024-07-01", "1999", NULL },
        { "24<<<<", "2024-07-01", "2024", "1924" },
        { "25<<<<", "2024-07-01", "1925", NULL },
    }, expiries[] = {
        { "240701", "2024-07-01", "2024-07-01", NULL },
        { "740630", "2024-07-01", "2074-06-30", NULL },
        { "960101", "2024-07-01", "1996-01-01", NULL },
        { "960101", "2046-02-01", "2096-01-01", NULL },
    };
    apr_pool_t *pool = *state;
    idv_date_t date;

    for (size_t i = 0; i < LENGTH(births); i++) {
        idv_mrz_text_t text = text_of(&td3);

        idv_document_t *document;

        set_field(&text, IDV_MRZ_FIELD_BIRTH, births[i].field);
        set_field(&text, IDV_MRZ_FIELD_EXPIRY, "290101");
        assert_null(idv_date_parse(births[i].now, &date, pool));
        document = parse_at(&text, idv_date_days(date) * IDV_DAY, pool);
        assert_date(document->date_of_birth, births[i].date);
        if (births[i].earlier)
            assert_date(document->earlier_birth, births[i].earlier);
        else
            assert_int_equal(document->earlier_birth.year, 0);
    }
    for (size_t i = 0; i < LENGTH(expiries); i++) {
        idv_mrz_text_t text = text_of(&td3);

        set_field(&text, IDV_MRZ_FIELD_BIRTH, "740812");
        set_field(&text, IDV_MRZ_FIELD_EXPIRY, expiries[i].field);
        assert_null(idv_date_parse(expiries[i].now, &date, pool));
        assert_date(parse_at(&text, idv_date_days(date) * IDV_DAY, pool)
                        ->date_of_expiry,
                    expiries[i].date);
    }
}

/* Nobody is born after the document's end, so that an expired one settles the
 * century. */
static void expiry_settles_the_century(void **state)
{
    apr_pool_t *pool = *state;
    idv_mrz_text_t text = text_of(&td3);
    idv_document_t *document;

    set_field(&text, IDV_MRZ_FIELD_BIRTH, "230701");
    set_field(&text, IDV_MRZ_FIELD_EXPIRY, "220101");
    document = parse_at(&text, NOW, pool);
    assert_date(document->date_of_birth, "1923-07-01");
    assert_int_equal(document->earlier_birth.year, 0);
    assert_int_equal(
        reason_of(document, IDV_DOCUMENT_CHECK_DATE_OF_EXPIRY), R(NONE));
}

static void names_without_a_surname_are_given_names(void **state)
{
    apr_pool_t *pool = *state;
    idv_mrz_text_t text = text_of(&td3);
    idv_document_t *document;

    set_field(&text, IDV_MRZ_FIELD_NAMES, "<<ERIKA<MARIA");
    document = parse_at(&text, NOW, pool);
    assert_null(document->surname);
    assert_string_equal(document->given_names, "ERIKA MARIA");
    assert_true(idv_document_reason_is_silent(
        reason_of(document, IDV_DOCUMENT_CHECK_NAMES)));
    set_field(&text, IDV_MRZ_FIELD_NAMES, "MUSTER<<<ERIKA");
    document = parse_at(&text, NOW, pool);
    assert_true(idv_document_reason_is_undetermined(
        reason_of(document, IDV_DOCUMENT_CHECK_NAMES)));
}

/* A card of France before 2021 with right digits: surname, office of issue, YYMM of
 * the issue, given names, birth and sex. */
static idv_mrz_text_t french(const char *surname, const char *office,
                             const char *issued, const char *given,
                             const char *birth)
{
    idv_mrz_text_t text = {0};
    char number[16];

    text.layout = idv_mrz_layout_for(idv_mrz_layout_find(2, 36, 'I'), "IDFRA");
    assert_int_equal(text.layout->source, IDV_DOCUMENT_SOURCE_MRZ_ID_FRA);
    for (int row = 0; row < 2; row++)
        memset(text.rows[row], '<', 36);
    snprintf(number, sizeof(number), "%s75001234", issued);
    memcpy(text.rows[0], "IDFRA", 5);
    memcpy(text.rows[0] + 5, surname, strlen(surname));
    memcpy(text.rows[0] + 30, office, strlen(office));
    memcpy(text.rows[1], number, 12);
    text.rows[1][12] = idv_mrz_check_digit(number, 12);
    memcpy(text.rows[1] + 13, given, strlen(given));
    memcpy(text.rows[1] + 27, birth, 6);
    text.rows[1][33] = idv_mrz_check_digit(birth, 6);
    text.rows[1][34] = 'F';
    for (char c = '0'; c <= '9'; c++) {
        text.rows[1][35] = c;
        if (idv_mrz_wrong_check_digits(&text) == 0)
            break;
    }
    return text;
}

static void cards_of_france_read(void **state)
{
    static const struct {
        const char *surname, *office, *issued, *given, *birth;
        const char *read_surname, *read_given, *expiry;
        idv_document_check_name_t check;
        idv_document_reason_t reason;
    } rows[] = {
        {"MUSTER", "075034", "1806", "ERIKA<<MARIE", "900715", "MUSTER",
         "ERIKA MARIE", "2033-06-30", IDV_DOCUMENT_CHECK_NAMES, R(NONE)},
        {"MUSTER", "", "1312", "ERIKA", "900715", "MUSTER", "ERIKA",
         "2028-12-31", IDV_DOCUMENT_CHECK_NAMES, R(NONE)},
        /* A minor's is good for ten years. */
        {"DE<LA<MUSTER", "2A0001", "1602", "ERIKA<ANNE<<MA", "050715",
         "DE LA MUSTER", "ERIKA ANNE MA", "2026-02-28",
         IDV_DOCUMENT_CHECK_NAMES, R(NONE)},
        /* Issued before 2004 for ten years, and expired. */
        {"MUSTER", "", "9805", "ERIKA", "500715", "MUSTER", "ERIKA",
         "2008-05-31", IDV_DOCUMENT_CHECK_NAMES, R(NONE)},
        {"MUSTER", "", "1813", "ERIKA", "900715", "MUSTER", "ERIKA", NULL,
         IDV_DOCUMENT_CHECK_DATE_OF_EXPIRY, R(DATE_OF_EXPIRY_INVALID)},
        /* There were none any more. */
        {"MUSTER", "", "2405", "ERIKA", "900715", "MUSTER", "ERIKA",
         "2039-05-31", IDV_DOCUMENT_CHECK_DATE_OF_EXPIRY,
         R(DATE_OF_EXPIRY_IMPLAUSIBLE)},
    };
    apr_pool_t *pool = *state;

    for (size_t i = 0; i < LENGTH(rows); i++) {
        idv_mrz_text_t text =
            french(rows[i].surname, rows[i].office, rows[i].issued,
                   rows[i].given, rows[i].birth);
        idv_document_t *document = parse_at(&text, NOW, pool);

        assert_int_equal(idv_mrz_wrong_check_digits(&text), 0);
        assert_int_equal(reason_of(document, rows[i].check), rows[i].reason);
        assert_int_equal(failures(document), rows[i].reason != R(NONE));
        assert_int_equal(document->kind, IDV_DOCUMENT_ID_CARD);
        assert_string_equal(document->issuing_country, "FR");
        assert_string_equal(document->nationality, "FR");
        assert_string_equal(document->surname, rows[i].read_surname);
        assert_string_equal(document->given_names, rows[i].read_given);
        assert_int_equal(document->sex, 'F');
        if (rows[i].expiry)
            assert_date(document->date_of_expiry, rows[i].expiry);
        for (int name = 0; name < IDV_DOCUMENT_CHECK_COUNT; name++)
            assert_int_equal(
                idv_document_find_check(document, name) != NULL,
                idv_document_check_is_due(document->source, name));
    }
}

/* Every character of the two rows is covered by a digit, names too. */
static void any_change_of_a_french_card_is_noticed(void **state)
{
    idv_mrz_text_t text = french("MUSTER", "075034", "1806", "ERIKA", "900715");

    (void)state;
    for (int row = 0; row < 2; row++)
        for (int column = 0; column < 35; column++) {
            char original = text.rows[row][column];

            text.rows[row][column] = original == '3' ? '4' : '3';
            if (idv_mrz_wrong_check_digits(&text) == 0)
                /* A letter may be worth the same as 3 (D, N, X). */
                assert_non_null(strchr("DNX", original));
            text.rows[row][column] = original;
        }
    assert_ptr_equal(idv_mrz_layout_for(text.layout, "IDFRA"), text.layout);
    assert_int_equal(
        idv_mrz_layout_for(idv_mrz_layout_find(2, 36, 'C'), "CRFRA")->source,
        IDV_DOCUMENT_SOURCE_MRZ_TD2);
    assert_null(idv_mrz_layout_of_state(idv_mrz_layout_find(2, 44, 'P')));
}

/* H and M on voter cards, M and F on passports. */
static void mexico_writes_the_sex_in_spanish(void **state)
{
    static const struct {
        const zone_t *zone;
        const char *issuer, *written;
        char sex;
        idv_document_reason_t reason;
    } rows[] = {
        {&td1, "MEX", "H", 'M', R(NONE)}, {&td1, "MEX", "M", 'F', R(NONE)},
        {&td1, "MEX", "F", 'F', R(NONE)}, {&td1, "MEX", "", 0, R(NONE)},
        {&td1, "UTO", "M", 'M', R(NONE)}, {&td1, "UTO", "H", 0, R(SEX_INVALID)},
        {&td3, "MEX", "M", 'M', R(NONE)}, {&td3, "MEX", "F", 'F', R(NONE)},
    };
    apr_pool_t *pool = *state;

    for (size_t i = 0; i < LENGTH(rows); i++) {
        idv_mrz_text_t text = text_of(rows[i].zone);
        idv_document_t *document;

        set_field(&text, IDV_MRZ_FIELD_ISSUER, rows[i].issuer);
        set_field(&text, IDV_MRZ_FIELD_SEX, rows[i].written);
        document = parse_at(&text, NOW, pool);
        assert_int_equal(document->sex, rows[i].sex);
        assert_int_equal(reason_of(document, IDV_DOCUMENT_CHECK_SEX),
                         rows[i].reason);
    }
}

static void differences_of_the_readers_are_counted(void **state)
{
    idv_mrz_text_t text = text_of(&td3);

    text.repair_count = 2;
    assert_int_equal(parse_at(&text, NOW, *state)->repairs, 2);
}

static void charsets_match_the_helpers(void **state)
{
    const idv_mrz_layout_t *layout = idv_mrz_layout_find(2, 44, 'P');

    (void)state;
    assert_int_equal(idv_mrz_layout_rows(layout), 2);
    assert_int_equal(idv_mrz_layout_columns(layout), 44);
    assert_int_equal(idv_mrz_layout_source(layout),
                     IDV_DOCUMENT_SOURCE_MRZ_TD3);
    assert_int_equal(idv_mrz_charset_at(layout, 0, 43), IDV_MRZ_ALPHA);
    assert_int_equal(idv_mrz_charset_at(layout, 1, 0), IDV_MRZ_ALPHANUMERIC);
    assert_int_equal(idv_mrz_charset_at(layout, 1, 9), IDV_MRZ_DIGIT);
    assert_int_equal(idv_mrz_charset_at(layout, 1, 20), IDV_MRZ_SEX);
    /* Some states leave the date of expiry blank. */
    assert_int_equal(idv_mrz_charset_at(layout, 1, 21),
                     IDV_MRZ_DIGIT_OR_FILLER);
    assert_null(idv_mrz_layout_find(2, 30, 'I'));
    assert_null(idv_mrz_layout_find(3, 44, 'I'));
    for (int set = 0; set < IDV_MRZ_CHARSET_COUNT; set++) {
        assert_false(idv_mrz_charset_has(set, '\0'));
        assert_false(idv_mrz_charset_has(set, 'a'));
        assert_int_equal(idv_mrz_charset_has(set, '<'), set != IDV_MRZ_DIGIT);
        assert_int_equal(idv_mrz_charset_has(set, '5'),
                         set != IDV_MRZ_ALPHA && set != IDV_MRZ_SEX
                             && set != IDV_MRZ_SEX_OF_CARD);
        if (set == IDV_MRZ_SEX || set == IDV_MRZ_SEX_OF_CARD)
            assert_int_equal(idv_mrz_charset_has(set, 'H'),
                             set == IDV_MRZ_SEX_OF_CARD);
        assert_int_equal(idv_mrz_charset_has(set, 'K'),
                         set == IDV_MRZ_ALPHA || set == IDV_MRZ_ALPHANUMERIC);
    }
    assert_int_equal(idv_mrz_check_digit("520727", 6), '3');
    assert_int_equal(idv_mrz_check_digit("AB2134<<<", 9), '5');
    assert_int_equal(idv_mrz_check_digit("ab", 2), 0);
}

/* Runs last: what the tests above have seen. */
static void every_reason_of_an_mrz_was_met(void **state)
{
    static const idv_document_reason_t expected[] = {
        R(CHECK_DIGIT_DOCUMENT_NUMBER_WRONG),
        R(CHECK_DIGIT_DATE_OF_BIRTH_WRONG),
        R(CHECK_DIGIT_DATE_OF_EXPIRY_WRONG),
        R(CHECK_DIGIT_OPTIONAL_DATA_WRONG),
        R(CHECK_DIGIT_COMPOSITE_WRONG),
        R(CHARACTERS_INVALID),
        R(DOCUMENT_CODE_INVALID),
        R(ISSUER_UNKNOWN),
        R(NATIONALITY_UNKNOWN),
        R(DOCUMENT_NUMBER_MISSING),
        R(DOCUMENT_NUMBER_INVALID),
        R(NAMES_MISSING),
        R(NAMES_INVALID),
        R(SURNAME_MISSING),
        R(DATE_ZERO_FILLED),
        R(SEX_INVALID),
        R(DATE_OF_BIRTH_INVALID),
        R(DATE_OF_EXPIRY_MISSING),
        R(DATE_OF_EXPIRY_INVALID),
        R(DATE_OF_EXPIRY_IMPLAUSIBLE),
    };

    (void)state;
    for (size_t i = 0; i < LENGTH(expected); i++)
        assert_true(seen[expected[i]]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(layouts_have_a_field_at_every_position),
        pooled_test(specimens_read_as_printed),
        pooled_test(expiry_settles_the_century),
        pooled_test(cards_of_france_read),
        pooled_test(any_change_of_a_french_card_is_noticed),
        pooled_test(mexico_writes_the_sex_in_spanish),
        pooled_test(names_without_a_surname_are_given_names),
        pooled_test(long_numbers_go_on_in_the_optional_data),
        pooled_test(each_wrong_check_digit_has_its_reason),
        pooled_test(any_single_wrong_digit_is_noticed),
        pooled_test(empty_optional_data_need_no_check_digit),
        pooled_test(fields_are_judged),
        pooled_test(centuries_follow_the_clock),
        pooled_test(differences_of_the_readers_are_counted),
        pooled_test(charsets_match_the_helpers),
        cmocka_unit_test(every_reason_of_an_mrz_was_met),
    };

    return unit_run("document/mrz", tests);
}
