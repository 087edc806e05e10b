/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_API_PAGE_H
#define IDV_API_PAGE_H

/*
 * Pages of lists: the parameters that all of them share, and their envelope.
 *
 * A struct that reads a list's parameters has an idv_page_t named `page`, and
 * its table begins with IDV_PAGE_PARAMETERS(struct, kind of the list's ids).
 */
#include <apr_tables.h>

#include "api/request.h"
#include "core/id.h"
#include "core/json_writer.h"
#include "store/lookup.h"

#define IDV_PAGE_LIMIT_DEFAULT IDV_CURSOR_LIMIT_DEFAULT
#define IDV_PAGE_LIMIT_MAX 100

typedef struct {
    apr_int64_t limit;
    const char *starting_after; /* at most one of the two */
    const char *ending_before;
} idv_page_t;

#define IDV_PAGE_DEFAULT {.limit = IDV_PAGE_LIMIT_DEFAULT}

#define IDV_PAGE_MEMBER(kind, type, member, minimum, maximum)                  \
    {#member, IDV_PARAMETER_##kind, offsetof(type, page.member), 0, minimum,   \
     maximum, NULL, NULL}
#define IDV_PAGE_PARAMETERS(type, id)                                          \
    IDV_PAGE_MEMBER(INTEGER, type, limit, 1, IDV_PAGE_LIMIT_MAX),              \
        IDV_PAGE_MEMBER(ID, type, starting_after, id, 0),                      \
        IDV_PAGE_MEMBER(ID, type, ending_before, id, 0)

/* Not both cursors may be given. */
idv_error_t *idv_page_check(const idv_page_t *page,
                            apr_pool_t *pool) IDV_CHECKED;

/* What the store needs of a checked page. */
idv_cursor_t idv_page_cursor(const idv_page_t *page);

/* Answers with the list envelope around DATA, whose reference it takes over. */
idv_error_t *idv_page_respond(idv_request_t *request, json_t *data,
                              int has_more) IDV_CHECKED;

/* The same for an answer that is written item by item: begins PAGE, behind
 * whose items, each a value under no key, idv_page_close() answers with it. */
void idv_page_open(idv_request_t *request, int has_more,
                   idv_json_writer_t *page);
idv_error_t *idv_page_close(idv_request_t *request,
                            idv_json_writer_t *page) IDV_CHECKED;

#endif
