/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/account/report_html.h"

#include <string.h>

#include <apr_strings.h>
#include <apr_tables.h>

#include "core/terminal_text.h"

typedef struct {
    apr_array_header_t *parts; /* const char * */
    apr_pool_t *pool;
} page_t;

static void put(page_t *page, const char *html)
{
    APR_ARRAY_PUSH(page->parts, const char *) = html;
}

/* TEXT of any origin: without markup, and without characters that reorder
 * others. */
static const char *escaped(const char *text, apr_pool_t *pool)
{
    static const char special[] = "&<>\"'";
    static const char *const entities[] = {"&amp;", "&lt;", "&gt;", "&quot;",
                                           "&#39;"};
    apr_array_header_t *parts = apr_array_make(pool, 8, sizeof(char *));

    text = idv_terminal_text(text ? text : "", pool);
    while (*text) {
        size_t length = strcspn(text, special);

        APR_ARRAY_PUSH(parts, const char *) =
            apr_pstrmemdup(pool, text, length);
        text += length;
        if (*text)
            APR_ARRAY_PUSH(parts, const char *) =
                entities[strchr(special, *text++) - special];
    }
    return apr_array_pstrcat(pool, parts, 0);
}

static const char *member(const json_t *object, const char *name,
                          apr_pool_t *pool)
{
    return escaped(json_string_value(json_object_get(object, name)), pool);
}

static const char *percent(const json_t *row, const char *name,
                           apr_pool_t *pool)
{
    return apr_psprintf(pool, "%.1f %%",
                        100
                            * json_number_value(json_object_get(row, name)));
}

/* The share in ROW, with its interval. */
static const char *share_text(const json_t *row, apr_pool_t *pool)
{
    if (!json_object_get(row, "low"))
        return "";
    return apr_psprintf(
        pool, "%s (%s to %s)",
        json_is_true(json_object_get(row, "too_few_cases"))
            ? "too few cases"
            : percent(row, "share", pool),
        percent(row, "low", pool), percent(row, "high", pool));
}

static const char *number_text(const json_t *row, const char *name,
                               apr_pool_t *pool)
{
    const json_t *value = json_object_get(row, name);

    if (json_is_string(value))
        return escaped(json_string_value(value), pool);
    return json_is_integer(value)
             ? apr_psprintf(pool, "%" APR_INT64_T_FMT,
                            (apr_int64_t)json_integer_value(value))
             : "";
}

static void put_section(page_t *page, const json_t *section)
{
    json_t *row;
    size_t i;

    put(page, apr_pstrcat(page->pool, "<h2 id=\"",
                          member(section, "section", page->pool), "\">",
                          member(section, "title", page->pool), "</h2>\n<p>",
                          member(section, "note", page->pool),
                          "</p>\n<table>\n<tr><th>Figure<th>Count or state"
                          "<th>Of<th>Share (95 % interval)\n",
                          NULL));
    json_array_foreach (json_object_get(section, "figures"), i, row)
        put(page,
            apr_pstrcat(page->pool, "<tr><td>",
                        member(row, "figure", page->pool), "<td>",
                        number_text(row, "value", page->pool), "<td>",
                        number_text(row, "of", page->pool), "<td>",
                        share_text(row, page->pool), "\n", NULL));
    put(page, "</table>\n");
}

static void put_clauses(page_t *page, const json_t *clauses)
{
    json_t *clause, *section;
    size_t i, j;

    put(page, "<h2>What asks for which figures</h2>\n<table>\n"
              "<tr><th>Source<th>Asks for<th>Figures\n");
    json_array_foreach ((json_t *)clauses, i, clause) {
        put(page, apr_pstrcat(page->pool, "<tr><td>",
                              member(clause, "source", page->pool), "<td>",
                              member(clause, "asks_for", page->pool), "<td>",
                              NULL));
        json_array_foreach (json_object_get(clause, "sections"), j, section) {
            const char *name = json_string_value(section);

            put(page, apr_pstrcat(page->pool, j ? ", " : "", "<a href=\"#",
                                  name, "\">", name, "</a>", NULL));
        }
        put(page, "\n");
    }
    put(page, "</table>\n");
}

const char *idv_report_html(const json_t *report, apr_pool_t *pool)
{
    page_t page = {apr_array_make(pool, 256, sizeof(char *)), pool};
    json_t *section;
    size_t i;

    put(&page,
        apr_pstrcat(
            pool,
            "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
            "<title>Figures for auditors</title>\n<style>body{font:16px/1.5 "
            "sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}"
            "table{border-collapse:collapse;width:100%}td,th{border:1px solid "
            "#767676;padding:.25rem .5rem;text-align:left;"
            "overflow-wrap:anywhere}</style>\n<h1>Figures for auditors: ",
            member(report, "organization_name", pool), "</h1>\n<p>",
            member(report, "organization_id", pool), ", ",
            member(report, "from", pool), " to ", member(report, "to", pool),
            " (UTC), made on ", member(report, "made_on", pool),
            " by mod_verify ", member(report, "version", pool), ".</p>\n<p>",
            member(report, "statement", pool), "</p>\n", NULL));
    json_array_foreach (json_object_get(report, "sections"), i, section)
        put_section(&page, section);
    put_clauses(&page, json_object_get(report, "clauses"));
    put(&page, "</html>\n");
    return apr_array_pstrcat(pool, page.parts, 0);
}
