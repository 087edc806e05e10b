/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/document/document_plausibility.h"

#include <string.h>

#include <apr_lib.h>

#define COUNT(table) ((int)(sizeof(table) / sizeof(*(table))))
#define R(name) IDV_DOCUMENT_REASON_##name

/* Years between issue and expiry. Licences are issued for twelve years at most
 * (Montana), but in Arizona up to the holder's 65th birthday; passports for
 * ten. Identity cards of older persons often do not expire, and some of these
 * say so by a date far away. */
#define LICENCE_YEARS 16
#define ARIZONA_YEARS 50
#define PASSPORT_YEARS 15

/* Nobody drives before, not even with an instruction permit (South Dakota,
 * Kansas and others: 14). */
#define DRIVER_AGE_MIN 14

static const struct {
    const char *country;
    const char *region;
    const char *letter; /* "A" or "" */
    int least;          /* digits */
    int most;
} formats[] = {
#define FORMAT(country, region, letter, least, most)                           \
    { country, region, letter, least, most },
#include "methods/document/number_formats.def"
#undef FORMAT
};

static int is_of(const idv_document_t *document, const char *country,
                 const char *region)
{
    return document->issuing_country && document->issuing_region
           && strcmp(document->issuing_country, country) == 0
           && strcmp(document->issuing_region, region) == 0;
}

/* Non-zero when END lies more than YEARS behind BEGIN. */
static int is_longer(idv_date_t begin, idv_date_t end, int years)
{
    begin.year += years;
    return idv_date_compare(end, begin) > 0;
}

/* A licence's term is known from its issue, a passport's lies ahead of today at
 * least in part: its zone does not tell the issue. */
static int has_impossible_term(const idv_document_t *document, idv_date_t today)
{
    idv_date_t expiry = document->date_of_expiry;
    idv_date_t issue = document->date_of_issue;

    if (expiry.year == 0)
        return 0;
    if (document->kind == IDV_DOCUMENT_PASSPORT)
        return is_longer(today, expiry, PASSPORT_YEARS);
    if (document->kind != IDV_DOCUMENT_DRIVER_LICENSE || issue.year == 0)
        return 0;
    return is_longer(issue, expiry,
                     is_of(document, "US", "AZ") ? ARIZONA_YEARS
                                                 : LICENCE_YEARS);
}

static int was_driver_too_young(const idv_document_t *document)
{
    return document->kind == IDV_DOCUMENT_DRIVER_LICENSE
           && document->date_of_issue.year != 0
           && idv_date_is_complete(document->date_of_birth)
           && idv_date_age(document->date_of_birth, document->date_of_issue)
                      .lowest
                  < DRIVER_AGE_MIN;
}

/* Non-zero when NUMBER is LETTER and LEAST to MOST digits. */
static int has_form(const char *number, const char *letter, int least, int most)
{
    int letters = 0, digits = 0;

    for (; *number; number++) {
        if (*number == ' ' || *number == '-')
            continue;
        if (apr_isdigit(*number))
            digits++;
        else if (apr_isupper(*number) && digits == 0)
            letters++;
        else
            return 0;
    }
    return letters == (int)strlen(letter) && digits >= least && digits <= most;
}

static int has_foreign_number(const idv_document_t *document)
{
    int known = 0;

    if (document->kind != IDV_DOCUMENT_DRIVER_LICENSE || !document->number)
        return 0;
    for (int i = 0; i < COUNT(formats); i++) {
        if (!is_of(document, formats[i].country, formats[i].region))
            continue;
        known = 1;
        if (has_form(document->number, formats[i].letter, formats[i].least,
                     formats[i].most))
            return 0;
    }
    return known;
}

void idv_document_check_plausibility(idv_document_t *document, int youngest,
                                     idv_date_t today)
{
    idv_document_conclude(document, R(DATE_OF_BIRTH_IMPLAUSIBLE),
                          youngest > IDV_DOCUMENT_AGE_MAX);
    idv_document_conclude(document, R(DATE_OF_ISSUE_IMPLAUSIBLE),
                          was_driver_too_young(document));
    idv_document_conclude(document, R(VALIDITY_TERM_IMPOSSIBLE),
                          has_impossible_term(document, today));
    idv_document_conclude(document, R(DOCUMENT_NUMBER_FORMAT_WRONG),
                          has_foreign_number(document));
}
