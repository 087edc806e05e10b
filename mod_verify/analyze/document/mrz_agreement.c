/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/document/mrz_agreement.h"

#include <math.h>
#include <string.h>

enum {
    MAX_DIFFERENCES = IDV_MRZ_MAX_REPAIRS,
    LEAST_FILLER_RUN = 3, /* whose length OCR may have miscounted ... */
    MAX_LENGTH_ERROR = 4  /* ... by so many */
};
/* The least log-probability of a character that the classifier must choose
 * because of the field's type. */
#define LEAST_FORCED_LOG (-3.0f)

typedef struct {
    int row, column;
    char choices[2]; /* the OCR's and the classifier's */
} difference_t;

/* ---- types of fields ---- */

static const char LOOKS_LIKE_DIGIT[][2] = {
    {'O', '0'}, {'D', '0'}, {'Q', '0'}, {'U', '0'}, {'I', '1'}, {'L', '1'},
    {'Z', '2'}, {'S', '5'}, {'B', '8'}, {'G', '6'}, {'A', '4'}, {'T', '7'}};
static const char LOOKS_LIKE_LETTER[][2] = {{'0', 'O'}, {'1', 'I'}, {'2', 'Z'},
                                            {'5', 'S'}, {'8', 'B'}, {'6', 'G'},
                                            {'4', 'A'}, {'7', 'T'}};

static char look_up(const char (*pairs)[2], size_t count, char c)
{
    for (size_t i = 0; i < count; i++)
        if (pairs[i][0] == c)
            return pairs[i][1];
    return c;
}

/* C as a character of CHARSET, or 0 if C cannot stand for one. */
static char normalize(idv_mrz_charset_t charset, char c)
{
    char other;

    if (idv_mrz_charset_has(charset, c))
        return c;
    other = c >= '0' && c <= '9'
              ? look_up(LOOKS_LIKE_LETTER, sizeof LOOKS_LIKE_LETTER / 2, c)
              : look_up(LOOKS_LIKE_DIGIT, sizeof LOOKS_LIKE_DIGIT / 2, c);
    return idv_mrz_charset_has(charset, other) ? other : 0;
}

/* The classifier's character at a place of type CHARSET, or 0. */
static char classified(const float logs[IDV_MRZ_CLASSES],
                       idv_mrz_charset_t charset)
{
    int best = 0, allowed = -1;
    char c;

    for (int k = 1; k < IDV_MRZ_GLYPHS; k++)
        best = logs[k] > logs[best] ? k : best;
    c = normalize(charset, IDV_MRZ_ALPHABET[best]);
    if (c && logs[best] >= LEAST_FORCED_LOG)
        return c;
    for (int k = 0; k < IDV_MRZ_GLYPHS; k++)
        if (idv_mrz_charset_has(charset, IDV_MRZ_ALPHABET[k])
            && (allowed < 0 || logs[k] > logs[allowed]))
            allowed = k;
    return allowed >= 0 && logs[allowed] >= LEAST_FORCED_LOG
             ? IDV_MRZ_ALPHABET[allowed]
             : 0;
}

/* ---- lengths ---- */

/* The longest run of fillers in LINE. */
static int longest_run(const char *line, int *start)
{
    int best = 0;

    for (int i = 0; line[i];) {
        int length = (int)strspn(line + i, "<");

        if (length > best) {
            best = length;
            *start = i;
        }
        i += length ? length : 1;
    }
    return best;
}

/* Brings LINE to LENGTH characters by changing the number of fillers in its
 * longest run, since OCR miscounts those. A missing character elsewhere is an
 * error. */
static int fit_length(const char *line, int length, char out[])
{
    int has = (int)strlen(line), start = 0, run = longest_run(line, &start);
    int more = length - has;

    if (more == 0) {
        memcpy(out, line, (size_t)has);
        return 1;
    }
    if (run < LEAST_FILLER_RUN || run + more < LEAST_FILLER_RUN
        || more > MAX_LENGTH_ERROR || more < -MAX_LENGTH_ERROR)
        return 0;
    memcpy(out, line, (size_t)start);
    /* The factors are columns of a line, and `more` may be negative.
     * NOLINTNEXTLINE(bugprone-misplaced-widening-cast) */
    memset(out + start, '<', (size_t)(run + more));
    memcpy(out + start + run + more, line + start + run,
           (size_t)(has - start - run));
    return 1;
}

/* ---- names ---- */

/* The position of the name field (9303 parts 4 to 7). */
static void name_field(const idv_mrz_layout_t *layout, int *row, int *first)
{
    int cards_of_three_rows = idv_mrz_layout_rows(layout) == 3;

    *row = cards_of_three_rows ? 2 : 0;
    *first = cards_of_three_rows ? 0 : 5;
}

static int like_filler(char c)
{
    return c && strchr("<KSXCEL", c) != NULL;
}

/* Replaces letters at the end with fillers if only one reader saw a letter. */
static void settle_name_tail(const idv_mrz_layout_t *layout,
                             char ocr[][IDV_MRZ_MAX_COLUMNS + 1],
                             char seen[][IDV_MRZ_MAX_COLUMNS + 1])
{
    int row, first, at = idv_mrz_layout_columns(layout);
    char *a, *b;

    name_field(layout, &row, &first);
    a = ocr[row];
    b = seen[row];
    while (at > first && like_filler(a[at - 1]) && like_filler(b[at - 1])
           && (a[at - 1] == '<' || b[at - 1] == '<'))
        at--;
    /* The tail must start with two fillers that both readers saw. */
    while (a[at]
           && !(a[at] == '<' && b[at] == '<' && a[at + 1] == '<'
                && b[at + 1] == '<'))
        at++;
    for (; a[at]; at++)
        a[at] = b[at] = '<';
}

/* ---- agreement ---- */

/* Collects the places where the readings differ; -1: there are too many, or one
 * reader has no character for a place. */
static int compare(const idv_mrz_layout_t *layout,
                   char ocr[][IDV_MRZ_MAX_COLUMNS + 1],
                   char seen[][IDV_MRZ_MAX_COLUMNS + 1],
                   difference_t differences[MAX_DIFFERENCES])
{
    int count = 0;

    for (int row = 0; row < idv_mrz_layout_rows(layout); row++)
        for (int i = 0; i < idv_mrz_layout_columns(layout); i++) {
            if (ocr[row][i] == seen[row][i] && ocr[row][i])
                continue;
            if (count == MAX_DIFFERENCES || !ocr[row][i] || !seen[row][i])
                return -1;
            differences[count++] =
                (difference_t){row, i, {ocr[row][i], seen[row][i]}};
        }
    return count;
}

/* Chooses the only combination that satisfies all check digits. */
static int choose(const difference_t *differences, int count,
                  idv_mrz_text_t *text)
{
    int satisfying = 0, chosen = 0;

    for (int choice = 0; choice < 1 << count; choice++) {
        for (int k = 0; k < count; k++)
            text->rows[differences[k].row][differences[k].column] =
                differences[k].choices[choice >> k & 1];
        if (idv_mrz_wrong_check_digits(text) == 0) {
            satisfying++;
            chosen = choice;
        }
    }
    if (satisfying != 1)
        return 0;
    for (int k = 0; k < count; k++) {
        const difference_t *difference = &differences[k];
        int which = chosen >> k & 1;

        text->rows[difference->row][difference->column] =
            difference->choices[which];
        text->repairs[text->repair_count++] = (idv_mrz_repair_t){
            difference->row, difference->column, difference->choices[!which],
            difference->choices[which]};
    }
    return 1;
}

static idv_mrz_agreement_t agree_on(const idv_mrz_readings_t *readings,
                                    const idv_mrz_layout_t *layout,
                                    idv_mrz_text_t *text)
{
    int rows = idv_mrz_layout_rows(layout);
    int columns = idv_mrz_layout_columns(layout), count;
    char ocr[IDV_MRZ_MAX_ROWS][IDV_MRZ_MAX_COLUMNS + 1] = {{0}};
    char seen[IDV_MRZ_MAX_ROWS][IDV_MRZ_MAX_COLUMNS + 1] = {{0}};
    difference_t differences[MAX_DIFFERENCES];

    for (int row = 0; row < rows; row++) {
        if (!fit_length(readings->lines[row], columns, ocr[row])
            || (readings->again
                && !fit_length(readings->again[row], columns, seen[row])))
            return IDV_MRZ_DIFFER;
        for (int i = 0; i < columns; i++) {
            idv_mrz_charset_t charset = idv_mrz_charset_at(layout, row, i);

            ocr[row][i] = normalize(charset, ocr[row][i]);
            seen[row][i] = readings->again
                             ? normalize(charset, seen[row][i])
                             : classified(readings->logs[row][i], charset);
        }
    }
    settle_name_tail(layout, ocr, seen);
    count = compare(layout, ocr, seen, differences);
    if (count < 0)
        return IDV_MRZ_DIFFER;
    memset(text, 0, sizeof(*text));
    text->layout = layout;
    memcpy(text->rows, ocr, sizeof ocr);
    if (choose(differences, count, text))
        return IDV_MRZ_AGREE;
    return count == 0 ? IDV_MRZ_CHECKS_WRONG : IDV_MRZ_DIFFER;
}

idv_mrz_agreement_t idv_mrz_agree(const idv_mrz_readings_t *readings,
                                  idv_mrz_text_t *text)
{
    const idv_mrz_layout_t *of_state = idv_mrz_layout_of_state(readings->layout);
    idv_mrz_agreement_t agreement;

    if (of_state) {
        agreement = agree_on(readings, of_state, text);
        if (agreement != IDV_MRZ_DIFFER
            && idv_mrz_layout_for(readings->layout, text->rows[0]) == of_state)
            return agreement;
    }
    return agree_on(readings, readings->layout, text);
}
