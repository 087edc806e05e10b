/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/document/licence_rules.h"

#include <string.h>

#include <apr_lib.h>

#define COUNT(table) ((int)(sizeof(table) / sizeof(*(table))))
#define R(name) IDV_DOCUMENT_REASON_##name

/* The most years between issue and expiry. Licences are issued for at most
 * twelve years (Montana), except in Arizona, up to the holder's 65th birthday;
 * passports for ten. Identity cards of older persons often do not expire, and
 * some of these have a date in the distant future instead. */
#define LICENCE_YEARS 16
#define PASSPORT_YEARS 15
#define TERM_MARGIN 2

/* The most characters of a number, without blanks and hyphens; a longer number
 * fits no form. */
#define NUMBER_MAX 31

static const struct {
    const char *country;
    const char *region;
    const char *letters; /* "AA", "A" or "" */
    int least;           /* digits */
    int most;
    int is_certain; /* non-zero: all numbers of that state have this form */
} formats[] = {
#define FORMAT(country, region, letters, least, most)                          \
    {country, region, letters, least, most, 1},
#define USUAL(country, region, letters, least, most)                           \
    {country, region, letters, least, most, 0},
#include "methods/document/number_formats.def"
#undef USUAL
#undef FORMAT
};

static const struct {
    const char *country;
    const char *region;
    int years;
} terms[] = {
#define TERM(country, region, years) {country, region, years},
#include "methods/document/licence_terms.def"
#undef TERM
};

static int is_of(const idv_document_t *document, const char *country,
                 const char *region)
{
    return document->issuing_country && document->issuing_region
        && strcmp(document->issuing_country, country) == 0
        && strcmp(document->issuing_region, region) == 0;
}

/* --- terms --- */

/* Non-zero if END is more than YEARS after BEGIN. */
static int is_longer(idv_date_t begin, idv_date_t end, int years)
{
    begin.year += years;
    return idv_date_compare(end, begin) > 0;
}

/* The longest term in years of the state's licences; 0: unknown. */
static int longest_term(const idv_document_t *document)
{
    for (int i = 0; i < COUNT(terms); i++)
        if (is_of(document, terms[i].country, terms[i].region))
            return terms[i].years;
    return 0;
}

/* A licence's term starts at its issue. The zone of a passport does not show
 * the issue, so only the rest of the term, from today on, is checked. */
static idv_document_reason_t term_reason(const idv_document_t *document,
                                         idv_date_t today)
{
    idv_date_t expiry = document->date_of_expiry;
    idv_date_t issue = document->date_of_issue;
    int years = longest_term(document);
    int most = years > LICENCE_YEARS ? years + 1 : LICENCE_YEARS;

    if (expiry.year == 0)
        return R(NONE);
    if (document->kind == IDV_DOCUMENT_PASSPORT)
        return is_longer(today, expiry, PASSPORT_YEARS)
                 ? R(VALIDITY_TERM_IMPOSSIBLE)
                 : R(NONE);
    if (document->kind != IDV_DOCUMENT_DRIVER_LICENSE || issue.year == 0)
        return R(NONE);
    if (is_longer(issue, expiry, most))
        return R(VALIDITY_TERM_IMPOSSIBLE);
    return years && is_longer(issue, expiry, years + TERM_MARGIN)
             ? R(VALIDITY_TERM_UNUSUAL)
             : R(NONE);
}

/* --- forms of numbers --- */

/* NUMBER without blanks and hyphens; empty if it is too long. */
static void compact(const char *number, char out[NUMBER_MAX + 1])
{
    int length = 0;

    for (; *number && length <= NUMBER_MAX; number++)
        if (*number != ' ' && *number != '-' && length++ < NUMBER_MAX)
            out[length - 1] = *number;
    out[length <= NUMBER_MAX ? length : 0] = '\0';
}

/* Non-zero if NUMBER consists of LETTERS letters and LEAST to MOST digits. */
static int has_form(const char *number, int letters, int least, int most)
{
    int digits = 0;

    for (; letters > 0; letters--, number++)
        if (!apr_isupper(*number))
            return 0;
    for (; apr_isdigit(*number); number++)
        digits++;
    return *number == '\0' && digits >= least && digits <= most;
}

static idv_document_reason_t format_reason(const idv_document_t *document,
                                           const char *number)
{
    idv_document_reason_t reason = R(DOCUMENT_NUMBER_FORMAT_UNKNOWN);

    for (int i = 0; i < COUNT(formats); i++) {
        if (!is_of(document, formats[i].country, formats[i].region))
            continue;
        if (has_form(number, (int)strlen(formats[i].letters), formats[i].least,
                     formats[i].most))
            return R(NONE);
        reason = formats[i].is_certain ? R(DOCUMENT_NUMBER_FORMAT_WRONG)
                                       : R(DOCUMENT_NUMBER_FORMAT_UNUSUAL);
    }
    return reason;
}

/* --- numbers derived from the holder's data --- */

static int two_digits(const char *text)
{
    return (text[0] - '0') * 10 + text[1] - '0';
}

/* The first letter of TEXT as a capital; 0 if it does not start with a
 * letter. */
static char initial(const char *text)
{
    return text && apr_isalpha(*text) ? (char)apr_toupper(*text) : 0;
}

/* The American Soundex of NAME up to one of ENDS. Sources disagree on whether H
 * and W separate equal codes, so both variants are supported. */
static void soundex(const char *name, const char *ends, int parted_by_hw,
                    char code[5])
{
    /*                           ABCDEFGHIJKLMNOPQRSTUVWXYZ */
    static const char codes[] = "01230120022455012623010202";
    char last = 0;
    int length = 0;

    memcpy(code, "\0" "000", 5);
    for (; *name && !strchr(ends, *name) && length < 4; name++) {
        int c = apr_toupper((unsigned char)*name);
        char digit;

        if (c < 'A' || c > 'Z')
            continue;
        digit = codes[c - 'A'];
        if (length == 0)
            code[length++] = (char)c;
        else if (digit != '0' && digit != last)
            code[length++] = digit;
        if (parted_by_hw || (c != 'H' && c != 'W'))
            last = digit;
    }
}

/* Non-zero if NUMBER starts with the Soundex of the surname, or of its first
 * part. */
static int has_soundex(const idv_document_t *document, const char *number)
{
    static const char *const ends[] = {"", " -"};
    char code[5];

    for (int i = 0; i < 4; i++) {
        soundex(document->surname, ends[i & 1], i >> 1, code);
        if (memcmp(code, number, 4) == 0)
            return 1;
    }
    return 0;
}

/* Non-zero if DIGITS are YYDDD of the birth, with MONTH days per month, and
 * WOMAN days added for a woman. */
static int has_birth(const idv_document_t *document, const char *digits,
                     int month, int woman)
{
    idv_date_t birth = document->date_of_birth;
    int day = two_digits(digits + 2) * 10 + digits[4] - '0';
    int men = (birth.month - 1) * month + birth.day;

    if (two_digits(digits) != birth.year % 100)
        return 0;
    return (document->sex != 'F' && day == men)
        || (document->sex != 'M' && day == men + woman);
}

static int follows_soundex_40(const idv_document_t *document,
                              const char *number)
{
    return has_soundex(document, number)
        && has_birth(document, number + 7, 40, 500);
}

static int follows_soundex_31(const idv_document_t *document,
                              const char *number)
{
    return has_soundex(document, number)
        && has_birth(document, number + 7, 31, 600);
}

static int follows_soundex(const idv_document_t *document, const char *number)
{
    return has_soundex(document, number);
}

static int follows_initial(const idv_document_t *document, const char *number)
{
    idv_date_t birth = document->date_of_birth;
    int month = two_digits(number + 10);

    return number[0] == initial(document->surname)
        && two_digits(number + 12) == birth.year % 100
        && ((document->sex != 'F' && month == birth.month)
            || (document->sex != 'M' && month == birth.month + 50));
}

static int washington_value(char c)
{
    /*                            ABCDEFGHIJKLMNOPQRSTUVWXYZ */
    static const char values[] = "12345678912345678923456789";

    return apr_isdigit(c) ? c - '0' : c == '*' ? 4 : values[c - 'A'] - '0';
}

/* The check digit of twelve characters, of which it is the tenth. */
static int washington_digit(const char *number)
{
    int sum = 0;

    for (int i = 0; i < 12; i++)
        if (i != 9)
            sum += (i < 9 ? i % 2 == 0 : i == 11) ? washington_value(number[i])
                                                  : -washington_value(number[i]);
    return (sum < 0 ? -sum : sum) % 10;
}

static int is_washington(const char *number)
{
    static const char form[] = "ALLLLAL000XX"; /* L: or an asterisk */

    for (int i = 0; i < 12; i++) {
        char c = number[i];
        int fits = form[i] == 'A'   ? apr_isupper(c)
                   : form[i] == 'L' ? apr_isupper(c) || c == '*'
                   : form[i] == '0' ? apr_isdigit(c)
                                    : apr_isupper(c) || apr_isdigit(c);

        if (!fits)
            return 0;
    }
    return 1;
}

static int follows_washington(const idv_document_t *document,
                              const char *number)
{
    const char *given = document->given_names, *middle;
    char expected[7] = "*****";
    int length = 0;

    for (const char *p = document->surname; *p && length < 5; p++)
        if (apr_isalpha(*p))
            expected[length++] = (char)apr_toupper(*p);
    expected[5] = given ? initial(given) : 0;
    middle = given ? strchr(given, ' ') : NULL;
    expected[6] = middle ? initial(middle + 1) : '*';
    return memcmp(expected, number, 7) == 0
        && two_digits(number + 7)
               == (100 - document->date_of_birth.year % 100) % 100
        && number[9] - '0' == washington_digit(number);
}

static const struct {
    const char *country;
    const char *region;
    int letters;
    int digits;
    int (*follows)(const idv_document_t *document, const char *number);
} holders[] = {
#define SOUNDEX_40 follows_soundex_40
#define SOUNDEX_31 follows_soundex_31
#define SOUNDEX follows_soundex
#define INITIAL follows_initial
#define WASHINGTON follows_washington
#define HOLDER(country, region, scheme, letters, digits)                       \
    {country, region, letters, digits, scheme},
#include "methods/document/number_holders.def"
#undef HOLDER
#undef WASHINGTON
#undef INITIAL
#undef SOUNDEX
#undef SOUNDEX_31
#undef SOUNDEX_40
};

static idv_document_reason_t holder_reason(const idv_document_t *document,
                                           const char *number)
{
    if (!document->surname || !idv_date_is_complete(document->date_of_birth))
        return R(DOCUMENT_NUMBER_HOLDER_UNKNOWN);
    for (int i = 0; i < COUNT(holders); i++) {
        int has_its_form = holders[i].letters
                             ? has_form(number, holders[i].letters,
                                        holders[i].digits, holders[i].digits)
                             : strlen(number) == 12 && is_washington(number);

        if (is_of(document, holders[i].country, holders[i].region)
            && has_its_form)
            return holders[i].follows(document, number)
                     ? R(NONE)
                     : R(DOCUMENT_NUMBER_HOLDER_MISMATCH);
    }
    return R(DOCUMENT_NUMBER_HOLDER_UNKNOWN);
}

void idv_licence_rules_check(idv_document_t *document, idv_date_t today)
{
    char number[NUMBER_MAX + 1];

    idv_document_check(document, IDV_DOCUMENT_CHECK_VALIDITY_TERM,
                       term_reason(document, today));
    if (document->kind != IDV_DOCUMENT_DRIVER_LICENSE || !document->number)
        return;
    compact(document->number, number);
    idv_document_check(document, IDV_DOCUMENT_CHECK_DOCUMENT_NUMBER_FORMAT,
                       format_reason(document, number));
    idv_document_check(document, IDV_DOCUMENT_CHECK_DOCUMENT_NUMBER_HOLDER,
                       holder_reason(document, number));
}
