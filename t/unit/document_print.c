/* SPDX-License-Identifier: Apache-2.0 */
/* What recognition makes of print, held against a code: the values that are found
 * in spite of what it does to them, and those that speak against the code. */
#include "unit/unit.h"

#include "methods/document/print_comparison.h"

static const idv_date_t today = {2026, 11, 23};

static const idv_document_t passport = {
    .kind = IDV_DOCUMENT_PASSPORT,
    .source = IDV_DOCUMENT_SOURCE_MRZ_TD3,
    .surname = "MUELLER GROSS",
    .given_names = "ERIKA MARIA",
    .number = "C01X00T47",
    .date_of_birth = {2007, 4, 12},
    .date_of_expiry = {2031, 10, 31},
};

static const idv_document_t card = {
    .kind = IDV_DOCUMENT_DRIVER_LICENSE,
    .source = IDV_DOCUMENT_SOURCE_PDF417_AAMVA,
    .surname = "LI",
    .given_names = "ERIKA",
    .number = "123456789",
    .date_of_birth = {2007, 4, 12},
    .date_of_issue = {2024, 6, 6},
    .date_of_expiry = {2031, 10, 31},
};

/* The words of TEXT, of which lines are parted by line feeds, recognized with
 * CONFIDENCE. */
static void recognize(const char *text, double confidence,
                      idv_print_words_t *words)
{
    int line = 1;

    memset(words, 0, sizeof(*words));
    while (*text) {
        size_t length = strcspn(text, " \n");

        if (length > 0) {
            idv_print_word_t *word = &words->at[words->count++];

            memcpy(word->text, text, length);
            word->confidence = confidence;
            word->line = line;
        }
        text += length;
        line += *text == '\n';
        text += *text != '\0';
    }
}

static idv_print_verdict_t verdict(const idv_document_t *document,
                                   const char *text, double confidence,
                                   idv_print_field_t field)
{
    static idv_print_words_t words;
    idv_print_comparison_t comparison;

    recognize(text, confidence, &words);
    idv_print_compare(document, &words, today, &comparison);
    assert_int_equal(field != IDV_PRINT_HOLDER
                         && comparison.verdicts.of[field]
                                == IDV_PRINT_CONTRADICTED,
                     comparison.against[field].count > 0);
    return comparison.verdicts.of[field];
}

#define is(document, text, field, expected)                                    \
    assert_string_equal(                                                       \
        idv_print_verdict_code(                                                \
            verdict(document, text, 0.9, IDV_PRINT_##field)),                  \
        expected)

/* Of a zone with 24 for the year of birth, the print tells which of the two it is. */
static void print_decides_the_century(void **state)
{
    static const struct {
        const char *text;
        double confidence;
        int year, is_open;
    } rows[] = {
        {"Born 27 NOV 1924", 0.9, 1924, 0},
        {"Born 27.11.1924\nIssued 01.03.2022", 0.9, 1924, 0},
        {"Born 27 NOV 1924", 0.6, 2024, 1},  /* hardly read */
        {"Born 27 NOV 24", 0.9, 2024, 1},    /* no century */
        {"27 NOV 2024", 0.9, 2024, 1},       /* or the issue? */
        {"27 NOV 2024\n01 MAR 2025", 0.9, 2024, 0},
        {"27 NOV 1924\n27 NOV 2024", 0.9, 2024, 1},
        {"01 MAR 2022\n31 OCT 2031", 0.9, 2024, 1},
        {"Born 27 NOV 2024", 0.9, 2024, 0},   /* a label says so */
        {"Issued 27 NOV 2024", 0.9, 2024, 1}, /* not the birth */
        {"", 0.9, 2024, 1},
    };
    static idv_print_words_t words;

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        idv_document_t document = passport;
        idv_print_comparison_t comparison;
        idv_print_verdicts_t all = {0};

        document.date_of_birth = (idv_date_t){2024, 11, 27};
        document.earlier_birth = (idv_date_t){1924, 11, 27};
        recognize(rows[i].text, rows[i].confidence, &words);
        idv_print_compare(&document, &words, today, &comparison);
        idv_print_add(&all, &comparison.verdicts);
        idv_print_settle_birth(&all, &document);
        assert_int_equal(document.date_of_birth.year, rows[i].year);
        assert_int_equal(document.earlier_birth.year != 0, rows[i].is_open);
    }
}

static void names_are_found_as_print_has_them(void **state)
{
    idv_document_t short_name = card;

    (void)state;
    is(&passport, "MUELLER GROSS", SURNAME, "consistent");
    is(&passport, "Name M\xc3\xbcller Gro\xc3\x9f", SURNAME, "consistent");
    is(&passport, "MULLER-GROSS", SURNAME, "consistent");
    is(&passport, "MULLER\nGROSS", SURNAME, "consistent");
    is(&passport, "MULLE GR0SS", SURNAME, "consistent");
    is(&passport, "MUSTERMANN GROSS", SURNAME, "undetermined");
    is(&passport, "MULLER", SURNAME, "undetermined");
    is(&passport, "Erika", GIVEN_NAMES, "consistent");
    is(&passport, "MARIA", GIVEN_NAMES, "undetermined");
    is(&passport, "", SURNAME, "undetermined");
    is(&card, "LI", SURNAME, "consistent");
    short_name.surname = "SO";
    is(&short_name, "S0", SURNAME, "consistent");
    is(&short_name, "50", SURNAME, "undetermined"); /* a number is no name */
    is(&card, "LIN L LX", SURNAME, "undetermined");
    is(&card, "LICENSE", SURNAME, "undetermined");
}

static void numbers_are_found_among_other_print(void **state)
{
    (void)state;
    is(&passport, "No. C01X00T47", NUMBER, "consistent");
    is(&passport, "C01X 00T 47", NUMBER, "consistent");
    is(&passport, "COIXOOT47", NUMBER, "consistent");
    is(&passport, "C01X00T4", NUMBER, "undetermined");
    is(&card, "DL123456789", NUMBER, "consistent");
    is(&card, "123456780", NUMBER, "undetermined");
    assert_int_equal(verdict(&card, "123456780", 0.5, IDV_PRINT_NUMBER),
                     IDV_PRINT_CONSISTENT); /* one that was read badly */
}

static void dates_are_found_in_every_order(void **state)
{
    static const char *const births[] = {
        "12.04.2007", "04/12/2007", "2007-04-12", "12 04 2007", "12042007",
        "1204.2007", "12 APR 2007", "12 APR/AVR 07", "12APR2007", "12.04.07",
        "APR 12, 2007", "12 Avril 2007", "12 O4 2OO7", "3 DOB 04/12/2007",
    };
    static const char *const others[] = {
        "12.05.2007", "13.04.2007", "12.04.2008", "12.04", "12 APR",
        "40.04.2007", "12.4007", "12 XYZ 2007", "4.07",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(births) / sizeof(*births); i++)
        is(&card, births[i], DATE_OF_BIRTH, "consistent");
    for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
        assert_int_not_equal(
            verdict(&card, others[i], 0.9, IDV_PRINT_DATE_OF_BIRTH),
            IDV_PRINT_CONSISTENT);
    is(&card, "06/06/2024", DATE_OF_ISSUE, "consistent");
    is(&card, "10/31/2031", DATE_OF_EXPIRY, "consistent");
}

static void only_a_zone_has_no_century(void **state)
{
    (void)state;
    is(&passport, "12.04.1907", DATE_OF_BIRTH, "consistent");
    is(&card, "12.04.1907", DATE_OF_BIRTH, "contradicted");
}

static void another_day_of_birth_contradicts(void **state)
{
    (void)state;
    is(&card, "DOB 04/12/2009", DATE_OF_BIRTH, "contradicted");
    is(&passport, "12.04.2010", DATE_OF_BIRTH, "contradicted");
    is(&passport, "12 04 2010", DATE_OF_BIRTH, "contradicted");
    is(&passport, "12 APR 2010", DATE_OF_BIRTH, "contradicted");
    is(&card, "DOB 04/12/2009\nDOB 04/12/2007", DATE_OF_BIRTH, "consistent");
    assert_int_equal(
        verdict(&card, "DOB 04/12/2009", 0.5, IDV_PRINT_DATE_OF_BIRTH),
        IDV_PRINT_UNDETERMINED); /* which was read badly */
}

/* Dates that may be something else than a birth or an expiry. */
static void other_dates_contradict_nothing(void **state)
{
    (void)state;
    is(&card, "06/06/2024", DATE_OF_BIRTH, "undetermined");   /* issue */
    is(&card, "REV 06/06/2018", DATE_OF_BIRTH, "undetermined"); /* of the form */
    is(&passport, "31.10.2021", DATE_OF_BIRTH, "undetermined"); /* issue */
    is(&card, "10/31/2031", DATE_OF_BIRTH, "undetermined");
    is(&card, "UNDER 21 UNTIL 04/12/2028", DATE_OF_EXPIRY, "undetermined");
    is(&card, "07 12 04 1999", DATE_OF_BIRTH, "undetermined"); /* of two dates */
    is(&card, "12.04.47", DATE_OF_BIRTH, "undetermined"); /* of which century? */
    is(&card, "01.01.1800", DATE_OF_BIRTH, "undetermined");
}

static void another_expiry_contradicts(void **state)
{
    (void)state;
    is(&card, "EXP 10/31/2033", DATE_OF_EXPIRY, "contradicted");
    is(&card, "EXP 10/31/2131", DATE_OF_EXPIRY, "undetermined");
    is(&card, "EXP 10/31/2020", DATE_OF_EXPIRY, "undetermined");
}

/* A label tells a birth from an issue, and a place of birth has no date. */
static void labels_say_what_a_date_is(void **state)
{
    (void)state;
    is(&card, "DOB 04/12/2013", DATE_OF_BIRTH, "contradicted");
    is(&card, "04/12/2013", DATE_OF_BIRTH, "undetermined");
    is(&card, "ISS 04/12/2013", DATE_OF_BIRTH, "undetermined");
    is(&card, "Geburtsdatum/Date of birth 12.04.2013", DATE_OF_BIRTH,
       "contradicted");
    is(&card, "Place of birth PRAHA 12.04.2013", DATE_OF_BIRTH, "undetermined");
    is(&card, "Geburtsort PRAHA 12.04.2013", DATE_OF_BIRTH, "undetermined");
    is(&card, "DOB 04/12/2007 ISS 06/06/2024", DATE_OF_ISSUE, "consistent");
    is(&card, "DOB 06/06/2024", DATE_OF_ISSUE, "undetermined");
    is(&passport, "Date of issue 12.04.2007", DATE_OF_BIRTH, "undetermined");
}

/* A label may be above its date. */
static void a_label_is_found_above(void **state)
{
    static const struct {
        int left, top;
        idv_print_verdict_t verdict;
    } rows[] = {
        {100, 70, IDV_PRINT_CONTRADICTED}, /* right above */
        {100, 10, IDV_PRINT_UNDETERMINED}, /* too far above */
        {400, 70, IDV_PRINT_UNDETERMINED}, /* beside */
        {100, 140, IDV_PRINT_UNDETERMINED}, /* below */
    };
    static idv_print_words_t words;

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        idv_print_comparison_t comparison;

        recognize("Birth\n04/12/2013", 0.9, &words);
        words.at[0].left = rows[i].left;
        words.at[0].top = rows[i].top;
        words.at[0].width = 60;
        words.at[0].height = 15;
        words.at[1].left = 100;
        words.at[1].top = 100;
        words.at[1].width = 200;
        words.at[1].height = 30;
        idv_print_compare(&card, &words, today, &comparison);
        assert_int_equal(comparison.verdicts.of[IDV_PRINT_DATE_OF_BIRTH],
                         rows[i].verdict);
    }
}

#define MUCH_PRINT                                                             \
    " PASSPORT UTOPIA NATIONALITY ZENITH AUTHORITY COUNCIL SIGNATURE HEIGHT "  \
    "COLOUR EYES"

/* Legible print shows the holder's surname, or a date of the holder's of which it
 * is known what it is. */
static void print_shows_the_holder(void **state)
{
    idv_document_t nameless = passport;

    (void)state;
    is(&passport, "MULLER GROSS" MUCH_PRINT, HOLDER, "consistent");
    is(&passport, "ERIKA" MUCH_PRINT, HOLDER, "contradicted");
    nameless.surname = NULL;
    is(&nameless, "ERIKA MARIA" MUCH_PRINT, HOLDER, "consistent");
    is(&passport, "12.04.2007" MUCH_PRINT, HOLDER, "consistent");
    is(&passport, "31.10.2031" MUCH_PRINT, HOLDER, "consistent");
    is(&passport, "MUSTERMANN" MUCH_PRINT, HOLDER, "contradicted");
    is(&passport, "MUSTERMANN JULES", HOLDER, "undetermined"); /* hardly any */
    /* The dates may be issues, so that they contradict no birth. */
    is(&passport, "14.03.2022 15.09.2021", HOLDER, "contradicted");
    is(&passport, "14.03.2022", HOLDER, "undetermined");
    assert_int_equal(
        verdict(&passport, "MUSTERMANN" MUCH_PRINT, 0.6, IDV_PRINT_HOLDER),
        IDV_PRINT_UNDETERMINED);
}

/* A zone whose day of birth is the day of issue that is printed. */
static void an_issue_is_not_a_birth(void **state)
{
    idv_document_t forged = passport;

    (void)state;
    forged.date_of_birth = (idv_date_t){2021, 11, 1};
    is(&forged, "01.11.2021" MUCH_PRINT, HOLDER, "contradicted");
    is(&forged, "Date of issue 01.11.2021" MUCH_PRINT, HOLDER, "contradicted");
    is(&forged, "Date of birth 01.11.2021" MUCH_PRINT, HOLDER, "consistent");
}

static void a_number_of_the_same_pattern_contradicts(void **state)
{
    (void)state;
    is(&passport, "C01X00T48", NUMBER, "contradicted");
    is(&passport, "C01X00T48\nC01X00T47", NUMBER, "consistent");
    is(&passport, "CX1000T48", NUMBER, "undetermined"); /* another pattern */
    is(&card, "987654321", NUMBER, "undetermined"); /* digits may be anything */
}

static void a_document_without_values_is_undetermined(void **state)
{
    const idv_document_t empty = {.source = IDV_DOCUMENT_SOURCE_MRZ_TD3};

    (void)state;
    for (int i = 0; i < IDV_PRINT_HOLDER; i++)
        assert_int_equal(verdict(&empty, "ERIKA 12.04.1947 31.10.2031", 0.9, i),
                         IDV_PRINT_UNDETERMINED);
}

static void what_agrees_on_one_side_agrees(void **state)
{
    idv_print_verdicts_t all = {0}, one = {0};

    (void)state;
    one.of[IDV_PRINT_NUMBER] = IDV_PRINT_CONTRADICTED;
    idv_print_add(&all, &one);
    assert_int_equal(idv_print_conclude(&all), IDV_PRINT_CONTRADICTED);
    one.of[IDV_PRINT_NUMBER] = IDV_PRINT_CONSISTENT;
    one.of[IDV_PRINT_SURNAME] = IDV_PRINT_CONSISTENT;
    one.of[IDV_PRINT_DATE_OF_BIRTH] = IDV_PRINT_CONSISTENT;
    idv_print_add(&all, &one);
    assert_int_equal(idv_print_conclude(&all), IDV_PRINT_CONSISTENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(print_decides_the_century),
        pooled_test(names_are_found_as_print_has_them),
        pooled_test(numbers_are_found_among_other_print),
        pooled_test(dates_are_found_in_every_order),
        pooled_test(only_a_zone_has_no_century),
        pooled_test(another_day_of_birth_contradicts),
        pooled_test(other_dates_contradict_nothing),
        pooled_test(another_expiry_contradicts),
        pooled_test(labels_say_what_a_date_is),
        pooled_test(a_label_is_found_above),
        pooled_test(print_shows_the_holder),
        pooled_test(an_issue_is_not_a_birth),
        pooled_test(a_number_of_the_same_pattern_contradicts),
        pooled_test(a_document_without_values_is_undetermined),
        pooled_test(what_agrees_on_one_side_agrees),
    };

    return unit_run("methods/document/print_comparison", tests);
}
