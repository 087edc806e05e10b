/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/document/print_dates.h"

#include <string.h>

#include <apr_lib.h>

#define COUNT(table) ((int)(sizeof(table) / sizeof(*(table))))

enum {
    PLAIN_MAX = 256, /* characters of a word, with the NUL */
    RUNS_MAX = 64,   /* of a line */
    DIGITS_MAX = 8,
    LABEL_WHOLE = 4, /* up to this many letters, a label must be a whole word */
    LABEL_WORDS = 5, /* before a date, among which its label is */
    PLACE_WORDS = 3, /* from PLACE to BIRTH in one label */
    LABEL_ABOVE = 2  /* most heights of a date between it and its label above */
};

/* A piece of a line: digits, or a word that starts like a month. */
typedef struct {
    char digits[DIGITS_MAX + 1]; /* empty: a word */
    int month;                   /* of a word; 0: none */
    int word;                    /* of the words */
} run_t;

typedef struct {
    run_t at[RUNS_MAX];
    int count;
} runs_t;

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
            name[i] = idv_print_as_letter(text[i]);
        run->month = month_of(name);
    }
    runs->count++;
}

/* Non-zero if all of TEXT looks like digits and at least one is a digit. TEXT
 * is then converted to digits. */
static int make_digits(char *text, int length)
{
    int digits = 0;

    for (int i = 0; i < length; i++) {
        digits += apr_isdigit(text[i]) != 0;
        if (!apr_isdigit(idv_print_as_digit(text[i])))
            return 0;
    }
    for (int i = 0; i < length && digits > 0; i++)
        text[i] = idv_print_as_digit(text[i]);
    return digits > 0;
}

/* Splits adjacent letters and digits: 12AUG1974 becomes three pieces. */
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
        c = idv_print_next_plain(&text);
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

static void add_date(idv_print_date_t *date, int year, int month, int day)
{
    idv_date_t one = {year, month, day};
    idv_date_t whole = one;

    if (date->is_short)
        whole.year += 2000; /* a leap year if any of the years is */
    if (!idv_date_is_complete(whole))
        return;
    for (int i = 0; i < date->count; i++)
        if (memcmp(&date->dates[i], &one, sizeof(one)) == 0)
            return;
    date->dates[date->count++] = one;
}

/* The dates that three numbers can mean in their order. */
static void read_numbers(const char *const digits[3], const int lengths[3],
                         idv_print_date_t *date)
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

/* Eight digits without recognized points, in RUN and perhaps the following
 * pieces. */
static int read_joined(const run_t *run, int left, idv_print_date_t *date)
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

/* Day, month and year with the month as a word, perhaps in two languages. */
static int read_named(const run_t *run, int left, idv_print_date_t *date)
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

/* Non-zero if no other number is next to the three at RUN, so that they are not
 * parts of two dates. */
static int stands_alone(const run_t *run, int left, int is_first)
{
    return (is_first || !run[-1].digits[0]) && (left == 3 || !run[3].digits[0]);
}

/* The date that starts with the piece at RUN. LEFT is the number of pieces left
 * in its line. Returns how many pieces the date has; 0: there is none. */
static int read_date(const run_t *run, int left, int is_first,
                     idv_print_date_t *date)
{
    int used = 0;

    *date = (idv_print_date_t){.count = 0};
    if (left >= 3 && run[0].digits[0] && run[1].digits[0] && run[2].digits[0]) {
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
    date->span =
        (idv_print_span_t){run[0].word, run[used - 1].word - run[0].word + 1};
    return used;
}

/* --- labels --- */

/* The letters of TEXT, including those that zones omit, since labels have
 * them. */
static void take_letters(const char *text, char letters[PLAIN_MAX])
{
    int length = 0;
    char c;

    while ((c = idv_print_next_plain(&text)) != 0 && length < PLAIN_MAX - 1)
        if (c != ' ')
            letters[length++] = idv_print_as_letter(c);
    letters[length] = '\0';
}

static idv_print_role_t role_of_word(const idv_print_word_t *word)
{
    static const struct {
        const char *label;
        idv_print_role_t role;
    } labels[] = {
#define X(label, role) {label, IDV_PRINT_ROLE_##role},
#include "methods/document/date_labels.def"
#undef X
    };
    char letters[PLAIN_MAX];

    take_letters(word->text, letters);
    for (int i = 0; i < COUNT(labels); i++)
        if (strlen(labels[i].label) <= LABEL_WHOLE
                ? strcmp(letters, labels[i].label) == 0
                : strstr(letters, labels[i].label) != NULL)
            return labels[i].role;
    return IDV_PRINT_ROLE_UNKNOWN;
}

/* The role that a label gives to a date, if the word I is part of that
 * label. */
static idv_print_role_t role_of_label(const idv_print_words_t *words, int i)
{
    idv_print_role_t role = role_of_word(&words->at[i]);

    if (role == IDV_PRINT_ROLE_UNKNOWN)
        return role;
    for (int k = i - 1; k >= 0 && k >= i - PLACE_WORDS
                        && words->at[k].line == words->at[i].line;
         k--)
        if (role_of_word(&words->at[k]) == IDV_PRINT_ROLE_PLACE)
            return IDV_PRINT_ROLE_PLACE;
    return role;
}

static int count_digits(const char *text)
{
    int count = 0;

    for (; *text; text++)
        count += apr_isdigit(*text) != 0;
    return count;
}

/* The label before the word FIRST in its line, with no other date in
 * between. */
static idv_print_role_t label_before(const idv_print_words_t *words, int first)
{
    for (int i = first - 1; i >= 0 && i >= first - LABEL_WORDS
                            && words->at[i].line == words->at[first].line;
         i--) {
        idv_print_role_t role = role_of_label(words, i);

        if (role != IDV_PRINT_ROLE_UNKNOWN)
            return role;
        if (count_digits(words->at[i].text) > 2)
            break;
    }
    return IDV_PRINT_ROLE_UNKNOWN;
}

/* The distance of LABEL above DATE, in pixels; -1: it is not above it. */
static int height_above(const idv_print_word_t *label,
                        const idv_print_word_t *date)
{
    int gap = date->top - (label->top + label->height);
    int is_beside = label->left > date->left + date->width
                 || label->left + label->width < date->left;

    return date->height == 0 || is_beside || gap < -date->height / 3
                || gap > LABEL_ABOVE * date->height
             ? -1
             : gap + date->height;
}

/* The nearest label above the word FIRST. */
static idv_print_role_t label_above(const idv_print_words_t *words, int first)
{
    idv_print_role_t found = IDV_PRINT_ROLE_UNKNOWN;
    int nearest = -1;

    for (int i = 0; i < words->count; i++) {
        int height = height_above(&words->at[i], &words->at[first]);
        idv_print_role_t role;

        if (height < 0 || (nearest >= 0 && height >= nearest))
            continue;
        role = role_of_label(words, i);
        if (role == IDV_PRINT_ROLE_UNKNOWN)
            continue;
        found = role;
        nearest = height;
    }
    return found;
}

static void find_label(const idv_print_words_t *words, idv_print_date_t *date)
{
    date->role = label_before(words, date->span.first);
    if (date->role == IDV_PRINT_ROLE_UNKNOWN)
        date->role = label_above(words, date->span.first);
    if (date->role == IDV_PRINT_ROLE_PLACE)
        date->role = IDV_PRINT_ROLE_UNKNOWN;
}

static void show_dates_of_line(const idv_print_words_t *words,
                               const runs_t *runs, idv_print_on_date_t *on_date,
                               void *context)
{
    for (int i = 0; i < runs->count; i++) {
        idv_print_date_t date;

        if (read_date(&runs->at[i], runs->count - i, i == 0, &date) == 0)
            continue;
        find_label(words, &date);
        on_date(context, &date);
    }
}

void idv_print_dates_read(const idv_print_words_t *words,
                          idv_print_on_date_t *on_date, void *context)
{
    runs_t runs = {.count = 0};

    for (int i = 0; i < words->count; i++) {
        add_runs(&runs, words->at[i].text, i);
        if (i + 1 == words->count
            || words->at[i + 1].line != words->at[i].line) {
            show_dates_of_line(words, &runs, on_date, context);
            runs.count = 0;
        }
    }
}
