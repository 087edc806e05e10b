/* SPDX-License-Identifier: Apache-2.0 */
/* Zones of driving licences: specimens and rows whose check digits are
 * computed. */
#include "unit/unit.h"

#include "methods/document/mrz_layout.h"
#include "methods/document/mrz_licence.h"

#define LENGTH(table) (sizeof(table) / sizeof(*(table)))
#define LICENCE_COLUMNS 30

/* ROW with the check digits at COLUMNS (0: no more) computed anew, each of all
 * that is before it. */
static void write_digits(char row[LICENCE_COLUMNS + 1], const int columns[2])
{
    for (int i = 0; i < 2 && columns[i]; i++)
        row[columns[i]] = idv_mrz_check_digit(row, (apr_size_t)columns[i]);
}

static void licences_are_recognized(void **state)
{
    (void)state;
    /* The first two are specimens as they were published. */
    assert_true(idv_mrz_licence_is(1, "D1FRA13AA000026181231MARTIN<<9", 30));
    assert_true(idv_mrz_licence_is(1, "D1NLD15094962111659VW87Z78NB84", 30));
    assert_true(idv_mrz_licence_is(2, "FACHE305142128097<<800126<<<<<", 30));
    /* What follows is the table the zone lies on, or nothing. */
    assert_true(idv_mrz_licence_is(1, "D1FRA13AA000026181231MARTIN<<9K<", 32));
    assert_true(idv_mrz_licence_is(2, "FACHE", 5));
}

static void licences_need_their_check_digits(void **state)
{
    static const struct {
        const char *row;
        int digits[2];
    } layouts[] = {
        {"D1FRA14BC987650290228SAMPLE<<0", {14, 29}},
        {"D1NLD14711081500ABCDEFGHIJKLM0", {29}},
        {"D1HRV0123456789ABCDEFGHIJKLMN0", {29}},
    };

    (void)state;
    for (size_t i = 0; i < LENGTH(layouts); i++) {
        char row[LICENCE_COLUMNS + 1];

        strcpy(row, layouts[i].row);
        write_digits(row, layouts[i].digits);
        assert_true(idv_mrz_licence_is(1, row, LICENCE_COLUMNS));
        assert_false(idv_mrz_licence_is(1, row, LICENCE_COLUMNS - 1));
        assert_false(idv_mrz_licence_is(2, row, LICENCE_COLUMNS));
        for (int column = 0; column < LICENCE_COLUMNS; column++) {
            char keep = row[column];

            row[column] = keep == '9' ? '0' : (char)(keep + 1);
            assert_false(idv_mrz_licence_is(1, row, LICENCE_COLUMNS));
            row[column] = keep;
        }
    }
}

/* The digit of the number is checked even where the last digit holds. */
static void both_digits_of_a_french_licence_count(void **state)
{
    char row[] = "D1FRA14BC987650290228SAMPLE<<0";

    (void)state;
    write_digits(row, (const int[2]){14, 29});
    row[14] = row[14] == '9' ? '0' : (char)(row[14] + 1);
    write_digits(row, (const int[2]){29});
    assert_false(idv_mrz_licence_is(1, row, LICENCE_COLUMNS));
}

static void other_rows_are_no_licences(void **state)
{
    static const char *const rows[] = {"",
                                       "D1FR",
                                       "D1FRA",
                                       "D1F<A13AA000026181231MARTIN<<0",
                                       "D112313AA000026181231MARTIN<<0",
                                       "DLFRA13AA000026181231MARTIN<<0",
                                       "I<UTOD231458907<<<<<<<<<<<<<<0"};

    (void)state;
    for (size_t i = 0; i < LENGTH(rows); i++) {
        char row[LICENCE_COLUMNS + 1];

        strcpy(row, rows[i]);
        if (strlen(row) == LICENCE_COLUMNS)
            write_digits(row, (const int[2]){29});
        assert_false(idv_mrz_licence_is(1, row, (int)strlen(row)));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(licences_are_recognized),
        cmocka_unit_test(licences_need_their_check_digits),
        cmocka_unit_test(both_digits_of_a_french_licence_count),
        cmocka_unit_test(other_rows_are_no_licences),
    };

    return unit_run("document/mrz_licence", tests);
}
