/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/document/mrz_layout.h"

#include <string.h>

/* What OCR takes for one another, in a font made to prevent it: a digit and
 * the letters that look like it, the likeliest first. */
static const struct {
    char digit;
    const char *letters;
} lookalikes[] = {
    { '0', "OQD" }, { '1', "IL" }, { '2', "Z" },
    { '5', "S" },   { '6', "G" },  { '8', "B" },
};

#define LOOKALIKE_COUNT (sizeof(lookalikes) / sizeof(*lookalikes))

/* Letters that a row of fillers is taken for. */
#define FILLER_LOOKALIKES "KSXCEL"
/* No name ends in four of the same of these. */
#define FILLER_RUN_LETTERS "KSX"
#define FILLER_RUN 4
/* So many fillers in a row stand only after the end of all names. */
#define NAMES_END 3

/* A text under repair; nothing of it counts until all check digits agree. */
typedef struct {
    idv_mrz_text_t text;
    int overflow; /* more repairs than one may believe */
} attempt_t;

static void put(attempt_t *attempt, int row, int column, char repaired)
{
    idv_mrz_text_t *text = &attempt->text;
    char *place = &text->rows[row][column];

    if (text->repair_count == IDV_MRZ_MAX_REPAIRS) {
        attempt->overflow = 1;
        return;
    }
    text->repairs[text->repair_count++] =
        (idv_mrz_repair_t){ row, column, *place, repaired };
    *place = repaired;
}

static char digit_like(char letter)
{
    for (size_t i = 0; i < LOOKALIKE_COUNT; i++)
        if (letter && strchr(lookalikes[i].letters, letter))
            return lookalikes[i].digit;
    return 0;
}

static char letter_like(char digit)
{
    for (size_t i = 0; i < LOOKALIKE_COUNT; i++)
        if (lookalikes[i].digit == digit)
            return lookalikes[i].letters[0];
    return 0;
}

/* Exchanges what cannot stand where it stands. */
static void repair_classes(attempt_t *attempt)
{
    const idv_mrz_layout_t *layout = attempt->text.layout;

    for (int row = 0; row < layout->rows; row++) {
        for (int column = 0; column < layout->columns; column++) {
            idv_mrz_charset_t charset =
                idv_mrz_charset_at(layout, row, column);
            char c = attempt->text.rows[row][column], other;

            if (idv_mrz_charset_has(charset, c))
                continue;
            other = charset == IDV_MRZ_ALPHA ? letter_like(c) : digit_like(c);
            if (idv_mrz_charset_has(charset, other))
                put(attempt, row, column, other);
        }
    }
}

/* Where nothing but fillers may follow: behind three of them in a row, or
 * behind the two that end the given names. LENGTH: nowhere. */
static int names_tail(const char *names, int length)
{
    int run = 0, ends = 0;

    for (int i = 0; i < length; i++) {
        run = names[i] == '<' ? run + 1 : 0;
        if (run == 2)
            ends++;
        if (run == NAMES_END || ends == 2)
            return i + 1;
    }
    return length;
}

/* The run of one letter that reaches to the field's fillers or its end: such
 * a tail was read without a single filler in it. */
static int letter_run_start(const char *names, int length)
{
    int end = length, start;

    while (end > 0 && names[end - 1] == '<')
        end--;
    for (start = end; start > 0 && names[start - 1] == names[end - 1];)
        start--;
    if (end == 0 || !strchr(FILLER_RUN_LETTERS, names[end - 1])
        || end - start < FILLER_RUN)
        return length;
    return start;
}

static void repair_names(attempt_t *attempt)
{
    const idv_mrz_field_t *field =
        &attempt->text.layout->fields[IDV_MRZ_FIELD_NAMES];
    const char *names = idv_mrz_field(&attempt->text, IDV_MRZ_FIELD_NAMES);
    int tail;

    for (int i = letter_run_start(names, field->length);
         i < field->length && names[i] != '<'; i++)
        put(attempt, field->row, field->column + i, '<');
    tail = names_tail(names, field->length);
    for (int i = tail; i < field->length; i++)
        if (names[i] != '<' && !strchr(FILLER_LOOKALIKES, names[i]))
            return;
    for (int i = tail; i < field->length; i++)
        if (names[i] != '<')
            put(attempt, field->row, field->column + i, '<');
}

/* Tries every single exchange in a field where digits and letters are both
 * right; it must be the only one that makes all check digits agree. */
static void repair_one_character(attempt_t *attempt, idv_mrz_field_name_t name,
                                 int *found, idv_mrz_repair_t *repair)
{
    const idv_mrz_field_t *field = &attempt->text.layout->fields[name];

    for (int i = 0; i < field->length; i++) {
        char *place = &attempt->text.rows[field->row][field->column + i];
        char original = *place;

        for (size_t k = 0; k < LOOKALIKE_COUNT; k++) {
            const char *letters = lookalikes[k].letters;
            char digit = lookalikes[k].digit;
            int is_digit = original == digit;

            if (!is_digit && !strchr(letters, original))
                continue;
            for (const char *p = letters; is_digit ? *p : p == letters; p++) {
                *place = is_digit ? *p : digit;
                if (idv_mrz_digits_wrong(&attempt->text) == 0) {
                    ++*found;
                    *repair = (idv_mrz_repair_t){ field->row,
                                                  field->column + i, original,
                                                  *place };
                }
            }
        }
        *place = original;
    }
}

/* Worth a try only when the dates are beyond doubt and two digits, that of the
 * field and the composite one, will confirm the exchange. */
static void repair_numbers(attempt_t *attempt)
{
    unsigned wrong = idv_mrz_digits_wrong(&attempt->text);
    idv_mrz_repair_t repair;
    int found = 0;

    if (wrong == (IDV_MRZ_DIGIT_NUMBER | IDV_MRZ_DIGIT_COMPOSITE)) {
        repair_one_character(attempt, IDV_MRZ_FIELD_NUMBER, &found, &repair);
        if (*idv_mrz_field(&attempt->text, IDV_MRZ_FIELD_NUMBER_CHECK) == '<')
            repair_one_character(attempt, IDV_MRZ_FIELD_OPTIONAL, &found,
                                 &repair);
    } else if (wrong == (IDV_MRZ_DIGIT_OPTIONAL | IDV_MRZ_DIGIT_COMPOSITE)) {
        repair_one_character(attempt, IDV_MRZ_FIELD_OPTIONAL, &found, &repair);
    }
    if (found == 1)
        put(attempt, repair.row, repair.column, repair.repaired);
}

int idv_mrz_repair(idv_mrz_text_t *text)
{
    attempt_t attempt = { .text = *text };

    repair_classes(&attempt);
    repair_names(&attempt);
    repair_numbers(&attempt);
    if (attempt.overflow || idv_mrz_digits_wrong(&attempt.text) != 0)
        return 0;
    *text = attempt.text;
    return 1;
}
