/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command/record_print.h"

#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <apr_strings.h>
#include <apr_tables.h>

#include "cli/command/table.h"
#include "core/terminal_text.h"
#include "core/utf8.h"

#define WIDTH_DEFAULT 120 /* for a terminal that does not report its width */
#define INDENT 2

/* Records are formatted in memory first, so OUT would not know the width. */
static int terminal_width(void)
{
    struct winsize size;

    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0
             ? size.ws_col
             : WIDTH_DEFAULT;
}

/* --- lines --- */

static int is_text_list(const json_t *value)
{
    const json_t *element;
    size_t i;

    json_array_foreach (value, i, element)
        if (!json_is_string(element))
            return 0;
    return json_is_array(value);
}

static int is_plain(const json_t *value)
{
    return !json_is_object(value)
        && (!json_is_array(value) || is_text_list(value));
}

/* The command already says which kind of object it prints. */
static int is_shown(const char *name)
{
    return strcmp(name, "object") != 0;
}

static int is_flat(const json_t *object)
{
    const char *name;
    json_t *value;

    json_object_foreach ((json_t *)object, name, value)
        if (!is_plain(value))
            return 0;
    return json_is_object(object);
}

static int is_list_of_flat(const json_t *value)
{
    const json_t *element;
    size_t i;

    json_array_foreach (value, i, element)
        if (!is_flat(element))
            return 0;
    return json_is_array(value);
}

static int is_list_of_objects(const json_t *value)
{
    const json_t *element;
    size_t i;

    json_array_foreach (value, i, element)
        if (!json_is_object(element))
            return 0;
    return json_is_array(value);
}

/* --- objects --- */

static void print_members(const json_t *object, int indent, FILE *out,
                          apr_pool_t *pool)
{
    const char *name;
    json_t *value;
    int width = 0;

    json_object_foreach ((json_t *)object, name, value)
        if (is_plain(value) && is_shown(name)
            && (int)idv_utf8_length(name) > width)
            width = (int)idv_utf8_length(name);
    json_object_foreach ((json_t *)object, name, value) {
        int pad = width - (int)idv_utf8_length(name);
        const char *text;

        if (!is_plain(value) || !is_shown(name))
            continue;
        text = idv_table_text(object, name, pool);
        fprintf(out, "%*s%s%*s  %s\n", indent, "",
                idv_terminal_text(name, pool), pad, "", *text ? text : "-");
    }
}

/* --- lists --- */

/* The names of all members that are set somewhere in LIST, terminated by
 * NULL. */
static const char *const *columns_of(const json_t *list, apr_pool_t *pool)
{
    apr_array_header_t *names = apr_array_make(pool, 16, sizeof(char *));
    json_t *seen = json_object(), *value;
    const json_t *element;
    const char *name;
    size_t i;

    json_array_foreach (list, i, element)
        json_object_foreach ((json_t *)element, name, value)
            if (is_shown(name) && *idv_table_cell(element, name, pool)
                && !json_object_get(seen, name)) {
                json_object_set_new(seen, name, json_true());
                APR_ARRAY_PUSH(names, const char *) = name;
            }
    json_decref(seen);
    APR_ARRAY_PUSH(names, const char *) = NULL;
    return (const char *const *)names->elts;
}

static void print_rows(const json_t *list, int indent, FILE *out,
                       apr_pool_t *pool)
{
    const char *const *names = columns_of(list, pool);
    const json_t *element;
    size_t i;

    if (json_array_size(list) == 0
        || idv_table_width(list, names, pool) <= terminal_width()) {
        const idv_table_place_t place = {out, indent};

        idv_table_print_in(&place, list, names, pool);
        return;
    }
    json_array_foreach (list, i, element) {
        if (i)
            fputc('\n', out);
        print_members(element, indent, out, pool);
    }
}

/* --- members of an object --- */

/* Members that people read in the form in which they write them. */
static int is_document(const char *name)
{
    static const char *const names[] = {"definition", "compiled", "expected",
                                        "scenario", NULL};

    for (const char *const *known = names; *known; known++)
        if (strcmp(name, *known) == 0)
            return 1;
    return 0;
}

static void print_document(const json_t *value, FILE *out)
{
    json_dumpf(value, out, JSON_INDENT(2) | JSON_ENCODE_ANY);
    fputc('\n', out);
}

static void print_part(const char *name, const json_t *value, int indent,
                       FILE *out, apr_pool_t *pool);

/* The JSON parser limits the depth of values, which also bounds this
 * recursion. */
static void print_object(const json_t *object, int indent, FILE *out,
                         apr_pool_t *pool)
{
    const char *name;
    json_t *value;

    if (json_object_size(object) == 0)
        fprintf(out, "%*s(none)\n", indent, "");
    print_members(object, indent, out, pool);
    json_object_foreach ((json_t *)object, name, value)
        if (!is_plain(value)) {
            fprintf(out, "\n%*s%s\n", indent, "",
                    idv_terminal_text(name, pool));
            print_part(name, value, indent + INDENT, out, pool);
        }
}

static void print_part(const char *name, const json_t *value, int indent,
                       FILE *out, apr_pool_t *pool)
{
    const json_t *element;
    size_t i;

    if (is_document(name)) {
        print_document(value, out);
    } else if (json_is_object(value)) {
        print_object(value, indent, out, pool);
    } else if (is_list_of_flat(value)) {
        print_rows(value, indent, out, pool);
    } else if (is_list_of_objects(value)) {
        json_array_foreach (value, i, element) {
            if (i)
                fputc('\n', out);
            print_object(element, indent, out, pool);
        }
    } else {
        print_document(value, out);
    }
}

void idv_record_print(const json_t *answer, FILE *out, apr_pool_t *pool)
{
    if (json_is_object(answer))
        print_object(answer, 0, out, pool);
    else
        print_part("", answer, INDENT, out, pool);
}
