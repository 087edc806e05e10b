/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include "methods/document/document.h"

static const idv_document_t zone = {
    .source = IDV_DOCUMENT_SOURCE_MRZ_TD1,
    .surname = "MUSTERMANN",
    .number = "T01000322",
    .date_of_birth = {1990, 8, 12},
    .date_of_expiry = {2031, 10, 31},
};

/* What comparing the zone with itself but for ASSIGNMENTS says. */
#define compared(...)                                                          \
    ({                                                                         \
        idv_document_t other = zone;                                           \
        __VA_ARGS__;                                                           \
        assert_int_equal(idv_document_compare(&zone, &other),                  \
                         idv_document_compare(&other, &zone));                 \
        idv_document_compare(&zone, &other);                                   \
    })

static void the_same_document_matches(void **state)
{
    (void)state;
    assert_int_equal(compared((void)0), IDV_DOCUMENT_MATCHES);
    assert_int_equal(compared(other.surname = NULL), IDV_DOCUMENT_MATCHES);
    assert_int_equal(compared(other.number = NULL), IDV_DOCUMENT_MATCHES);
}

static void dates_have_to_agree_where_both_are_known(void **state)
{
    (void)state;
    assert_int_equal(compared(other.date_of_birth.day = 13),
                     IDV_DOCUMENT_DIFFERS);
    assert_int_equal(compared(other.date_of_expiry.year = 2030),
                     IDV_DOCUMENT_DIFFERS);
    assert_int_equal(compared(other.date_of_expiry = (idv_date_t){0, 0, 0}),
                     IDV_DOCUMENT_MATCHES);
}

static void an_open_century_agrees_with_either(void **state)
{
    idv_document_t of_2024 = zone, of_1924 = zone, open = zone;

    (void)state;
    of_2024.date_of_birth.year = open.date_of_birth.year = 2024;
    of_1924.date_of_birth.year = 1924;
    open.earlier_birth = of_1924.date_of_birth;
    assert_int_equal(idv_document_compare(&open, &of_2024),
                     IDV_DOCUMENT_MATCHES);
    assert_int_equal(idv_document_compare(&of_1924, &open),
                     IDV_DOCUMENT_MATCHES);
    assert_int_equal(idv_document_compare(&open, &open), IDV_DOCUMENT_MATCHES);
    assert_int_equal(idv_document_compare(&of_1924, &of_2024),
                     IDV_DOCUMENT_DIFFERS);
    assert_int_equal(idv_document_compare(&open, &zone), IDV_DOCUMENT_DIFFERS);
}

static void without_a_date_of_birth_nothing_is_compared(void **state)
{
    (void)state;
    assert_int_equal(compared(other.date_of_birth = (idv_date_t){0, 0, 0}),
                     IDV_DOCUMENT_NOT_COMPARED);
    assert_int_equal(compared(other.date_of_birth.day = 0,
                              other.surname = "SPECIMEN"),
                     IDV_DOCUMENT_NOT_COMPARED);
}

static void surnames_may_be_truncated_and_written_otherwise(void **state)
{
    (void)state;
    assert_int_equal(compared(other.surname = "Muster-Mann"),
                     IDV_DOCUMENT_MATCHES);
    assert_int_equal(compared(other.surname = "MUSTER"), IDV_DOCUMENT_MATCHES);
    assert_int_equal(compared(other.surname = "MUSTERMANN SPECIMEN"),
                     IDV_DOCUMENT_MATCHES);
    assert_int_equal(compared(other.surname = "MUSTERFRAU"),
                     IDV_DOCUMENT_DIFFERS);
    assert_int_equal(compared(other.surname = "SPECIMEN"),
                     IDV_DOCUMENT_DIFFERS);
}

static void a_zone_transliterates_what_a_barcode_writes(void **state)
{
    static const struct {
        const char *barcode, *zone;
        idv_document_comparison_t result;
    } cases[] = {
        {"SP\xc3\x89" "CIMEN", "SPECIMEN", IDV_DOCUMENT_MATCHES},
        {"m\xc3\xbcstermann", "MUESTERMANN", IDV_DOCUMENT_MATCHES},
        {"M\xc3\x9cSTERMANN", "MUXXSTERMANN", IDV_DOCUMENT_MATCHES},
        {"MU\xc3\x9f", "MUSS", IDV_DOCUMENT_MATCHES},
        {"MUSTERMANN\xc3\x89", "MUSTERMANN", IDV_DOCUMENT_MATCHES},
        {"\xc3\x89\xc3\x89\xc3\x89\xc3\x89\xc3\x89\xc3\x89\xc3\x89",
         "EEEEEEE", IDV_DOCUMENT_MATCHES},
        {"M\xc3\x9cSTERMANN", "MUESTERFRAU", IDV_DOCUMENT_DIFFERS},
        {"M\xc3\x9cSTERMANN", "SPECIMEN", IDV_DOCUMENT_DIFFERS},
        {"SP\xc3\x89" "CIMEN", "SPABCDCIMEN", IDV_DOCUMENT_DIFFERS},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        idv_document_t barcode = zone, other = zone;

        barcode.source = IDV_DOCUMENT_SOURCE_PDF417_AAMVA;
        barcode.surname = cases[i].barcode;
        other.surname = cases[i].zone;
        assert_int_equal(idv_document_compare(&barcode, &other),
                         cases[i].result);
        assert_int_equal(idv_document_compare(&other, &barcode),
                         cases[i].result);
    }
}

static void numbers_count_between_codes_of_one_kind(void **state)
{
    (void)state;
    assert_int_equal(compared(other.number = "T01000323"),
                     IDV_DOCUMENT_DIFFERS);
    assert_int_equal(compared(other.number = "D1234567",
                              other.source = IDV_DOCUMENT_SOURCE_PDF417_AAMVA),
                     IDV_DOCUMENT_MATCHES);
}

/* What a barcode that says all that the zone does, but for ASSIGNMENTS, is to a
 * zone with names and country. */
#define confirmed(...)                                                         \
    ({                                                                         \
        idv_document_t one = zone, other = zone;                               \
        one.issuing_country = other.issuing_country = "US";                    \
        one.given_names = other.given_names = "ERIKA";                         \
        one.sex = other.sex = 'F';                                             \
        other.source = IDV_DOCUMENT_SOURCE_PDF417_AAMVA;                       \
        __VA_ARGS__;                                                           \
        assert_int_equal(idv_document_confirms(&one, &other),                  \
                         idv_document_confirms(&other, &one));                 \
        idv_document_confirms(&one, &other);                                   \
    })

static void only_another_code_that_says_it_all_confirms(void **state)
{
    (void)state;
    assert_true(confirmed((void)0));
    assert_true(confirmed(other.number = "D1234567"));
    assert_true(confirmed(other.given_names = "ERIKA MARIA"));
    assert_true(confirmed(other.sex = 0));
    assert_true(confirmed(one.source = IDV_DOCUMENT_SOURCE_MRZ_TD2));
    assert_false(confirmed(other.source = IDV_DOCUMENT_SOURCE_MRZ_TD1));
    assert_false(confirmed(one.source = IDV_DOCUMENT_SOURCE_PDF417_AAMVA));
    assert_false(confirmed(one.source = IDV_DOCUMENT_SOURCE_MRZ_TD3));
    assert_false(confirmed(one.source = IDV_DOCUMENT_SOURCE_MRZ_MRVB));
    assert_false(confirmed(other.issuing_country = "CA"));
    assert_false(confirmed(other.issuing_country = NULL));
    assert_false(confirmed(other.surname = "SPECIMEN"));
    assert_false(confirmed(other.surname = NULL));
    assert_false(confirmed(other.given_names = "ANNA"));
    assert_false(confirmed(other.given_names = NULL));
    assert_false(confirmed(other.sex = 'M'));
    assert_false(confirmed(other.date_of_birth.day = 13));
    assert_false(confirmed(other.date_of_birth.day = 0));
    assert_false(confirmed(other.date_of_expiry = (idv_date_t){0, 0, 0}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(the_same_document_matches),
        pooled_test(dates_have_to_agree_where_both_are_known),
        pooled_test(an_open_century_agrees_with_either),
        pooled_test(without_a_date_of_birth_nothing_is_compared),
        pooled_test(surnames_may_be_truncated_and_written_otherwise),
        pooled_test(a_zone_transliterates_what_a_barcode_writes),
        pooled_test(numbers_count_between_codes_of_one_kind),
        pooled_test(only_another_code_that_says_it_all_confirms),
    };

    return unit_run("methods/document/document", tests);
}
