/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/document/mrz_layout.h"

#include <string.h>

/* The second rows of TD2, TD3 and both visas start alike. */
#define SECOND_ROW(number_check)                                               \
    [IDV_MRZ_FIELD_NUMBER] = { 1, 0, 9, IDV_MRZ_ALPHANUMERIC },                \
    [IDV_MRZ_FIELD_NUMBER_CHECK] = { 1, 9, 1, number_check },                  \
    [IDV_MRZ_FIELD_NATIONALITY] = { 1, 10, 3, IDV_MRZ_ALPHA },                 \
    [IDV_MRZ_FIELD_BIRTH] = { 1, 13, 6, IDV_MRZ_DIGIT_OR_FILLER },             \
    [IDV_MRZ_FIELD_BIRTH_CHECK] = { 1, 19, 1, IDV_MRZ_DIGIT },                 \
    [IDV_MRZ_FIELD_SEX] = { 1, 20, 1, IDV_MRZ_SEX },                           \
    [IDV_MRZ_FIELD_EXPIRY] = { 1, 21, 6, IDV_MRZ_DIGIT_OR_FILLER },            \
    [IDV_MRZ_FIELD_EXPIRY_CHECK] = { 1, 27, 1, IDV_MRZ_DIGIT }

#define FIRST_ROW(names_length)                                                \
    [IDV_MRZ_FIELD_CODE] = { 0, 0, 2, IDV_MRZ_ALPHA },                         \
    [IDV_MRZ_FIELD_ISSUER] = { 0, 2, 3, IDV_MRZ_ALPHA },                       \
    [IDV_MRZ_FIELD_NAMES] = { 0, 5, names_length, IDV_MRZ_ALPHA }

static const idv_mrz_layout_t layouts[] = {
    {
        .source = IDV_DOCUMENT_SOURCE_MRZ_TD1,
        .rows = 3,
        .columns = 30,
        .has_long_numbers = 1,
        .fields = {
            [IDV_MRZ_FIELD_CODE] = { 0, 0, 2, IDV_MRZ_ALPHA },
            [IDV_MRZ_FIELD_ISSUER] = { 0, 2, 3, IDV_MRZ_ALPHA },
            [IDV_MRZ_FIELD_NUMBER] = { 0, 5, 9, IDV_MRZ_ALPHANUMERIC },
            [IDV_MRZ_FIELD_NUMBER_CHECK] =
                { 0, 14, 1, IDV_MRZ_DIGIT_OR_FILLER },
            [IDV_MRZ_FIELD_OPTIONAL] = { 0, 15, 15, IDV_MRZ_ALPHANUMERIC },
            [IDV_MRZ_FIELD_BIRTH] = { 1, 0, 6, IDV_MRZ_DIGIT_OR_FILLER },
            [IDV_MRZ_FIELD_BIRTH_CHECK] = { 1, 6, 1, IDV_MRZ_DIGIT },
            [IDV_MRZ_FIELD_SEX] = { 1, 7, 1, IDV_MRZ_SEX_OF_CARD },
            [IDV_MRZ_FIELD_EXPIRY] = { 1, 8, 6, IDV_MRZ_DIGIT_OR_FILLER },
            [IDV_MRZ_FIELD_EXPIRY_CHECK] = { 1, 14, 1, IDV_MRZ_DIGIT },
            [IDV_MRZ_FIELD_NATIONALITY] = { 1, 15, 3, IDV_MRZ_ALPHA },
            [IDV_MRZ_FIELD_OPTIONAL_2] = { 1, 18, 11, IDV_MRZ_ALPHANUMERIC },
            [IDV_MRZ_FIELD_COMPOSITE_CHECK] = { 1, 29, 1, IDV_MRZ_DIGIT },
            [IDV_MRZ_FIELD_NAMES] = { 2, 0, 30, IDV_MRZ_ALPHA },
        },
        .composite = { { .row = 0, .column = 5, .length = 25 },
                       { .row = 1, .column = 0, .length = 7 },
                       { .row = 1, .column = 8, .length = 7 },
                       { .row = 1, .column = 18, .length = 11 } },
    },
    {
        .source = IDV_DOCUMENT_SOURCE_MRZ_TD2,
        .rows = 2,
        .columns = 36,
        .has_long_numbers = 1,
        .fields = {
            FIRST_ROW(31),
            SECOND_ROW(IDV_MRZ_DIGIT_OR_FILLER),
            [IDV_MRZ_FIELD_OPTIONAL] = { 1, 28, 7, IDV_MRZ_ALPHANUMERIC },
            [IDV_MRZ_FIELD_COMPOSITE_CHECK] = { 1, 35, 1, IDV_MRZ_DIGIT },
        },
        .composite = { { .row = 1, .column = 0, .length = 10 },
                       { .row = 1, .column = 13, .length = 7 },
                       { .row = 1, .column = 21, .length = 14 } },
    },
    {
        .source = IDV_DOCUMENT_SOURCE_MRZ_TD3,
        .rows = 2,
        .columns = 44,
        .fields = {
            FIRST_ROW(39),
            SECOND_ROW(IDV_MRZ_DIGIT),
            [IDV_MRZ_FIELD_OPTIONAL] = { 1, 28, 14, IDV_MRZ_ALPHANUMERIC },
            [IDV_MRZ_FIELD_OPTIONAL_CHECK] =
                { 1, 42, 1, IDV_MRZ_DIGIT_OR_FILLER },
            [IDV_MRZ_FIELD_COMPOSITE_CHECK] = { 1, 43, 1, IDV_MRZ_DIGIT },
        },
        .composite = { { .row = 1, .column = 0, .length = 10 },
                       { .row = 1, .column = 13, .length = 7 },
                       { .row = 1, .column = 21, .length = 22 } },
    },
    {
        .source = IDV_DOCUMENT_SOURCE_MRZ_MRVA,
        .rows = 2,
        .columns = 44,
        .is_visa = 1,
        .fields = {
            FIRST_ROW(39),
            SECOND_ROW(IDV_MRZ_DIGIT),
            [IDV_MRZ_FIELD_OPTIONAL] = { 1, 28, 16, IDV_MRZ_ALPHANUMERIC },
        },
    },
    {
        .source = IDV_DOCUMENT_SOURCE_MRZ_MRVB,
        .rows = 2,
        .columns = 36,
        .is_visa = 1,
        .fields = {
            FIRST_ROW(31),
            SECOND_ROW(IDV_MRZ_DIGIT),
            [IDV_MRZ_FIELD_OPTIONAL] = { 1, 28, 8, IDV_MRZ_ALPHANUMERIC },
        },
    },
    {
        .source = IDV_DOCUMENT_SOURCE_MRZ_ID_FRA,
        .rows = 2,
        .columns = 36,
        .beginning = "IDFRA",
        .fields = {
            [IDV_MRZ_FIELD_CODE] = { 0, 0, 2, IDV_MRZ_ALPHA },
            [IDV_MRZ_FIELD_ISSUER] = { 0, 2, 3, IDV_MRZ_ALPHA },
            [IDV_MRZ_FIELD_NAMES] = { 0, 5, 25, IDV_MRZ_ALPHA },
            [IDV_MRZ_FIELD_OPTIONAL] = { 0, 30, 6, IDV_MRZ_ALPHANUMERIC },
            [IDV_MRZ_FIELD_NUMBER] = { 1, 0, 12, IDV_MRZ_ALPHANUMERIC },
            [IDV_MRZ_FIELD_NUMBER_CHECK] = { 1, 12, 1, IDV_MRZ_DIGIT },
            [IDV_MRZ_FIELD_GIVEN_NAMES] = { 1, 13, 14, IDV_MRZ_ALPHA },
            [IDV_MRZ_FIELD_BIRTH] = { 1, 27, 6, IDV_MRZ_DIGIT_OR_FILLER },
            [IDV_MRZ_FIELD_BIRTH_CHECK] = { 1, 33, 1, IDV_MRZ_DIGIT },
            [IDV_MRZ_FIELD_SEX] = { 1, 34, 1, IDV_MRZ_SEX },
            [IDV_MRZ_FIELD_COMPOSITE_CHECK] = { 1, 35, 1, IDV_MRZ_DIGIT },
        },
        .composite = { { .row = 0, .column = 0, .length = 36 },
                       { .row = 1, .column = 0, .length = 35 } },
    },
};

#define LAYOUT_COUNT (sizeof(layouts) / sizeof(*layouts))

#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS "0123456789"

static const char *const charset_members[] = {
    [IDV_MRZ_ALPHA] = LETTERS "<",
    [IDV_MRZ_ALPHANUMERIC] = LETTERS DIGITS "<",
    [IDV_MRZ_DIGIT] = DIGITS,
    [IDV_MRZ_DIGIT_OR_FILLER] = DIGITS "<",
    [IDV_MRZ_SEX] = "MF<",
    [IDV_MRZ_SEX_OF_CARD] = "MFH<",
};

const idv_mrz_layout_t *idv_mrz_layout_find(int count, int length,
                                            char document_code)
{
    int is_visa = document_code == 'V' && count == 2;

    for (size_t i = 0; i < LAYOUT_COUNT; i++)
        if (layouts[i].rows == count && layouts[i].columns == length
            && layouts[i].is_visa == is_visa && !layouts[i].beginning)
            return &layouts[i];
    return NULL;
}

const idv_mrz_layout_t *idv_mrz_layout_of_state(const idv_mrz_layout_t *layout)
{
    for (size_t i = 0; i < LAYOUT_COUNT; i++)
        if (layouts[i].beginning && &layouts[i] != layout
            && layouts[i].rows == layout->rows
            && layouts[i].columns == layout->columns)
            return &layouts[i];
    return NULL;
}

const idv_mrz_layout_t *idv_mrz_layout_of_source(idv_document_source_t source)
{
    for (size_t i = 0; i < LAYOUT_COUNT; i++)
        if (layouts[i].source == source)
            return &layouts[i];
    return NULL;
}

const idv_mrz_layout_t *idv_mrz_layout_for(const idv_mrz_layout_t *layout,
                                           const char *row)
{
    const idv_mrz_layout_t *of_state = idv_mrz_layout_of_state(layout);

    return of_state
                && strncmp(row, of_state->beginning,
                           strlen(of_state->beginning))
                       == 0
             ? of_state
             : layout;
}

idv_document_source_t idv_mrz_layout_source(const idv_mrz_layout_t *layout)
{
    return layout->source;
}

int idv_mrz_layout_rows(const idv_mrz_layout_t *layout)
{
    return layout->rows;
}

int idv_mrz_layout_columns(const idv_mrz_layout_t *layout)
{
    return layout->columns;
}

idv_mrz_charset_t idv_mrz_charset_at(const idv_mrz_layout_t *layout, int row,
                                     int column)
{
    for (int i = 0; i < IDV_MRZ_FIELD_COUNT; i++) {
        const idv_mrz_field_t *field = &layout->fields[i];

        if (field->row == row && column >= field->column
            && column < field->column + field->length)
            return field->charset;
    }
    return IDV_MRZ_ALPHANUMERIC; /* not reached: the fields fill every row */
}

int idv_mrz_charset_has(idv_mrz_charset_t charset, char c)
{
    return c != '\0' && strchr(charset_members[charset], c) != NULL;
}

/* 9303-3, 4.9; -1 for a character that is not allowed in the MRZ. */
static int character_value(char c)
{
    if (c == '<')
        return 0;
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'A' && c <= 'Z')
        return c - 'A' + 10;
    return -1;
}

/* The weighted sum continues over several spans; POSITION is the overall
 * position. */
static int add_weighted(const char *text, apr_size_t length, int *position,
                        int *sum)
{
    static const int weights[] = { 7, 3, 1 };

    for (apr_size_t i = 0; i < length; i++) {
        int value = character_value(text[i]);

        if (value < 0)
            return 0;
        *sum = (*sum + value * weights[*position % 3]) % 10;
        *position = (*position + 1) % 3;
    }
    return 1;
}

char idv_mrz_check_digit(const char *text, apr_size_t length)
{
    int position = 0, sum = 0;

    return add_weighted(text, length, &position, &sum) ? (char)('0' + sum) : 0;
}

const char *idv_mrz_field(const idv_mrz_text_t *text, idv_mrz_field_name_t name)
{
    const idv_mrz_field_t *field = &text->layout->fields[name];

    return &text->rows[field->row][field->column];
}

char idv_mrz_number(const idv_mrz_text_t *text,
                    char number[IDV_MRZ_NUMBER_SIZE])
{
    const idv_mrz_layout_t *layout = text->layout;
    int base = layout->fields[IDV_MRZ_FIELD_NUMBER].length;
    int room = layout->fields[IDV_MRZ_FIELD_OPTIONAL].length;
    const char *more = idv_mrz_field(text, IDV_MRZ_FIELD_OPTIONAL);
    char check = *idv_mrz_field(text, IDV_MRZ_FIELD_NUMBER_CHECK);
    int length = 0;

    memcpy(number, idv_mrz_field(text, IDV_MRZ_FIELD_NUMBER), base);
    number[base] = '\0';
    if (check != '<' || !layout->has_long_numbers)
        return check;
    /* 9303-5 and -6, note j: a number of more than nine characters continues at
     * the start of the optional data, followed by its check digit and a
     * filler. */
    while (length < room && more[length] != '<')
        length++;
    if (length < 2)
        return check;
    memcpy(number + base, more, length - 1);
    number[base + length - 1] = '\0';
    return more[length - 1];
}

static int number_is_wrong(const idv_mrz_text_t *text)
{
    char number[IDV_MRZ_NUMBER_SIZE];
    char check = idv_mrz_number(text, number);

    return idv_mrz_check_digit(number, strlen(number)) != check;
}

static int field_is_wrong(const idv_mrz_text_t *text, idv_mrz_field_name_t name,
                          idv_mrz_field_name_t check)
{
    const char *data = idv_mrz_field(text, name);
    apr_size_t length = text->layout->fields[name].length;

    return idv_mrz_check_digit(data, length) != *idv_mrz_field(text, check);
}

/* 9303-4, 4.2.2: the check digit of empty optional data may be omitted. */
static int optional_is_wrong(const idv_mrz_text_t *text)
{
    const char *data = idv_mrz_field(text, IDV_MRZ_FIELD_OPTIONAL);
    int length = text->layout->fields[IDV_MRZ_FIELD_OPTIONAL].length;
    int is_empty = (int)strspn(data, "<") >= length;

    if (is_empty && *idv_mrz_field(text, IDV_MRZ_FIELD_OPTIONAL_CHECK) == '<')
        return 0;
    return field_is_wrong(text, IDV_MRZ_FIELD_OPTIONAL,
                          IDV_MRZ_FIELD_OPTIONAL_CHECK);
}

static int composite_is_wrong(const idv_mrz_text_t *text)
{
    const idv_mrz_field_t *spans = text->layout->composite;
    int position = 0, sum = 0;

    for (int i = 0; i < IDV_MRZ_COMPOSITE_SPANS; i++)
        if (!add_weighted(&text->rows[spans[i].row][spans[i].column],
                          spans[i].length, &position, &sum))
            return 1;
    return *idv_mrz_field(text, IDV_MRZ_FIELD_COMPOSITE_CHECK) != '0' + sum;
}

unsigned idv_mrz_digits_present(const idv_mrz_layout_t *layout)
{
    unsigned present = IDV_MRZ_DIGIT_NUMBER | IDV_MRZ_DIGIT_BIRTH;

    if (layout->fields[IDV_MRZ_FIELD_EXPIRY_CHECK].length)
        present |= IDV_MRZ_DIGIT_EXPIRY;
    if (layout->fields[IDV_MRZ_FIELD_OPTIONAL_CHECK].length)
        present |= IDV_MRZ_DIGIT_OPTIONAL;
    if (layout->fields[IDV_MRZ_FIELD_COMPOSITE_CHECK].length)
        present |= IDV_MRZ_DIGIT_COMPOSITE;
    return present;
}

unsigned idv_mrz_digits_wrong(const idv_mrz_text_t *text)
{
    unsigned present = idv_mrz_digits_present(text->layout), wrong = 0;

    if (number_is_wrong(text))
        wrong |= IDV_MRZ_DIGIT_NUMBER;
    if (field_is_wrong(text, IDV_MRZ_FIELD_BIRTH, IDV_MRZ_FIELD_BIRTH_CHECK))
        wrong |= IDV_MRZ_DIGIT_BIRTH;
    if ((present & IDV_MRZ_DIGIT_EXPIRY)
        && field_is_wrong(text, IDV_MRZ_FIELD_EXPIRY,
                          IDV_MRZ_FIELD_EXPIRY_CHECK))
        wrong |= IDV_MRZ_DIGIT_EXPIRY;
    if ((present & IDV_MRZ_DIGIT_OPTIONAL) && optional_is_wrong(text))
        wrong |= IDV_MRZ_DIGIT_OPTIONAL;
    if ((present & IDV_MRZ_DIGIT_COMPOSITE) && composite_is_wrong(text))
        wrong |= IDV_MRZ_DIGIT_COMPOSITE;
    return wrong;
}

int idv_mrz_wrong_check_digits(const idv_mrz_text_t *text)
{
    return __builtin_popcount(idv_mrz_digits_wrong(text));
}
