/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command/table.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <apr_strings.h>

#include "core/clock.h"
#include "core/terminal_text.h"
#include "core/utf8.h"

/* Characters in the widest column. */
#define WIDTH_MAX 48

/* The length of a time in ISO 8601 up to its milliseconds. */
#define SECONDS_LENGTH 19

static int ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), size = strlen(end);

    return length >= size && strcmp(text + length - size, end) == 0;
}

static int is_time(const char *name)
{
    static const char *const names[] = {
        "at",    "created",   "updated",  "deadline",  "since",
        "until", "last_hour", "imported", "not_after", "next_update"};

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (strcmp(name, names[i]) == 0)
            return 1;
    return ends_with(name, "_at") || ends_with(name, "_since");
}

/* TEXT in a form that is safe for a terminal, at most MAX characters long. */
static const char *make_harmless(const char *text, int max, apr_pool_t *pool)
{
    const char *harmless = idv_terminal_text(text, pool), *end = harmless;

    if (idv_utf8_length(harmless) <= (size_t)max)
        return harmless;
    for (int characters = 0; characters <= max; end++)
        characters += !idv_utf8_is_continuation(*end);
    return apr_psprintf(pool, "%.*s~", (int)(end - 1 - harmless), harmless);
}

static const char *join_texts(const json_t *texts, int max, apr_pool_t *pool)
{
    const char *joined = "";
    const json_t *text;
    size_t i;

    json_array_foreach (texts, i, text)
        if (json_is_string(text))
            joined = apr_pstrcat(
                pool, joined, *joined ? ", " : "",
                make_harmless(json_string_value(text), max, pool), NULL);
    return joined;
}

/* The text of VALUE, a member called NAME. */
static const char *text_of(const json_t *value, const char *name, int max,
                           apr_pool_t *pool)
{
    if (json_is_string(value))
        return make_harmless(json_string_value(value), max, pool);
    if (json_is_integer(value) && is_time(name))
        return apr_psprintf(
            pool, "%.*sZ", SECONDS_LENGTH,
            idv_time_iso8601(IDV_SECOND * json_integer_value(value), pool));
    if (json_is_integer(value))
        return apr_psprintf(pool, "%" APR_INT64_T_FMT,
                            (apr_int64_t)json_integer_value(value));
    if (json_is_real(value))
        return apr_psprintf(pool, "%.3f", json_real_value(value));
    if (json_is_boolean(value))
        return json_is_true(value) ? "yes" : "no";
    return json_is_array(value) ? join_texts(value, max, pool) : "";
}

const char *idv_table_cell(const json_t *object, const char *name,
                           apr_pool_t *pool)
{
    return text_of(json_object_get(object, name), name, WIDTH_MAX, pool);
}

const char *idv_table_text(const json_t *object, const char *name,
                           apr_pool_t *pool)
{
    return text_of(json_object_get(object, name), name, INT_MAX, pool);
}

/* Pads by characters, where printf() would count bytes: on the right of a text,
 * on the left of a number, for which WIDTH is negative. */
static void print_cell(FILE *out, const char *text, int width)
{
    int pad = abs(width) - (int)idv_utf8_length(text);

    if (pad < 0)
        pad = 0;
    fprintf(out, "%*s%s%*s", width < 0 ? pad : 0, "", text, width < 0 ? 0 : pad,
            "");
}

/* Whether the members NAME in LIST are numbers other than times. */
static int is_numeric(const json_t *list, const char *name)
{
    const json_t *item;
    int found = 0;
    size_t i;

    json_array_foreach (list, i, item) {
        const json_t *value = json_object_get(item, name);

        found |= json_is_number(value);
        if (value && !json_is_number(value) && !json_is_null(value))
            return 0;
    }
    return found && !is_time(name);
}

/* The cells of LIST, row by row; sets *WIDTHS to the widest of each column. */
static const char **cells_of(const json_t *list, const char *const *names,
                             int count, int *widths, apr_pool_t *pool)
{
    const char **cells =
        apr_palloc(pool, json_array_size(list) * count * sizeof(*cells));
    const json_t *item;
    size_t i;

    for (int column = 0; column < count; column++)
        widths[column] = (int)idv_utf8_length(names[column]);
    json_array_foreach (list, i, item)
        for (int column = 0; column < count; column++) {
            const char *cell = idv_table_cell(item, names[column], pool);
            int length = (int)idv_utf8_length(cell);

            cells[i * count + column] = cell;
            if (length > widths[column])
                widths[column] = length;
        }
    return cells;
}

int idv_table_width(const json_t *list, const char *const *names,
                    apr_pool_t *pool)
{
    const json_t *item;
    int total = 0;
    size_t i;

    for (; *names; names++) {
        int width = (int)idv_utf8_length(*names);

        json_array_foreach (list, i, item) {
            const char *text = idv_table_text(item, *names, pool);
            int length = (int)idv_utf8_length(text);

            if (length > WIDTH_MAX)
                return INT_MAX;
            if (length > width)
                width = length;
        }
        total += width + 2;
    }
    return total;
}

static void print_row(FILE *out, const char *const *cells, const int *widths,
                      int count)
{
    for (int column = 0; column < count; column++) {
        const int is_last = column + 1 == count;

        print_cell(out, cells[column],
                   is_last && widths[column] > 0 ? 0 : widths[column]);
        fputs(is_last ? "\n" : "  ", out);
    }
}

/* Copies to *KEPT those of NAMES that an object of LIST has. Returns how
 * many. */
static int keep_known(const json_t *list, const char *const *names,
                      const char ***kept, apr_pool_t *pool)
{
    int count = 0, all = 0;

    while (names[all])
        all++;
    *kept = apr_palloc(pool, (all + 1) * sizeof(**kept));
    for (; *names; names++) {
        size_t i = 0;

        while (i < json_array_size(list)
               && !json_object_get(json_array_get(list, i), *names))
            i++;
        if (i < json_array_size(list))
            (*kept)[count++] = *names;
    }
    return count;
}

void idv_table_print_in(const idv_table_place_t *place, const json_t *list,
                        const char *const *names, apr_pool_t *pool)
{
    size_t rows = json_array_size(list);
    const char **cells, **kept;
    int count, *widths;

    if (!rows) {
        fprintf(place->out, "%*s(none)\n", place->indent, "");
        return;
    }
    count = keep_known(list, names, &kept, pool);
    widths = apr_palloc(pool, (count + 1) * sizeof(*widths));
    cells = cells_of(list, kept, count, widths, pool);
    for (int column = 0; column < count; column++) {
        if (is_numeric(list, kept[column]))
            widths[column] = -widths[column];
        kept[column] = idv_terminal_text(kept[column], pool);
    }
    fprintf(place->out, "%*s", place->indent, "");
    print_row(place->out, kept, widths, count);
    for (size_t row = 0; row < rows; row++) {
        fprintf(place->out, "%*s", place->indent, "");
        print_row(place->out, cells + row * count, widths, count);
    }
}

void idv_table_print(FILE *out, const json_t *list, const char *const *names,
                     apr_pool_t *pool)
{
    const idv_table_place_t place = {out, IDV_TABLE_INDENT};

    idv_table_print_in(&place, list, names, pool);
}
