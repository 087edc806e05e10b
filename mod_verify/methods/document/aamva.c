/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/document/aamva.h"

#include <string.h>

#include <apr_strings.h>

#include "methods/document/aamva_file.h"

/* A date on which an age is reached may be the birthday or the day before. */
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

/* DCG, the country of issue; only the three countries of the standard. */
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

/* Non-zero if CODE is another state or province, or a military post. DAJ is the
 * holder's mailing address, which may be elsewhere. */
static int is_elsewhere(const char *code)
{
    static const char *const posts[] = {"AA", "AE", "AP"};

    for (size_t i = 0; i < sizeof(posts) / sizeof(*posts); i++)
        if (strcmp(posts[i], code) == 0)
            return 1;
    for (size_t i = 0; i < sizeof(issuers) / sizeof(*issuers); i++)
        if (*issuers[i].region && strcmp(issuers[i].region, code) == 0)
            return 1;
    return 0;
}

/* The issuer's number must agree with the country (DCG, from version 2 on,
 * empty on some cards), and usually agrees with the jurisdiction of the address
 * (DAJ). */
static void read_issuer(const idv_aamva_file_t *file, idv_document_t *document)
{
    const issuer_t *issuer = issuer_of(file->issuer);
    const char *jurisdiction = idv_aamva_value(file, "DAJ");
    const char *country = idv_aamva_value(file, "DCG");
    int differs = is_ambiguous(file, "DAJ") || is_ambiguous(file, "DCG");
    int is_away = 0;

    idv_document_conclude(document, R(ISSUER_UNKNOWN), issuer == NULL);
    if (issuer)
        document->issuing_country = issuer->country;
    if (issuer && strcmp(issuer->country, IDV_DOCUMENT_TEST_ISSUER) != 0) {
        document->issuing_region = *issuer->region ? issuer->region : NULL;
        differs |= country && country_differs(country, issuer->country);
        is_away = *issuer->region
               && (!jurisdiction || strcmp(jurisdiction, issuer->region) != 0);
        differs |= is_away && (!jurisdiction || !is_elsewhere(jurisdiction));
    }
    idv_document_conclude(document, R(ISSUER_MISMATCH), differs);
    if (is_away && !differs)
        idv_document_conclude(document, R(ADDRESS_ELSEWHERE), 1);
}

/* --- elements that every card has --- */

/* The groups of elements. A card may lack one group, except the essential
 * one. */
enum {
    ESSENTIAL = 1 << 0,
    COUNTRY = 1 << 1,
    DISCRIMINATOR = 1 << 2,
    NAMES = 1 << 3,
    TRUNCATION = 1 << 4,
    SEX = 1 << 5,
    APPEARANCE = 1 << 6,
    ADDRESS = 1 << 7,
    ISSUE = 1 << 8,
    PRIVILEGES = 1 << 9
};

static const struct {
    const char *id;
    int since;
    int american; /* non-zero: some Canadian issuers omit it */
    int licence;  /* non-zero: not on ID cards */
    unsigned group;
} mandatory_elements[] = {
#define ELEMENT(id, since, american, licence, group)                           \
    {id, since, american, licence, group},
#include "methods/document/aamva_elements.def"
#undef ELEMENT
};

/* The groups in which the card lacks an element. */
static unsigned missing_groups(const idv_aamva_file_t *file,
                               const idv_document_t *document)
{
    const issuer_t *issuer = issuer_of(file->issuer);
    int is_canadian = issuer && strcmp(issuer->country, "CA") == 0;
    int is_licence = document->kind == IDV_DOCUMENT_DRIVER_LICENSE;
    unsigned groups = 0;

    for (size_t i = 0;
         i < sizeof(mandatory_elements) / sizeof(*mandatory_elements); i++)
        if (file->version >= mandatory_elements[i].since
            && !(mandatory_elements[i].american && is_canadian)
            && !(mandatory_elements[i].licence && !is_licence)
            && !idv_aamva_find(file, mandatory_elements[i].id))
            groups |= mandatory_elements[i].group;
    return groups;
}

/* Requirements of later versions are not known here. A card without its country
 * lacks nothing, since the country follows from the issuer. Issuers omit
 * various elements on which neither the age nor the identity depends: if one
 * such group is missing, there is a doubt. Careless forgers omit more. */
static void read_mandatory_elements(const idv_aamva_file_t *file,
                                    idv_document_t *document)
{
    unsigned groups = missing_groups(file, document);
    unsigned others = groups & ~(unsigned)COUNTRY;
    int is_one = others && !(others & (others - 1)) && others != ESSENTIAL;

    if (file->version > IDV_AAMVA_VERSION_KNOWN)
        idv_document_conclude(document, R(MANDATORY_ELEMENTS_UNKNOWN), 1);
    else
        idv_document_conclude(document, R(MANDATORY_ELEMENT_MISSING),
                              others && !is_one);
    if (is_one)
        idv_document_conclude(document,
                              others == DISCRIMINATOR
                                  ? R(DISCRIMINATOR_MISSING)
                                  : R(DESCRIPTIVE_ELEMENT_MISSING),
                              1);
    if (groups & COUNTRY)
        idv_document_conclude(document, R(COUNTRY_ELEMENT_MISSING), 1);
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

/* Replaces commas with blanks, without two blanks in a row. */
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
 * commas differ in the order, so such a name is not split. */
static void split_full_name(const char *name, const char **surname,
                            const char **given, apr_pool_t *pool)
{
    const char *comma = strchr(name, ',');

    *surname = comma ? apr_pstrmemdup(pool, name, comma - name) : name;
    *given = comma ? comma + 1 : NULL;
}

/* Versions 2 and 3: DCS and DCT. From 4 on: DCS, DAC and DAD. Version 1: DAA,
 * in some files also DAB, DAC and DAD. */
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

/* --- statements about the card and its names --- */

/* DCK, by which issuers find the stock that a card was made from: at most 25
 * characters of the standard's alphabet (D.12.5.2). The states' own formats are
 * not public. */
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

/* DDE, DDF and DDG: whether the names are truncated (T), complete (N) or
 * unknown in this respect (U). */
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

/* The possible readings of a date: several if zeros are omitted. */
#define READINGS_MAX 4
typedef struct {
    idv_date_t dates[READINGS_MAX];
    int count;
    int lacks_zeros;
} readings_t;

static int number_at(const char *text, int count)
{
    int value = 0;

    while (count-- > 0)
        value = value * 10 + *text++ - '0';
    return value;
}

static void add_reading(readings_t *readings, idv_date_t date)
{
    if (date.year < 1900 || date.year >= 2100 || !idv_date_is_complete(date))
        return;
    for (int i = 0; i < readings->count; i++)
        if (idv_date_compare(readings->dates[i], date) == 0)
            return;
    if (readings->count < READINGS_MAX)
        readings->dates[readings->count++] = date;
}

/* Reads the digits at TEXT as a month of MONTH digits and a day of DAY digits,
 * before or after a year. */
static void add_split(readings_t *readings, const char *text, int month,
                      int day)
{
    const char *canadian = text + 4;

    add_reading(readings, (idv_date_t){number_at(text + month + day, 4),
                                       number_at(text, month),
                                       number_at(text + month, day)});
    add_reading(readings,
                (idv_date_t){number_at(text, 4), number_at(canadian, month),
                             number_at(canadian + month, day)});
}

/* Month, day and year separated by hyphens or slashes, as North Carolina wrote
 * them in version 1, or with the year first. */
static int read_parted(const char *text, idv_date_t *date)
{
    int numbers[3] = {0, 0, 0}, lengths[3] = {0, 0, 0}, part = 0, year;

    for (; *text; text++) {
        if (*text == '-' || *text == '/') {
            if (++part > 2)
                return 0;
        } else if (*text < '0' || *text > '9' || lengths[part]++ == 4) {
            return 0;
        } else {
            numbers[part] = 10 * numbers[part] + *text - '0';
        }
    }
    year = lengths[0] == 4 ? 0 : 2;
    if (part != 2 || lengths[year] != 4 || lengths[1] > 2
        || lengths[2 - year] > 2)
        return 0;
    *date = (idv_date_t){numbers[year], numbers[year == 0 ? 1 : 0],
                         numbers[year == 0 ? 2 : 1]};
    return 1;
}

/* MMDDCCYY in the United States, CCYYMMDD in version 1 and in Canada. Issuers
 * confuse the two, but no date from 1900 to 2099 is valid in both orders. Some
 * omit leading zeros (West Virginia: 1131990), so that two days are
 * possible. */
static void read_dates(const char *text, readings_t *readings)
{
    size_t length = strspn(text, "0123456789");
    idv_date_t date;

    *readings = (readings_t){.count = 0};
    if (read_parted(text, &date)) {
        add_reading(readings, date);
        return;
    }
    if (text[length] || length < 6 || length > 8)
        return;
    readings->lacks_zeros = length < 8;
    if (length == 8)
        add_split(readings, text, 2, 2);
    if (length == 7) {
        add_split(readings, text, 1, 2);
        add_split(readings, text, 2, 1);
    }
    if (length == 6)
        add_split(readings, text, 1, 1);
}

/* The date of TEXT, the latest if several are possible; zero if there is none.
 * Deviations are recorded. */
static int read_date(idv_document_t *document, const char *text,
                     idv_date_t *date)
{
    readings_t readings;

    read_dates(text, &readings);
    if (readings.count == 0)
        return 0;
    *date = readings.dates[0];
    for (int i = 1; i < readings.count; i++)
        if (idv_date_compare(readings.dates[i], *date) > 0)
            *date = readings.dates[i];
    if (readings.count > 1)
        idv_document_conclude(document, R(DATE_AMBIGUOUS), 1);
    else if (readings.lacks_zeros)
        idv_document_conclude(document, R(DATE_WITHOUT_ZEROS), 1);
    return 1;
}

/* A date of birth with zeros for an unknown month or day. */
static int read_zero_filled(const char *text, idv_date_t *date)
{
    int month, day;

    if (strlen(text) != 8 || strspn(text, "0123456789") != 8)
        return 0;
    *date = (idv_date_t){number_at(text + 4, 4), 0, 0};
    month = number_at(text, 2);
    day = number_at(text + 2, 2);
    if (date->year < 1900 || date->year >= 2100 || (month && day)) {
        date->year = number_at(text, 4);
        month = number_at(text + 4, 2);
        day = number_at(text + 6, 2);
    }
    date->month = month;
    if (month == 0 && day > 31)
        return 0;
    return date->year >= 1900 && date->year < 2100 && (month == 0 || day == 0)
        && idv_date_is_valid(*date);
}

/* A date of birth without a known day means any day of its year or month, so
 * that the age is as uncertain as the date. */
static int read_birth_date(idv_document_t *document, const char *text,
                           idv_date_t *date)
{
    readings_t readings;

    if (read_zero_filled(text, date)) {
        idv_document_conclude(document, R(DATE_ZERO_FILLED), 1);
        return 1;
    }
    read_dates(text, &readings);
    if (readings.count == 0)
        return 0;
    *date = readings.dates[0];
    if (readings.count > 1)
        date->month = date->day = 0;
    if (readings.lacks_zeros)
        idv_document_conclude(document, R(DATE_WITHOUT_ZEROS), 1);
    return 1;
}

static void read_birth(const idv_aamva_file_t *file, idv_date_t today,
                       idv_document_t *document)
{
    const char *text = idv_aamva_value(file, "DBB");
    idv_date_t date;
    int valid = text && !is_ambiguous(file, "DBB")
             && read_birth_date(document, text, &date);

    idv_document_conclude(document, R(DATE_OF_BIRTH_MISSING), text == NULL);
    idv_document_conclude(document, R(DATE_OF_BIRTH_INVALID), !valid);
    if (!valid)
        return;
    document->date_of_birth = date;
    idv_document_conclude(document, R(DATE_OF_BIRTH_IN_FUTURE),
                          idv_date_compare(idv_date_earliest(date), today) > 0);
}

/* If the element is blank or all nines, the card does not expire. If it is
 * absent, the date of expiry is missing. */
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
    valid =
        !element->is_ambiguous && (endless || read_date(document, text, &date));
    idv_document_conclude(document, R(DATE_OF_EXPIRY_INVALID), !valid);
    if (!valid || endless)
        return;
    document->date_of_expiry = date;
    idv_document_conclude(
        document, R(DATE_OF_EXPIRY_IMPLAUSIBLE),
        !idv_document_expiry_is_plausible(date, today)
            || (birth.year
                && idv_date_compare(date, idv_date_earliest(birth)) <= 0));
}

static void read_issue(const idv_aamva_file_t *file, idv_date_t today,
                       idv_document_t *document)
{
    const char *text = idv_aamva_value(file, "DBD");
    idv_date_t date, birth = document->date_of_birth;
    idv_date_t expiry = document->date_of_expiry;
    int valid =
        !text
        || (!is_ambiguous(file, "DBD") && read_date(document, text, &date));

    idv_document_conclude(document, R(DATE_OF_ISSUE_INVALID), !valid);
    if (!text || !valid)
        return;
    document->date_of_issue = date;
    idv_document_conclude(document, R(DATE_OF_ISSUE_IN_FUTURE),
                          idv_date_compare(date, today) > 0);
    idv_document_conclude(
        document, R(DATE_OF_ISSUE_IMPLAUSIBLE),
        (birth.year && idv_date_compare(date, idv_date_earliest(birth)) < 0)
            || (expiry.year && idv_date_compare(date, expiry) > 0));
}

/* Non-zero if one of READINGS is the day on which the holder reaches AGE. */
static int has_birthday(const readings_t *readings, idv_date_t birth, int age)
{
    int found = 0;

    birth.year += age;
    for (int i = 0; i < readings->count; i++) {
        /* 29 February of a common year counts as 1 March. */
        apr_int64_t days =
            idv_date_days(readings->dates[i]) - idv_date_days(birth);

        found |= days <= AGE_DATE_TOLERANCE && days >= -AGE_DATE_TOLERANCE;
    }
    return found;
}

/* DDH, DDI, DDJ: under 18, 19, 21 until. They must follow from the date of
 * birth; otherwise one of the dates was changed. */
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
        readings_t readings;

        if (!text || strspn(text, "0") == strlen(text)
            || !idv_date_is_complete(document->date_of_birth))
            continue;
        read_dates(text, &readings);
        differs |=
            !has_birthday(&readings, document->date_of_birth, ages[i].age);
        if (readings.lacks_zeros && readings.count > 0)
            idv_document_conclude(document, R(DATE_WITHOUT_ZEROS), 1);
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
