/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_API_HTTP_RESPONSE_H
#define IDV_API_HTTP_RESPONSE_H

/*
 * Answers of a handler: an object, a page of a list, or an error.
 *
 * The answer is kept in the request and written once the handler has returned
 * without an error. If a handler fails after it has answered, only its error is
 * sent. Every answer carries X-Request-Id and, unless the handler sets another,
 * `Cache-Control: no-store`.
 *
 * A list is {"object":"list","url","has_more","data"}. If it takes only the
 * page parameters, use idv_list_respond(). Otherwise read the parameters into a
 * struct with an idv_page_t named `page`; the table begins with
 * IDV_PAGE_PARAMETERS(struct, kind of the list's ids).
 *
 * An error is {"error":{"type","code","message","param","request_id"}}, `param`
 * only if the error has one. It is sent with its headers: Retry-After, and
 * WWW-Authenticate (RFC 6750) on 401. The detail of an error is not shown; the
 * caller logs it.
 *
 * Memory: answers live in the pool of the request. Threads: that of the
 * request.
 */
#include <apr_tables.h>

#include "api/http/request.h"
#include "core/id.h"
#include "core/json_writer.h"
#include "store/db/lookup.h"

/* STATUS (200, 201, …) with BODY, the text of a JSON value or "" for none. BODY
 * must live as long as the request. */
idv_error_t *idv_respond_text(idv_request_t *request, int status,
                              const char *body) IDV_CHECKED;

/* STATUS with BODY of MEDIA_TYPE; both must live as long as the request. */
void idv_respond_bytes(idv_request_t *request, int status,
                       const char *media_type, idv_bytes_t body);

/* 200 with the output of NEXT, piece by piece, for answers that may be longer
 * than memory. The first piece is written now, so that its failure is an
 * ordinary error. The others are written while the answer is sent, each with
 * its own pool. A later failure breaks the answer off; its reader notices
 * because the connection ends before the answer does. */
idv_error_t *idv_respond_pieces(idv_request_t *request, const char *media_type,
                                idv_response_piece_t *next,
                                void *baton) IDV_CHECKED;

/* Sets a header of the answer, also on errors; replaces one of the same
 * name. */
void idv_respond_header(idv_request_t *request, const char *name,
                        const char *value);

/* --- pages of lists --- */

#define IDV_PAGE_LIMIT_DEFAULT IDV_CURSOR_LIMIT_DEFAULT
#define IDV_PAGE_LIMIT_MAX 100

typedef struct {
    apr_int64_t limit;
    const char *starting_after; /* at most one of the two */
    const char *ending_before;
} idv_page_t;

#define IDV_PAGE_DEFAULT {.limit = IDV_PAGE_LIMIT_DEFAULT}

#define IDV_PAGE_PARAMETERS(type, id)                                          \
    IDV_PARAMETER_AS(INTEGER, type, limit, page.limit, 0, 1,                   \
                     IDV_PAGE_LIMIT_MAX),                                      \
        IDV_PARAMETER_AS(ID, type, starting_after, page.starting_after, 0, id, \
                         0),                                                   \
        IDV_PARAMETER_AS(ID, type, ending_before, page.ending_before, 0, id, 0)

/* Refuses a page with both cursors. */
idv_error_t *idv_page_check(const idv_page_t *page,
                            apr_pool_t *pool) IDV_CHECKED;

/* The cursor of a checked page, for the store. */
idv_cursor_t idv_page_cursor(const idv_page_t *page);

/* Answers with the list envelope around ITEMS, each the text of a JSON value
 * (const char *). */
idv_error_t *idv_page_respond(idv_request_t *request,
                              const apr_array_header_t *items,
                              int has_more) IDV_CHECKED;

/* Answers like idv_page_respond(), with items written one by one:
 * idv_page_open() begins PAGE, the caller writes each item as a value without a
 * key, and idv_page_close() ends PAGE and answers with it. */
void idv_page_open(idv_request_t *request, int has_more,
                   idv_json_writer_t *page);
idv_error_t *idv_page_close(idv_request_t *request,
                            idv_json_writer_t *page) IDV_CHECKED;

/* A page of a list while it is being read. */
typedef struct {
    const idv_request_t *request;
    idv_cursor_t cursor;       /* the requested page */
    apr_array_header_t *items; /* newest first; the element type is the
                                * list's */
    int has_more;
} idv_listing_t;

/* A list that takes only the page parameters. */
typedef struct {
    idv_id_type_t type; /* of the ids that are its cursors */
    /* Sets `items` and `has_more` of LISTING. */
    idv_error_t *(*read)(idv_db_t *db, idv_listing_t *listing,
                         apr_pool_t *pool)IDV_CHECKED;
    /* Writes ELEMENT, the address of an element of `items`, as a value without
     * a key. NULL: elements are texts of JSON values (const char *). */
    void (*write)(idv_json_writer_t *page, const void *element,
                  apr_pool_t *pool);
} idv_list_t;

/* Answers with the requested page of LIST. */
idv_error_t *idv_list_respond(idv_request_t *request,
                              const idv_list_t *list) IDV_CHECKED;

/* --- errors --- */

/* Answers REQUEST with ERROR in place of any earlier answer. */
void idv_respond_error(idv_request_t *request, const idv_error_t *error);

/* The text of the envelope in POOL, for errors that httpd answers. */
const char *idv_error_envelope(const idv_error_t *error,
                               const char *request_id, apr_pool_t *pool);

/* Puts the headers of ERROR into HEADERS, one of R's. */
void idv_error_headers(request_rec *r, const idv_error_t *error,
                       apr_table_t *headers);

/* The error for an HTTP status that httpd itself chose. */
idv_error_t *idv_error_of_status(int status, apr_pool_t *pool);

#endif
