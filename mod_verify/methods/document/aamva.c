/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/document/aamva.h"

#include <string.h>

#include <apr_strings.h>

#include "methods/document/aamva_file.h"

/* A date that names an age may stand on the birthday or on the day before. */
#define AGE_DATE_TOLERANCE 1

/* Characters, from the standard's longest fields (D.12.5). */
#define NUMBER_LENGTH_MAX 25
#define NAME_LENGTH_MAX 125

typedef struct {
    const char *number;
    const char *country;
    const char *region;
} issuer_t;

static const issuer_t issuers[] = {
#define ISSUER(number, country, region) { number, country, region },
#include "methods/document/aamva_issuers.def"
#undef ISSUER
};

#define R(name) IDV_DOCUMENT_REASON_##name

static int is_ambiguous(const idv_aamva_file_t *file, const char *id)
{
    const idv_aamva_element_t *element = idv_aamva_find(file, id);

    return element && element->is_ambiguous;
}

/* --- issuer --- */

static const issuer_t *issuer_of(const char *number)
{
    for (size_t i = 0; i < sizeof(issuers) / sizeof(*issuers); i++)
        if (strcmp(issuers[i].number, number) == 0)
            return &issuers[i];
    return NULL;
}

/* DCG, the country of issue; only the three of the standard. */
static int country_differs(const char *code, const char *alpha2)
{
    static const struct {
        const char *code;
        const char *alpha2;
    } countries[] = { { "USA", "US" }, { "CAN", "CA" }, { "MEX", "MX" } };

    for (size_t i = 0; i < sizeof(countries) / sizeof(*countries); i++)
        if (strcmp(countries[i].code, code) == 0)
            return strcmp(countries[i].alpha2, alpha2) != 0;
    return 1;
}

/* The issuer's number must agree with the jurisdiction (DAJ) and the country
 * (DCG, from version 2 on, empty on some cards). */
static void read_issuer(const idv_aamva_file_t *file, idv_document_t *document)
{
    const issuer_t *issuer = issuer_of(file->issuer);
    const char *jurisdiction = idv_aamva_value(file, "DAJ");
    const char *country = idv_aamva_value(file, "DCG");
    int differs = 0;

    idv_document_conclude(document, R(ISSUER_UNKNOWN), issuer == NULL);
    if (issuer && strcmp(issuer->country, IDV_DOCUMENT_TEST_ISSUER) != 0) {
        document->issuing_country = issuer->country;
        document->issuing_region = *issuer->region ? issuer->region : NULL;
        differs = (country && country_differs(country, issuer->country))
                  || (*issuer->region
                      && (!jurisdiction
                          || strcmp(jurisdiction, issuer->region) != 0));
    } else if (issuer) {
        document->issuing_country = issuer->country;
    }
    idv_document_conclude(document, R(ISSUER_MISMATCH),
                          differs || is_ambiguous(file, "DAJ")
                              || is_ambiguous(file, "DCG"));
}

/* --- elements that every card has --- */

static const struct {
    const char *id;
    int since;
    int american; /* non-zero: some Canadian issuers leave it out */
    int licence;  /* non-zero: not on ID cards */
} mandatory_elements[] = {
#define ELEMENT(id, since, american, licence) {id, since, american, licence},
#include "methods/document/aamva_elements.def"
#undef ELEMENT
};

/* What a version demands that came after this was written, nobody here knows. */
static void read_mandatory_elements(const idv_aamva_file_t *file,
                                    idv_document_t *document)
{
    const issuer_t *issuer = issuer_of(file->issuer);
    int is_canadian = issuer && strcmp(issuer->country, "CA") == 0;
    int is_licence = document->kind == IDV_DOCUMENT_DRIVER_LICENSE;
    int missing = 0;

    for (size_t i = 0;
         i < sizeof(mandatory_elements) / sizeof(*mandatory_elements); i++)
        if (file->version >= mandatory_elements[i].since
            && !(mandatory_elements[i].american && is_canadian)
            && !(mandatory_elements[i].licence && !is_licence)
            && !idv_aamva_find(file, mandatory_elements[i].id))
            missing = 1;
    if (file->version > IDV_AAMVA_VERSION_KNOWN)
        idv_document_conclude(document, R(MANDATORY_ELEMENTS_UNKNOWN), 1);
    else
        idv_document_conclude(document, R(MANDATORY_ELEMENT_MISSING), missing);
}

/* --- number, names, sex --- */

static void read_number(const idv_aamva_file_t *file, idv_document_t *document)
{
    const char *number = idv_aamva_value(file, "DAQ");
    int invalid = is_ambiguous(file, "DAQ")
                  || (number && strlen(number) > NUMBER_LENGTH_MAX);

    for (const char *p = number; p && *p; p++)
        invalid |= *p < ' ' || *p > '~';
    idv_document_conclude(document, R(DOCUMENT_NUMBER_MISSING), number == NULL);
    idv_document_conclude(document, R(DOCUMENT_NUMBER_INVALID), invalid);
    document->number = invalid ? NULL : number;
}

/* Blanks for commas, and never two of them. */
static const char *words(const char *text, apr_pool_t *pool)
{
    char *copy = text ? apr_pstrdup(pool, text) : NULL, *out = copy;

    for (char *in = copy; in && *in; in++) {
        char c = *in == ',' || *in == '$' ? ' ' : *in;

        if (c != ' ' || (out > copy && out[-1] != ' '))
            *out++ = c;
    }
    while (copy && out > copy && out[-1] == ' ')
        out--;
    if (copy)
        *out = '\0';
    return copy && *copy ? copy : NULL;
}

static const char *join(const char *first, const char *second, apr_pool_t *pool)
{
    if (!first || !second)
        return first ? first : second;
    return apr_pstrcat(pool, first, " ", second, NULL);
}

/* Version 1: DAA is LAST,FIRST,MIDDLE,SUFFIX. Cards that write it without
 * commas differ in the order, so such a name is kept whole. */
static void split_full_name(const char *name, const char **surname,
                            const char **given, apr_pool_t *pool)
{
    const char *comma = strchr(name, ',');

    *surname = comma ? apr_pstrmemdup(pool, name, comma - name) : name;
    *given = comma ? comma + 1 : NULL;
}

/* Version 2 and 3: DCS and DCT; from 4 on: DCS, DAC and DAD; 1: DAA, some with
 * DAB, DAC and DAD besides. */
static void read_names(const idv_aamva_file_t *file, idv_document_t *document,
                       apr_pool_t *pool)
{
    const char *full = idv_aamva_value(file, "DAA");
    const char *surname = idv_aamva_value(file, "DCS");
    const char *given =
        join(idv_aamva_value(file, "DAC"), idv_aamva_value(file, "DAD"), pool);
    int invalid;

    if (!surname)
        surname = idv_aamva_value(file, "DAB");
    if (!given)
        given = idv_aamva_value(file, "DCT");
    if (!surname && full)
        split_full_name(full, &surname, &given, pool);
    surname = words(surname, pool);
    given = words(given, pool);
    invalid = (surname && strlen(surname) > NAME_LENGTH_MAX)
              || (given && strlen(given) > NAME_LENGTH_MAX);
    idv_document_conclude(document, R(NAMES_MISSING), !surname && !given);
    idv_document_conclude(document, R(NAMES_INVALID), invalid);
    if (invalid)
        return;
    document->surname = surname;
    document->given_names = given;
}

static void read_sex(const idv_aamva_file_t *file, idv_document_t *document)
{
    static const struct {
        const char *code;
        char sex;
    } codes[] = { { "1", 'M' }, { "2", 'F' }, { "9", 'X' }, { "M", 'M' },
                  { "F", 'F' }, { "X", 'X' }, { "0", 0 } };
    const char *code = idv_aamva_value(file, "DBC");
    int known = code == NULL;

    for (size_t i = 0; code && i < sizeof(codes) / sizeof(*codes); i++)
        if (strcmp(codes[i].code, code) == 0) {
            document->sex = codes[i].sex;
            known = 1;
        }
    idv_document_conclude(document, R(SEX_INVALID), !known);
}

/* --- what is told of the card and of its names --- */

/* DCK, by which issuers find the stock that a card was made from: 25 characters at
 * most of the standard's alphabet (D.12.5.2). How states write theirs is not
 * public. */
static void read_inventory_number(const idv_aamva_file_t *file,
                                  idv_document_t *document)
{
    const char *number = idv_aamva_value(file, "DCK");
    int unusual = is_ambiguous(file, "DCK")
               || (number && strlen(number) > NUMBER_LENGTH_MAX);

    for (const char *p = number; p && *p; p++)
        unusual |= *p < ' ' || *p > '~';
    if (!number && !unusual)
        idv_document_conclude(document, R(INVENTORY_NUMBER_UNKNOWN), 1);
    else
        idv_document_conclude(document, R(INVENTORY_NUMBER_UNUSUAL), unusual);
}

/* DDE, DDF and DDG: whether the names are cut (T), whole (N) or of neither known
 * (U). */
static void read_truncation(const idv_aamva_file_t *file,
                            idv_document_t *document)
{
    static const char *const ids[] = {"DDE", "DDF", "DDG"};
    int told = 0, unusual = 0;

    for (int i = 0; i < 3; i++) {
        const char *flag = idv_aamva_value(file, ids[i]);
        int known = flag && strlen(flag) == 1 && strchr("TNU", *flag);

        document->truncation[i] = known ? *flag : '-';
        told |= known;
        unusual |= (flag && !known) || is_ambiguous(file, ids[i]);
    }
    if (!told)
        document->truncation[0] = '\0';
    if (!told && !unusual)
        idv_document_conclude(document, R(NAME_TRUNCATION_UNKNOWN), 1);
    else
        idv_document_conclude(document, R(NAME_TRUNCATION_UNUSUAL), unusual);
}

/* --- dates --- */

static int number_at(const char *text, int count)
{
    int value = 0;

    while (count-- > 0)
        value = value * 10 + *text++ - '0';
    return value;
}

/* MMDDCCYY in the United States, CCYYMMDD in version 1 and in Canada. Issuers
 * mix them up, but no date of 1900 to 2099 reads as one in both orders. */
static int read_date(const char *text, idv_date_t *date)
{
    idv_date_t american, canadian;

    if (strlen(text) != 8 || strspn(text, "0123456789") != 8)
        return 0;
    american = (idv_date_t){ number_at(text + 4, 4), number_at(text, 2),
                             number_at(text + 2, 2) };
    canadian = (idv_date_t){ number_at(text, 4), number_at(text + 4, 2),
                             number_at(text + 6, 2) };
    *date =
        american.year >= 1900 && american.year < 2100 && american.month <= 12
            ? american
            : canadian;
    return date->year >= 1900 && date->year < 2100
           && idv_date_is_complete(*date);
}

static void read_birth(const idv_aamva_file_t *file, idv_date_t today,
                       idv_document_t *document)
{
    const char *text = idv_aamva_value(file, "DBB");
    idv_date_t date;
    int valid = text && read_date(text, &date) && !is_ambiguous(file, "DBB");

    idv_document_conclude(document, R(DATE_OF_BIRTH_MISSING), text == NULL);
    idv_document_conclude(document, R(DATE_OF_BIRTH_INVALID), !valid);
    if (!valid)
        return;
    document->date_of_birth = date;
    idv_document_conclude(document, R(DATE_OF_BIRTH_IN_FUTURE),
                          idv_date_compare(date, today) > 0);
}

/* An element that is there and blank, or all nines, is a card without an end;
 * one that is not there is none. */
static void read_expiry(const idv_aamva_file_t *file, idv_date_t today,
                        idv_document_t *document)
{
    const idv_aamva_element_t *element = idv_aamva_find(file, "DBA");
    const char *text = idv_aamva_value(file, "DBA");
    idv_date_t date, birth = document->date_of_birth;
    int endless = element && (!text || strcmp(text, "99999999") == 0);
    int valid;

    idv_document_conclude(document, R(DATE_OF_EXPIRY_MISSING), element == NULL);
    if (!element)
        return;
    valid = !element->is_ambiguous && (endless || read_date(text, &date));
    idv_document_conclude(document, R(DATE_OF_EXPIRY_INVALID), !valid);
    if (!valid || endless)
        return;
    document->date_of_expiry = date;
    idv_document_conclude(
        document, R(DATE_OF_EXPIRY_IMPLAUSIBLE),
        !idv_document_expiry_is_plausible(date, today)
            || (birth.year && idv_date_compare(date, birth) <= 0));
}

static void read_issue(const idv_aamva_file_t *file, idv_date_t today,
                       idv_document_t *document)
{
    const char *text = idv_aamva_value(file, "DBD");
    idv_date_t date, birth = document->date_of_birth;
    idv_date_t expiry = document->date_of_expiry;
    int valid = !text || (read_date(text, &date) && !is_ambiguous(file, "DBD"));

    idv_document_conclude(document, R(DATE_OF_ISSUE_INVALID), !valid);
    if (!text || !valid)
        return;
    document->date_of_issue = date;
    idv_document_conclude(document, R(DATE_OF_ISSUE_IN_FUTURE),
                          idv_date_compare(date, today) > 0);
    idv_document_conclude(
        document, R(DATE_OF_ISSUE_IMPLAUSIBLE),
        (birth.year && idv_date_compare(date, birth) < 0)
            || (expiry.year && idv_date_compare(date, expiry) > 0));
}

/* DDH, DDI, DDJ: under 18, 19, 21 until. They must follow from the date of
 * birth, or one of them was changed. */
static void read_age_dates(const idv_aamva_file_t *file,
                           idv_document_t *document)
{
    static const struct {
        const char *id;
        int age;
    } ages[] = { { "DDH", 18 }, { "DDI", 19 }, { "DDJ", 21 } };
    int differs = 0;

    for (size_t i = 0; i < sizeof(ages) / sizeof(*ages); i++) {
        const char *text = idv_aamva_value(file, ages[i].id);
        idv_date_t date, birthday = document->date_of_birth;
        apr_int64_t days;

        if (!text || strspn(text, "0") == strlen(text) || birthday.year == 0)
            continue;
        birthday.year += ages[i].age;
        if (!read_date(text, &date)) {
            differs = 1;
            continue;
        }
        /* 29 February of a common year counts on as 1 March. */
        days = idv_date_days(date) - idv_date_days(birthday);
        differs |= days > AGE_DATE_TOLERANCE || days < -AGE_DATE_TOLERANCE;
    }
    idv_document_conclude(document, R(AGE_DATES_MISMATCH), differs);
}

idv_error_t *idv_aamva_parse(idv_bytes_t payload, idv_time_t now,
                             idv_document_t **out, apr_pool_t *result)
{
    idv_document_t *document =
        idv_document_create(IDV_DOCUMENT_SOURCE_PDF417_AAMVA, result);
    idv_date_t today = idv_document_reading_date(now);
    idv_aamva_file_t *file;

    IDV_TRY(idv_aamva_file_read(payload, &file, result));
    document->kind = strcmp(file->subfile, "ID") == 0
                         ? IDV_DOCUMENT_ID_CARD
                         : IDV_DOCUMENT_DRIVER_LICENSE;
    read_issuer(file, document);
    read_mandatory_elements(file, document);
    read_number(file, document);
    read_names(file, document, result);
    read_sex(file, document);
    read_inventory_number(file, document);
    read_truncation(file, document);
    read_birth(file, today, document);
    read_expiry(file, today, document);
    read_issue(file, today, document);
    read_age_dates(file, document);
    *out = document;
    return NULL;
}
