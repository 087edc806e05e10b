/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/document/mrz_licence.h"

#include "methods/document/mrz_layout.h"

enum { DIGITS_MAX = 2 };

typedef struct {
    const char *beginning; /* ? is any letter */
    int rows;              /* of the zone; short ones do not count */
    int columns;
    int digits[DIGITS_MAX]; /* columns of check digits, each of all before it;
                               0: there is none */
} licence_t;

/* The first match decides. */
static const licence_t licences[] = {
    {"D1FRA", 1, 30, {14, 29}},
    {"D1???", 1, 30, {29}}, /* the Netherlands, Croatia, Estonia and others */
    {"FACHE", 2, 30, {0}},
};

static int begins(const char *row, const char *beginning)
{
    for (int i = 0; beginning[i]; i++)
        if (beginning[i] == '?' ? row[i] < 'A' || row[i] > 'Z'
                                : row[i] != beginning[i])
            return 0;
    return 1;
}

static int digits_hold(const licence_t *licence, const char *row, int length)
{
    for (int i = 0; i < DIGITS_MAX && licence->digits[i]; i++) {
        int column = licence->digits[i];

        if (length < licence->columns
            || idv_mrz_check_digit(row, (apr_size_t)column) != row[column])
            return 0;
    }
    return 1;
}

int idv_mrz_licence_is(int rows, const char *row, int length)
{
    if (length < IDV_MRZ_LICENCE_BEGINNING)
        return 0;
    for (size_t i = 0; i < sizeof(licences) / sizeof(*licences); i++)
        if (licences[i].rows == rows && begins(row, licences[i].beginning))
            return digits_hold(&licences[i], row, length);
    return 0;
}
