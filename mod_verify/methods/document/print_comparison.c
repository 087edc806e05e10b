/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/document/print_comparison.h"

#include <string.h>

#include <apr_lib.h>

#include "core/word_list.h"
#include "methods/document/print_dates.h"

#define COUNT(table) ((int)(sizeof(table) / sizeof(*(table))))

enum {
    /* Print with at least this many words that were recognized well, or this
     * many dates, can show that the document is somebody else's. */
    LEGIBLE_WORDS = 10,
    LEGIBLE_DATES = 2,
    WORD_LEAST = 3, /* letters and digits of such a word */
    /* A passport's issue is at most this many years before its expiry ... */
    PASSPORT_YEARS = 11,
    /* ... that of another document this many ... */
    OTHER_YEARS = 21,
    /* ... and a date this many years before the issue can only be a birth. */
    LICENCE_YEARS = 13,
    LIFE_YEARS = 120
};

static const double well = IDV_PRINT_CONFIDENCE_WELL;

static const char *const field_codes[] = {
#define X(name, code) code,
    IDV_PRINT_FIELDS(X)
#undef X
};

static const char *const verdict_codes[] = {
#define X(name, code) code,
    IDV_PRINT_VERDICTS(X)
#undef X
};

const char *idv_print_field_code(idv_print_field_t field)
{
    return field_codes[field];
}

const char *idv_print_verdict_code(idv_print_verdict_t verdict)
{
    return verdict_codes[verdict];
}

int idv_print_verdict_find(const char *code)
{
    return idv_word_find(verdict_codes, COUNT(verdict_codes), code);
}

/* --- evidence of dates --- */

enum { BIRTH, ISSUE, EXPIRY, KNOWN_COUNT };

typedef struct {
    const idv_print_words_t *words;
    const idv_document_t *document;
    idv_date_t known[KNOWN_COUNT]; /* year 0: unknown */
    idv_date_t today;
    int words_read, dates_read; /* well */
    int holder_agrees;          /* by a date whose meaning is known */
    idv_print_comparison_t *comparison;
} comparing_t;

static const idv_print_field_t field_of[KNOWN_COUNT] = {
    IDV_PRINT_DATE_OF_BIRTH, IDV_PRINT_DATE_OF_ISSUE, IDV_PRINT_DATE_OF_EXPIRY};

static const idv_print_role_t role_of_field[KNOWN_COUNT] = {
    IDV_PRINT_ROLE_BIRTH, IDV_PRINT_ROLE_ISSUE, IDV_PRINT_ROLE_EXPIRY};

/* A zone has no century, so its dates match any century. */
static int may_be(const idv_print_date_t *date, idv_date_t known,
                  int is_of_zone)
{
    if (!idv_date_is_complete(known))
        return 0;
    for (int i = 0; i < date->count; i++) {
        idv_date_t one = date->dates[i];

        if (one.month == known.month && one.day == known.day
            && one.year % 100 == known.year % 100
            && (one.year == known.year || date->is_short || is_of_zone))
            return 1;
    }
    return 0;
}

static int is_of_zone(const comparing_t *comparing)
{
    return comparing->document->source != IDV_DOCUMENT_SOURCE_PDF417_AAMVA;
}

/* The earliest day on which the document may have been issued. */
static idv_date_t earliest_issue(const comparing_t *comparing)
{
    idv_date_t day = comparing->known[ISSUE];
    int is_passport = comparing->document->kind == IDV_DOCUMENT_PASSPORT;

    if (day.year != 0) {
        day.year -= LICENCE_YEARS;
        return day;
    }
    day = comparing->known[EXPIRY];
    if (day.year == 0)
        day = comparing->today;
    day.year -= is_passport ? PASSPORT_YEARS : OTHER_YEARS;
    return day;
}

/* Non-zero if, in the year of DATE, the holder reaches an age for which
 * licences of young people show a date: "under 18, 19 or 21 until". */
static int is_coming_of_age(const comparing_t *comparing, idv_date_t date)
{
    static const int ages[] = {18, 19, 21};
    idv_date_t birth = comparing->known[BIRTH];

    for (int i = 0; i < COUNT(ages); i++)
        if (date.year == birth.year + ages[i])
            return 1;
    return 0;
}

static int is_printed_well(const comparing_t *comparing,
                           const idv_print_date_t *date)
{
    double least = 1;

    for (int i = 0; i < date->span.count; i++) {
        const idv_print_word_t *word =
            &comparing->words->at[date->span.first + i];

        least = word->confidence < least ? word->confidence : least;
    }
    return date->is_certain && least >= well;
}

/* Non-zero if DATE, in all its readings, can only be a date of birth: it is too
 * early for an issue. */
static int is_too_early(const comparing_t *comparing,
                        const idv_print_date_t *date)
{
    idv_date_t earliest = earliest_issue(comparing);

    for (int i = 0; i < date->count; i++) {
        idv_date_t one =
            date->is_short ? comparing->known[BIRTH] : date->dates[i];

        if (idv_date_compare(one, earliest) >= 0
            || one.year <= comparing->today.year - LIFE_YEARS)
            return 0;
    }
    return 1;
}

/* Non-zero if DATE can only be a date of expiry. */
static int is_to_come(const comparing_t *comparing,
                      const idv_print_date_t *date)
{
    for (int i = 0; i < date->count; i++) {
        idv_date_t one =
            date->is_short ? comparing->known[EXPIRY] : date->dates[i];

        if (idv_date_compare(one, comparing->today) <= 0
            || !idv_document_expiry_is_plausible(one, comparing->today)
            || is_coming_of_age(comparing, one))
            return 0;
    }
    return 1;
}

/* Non-zero if DATE is in the past, but within a lifetime. */
static int is_of_a_life(const comparing_t *comparing,
                        const idv_print_date_t *date)
{
    for (int i = 0; i < date->count; i++)
        if (idv_date_compare(date->dates[i], comparing->today) > 0
            || date->dates[i].year <= comparing->today.year - LIFE_YEARS)
            return 0;
    return 1;
}

/* The role of DATE, by its label or else by its value. */
static idv_print_role_t role_of(const comparing_t *comparing,
                                const idv_print_date_t *date)
{
    if (date->role != IDV_PRINT_ROLE_UNKNOWN)
        return date->role;
    if (is_too_early(comparing, date))
        return IDV_PRINT_ROLE_BIRTH;
    return is_to_come(comparing, date) ? IDV_PRINT_ROLE_EXPIRY
                                       : IDV_PRINT_ROLE_UNKNOWN;
}

/* Non-zero if DATE can only be a different value of the known date. */
static int speaks_against(const comparing_t *comparing, int which,
                          const idv_print_date_t *date)
{
    if (!is_printed_well(comparing, date)
        || !idv_date_is_complete(comparing->known[which]))
        return 0;
    for (int i = 0; i < KNOWN_COUNT; i++)
        if (may_be(date, comparing->known[i], is_of_zone(comparing)))
            return 0;
    if (which == BIRTH)
        return is_too_early(comparing, date)
            || (date->role == IDV_PRINT_ROLE_BIRTH
                && is_of_a_life(comparing, date));
    return which == EXPIRY && is_to_come(comparing, date);
}

static int is_among(const idv_print_date_t *date, idv_date_t day)
{
    for (int i = 0; i < date->count; i++)
        if (idv_date_is_complete(day)
            && idv_date_compare(date->dates[i], day) == 0)
            return 1;
    return 0;
}

/* Records the evidence of DATE about the century of the birth. */
static void note_century(comparing_t *comparing, const idv_print_date_t *date)
{
    const idv_document_t *document = comparing->document;
    unsigned *seen = &comparing->comparison->verdicts.dates;

    if (document->earlier_birth.year == 0 || !is_printed_well(comparing, date))
        return;
    if (is_among(date, document->earlier_birth))
        *seen |= IDV_PRINT_SAW_EARLIER;
    else if (is_among(date, document->date_of_birth))
        *seen |= date->role == IDV_PRINT_ROLE_BIRTH
                   ? IDV_PRINT_SAW_LATER | IDV_PRINT_SAW_ISSUE
                   : IDV_PRINT_SAW_LATER;
    else if (idv_date_compare(date->dates[0], comparing->today) <= 0
             && idv_date_compare(date->dates[0], earliest_issue(comparing))
                    >= 0)
        *seen |= IDV_PRINT_SAW_ISSUE;
}

/* Non-zero if a label shows that DATE is not that of field WHICH. */
static int is_labelled_otherwise(const idv_print_date_t *date, int which)
{
    return date->role != IDV_PRINT_ROLE_UNKNOWN
        && date->role != role_of_field[which];
}

static void weigh_date(void *context, const idv_print_date_t *date)
{
    comparing_t *comparing = context;
    idv_print_role_t role = role_of(comparing, date);

    note_century(comparing, date);
    comparing->dates_read += is_printed_well(comparing, date);
    for (int i = 0; i < KNOWN_COUNT; i++) {
        idv_print_field_t field = field_of[i];
        idv_print_verdict_t *verdict =
            &comparing->comparison->verdicts.of[field];

        if (may_be(date, comparing->known[i], is_of_zone(comparing))
            && !is_labelled_otherwise(date, i)) {
            *verdict = IDV_PRINT_CONSISTENT;
            comparing->comparison->against[field] = (idv_print_span_t){0, 0};
            comparing->holder_agrees |= i != ISSUE && role == role_of_field[i];
        } else if (*verdict == IDV_PRINT_UNDETERMINED
                   && speaks_against(comparing, i, date)) {
            *verdict = IDV_PRINT_CONTRADICTED;
            comparing->comparison->against[field] = date->span;
        }
    }
}

/* --- the overall result --- */

static int is_read_well(const idv_print_word_t *word)
{
    int length = 0;

    for (const char *c = word->text; *c; c++)
        length += apr_isalnum(*c) != 0;
    return word->confidence >= well && length >= WORD_LEAST;
}

static idv_print_verdict_t verdict_on_name(const idv_print_words_t *words,
                                           const char *name, int only_first)
{
    return idv_print_has_name(words, name, only_first) ? IDV_PRINT_CONSISTENT
                                                       : IDV_PRINT_UNDETERMINED;
}

/* Legible print names the holder, or shows one of the holder's dates. */
static idv_print_verdict_t verdict_on_holder(const comparing_t *comparing)
{
    const idv_print_verdict_t *of = comparing->comparison->verdicts.of;

    if (of[IDV_PRINT_SURNAME] == IDV_PRINT_CONSISTENT
        || comparing->holder_agrees)
        return IDV_PRINT_CONSISTENT;
    return comparing->words_read >= LEGIBLE_WORDS
                || comparing->dates_read >= LEGIBLE_DATES
             ? IDV_PRINT_CONTRADICTED
             : IDV_PRINT_UNDETERMINED;
}

static void compare_number(const comparing_t *comparing)
{
    idv_print_comparison_t *comparison = comparing->comparison;
    int found =
        idv_print_seek_number(comparing->words, comparing->document->number,
                              &comparison->against[IDV_PRINT_NUMBER]);

    if (found != 0)
        comparison->verdicts.of[IDV_PRINT_NUMBER] =
            found > 0 ? IDV_PRINT_CONSISTENT : IDV_PRINT_CONTRADICTED;
}

void idv_print_compare(const idv_document_t *document,
                       const idv_print_words_t *words, idv_date_t today,
                       idv_print_comparison_t *comparison)
{
    comparing_t comparing = {.words = words,
                             .document = document,
                             .known = {document->date_of_birth,
                                       document->date_of_issue,
                                       document->date_of_expiry},
                             .today = today,
                             .comparison = comparison};
    idv_print_verdict_t *of = comparison->verdicts.of;

    memset(comparison, 0, sizeof(*comparison));
    /* For a person without a surname, the other name is searched. */
    of[IDV_PRINT_SURNAME] = verdict_on_name(
        words, document->surname ? document->surname : document->given_names,
        0);
    of[IDV_PRINT_GIVEN_NAMES] =
        verdict_on_name(words, document->given_names, 1);
    compare_number(&comparing);
    idv_print_dates_read(words, weigh_date, &comparing);
    for (int i = 0; i < words->count; i++)
        comparing.words_read += is_read_well(&words->at[i]);
    of[IDV_PRINT_HOLDER] = verdict_on_holder(&comparing);
}

void idv_print_add(idv_print_verdicts_t *all, const idv_print_verdicts_t *one)
{
    for (int i = 0; i < IDV_PRINT_FIELD_COUNT; i++)
        if (one->of[i] > all->of[i])
            all->of[i] = one->of[i];
    all->dates |= one->dates;
}

void idv_print_settle_birth(const idv_print_verdicts_t *verdicts,
                            idv_document_t *document)
{
    int is_earlier = (verdicts->dates & IDV_PRINT_SAW_EARLIER) != 0;
    int is_later = (verdicts->dates & IDV_PRINT_SAW_LATER) != 0
                && (verdicts->dates & IDV_PRINT_SAW_ISSUE) != 0;

    if (document->earlier_birth.year == 0
        || (is_earlier && (verdicts->dates & IDV_PRINT_SAW_LATER)))
        return;
    if (is_earlier)
        document->date_of_birth = document->earlier_birth;
    if (is_earlier || is_later)
        document->earlier_birth.year = 0;
}

idv_print_verdict_t idv_print_conclude(const idv_print_verdicts_t *verdicts)
{
    const idv_print_verdict_t *of = verdicts->of;

    for (int i = 0; i < IDV_PRINT_FIELD_COUNT; i++)
        if (of[i] == IDV_PRINT_CONTRADICTED)
            return IDV_PRINT_CONTRADICTED;
    return of[IDV_PRINT_SURNAME] == IDV_PRINT_CONSISTENT
                && of[IDV_PRINT_DATE_OF_BIRTH] == IDV_PRINT_CONSISTENT
                && (of[IDV_PRINT_NUMBER] == IDV_PRINT_CONSISTENT
                    || of[IDV_PRINT_DATE_OF_EXPIRY] == IDV_PRINT_CONSISTENT)
             ? IDV_PRINT_CONSISTENT
             : IDV_PRINT_UNDETERMINED;
}
