/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/document/print_comparison.h"

#include <string.h>

#include <apr_lib.h>

#include "core/word_list.h"

#define COUNT(table) ((int)(sizeof(table) / sizeof(*(table))))

enum {
    PLAIN_MAX = 256,     /* characters of a line or value, with the NUL */
    NAME_WORDS_MAX = 4,  /* side by side that a name may have become */
    NAME_TOLERANCE = 5,  /* letters for each that may differ */
    NAME_EXACT = 4,      /* letters of a name in which none may differ */
    NUMBER_LEAST = 6,    /* characters of a number that is sought within others */
    NUMBER_TOLERANT = 9, /* of one in which one may differ */
    NUMBER_PATTERN = 7,  /* of one that another may contradict */
    RUNS_MAX = 64,       /* of a line */
    DIGITS_MAX = 8,
    /* Before its end of validity, no passport was issued earlier ... */
    PASSPORT_YEARS = 11,
    /* ... nor another document ... */
    OTHER_YEARS = 21,
    /* ... and before its issue, nothing but a birth lies so many years back. */
    LICENCE_YEARS = 13
};

/* The confidence from which on a word is recognized well. */
static const double well = 0.8;

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

/* --- characters --- */

/* U+00C0 to U+017F without their marks. */
static const char base_letters[] =
    "AAAAAAACEEEEIIIIDNOOOOO OUUUUYTSAAAAAAACEEEEIIIIDNOOOOO OUUUUYTY"
    "AAAAAACCCCCCCCDDDDEEEEEEEEEEGGGGGGGGHHHHIIIIIIIIIIIIJJKKK"
    "LLLLLLLLLLNNNNNNNNNOOOOOOOORRRRRRSSSSSSSSTTTTTTUUUUUUUUUUUUWWYYYZZZZZZS";

_Static_assert(sizeof(base_letters) == 0x180 - 0xc0 + 1, "a letter each");

/* The next character of *TEXT as a capital of A to Z or a digit; a space for
 * anything else, 0 at the end. */
static char next_plain(const char **text)
{
    unsigned char byte = (unsigned char)*(*text)++;
    int point;

    if (!byte) {
        --*text;
        return 0;
    }
    if (byte < 0x80)
        return apr_isalnum(byte) ? (char)apr_toupper(byte) : ' ';
    if (byte < 0xc3 || byte > 0xc5 || ((unsigned char)**text & 0xc0) != 0x80)
        return ' ';
    point = (byte & 0x1f) << 6 | ((unsigned char)*(*text)++ & 0x3f);
    return base_letters[point - 0xc0];
}

/* C for something that looks like it, out of pairs of the two. */
static char look_up(const char *pairs, char c)
{
    for (; *pairs; pairs += 2)
        if (pairs[0] == c)
            return pairs[1];
    return c;
}

static const char letter_of_digit[] = "0O1I5S8B6G2Z";
static const char digit_of_letter[] = "O0Q0D0I1L1Z2S5B8G6";

/* --- names --- */

/* Appends the letters of one word, which ends at a space or the end of *TEXT, as
 * they are compared: AE, OE and UE as one vowel, SS as S, since zones and readers
 * write the one for the other. A number alone is none: "50" is no SO. */
static void append_letters(const char **text, char *letters, int *length)
{
    static const char *const pairs[] = {"AE", "OE", "UE", "SS"};
    int begin = *length, is_word = 0;
    char c;

    while ((c = next_plain(text)) != 0 && c != ' ') {
        int is_second = 0;

        is_word |= apr_isalpha(c) != 0;
        c = look_up(letter_of_digit, c);
        if (!apr_isalpha(c) || *length >= PLAIN_MAX - 1)
            continue;
        for (int i = 0; i < COUNT(pairs) && *length > begin; i++)
            is_second |= letters[*length - 1] == pairs[i][0]
                      && c == pairs[i][1];
        if (!is_second)
            letters[(*length)++] = c;
    }
    if (!is_word)
        *length = begin;
    letters[*length] = '\0';
}

/* The letters of all words of TEXT, joined. */
static int join_letters(const char *text, char *letters, int length)
{
    while (*text)
        append_letters(&text, letters, &length);
    letters[length] = '\0';
    return length;
}

/* How many letters have to be changed, added or left out to make B of A; MOST + 1
 * when they are more than MOST. */
static int distance(const char *a, const char *b, int most)
{
    int la = (int)strlen(a), lb = (int)strlen(b);
    int row[PLAIN_MAX];

    if (la - lb > most || lb - la > most)
        return most + 1;
    for (int k = 0; k <= lb; k++)
        row[k] = k;
    for (int i = 1; i <= la; i++) {
        int diagonal = row[0];

        row[0] = i;
        for (int k = 1; k <= lb; k++) {
            int changed = diagonal + (a[i - 1] != b[k - 1]);
            int other = (row[k] < row[k - 1] ? row[k] : row[k - 1]) + 1;

            diagonal = row[k];
            row[k] = changed < other ? changed : other;
        }
    }
    return row[lb] < most ? row[lb] : row[lb] == most ? most : most + 1;
}

/* Non-zero when the letters of NAME stand in words side by side. */
static int has_letters(const idv_print_words_t *words, const char *name)
{
    int length = (int)strlen(name);
    int most = length <= NAME_EXACT ? 0 : length / NAME_TOLERANCE;

    for (int i = 0; i < words->count; i++) {
        char found[PLAIN_MAX] = "";
        int end = 0;

        for (int k = i; k < words->count && k < i + NAME_WORDS_MAX
                        && words->at[k].line == words->at[i].line
                        && end <= length + most;
             k++) {
            end = join_letters(words->at[k].text, found, end);
            if (distance(name, found, most) <= most)
                return 1;
        }
    }
    return 0;
}

/* Non-zero when each word of NAME, or only the first, is found by itself. */
static int has_words(const idv_print_words_t *words, const char *name,
                     int only_first)
{
    int found = 0;

    while (*name) {
        char letters[PLAIN_MAX] = "";
        int length = 0;

        append_letters(&name, letters, &length);
        if (length < 2)
            continue;
        if (!has_letters(words, letters))
            return 0;
        found = 1;
        if (only_first)
            break;
    }
    return found;
}

static idv_print_verdict_t seek_name(const idv_print_words_t *words,
                                     const char *name, int only_first)
{
    char letters[PLAIN_MAX] = "";

    if (!name || join_letters(name, letters, 0) < 2)
        return IDV_PRINT_UNDETERMINED;
    return has_letters(words, letters) || has_words(words, name, only_first)
               ? IDV_PRINT_CONSISTENT
               : IDV_PRINT_UNDETERMINED;
}

/* --- numbers --- */

/* Appends letters and digits, with what looks alike written alike when IS_FOLDED. */
static int join_number(const char *text, int is_folded, char *number,
                       int length)
{
    char c;

    while ((c = next_plain(&text)) != 0 && length < PLAIN_MAX - 1)
        if (c != ' ')
            number[length++] = is_folded ? look_up(digit_of_letter, c) : c;
    number[length] = '\0';
    return length;
}

/* How many characters differ; at least MOST + 1 when they are more than MOST. */
static int count_differing(const char *a, const char *b, int length, int most)
{
    int count = 0;

    for (int i = 0; i < length && count <= most; i++)
        count += a[i] != b[i];
    return count;
}

/* Non-zero when NUMBER stands among the words from FIRST on, which are a line. */
static int line_has_number(const idv_print_words_t *words, int first,
                           const char *number)
{
    int line = words->at[first].line, sought = (int)strlen(number), length = 0;
    char joined[PLAIN_MAX] = "";
    double least = 1;
    int most;

    for (int i = first; i < words->count && words->at[i].line == line; i++) {
        const idv_print_word_t *word = &words->at[i];
        int before = length;

        length = join_number(word->text, 1, joined, length);
        if (length - before == sought && strcmp(joined + before, number) == 0)
            return 1;
        least = word->confidence < least ? word->confidence : least;
    }
    if (sought < NUMBER_LEAST)
        return 0;
    most = sought >= NUMBER_TOLERANT && least < well;
    for (int i = 0; i + sought <= length; i++)
        if (count_differing(joined + i, number, sought, most) <= most)
            return 1;
    return 0;
}

/* Non-zero when WORD is written like NUMBER, a letter for each letter and a digit
 * for each digit, and is another. */
static int is_other_number(const idv_print_word_t *word, const char *number)
{
    char other[PLAIN_MAX];
    int length = join_number(word->text, 0, other, 0), letters = 0, digits = 0;

    if (word->confidence < well || length < NUMBER_PATTERN
        || length != (int)strlen(number))
        return 0;
    for (int i = 0; i < length; i++) {
        if (!apr_isdigit(other[i]) != !apr_isdigit(number[i]))
            return 0;
        letters += !apr_isdigit(number[i]);
        digits += apr_isdigit(number[i]) != 0;
    }
    return letters > 0 && digits > letters && strcmp(other, number) != 0;
}

static idv_print_verdict_t seek_number(const idv_print_words_t *words,
                                       const char *number,
                                       idv_print_span_t *against)
{
    char plain[PLAIN_MAX], folded[PLAIN_MAX];

    if (!number || join_number(number, 1, folded, 0) < 4)
        return IDV_PRINT_UNDETERMINED;
    join_number(number, 0, plain, 0);
    for (int i = 0; i < words->count; i++)
        if ((i == 0 || words->at[i].line != words->at[i - 1].line)
            && line_has_number(words, i, folded))
            return IDV_PRINT_CONSISTENT;
    for (int i = 0; i < words->count; i++)
        if (is_other_number(&words->at[i], plain)) {
            *against = (idv_print_span_t){i, 1};
            return IDV_PRINT_CONTRADICTED;
        }
    return IDV_PRINT_UNDETERMINED;
}

/* --- dates --- */

/* A piece of a line: digits alone, or a word that begins like a month. */
typedef struct {
    char digits[DIGITS_MAX + 1]; /* empty: a word */
    int month; /* of a word; 0: none */
    int word;  /* of the words */
} run_t;

typedef struct {
    run_t at[RUNS_MAX];
    int count;
} runs_t;

/* What a date may be that was recognized. */
typedef struct {
    idv_date_t dates[3];
    int count;
    int is_short;   /* two digits of the year */
    int is_certain; /* its pieces are one date and not parts of two */
    idv_print_span_t span;
} printed_date_t;

static int month_of(const char *name)
{
    static const struct {
        const char *beginning;
        int month;
    } months[] = {
#define X(beginning, month) {beginning, month},
#include "methods/document/months.def"
#undef X
    };

    for (int i = 0; i < COUNT(months); i++)
        if (strncmp(name, months[i].beginning, strlen(months[i].beginning))
            == 0)
            return months[i].month;
    return 0;
}

static void add_run(runs_t *runs, const char *text, int length, int word)
{
    run_t *run = &runs->at[runs->count];

    if (length == 0 || runs->count == RUNS_MAX)
        return;
    *run = (run_t){.word = word};
    if (apr_isdigit(*text) && length <= DIGITS_MAX) {
        memcpy(run->digits, text, (size_t)length);
    } else {
        char name[PLAIN_MAX] = "";

        for (int i = 0; i < length; i++)
            name[i] = look_up(letter_of_digit, text[i]);
        run->month = month_of(name);
    }
    runs->count++;
}

/* Non-zero when all of TEXT looks like digits and one of it is; then it is made
 * of digits. */
static int make_digits(char *text, int length)
{
    int digits = 0;

    for (int i = 0; i < length; i++) {
        digits += apr_isdigit(text[i]) != 0;
        if (!apr_isdigit(look_up(digit_of_letter, text[i])))
            return 0;
    }
    for (int i = 0; i < length && digits > 0; i++)
        text[i] = look_up(digit_of_letter, text[i]);
    return digits > 0;
}

/* Splits letters and digits that stand together: 12AUG1974 are three pieces. */
static void add_chunk(runs_t *runs, char *text, int length, int word)
{
    int begin = 0;

    if (make_digits(text, length)) {
        add_run(runs, text, length, word);
        return;
    }
    for (int i = 1; i <= length; i++)
        if (i == length || !apr_isdigit(text[i]) != !apr_isdigit(text[i - 1])) {
            add_run(runs, text + begin, i - begin, word);
            begin = i;
        }
}

static void add_runs(runs_t *runs, const char *text, int word)
{
    char chunk[PLAIN_MAX];
    int length = 0;
    char c;

    do {
        c = next_plain(&text);
        if (c != 0 && c != ' ' && length < PLAIN_MAX - 1) {
            chunk[length++] = c;
        } else {
            add_chunk(runs, chunk, length, word);
            length = 0;
        }
    } while (c != 0);
}

static int number_of(const char *digits, int length)
{
    int value = 0;

    for (int i = 0; i < length; i++)
        value = value * 10 + digits[i] - '0';
    return value;
}

static void add_date(printed_date_t *date, int year, int month, int day)
{
    idv_date_t one = {year, month, day};
    idv_date_t whole = one;

    if (date->is_short)
        whole.year += 2000; /* a year that has a 29 February where any has */
    if (!idv_date_is_complete(whole))
        return;
    for (int i = 0; i < date->count; i++)
        if (memcmp(&date->dates[i], &one, sizeof(one)) == 0)
            return;
    date->dates[date->count++] = one;
}

/* The dates of three numbers in the order in which they stand. */
static void read_numbers(const char *const digits[3], const int lengths[3],
                         printed_date_t *date)
{
    int a = number_of(digits[0], lengths[0]);
    int b = number_of(digits[1], lengths[1]);
    int c = number_of(digits[2], lengths[2]);

    if (lengths[0] == 4 && lengths[1] <= 2 && lengths[2] <= 2) {
        add_date(date, a, b, c);
    } else if (lengths[0] <= 2 && lengths[1] <= 2
               && (lengths[2] == 4 || lengths[2] == 2)) {
        date->is_short = lengths[2] == 2;
        add_date(date, c, b, a);
        add_date(date, c, a, b);
        if (date->is_short && lengths[0] == 2)
            add_date(date, a, b, c);
    }
}

/* Eight digits whose points were not seen, RUN and perhaps those behind it. */
static int read_joined(const run_t *run, int left, printed_date_t *date)
{
    char all[DIGITS_MAX + 1] = "";
    int used = 0, length = 0;

    while (used < left && used < 2 && run[used].digits[0]) {
        int more = (int)strlen(run[used].digits);

        if (length + more > DIGITS_MAX)
            break;
        memcpy(all + length, run[used++].digits, (size_t)more);
        length += more;
    }
    if (length != DIGITS_MAX || (used == 2 && run[0].word != run[1].word))
        return 0;
    read_numbers((const char *const[]){all, all + 2, all + 4},
                 (const int[]){2, 2, 4}, date);
    read_numbers((const char *const[]){all, all + 4, all + 6},
                 (const int[]){4, 2, 2}, date);
    return used;
}

/* Day, month and year where the month is a word, perhaps in two languages. */
static int read_named(const run_t *run, int left, printed_date_t *date)
{
    int first = run[0].month ? 0 : 1, last = first, day, year;

    if (left < first + 1 || (first == 1 && !run[0].digits[0]))
        return 0;
    while (last < left && !run[last].digits[0] && last < first + 2)
        last++;
    day = first == 1 ? 0 : last++;
    if (last >= left || last == first)
        return 0;
    year = (int)strlen(run[last].digits);
    if (!run[day].digits[0] || strlen(run[day].digits) > 2
        || (year != 2 && year != 4))
        return 0;
    date->is_short = year == 2;
    for (int i = first; i < last; i++)
        if (run[i].month)
            add_date(date, number_of(run[last].digits, year), run[i].month,
                     number_of(run[day].digits, (int)strlen(run[day].digits)));
    date->is_certain = !date->is_short && date->count == 1;
    return last + 1;
}

/* Non-zero when no other number stands beside the three at RUN, so that they are not
 * parts of two dates. */
static int stands_alone(const run_t *run, int left, int is_first)
{
    return (is_first || !run[-1].digits[0])
        && (left == 3 || !run[3].digits[0]);
}

/* The date that begins with the piece at RUN, of which LEFT are left in its line;
 * returns how many pieces it is made of, 0: there is none. */
static int read_date(const run_t *run, int left, int is_first,
                     printed_date_t *date)
{
    int used = 0;

    *date = (printed_date_t){.count = 0};
    if (left >= 3 && run[0].digits[0] && run[1].digits[0]
        && run[2].digits[0]) {
        const char *const digits[] = {run[0].digits, run[1].digits,
                                      run[2].digits};
        const int lengths[] = {(int)strlen(digits[0]), (int)strlen(digits[1]),
                               (int)strlen(digits[2])};

        read_numbers(digits, lengths, date);
        date->is_certain =
            !date->is_short
            && (run[0].word == run[2].word
                || (lengths[2] == 4 && stands_alone(run, left, is_first)));
        used = date->count > 0 ? 3 : 0;
    }
    if (used == 0)
        used = read_joined(run, left, date);
    if (used == 0)
        used = read_named(run, left, date);
    if (date->count == 0)
        return 0;
    date->span = (idv_print_span_t){
        run[0].word, run[used - 1].word - run[0].word + 1};
    return used;
}

/* --- what dates say --- */

enum { BIRTH, ISSUE, EXPIRY, KNOWN_COUNT };

typedef struct {
    const idv_print_words_t *words;
    const idv_document_t *document;
    idv_date_t known[KNOWN_COUNT]; /* year 0: not known */
    idv_date_t today;
    idv_print_comparison_t *comparison;
} comparing_t;

static const idv_print_field_t field_of[KNOWN_COUNT] = {
    IDV_PRINT_DATE_OF_BIRTH, IDV_PRINT_DATE_OF_ISSUE,
    IDV_PRINT_DATE_OF_EXPIRY};

/* A zone has no century, so that it agrees with any. */
static int may_be(const printed_date_t *date, idv_date_t known, int is_of_zone)
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

/* The day from which on the document may have been issued. */
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

/* Whether the holder reaches, in the year of DATE, an age that licences of the
 * young print a day for: "under 18, 19 or 21 until". */
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
                           const printed_date_t *date)
{
    double least = 1;

    for (int i = 0; i < date->span.count; i++) {
        const idv_print_word_t *word =
            &comparing->words->at[date->span.first + i];

        least = word->confidence < least ? word->confidence : least;
    }
    return date->is_certain && least >= well;
}

/* Non-zero when DATE can be nothing but another date than the known one. */
static int speaks_against(const comparing_t *comparing, int which,
                          const printed_date_t *date)
{
    idv_date_t earliest = earliest_issue(comparing);

    if (!is_printed_well(comparing, date)
        || !idv_date_is_complete(comparing->known[which]))
        return 0;
    for (int i = 0; i < KNOWN_COUNT; i++)
        if (may_be(date, comparing->known[i], is_of_zone(comparing)))
            return 0;
    for (int i = 0; i < date->count; i++) {
        idv_date_t one = date->dates[i];
        int is_birth = idv_date_compare(one, earliest) < 0
                    && one.year > comparing->today.year - 120;
        int is_expiry = idv_date_compare(one, comparing->today) > 0
                     && idv_document_expiry_is_plausible(one, comparing->today)
                     && !is_coming_of_age(comparing, one);

        if (!(which == BIRTH ? is_birth : which == EXPIRY && is_expiry))
            return 0;
    }
    return 1;
}

static int is_among(const printed_date_t *date, idv_date_t day)
{
    for (int i = 0; i < date->count; i++)
        if (idv_date_is_complete(day)
            && idv_date_compare(date->dates[i], day) == 0)
            return 1;
    return 0;
}

/* What DATE says about the century of the birth. */
static void note_century(comparing_t *comparing, const printed_date_t *date)
{
    const idv_document_t *document = comparing->document;
    unsigned *seen = &comparing->comparison->verdicts.dates;

    if (document->earlier_birth.year == 0 || !is_printed_well(comparing, date))
        return;
    if (is_among(date, document->earlier_birth))
        *seen |= IDV_PRINT_SAW_EARLIER;
    else if (is_among(date, document->date_of_birth))
        *seen |= IDV_PRINT_SAW_LATER;
    else if (idv_date_compare(date->dates[0], comparing->today) <= 0
             && idv_date_compare(date->dates[0], earliest_issue(comparing)) >= 0)
        *seen |= IDV_PRINT_SAW_ISSUE;
}

static void weigh_date(comparing_t *comparing, const printed_date_t *date)
{
    note_century(comparing, date);
    for (int i = 0; i < KNOWN_COUNT; i++) {
        idv_print_field_t field = field_of[i];
        idv_print_verdict_t *verdict =
            &comparing->comparison->verdicts.of[field];

        if (may_be(date, comparing->known[i], is_of_zone(comparing))) {
            *verdict = IDV_PRINT_CONSISTENT;
            comparing->comparison->against[field] =
                (idv_print_span_t){0, 0};
        } else if (*verdict == IDV_PRINT_UNDETERMINED
                   && speaks_against(comparing, i, date)) {
            *verdict = IDV_PRINT_CONTRADICTED;
            comparing->comparison->against[field] = date->span;
        }
    }
}

static void weigh_dates_of_line(comparing_t *comparing, const runs_t *runs)
{
    for (int i = 0; i < runs->count; i++) {
        printed_date_t date;

        if (read_date(&runs->at[i], runs->count - i, i == 0, &date) > 0)
            weigh_date(comparing, &date);
    }
}

static void seek_dates(comparing_t *comparing)
{
    const idv_print_words_t *words = comparing->words;
    runs_t runs = {.count = 0};

    for (int i = 0; i < words->count; i++) {
        add_runs(&runs, words->at[i].text, i);
        if (i + 1 == words->count
            || words->at[i + 1].line != words->at[i].line) {
            weigh_dates_of_line(comparing, &runs);
            runs.count = 0;
        }
    }
}

void idv_print_compare(const idv_document_t *document,
                       const idv_print_words_t *words, idv_date_t today,
                       idv_print_comparison_t *comparison)
{
    comparing_t comparing = {
        words, document,
        {document->date_of_birth, document->date_of_issue,
         document->date_of_expiry},
        today, comparison};
    idv_print_verdict_t *of = comparison->verdicts.of;

    memset(comparison, 0, sizeof(*comparison));
    /* Who has no surname is found by the other name. */
    of[IDV_PRINT_SURNAME] =
        seek_name(words,
                  document->surname ? document->surname : document->given_names,
                  0);
    of[IDV_PRINT_GIVEN_NAMES] = seek_name(words, document->given_names, 1);
    of[IDV_PRINT_NUMBER] =
        seek_number(words, document->number,
                    &comparison->against[IDV_PRINT_NUMBER]);
    seek_dates(&comparing);
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
