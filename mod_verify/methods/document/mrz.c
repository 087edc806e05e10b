/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/document/mrz.h"

#include <string.h>

#include <apr_strings.h>

#include "domain/value/jurisdiction.h"

#define R(name) IDV_DOCUMENT_REASON_##name

/* --- fields to facts --- */

typedef enum {
    ISSUER = 1,
    NATIONALITY = 2,
    ISSUER_AND_NATIONALITY = 3
} state_use_t;

static const struct {
    const char *code;
    const char *alpha2;
    state_use_t use;
} special_states[] = {
#define STATE(code, alpha2, use) { code, alpha2, use },
#include "methods/document/issuing_states.def"
#undef STATE
};

/* The text of a field without the fillers at its end. */
static char *field_text(const idv_mrz_text_t *text, idv_mrz_field_name_t name,
                        apr_pool_t *pool)
{
    int length = text->layout->fields[name].length;
    const char *field = idv_mrz_field(text, name);

    while (length > 0 && field[length - 1] == '<')
        length--;
    return apr_pstrmemdup(pool, field, length);
}

/* The code used here for a state of 9303-3, section 5; NULL if it is unknown or
 * may not be used in this place. */
static const char *state_code(const char *code, state_use_t use)
{
    const idv_country_t *country = idv_country_by_alpha3(code);

    for (size_t i = 0; i < sizeof(special_states) / sizeof(*special_states);
         i++)
        if (strcmp(special_states[i].code, code) == 0)
            return special_states[i].use & use ? special_states[i].alpha2
                                               : NULL;
    /* Documents write RKS; XKX is not a code of 9303. */
    if (country && strcmp(country->alpha2, "XK") != 0)
        return country->alpha2;
    return NULL;
}

static void read_check_digits(const idv_mrz_text_t *text,
                              idv_document_t *document)
{
    static const struct {
        idv_mrz_digit_t digit;
        idv_document_reason_t reason;
    } digits[] = {
        { IDV_MRZ_DIGIT_NUMBER, R(CHECK_DIGIT_DOCUMENT_NUMBER_WRONG) },
        { IDV_MRZ_DIGIT_BIRTH, R(CHECK_DIGIT_DATE_OF_BIRTH_WRONG) },
        { IDV_MRZ_DIGIT_EXPIRY, R(CHECK_DIGIT_DATE_OF_EXPIRY_WRONG) },
        { IDV_MRZ_DIGIT_OPTIONAL, R(CHECK_DIGIT_OPTIONAL_DATA_WRONG) },
        { IDV_MRZ_DIGIT_COMPOSITE, R(CHECK_DIGIT_COMPOSITE_WRONG) },
    };
    unsigned present = idv_mrz_digits_present(text->layout);
    unsigned wrong = idv_mrz_digits_wrong(text);

    for (size_t i = 0; i < sizeof(digits) / sizeof(*digits); i++)
        if (present & digits[i].digit)
            idv_document_conclude(document, digits[i].reason,
                                  (wrong & digits[i].digit) != 0);
}

/* Every field except the sex, which has its own reason. */
static void read_characters(const idv_mrz_text_t *text,
                            idv_document_t *document)
{
    const idv_mrz_layout_t *layout = text->layout;
    int wrong = 0;

    for (int row = 0; row < layout->rows; row++)
        for (int column = 0; column < layout->columns; column++) {
            idv_mrz_charset_t charset = idv_mrz_charset_at(layout, row, column);

            if (charset != IDV_MRZ_SEX && charset != IDV_MRZ_SEX_OF_CARD
                && !idv_mrz_charset_has(charset, text->rows[row][column]))
                wrong = 1;
        }
    idv_document_conclude(document, R(CHARACTERS_INVALID), wrong);
}

/* 9303-4 to -7, document code: P passports, V visas, A, C, I cards. The issuer
 * chooses the second character, but V there is reserved for visas. */
static void read_document_code(const idv_mrz_text_t *text,
                               idv_document_t *document)
{
    const char *code = idv_mrz_field(text, IDV_MRZ_FIELD_CODE);
    const char *allowed = "ACI";

    document->kind = IDV_DOCUMENT_ID_CARD;
    if (text->layout->is_visa) {
        document->kind = IDV_DOCUMENT_VISA;
        allowed = "V";
    } else if (document->source == IDV_DOCUMENT_SOURCE_MRZ_TD3) {
        document->kind = IDV_DOCUMENT_PASSPORT;
        allowed = "P";
    }
    idv_document_conclude(document, R(DOCUMENT_CODE_INVALID),
                          !strchr(allowed, code[0])
                              || (!text->layout->is_visa && code[1] == 'V'));
}

/* Some issuers leave the nationality of foreign residents blank. */
static void read_states(const idv_mrz_text_t *text, idv_document_t *document,
                        apr_pool_t *pool)
{
    const char *code = field_text(text, IDV_MRZ_FIELD_NATIONALITY, pool);
    const char *nationality = *code ? state_code(code, NATIONALITY) : "";
    const char *issuer =
        state_code(field_text(text, IDV_MRZ_FIELD_ISSUER, pool), ISSUER);

    /* A card without a nationality is issued only to nationals of its state. */
    if (!text->layout->fields[IDV_MRZ_FIELD_NATIONALITY].length)
        nationality = issuer;
    document->issuing_country = issuer;
    idv_document_conclude(document, R(ISSUER_UNKNOWN), issuer == NULL);
    document->nationality = nationality && *nationality ? nationality : NULL;
    idv_document_conclude(document, R(NATIONALITY_UNKNOWN),
                          nationality == NULL);
}

static void read_number(const idv_mrz_text_t *text, idv_document_t *document,
                        apr_pool_t *pool)
{
    char number[IDV_MRZ_NUMBER_SIZE];
    int length;

    idv_mrz_number(text, number);
    length = (int)strlen(number);
    while (length > 0 && number[length - 1] == '<')
        length--;
    number[length] = '\0';
    idv_document_conclude(document, R(DOCUMENT_NUMBER_MISSING), length == 0);
    idv_document_conclude(document, R(DOCUMENT_NUMBER_INVALID),
                          number[0] == '<');
    /* A filler inside represents a blank or a hyphen (9303-3, 4.6). */
    for (char *p = number; *p; p++)
        if (*p == '<')
            *p = ' ';
    if (length > 0)
        document->number = apr_pstrdup(pool, number);
}

/* NAME with blanks instead of fillers; NULL if it is empty. */
static const char *blank_fillers(char *name)
{
    for (char *p = name; p && *p; p++)
        if (*p == '<')
            *p = ' ';
    return name && *name ? name : NULL;
}

/* NAME with one filler instead of two: France separates given names by two. */
static char *join_fillers(char *name)
{
    char *out = name;

    for (const char *in = name; *in; in++)
        if (*in != '<' || in[1] != '<')
            *out++ = *in;
    *out = '\0';
    return name;
}

/* Separate fields for the surname and the given names. */
static void read_parted_names(const idv_mrz_text_t *text,
                              idv_document_t *document, apr_pool_t *pool)
{
    char *surname = field_text(text, IDV_MRZ_FIELD_NAMES, pool);
    char *given = field_text(text, IDV_MRZ_FIELD_GIVEN_NAMES, pool);
    int invalid = *surname == '<' || *given == '<' || strstr(surname, "<<");

    idv_document_conclude(document, R(NAMES_INVALID), invalid);
    if (invalid)
        return;
    document->surname = blank_fillers(surname);
    document->given_names = blank_fillers(join_fillers(given));
    idv_document_conclude(document, R(NAMES_MISSING),
                          !document->surname && !document->given_names);
    idv_document_conclude(document, R(SURNAME_MISSING),
                          !document->surname && document->given_names);
}

/* 9303-3, 4.6: primary identifier, two fillers, secondary identifier. Single
 * fillers separate the words, and only fillers follow the names. Some states
 * leave the primary identifier empty if a person has no surname. */
static void read_names(const idv_mrz_text_t *text, idv_document_t *document,
                       apr_pool_t *pool)
{
    char *names = field_text(text, IDV_MRZ_FIELD_NAMES, pool);
    char *given = strstr(names, "<<");
    int invalid = names[0] == '<' && given != names;

    if (given) {
        *given = '\0';
        given += 2;
        invalid |= *given == '<' || strstr(given, "<<") != NULL;
    }
    idv_document_conclude(document, R(NAMES_INVALID), invalid);
    if (invalid)
        return;
    document->surname = blank_fillers(names);
    document->given_names = blank_fillers(given);
    idv_document_conclude(document, R(NAMES_MISSING),
                          !document->surname && !document->given_names);
    idv_document_conclude(document, R(SURNAME_MISSING),
                          !document->surname && document->given_names);
}

static void read_sex(const idv_mrz_text_t *text, idv_document_t *document)
{
    char sex = *idv_mrz_field(text, IDV_MRZ_FIELD_SEX);
    const char *issuer = document->issuing_country;
    int is_spanish = document->source == IDV_DOCUMENT_SOURCE_MRZ_TD1 && issuer
                  && strcmp(issuer, "MX") == 0;
    int known;

    /* Mexico's voter cards: H, hombre, and M, mujer. */
    if (is_spanish && (sex == 'H' || sex == 'M'))
        sex = sex == 'H' ? 'M' : 'F';
    known = idv_mrz_charset_has(IDV_MRZ_SEX, sex);
    document->sex = known && sex != '<' ? sex : 0;
    idv_document_conclude(document, R(SEX_INVALID), !known);
}

/* --- dates (9303-3, 4.8) --- */

/* Two digits; 0 for two fillers; -1 for anything else. */
static int two_digits(const char *text)
{
    if (text[0] == '<' && text[1] == '<')
        return 0;
    if (text[0] < '0' || text[0] > '9' || text[1] < '0' || text[1] > '9')
        return -1;
    return (text[0] - '0') * 10 + text[1] - '0';
}

/* YYMMDD with the year of the century, and 0 for unknown parts: the standard
 * uses fillers for them, some issuers zeros. Returns zero if TEXT does not have
 * that form. */
static int split_date(const char *text, idv_date_t *date)
{
    date->year = two_digits(text);
    date->month = two_digits(text + 2);
    date->day = two_digits(text + 4);
    return date->year >= 0 && date->month >= 0 && date->day >= 0;
}

static int has_zeros(const char *text)
{
    return memcmp(text + 2, "00", 2) == 0 || memcmp(text + 4, "00", 2) == 0;
}

/* The highest age of a living person, for resolving the two-digit year of a
 * zone. */
#define AGE_MOST 112
/* The number of days by which a date of birth may be in the future and still be
 * meant so: because of a wrong clock, or because it was made up. */
#define DAYS_AHEAD 31

/* Non-zero if a birth on CANDIDATE is possible on the day TODAY. */
static int birth_is_possible(idv_date_t candidate, idv_date_t today)
{
    apr_int64_t ahead;

    if (!idv_date_is_valid(candidate))
        return 0;
    ahead = idv_date_days(idv_date_earliest(candidate)) - idv_date_days(today);
    return ahead <= (idv_date_is_complete(candidate) ? DAYS_AHEAD : 0);
}

/* Uses the latest possible year, and also the year a century earlier if a
 * person born then may be alive, since the zone does not tell which. A day
 * without its month, or anything without its year, is not reliable and is
 * dropped. */
static void read_birth(const idv_mrz_text_t *text, idv_date_t today,
                       idv_document_t *document)
{
    const char *field = idv_mrz_field(text, IDV_MRZ_FIELD_BIRTH);
    idv_date_t parts, birth = {0, 0, 0}, earlier;
    int invalid = !split_date(field, &parts);
    int is_open = field[0] == '<' && field[1] == '<';

    if (parts.month == 0)
        parts.day = 0;
    for (int century = 2000; century >= 1900 && !invalid && !is_open;
         century -= 100) {
        idv_date_t candidate = {century + parts.year, parts.month, parts.day};

        if (birth_is_possible(candidate, today)) {
            birth = candidate;
            break;
        }
    }
    document->date_of_birth = birth;
    earlier = birth;
    earlier.year -= 100;
    if (birth.year != 0 && idv_date_is_valid(earlier)
        && idv_date_age(earlier, today).lowest <= AGE_MOST)
        document->earlier_birth = earlier;
    idv_document_conclude(document, R(DATE_OF_BIRTH_INVALID),
                          invalid || (!is_open && birth.year == 0));
    if (!invalid && has_zeros(field))
        idv_document_conclude(document, R(DATE_ZERO_FILLED), 1);
}

/* The year that is plausible, if one is; otherwise that of this century. */
static idv_date_t expiry_of(idv_date_t parts, idv_date_t today)
{
    idv_date_t this_century = parts, last_century = parts;

    this_century.year += 2000;
    last_century.year += 1900;
    if (!idv_document_expiry_is_plausible(this_century, today)
        && idv_document_expiry_is_plausible(last_century, today))
        return last_century;
    return this_century;
}

/* The holder was not born after DAY, on which the document was issued or
 * expires. */
static void settle_century(idv_document_t *document, idv_date_t day)
{
    if (document->earlier_birth.year == 0
        || idv_date_compare(day, idv_date_earliest(document->date_of_birth)) > 0)
        return;
    document->date_of_birth = document->earlier_birth;
    document->earlier_birth.year = 0;
}

static void read_expiry(const idv_mrz_text_t *text, idv_date_t today,
                        idv_document_t *document)
{
    const char *field = idv_mrz_field(text, IDV_MRZ_FIELD_EXPIRY);
    idv_date_t parts, expiry, birth;
    int missing = strspn(field, "<") >= 6;
    int valid = split_date(field, &parts) && field[0] != '<';

    if (valid) {
        expiry = expiry_of(parts, today);
        valid = idv_date_is_complete(expiry);
    }
    idv_document_conclude(document, R(DATE_OF_EXPIRY_MISSING), missing);
    idv_document_conclude(document, R(DATE_OF_EXPIRY_INVALID), !valid);
    if (!valid)
        return;
    document->date_of_expiry = expiry;
    settle_century(document, expiry);
    birth = document->date_of_birth;
    idv_document_conclude(
        document, R(DATE_OF_EXPIRY_IMPLAUSIBLE),
        !idv_document_expiry_is_plausible(expiry, today)
            || (birth.year != 0
                && idv_date_compare(expiry, idv_date_earliest(birth)) <= 0));
}

/* The validity in years of a French card issued in the month of ISSUE. */
static int french_years(idv_date_t birth, idv_date_t issue)
{
    enum { OF_AGE = 18, OF_MINORS = 10, OF_ADULTS = 15 };
    int is_adult = birth.year != 0
                && idv_date_age(birth, issue).lowest >= OF_AGE;

    return is_adult && issue.year >= 2004 ? OF_ADULTS : OF_MINORS;
}

/* Derives the expiry from the month of issue, which is in the number: the
 * latest day on which the card may expire. The first were issued in 1988, the
 * last in 2021. */
static void derive_expiry(const idv_mrz_text_t *text, idv_document_t *document)
{
    enum { FIRST = 1988, LAST = 2021 };
    const char *number = idv_mrz_field(text, IDV_MRZ_FIELD_NUMBER);
    int year = two_digits(number), month = two_digits(number + 2);
    idv_date_t birth = document->earlier_birth.year ? document->earlier_birth
                                                    : document->date_of_birth;
    idv_date_t issue = {(year < FIRST % 100 ? 2000 : 1900) + year, month + 1, 1};
    int valid = year >= 0 && month >= 1 && month <= 12;

    idv_document_conclude(document, R(DATE_OF_EXPIRY_INVALID), !valid);
    if (!valid)
        return;
    if (month == 12)
        issue = (idv_date_t){issue.year + 1, 1, 1};
    issue = idv_date_of_days(idv_date_days(issue) - 1);
    idv_document_conclude(document, R(DATE_OF_EXPIRY_IMPLAUSIBLE),
                          issue.year > LAST);
    issue.day = issue.month == 2 ? 28 : issue.day;
    document->date_of_expiry = issue;
    document->date_of_expiry.year += french_years(birth, issue);
    settle_century(document, issue);
}

idv_error_t *idv_mrz_parse(const idv_mrz_text_t *text, idv_time_t now,
                           idv_document_t **out, apr_pool_t *result)
{
    idv_document_t *document =
        idv_document_create(text->layout->source, result);
    idv_date_t today = idv_document_reading_date(now);

    document->repairs = text->repair_count;
    read_check_digits(text, document);
    read_characters(text, document);
    read_document_code(text, document);
    read_states(text, document, result);
    read_number(text, document, result);
    if (text->layout->fields[IDV_MRZ_FIELD_GIVEN_NAMES].length)
        read_parted_names(text, document, result);
    else
        read_names(text, document, result);
    read_sex(text, document);
    read_birth(text, today, document);
    if (text->layout->fields[IDV_MRZ_FIELD_EXPIRY].length)
        read_expiry(text, today, document);
    else
        derive_expiry(text, document);
    *out = document;
    return NULL;
}
