/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/document/document.h"

#include <string.h>

#include <apr_lib.h>

#include "core/word_list.h"

#define COUNT(table) ((int)(sizeof(table) / sizeof(*(table))))

/* The range of years around today in which a document expires. The longest
 * known terms are those of Arizona's licences, up to the holder's 65th
 * birthday. */
#define EXPIRY_YEARS_PAST 30
#define EXPIRY_YEARS_AHEAD 50

#define FIRST_PLACE_ON_EARTH (14 * 60) /* minutes ahead of UTC */

static const char *const kind_codes[] = {
#define X(name, code) code,
    IDV_DOCUMENT_KINDS(X)
#undef X
};

static const char *const source_codes[] = {
#define X(name, code) code,
    IDV_DOCUMENT_SOURCES(X)
#undef X
};

static const char *const check_codes[] = {
#define X(name, code) code,
    IDV_DOCUMENT_CHECKS(X)
#undef X
};

static const struct {
    const char *code;
    idv_document_check_name_t check;
} reasons[] = {
    { NULL, IDV_DOCUMENT_CHECK_COUNT },
#define X(name, code, check, error) { code, IDV_DOCUMENT_CHECK_##check },
    IDV_DOCUMENT_REASONS(X)
#undef X
};

#define BIT(name) ((apr_uint64_t)1 << IDV_DOCUMENT_CHECK_##name)

#define MRZ_VISA_CHECKS                                                        \
    (BIT(CHECK_DIGIT_DOCUMENT_NUMBER) | BIT(CHECK_DIGIT_DATE_OF_BIRTH)         \
     | BIT(CHECK_DIGIT_DATE_OF_EXPIRY) | BIT(CHARACTERS) | BIT(DOCUMENT_CODE)  \
     | BIT(ISSUER) | BIT(DOCUMENT_NUMBER) | BIT(NAMES) | BIT(NATIONALITY)      \
     | BIT(SEX) | BIT(DATE_OF_BIRTH) | BIT(DATE_OF_EXPIRY))
#define MRZ_CARD_CHECKS (MRZ_VISA_CHECKS | BIT(CHECK_DIGIT_COMPOSITE))

/* The checks that a reader of each source always makes. */
static const apr_uint64_t due_checks[] = {
    [IDV_DOCUMENT_SOURCE_PDF417_AAMVA] =
        BIT(ISSUER) | BIT(ISSUER_CROSS_CHECK) | BIT(MANDATORY_ELEMENTS)
        | BIT(DOCUMENT_NUMBER) | BIT(NAMES) | BIT(SEX) | BIT(DATE_OF_BIRTH)
        | BIT(DATE_OF_ISSUE) | BIT(DATE_OF_EXPIRY) | BIT(AGE_DATES_CROSS_CHECK)
        | BIT(INVENTORY_NUMBER) | BIT(NAME_TRUNCATION),
    [IDV_DOCUMENT_SOURCE_MRZ_TD1] = MRZ_CARD_CHECKS,
    [IDV_DOCUMENT_SOURCE_MRZ_TD2] = MRZ_CARD_CHECKS,
    [IDV_DOCUMENT_SOURCE_MRZ_TD3] =
        MRZ_CARD_CHECKS | BIT(CHECK_DIGIT_OPTIONAL_DATA),
    [IDV_DOCUMENT_SOURCE_MRZ_MRVA] = MRZ_VISA_CHECKS,
    [IDV_DOCUMENT_SOURCE_MRZ_MRVB] = MRZ_VISA_CHECKS,
    [IDV_DOCUMENT_SOURCE_MRZ_ID_FRA] =
        MRZ_CARD_CHECKS & ~BIT(CHECK_DIGIT_DATE_OF_EXPIRY),
};

_Static_assert(IDV_DOCUMENT_CHECK_COUNT <= 64, "a check has a bit");

idv_document_t *idv_document_create(idv_document_source_t source,
                                    apr_pool_t *pool)
{
    idv_document_t *document = apr_pcalloc(pool, sizeof(*document));

    document->source = source;
    document->checks = apr_array_make(pool, IDV_DOCUMENT_CHECK_COUNT,
                                      sizeof(idv_document_check_t));
    return document;
}

static idv_document_check_t *find_check(const idv_document_t *document,
                                        idv_document_check_name_t name)
{
    for (int i = 0; i < document->checks->nelts; i++) {
        idv_document_check_t *check =
            &APR_ARRAY_IDX(document->checks, i, idv_document_check_t);

        if (check->name == name)
            return check;
    }
    return NULL;
}

const idv_document_check_t *
idv_document_find_check(const idv_document_t *document,
                        idv_document_check_name_t name)
{
    return find_check(document, name);
}

void idv_document_check(idv_document_t *document,
                        idv_document_check_name_t name,
                        idv_document_reason_t reason)
{
    idv_document_check_t *check = find_check(document, name);

    if (!check) {
        check = apr_array_push(document->checks);
        check->name = name;
        check->reason = reason;
    } else if (check->reason == IDV_DOCUMENT_REASON_NONE
               || idv_document_reason_is_silent(check->reason)) {
        check->reason = reason;
    }
}

void idv_document_conclude(idv_document_t *document,
                           idv_document_reason_t reason, int failed)
{
    idv_document_check(document, idv_document_reason_check(reason),
                       failed ? reason : IDV_DOCUMENT_REASON_NONE);
}

idv_age_range_t idv_document_age(const idv_document_t *document, idv_date_t on)
{
    idv_age_range_t age = idv_date_age(document->date_of_birth, on);

    if (document->earlier_birth.year != 0)
        age.highest = idv_date_age(document->earlier_birth, on).highest;
    return age;
}

idv_date_t idv_document_reading_date(idv_time_t now)
{
    return idv_date_at(now, FIRST_PLACE_ON_EARTH);
}

int idv_document_expiry_is_plausible(idv_date_t expiry, idv_date_t today)
{
    idv_date_t first = today, last = today;

    first.year -= EXPIRY_YEARS_PAST;
    last.year += EXPIRY_YEARS_AHEAD;
    return idv_date_compare(expiry, first) >= 0
           && idv_date_compare(expiry, last) <= 0;
}

const char *idv_document_kind_code(idv_document_kind_t kind)
{
    return kind_codes[kind];
}

int idv_document_kind_find(const char *code)
{
    return idv_word_find(kind_codes, COUNT(kind_codes), code);
}

const char *idv_document_source_code(idv_document_source_t source)
{
    return source_codes[source];
}

int idv_document_source_find(const char *code)
{
    return idv_word_find(source_codes, COUNT(source_codes), code);
}

const char *idv_document_check_code(idv_document_check_name_t name)
{
    return check_codes[name];
}

int idv_document_check_find(const char *code)
{
    return idv_word_find(check_codes, COUNT(check_codes), code);
}

const char *idv_document_reason_code(idv_document_reason_t reason)
{
    return reasons[reason].code;
}

int idv_document_reason_find(const char *code)
{
    for (int i = 1; i < COUNT(reasons); i++)
        if (strcmp(reasons[i].code, code) == 0)
            return i;
    return -1;
}

idv_document_check_name_t
idv_document_reason_check(idv_document_reason_t reason)
{
    return reasons[reason].check;
}

int idv_document_reason_is_undetermined(idv_document_reason_t reason)
{
    static const idv_document_reason_t undetermined[] = {
#define X(name) IDV_DOCUMENT_REASON_##name,
        IDV_DOCUMENT_UNDETERMINED(X)
#undef X
    };

    for (int i = 0; i < COUNT(undetermined); i++)
        if (undetermined[i] == reason)
            return 1;
    return 0;
}

int idv_document_reason_is_silent(idv_document_reason_t reason)
{
    static const idv_document_reason_t silent[] = {
#define X(name) IDV_DOCUMENT_REASON_##name,
        IDV_DOCUMENT_SILENT(X)
#undef X
    };

    for (int i = 0; i < COUNT(silent); i++)
        if (silent[i] == reason)
            return 1;
    return 0;
}

int idv_document_kind_has_portrait(idv_document_kind_t kind)
{
    return kind != IDV_DOCUMENT_VISA;
}

int idv_document_source_is_on_back(idv_document_source_t source)
{
    return source == IDV_DOCUMENT_SOURCE_PDF417_AAMVA
        || source == IDV_DOCUMENT_SOURCE_MRZ_TD1;
}

static int is_card_zone(idv_document_source_t source)
{
    return source == IDV_DOCUMENT_SOURCE_MRZ_TD1
           || source == IDV_DOCUMENT_SOURCE_MRZ_TD2;
}

int idv_document_sources_are_independent(idv_document_source_t a,
                                         idv_document_source_t b)
{
    return (a == IDV_DOCUMENT_SOURCE_PDF417_AAMVA && is_card_zone(b))
           || (b == IDV_DOCUMENT_SOURCE_PDF417_AAMVA && is_card_zone(a));
}

int idv_document_check_is_due(idv_document_source_t source,
                              idv_document_check_name_t name)
{
    return (due_checks[source] >> name & 1) != 0;
}

/* --- two codes of one document --- */

/* Any letter outside of ASCII, which a zone transliterates to one to three
 * letters. */
#define FOREIGN 1
#define TRANSLITERATION_MAX 3
/* How many foreign letters of a name are tried; a longer name is compared only
 * up to the last of them. */
#define FOREIGN_MAX 6

/* The next letter at or after *TEXT in upper case, FOREIGN, or 0 at the end. */
static int next_letter(const char **text)
{
    while (**text) {
        unsigned char byte = (unsigned char)*(*text)++;
        int c = apr_toupper(byte);

        if (c >= 'A' && c <= 'Z')
            return c;
        if (byte >= 0xc0) /* the first byte of a character in UTF-8 */
            return FOREIGN;
    }
    return 0;
}

static int same_beginning(const char *a, const char *b, int tries);

/* Non-zero if A, which follows a foreign letter, continues like B after some
 * transliteration of that letter. */
static int same_behind_foreign(const char *a, const char *b, int tries)
{
    if (tries == 0)
        return 1;
    for (int i = 0; i < TRANSLITERATION_MAX; i++) {
        if (!next_letter(&b) || same_beginning(a, b, tries - 1))
            return 1;
    }
    return 0;
}

/* Non-zero if one name is a prefix of the other. */
static int same_beginning(const char *a, const char *b, int tries)
{
    for (;;) {
        const char *a_before = a, *b_before = b;
        int x = next_letter(&a), y = next_letter(&b);

        if (!x || !y)
            return 1;
        if (x == y)
            continue;
        if (x == FOREIGN)
            return same_behind_foreign(a, b_before, tries);
        if (y == FOREIGN)
            return same_behind_foreign(b, a_before, tries);
        return 0;
    }
}

/* Non-zero if the dates of birth differ in every century. Both are complete. */
static int births_differ(const idv_document_t *a, const idv_document_t *b)
{
    const idv_date_t of_a[] = {a->date_of_birth, a->earlier_birth};
    const idv_date_t of_b[] = {b->date_of_birth, b->earlier_birth};

    for (int i = 0; i < COUNT(of_a); i++)
        for (int k = 0; k < COUNT(of_b); k++)
            if (idv_date_is_complete(of_a[i]) && idv_date_is_complete(of_b[k])
                && idv_date_compare(of_a[i], of_b[k]) == 0)
                return 0;
    return 1;
}

static int dates_differ(idv_date_t a, idv_date_t b)
{
    return idv_date_is_complete(a) && idv_date_is_complete(b)
        && idv_date_compare(a, b) != 0;
}

idv_document_comparison_t idv_document_compare(const idv_document_t *a,
                                               const idv_document_t *b)
{
    if (!idv_date_is_complete(a->date_of_birth)
        || !idv_date_is_complete(b->date_of_birth))
        return IDV_DOCUMENT_NOT_COMPARED;
    if (births_differ(a, b)
        || dates_differ(a->date_of_expiry, b->date_of_expiry))
        return IDV_DOCUMENT_DIFFERS;
    if (a->surname && b->surname
        && !same_beginning(a->surname, b->surname, FOREIGN_MAX))
        return IDV_DOCUMENT_DIFFERS;
    if (a->source == b->source && a->number && b->number
        && strcmp(a->number, b->number) != 0)
        return IDV_DOCUMENT_DIFFERS;
    return IDV_DOCUMENT_MATCHES;
}

static int same_names(const char *a, const char *b)
{
    return a && b && same_beginning(a, b, FOREIGN_MAX);
}

static int same_days(idv_date_t a, idv_date_t b)
{
    return idv_date_is_complete(a) && idv_date_is_complete(b)
        && idv_date_compare(a, b) == 0;
}

int idv_document_confirms(const idv_document_t *a, const idv_document_t *b)
{
    return idv_document_compare(a, b) == IDV_DOCUMENT_MATCHES
        && idv_document_sources_are_independent(a->source, b->source)
        && a->issuing_country && b->issuing_country
        && strcmp(a->issuing_country, b->issuing_country) == 0
        && same_days(a->date_of_expiry, b->date_of_expiry)
        && same_names(a->surname, b->surname)
        && same_names(a->given_names, b->given_names)
        && (!a->sex || !b->sex || a->sex == b->sex);
}
