/* SPDX-License-Identifier: Apache-2.0 */
#include "api/http/response.h"

#include <string.h>

#include <apr_strings.h>

/* --- answers --- */

static const char json_media_type[] = "application/json";

void idv_respond_bytes(idv_request_t *request, int status,
                       const char *media_type, idv_bytes_t body)
{
    request->response = (idv_response_t){
        .status = status, .media_type = media_type, .body = body};
}

idv_error_t *idv_respond_text(idv_request_t *request, int status,
                              const char *body)
{
    idv_bytes_t bytes = {(const unsigned char *)body, strlen(body)};

    idv_respond_bytes(request, status, json_media_type, bytes);
    return NULL;
}

idv_error_t *idv_respond_pieces(idv_request_t *request, const char *media_type,
                                idv_response_piece_t *next, void *baton)
{
    idv_bytes_t first = {NULL, 0};

    IDV_TRY(next(request, baton, &first, request->pool));
    idv_respond_bytes(request, HTTP_OK, media_type, first);
    request->response.next = first.length ? next : NULL;
    request->response.baton = baton;
    return NULL;
}

void idv_respond_header(idv_request_t *request, const char *name,
                        const char *value)
{
    /* httpd keeps these headers when it answers an error itself. */
    apr_table_set(request->r->err_headers_out, name, value);
}

/* --- pages of lists --- */

#define EXPECTED_PAGE_LENGTH 16000 /* of most pages of ten */

idv_error_t *idv_page_check(const idv_page_t *page, apr_pool_t *pool)
{
    if (page->starting_after && page->ending_before)
        return idv_error_param(pool, "ending_before",
                               "excludes `starting_after`. Pass one of them.");
    return NULL;
}

idv_cursor_t idv_page_cursor(const idv_page_t *page)
{
    return (idv_cursor_t){(int)page->limit, page->starting_after,
                          page->ending_before};
}

void idv_page_open(idv_request_t *request, int has_more,
                   idv_json_writer_t *page)
{
    idv_json_writer_init(page, EXPECTED_PAGE_LENGTH, request->pool);
    idv_json_open_object(page, NULL);
    idv_json_put_text(page, "object", "list");
    idv_json_put_text(page, "url", request->r->uri);
    idv_json_put_boolean(page, "has_more", has_more);
    idv_json_open_array(page, "data");
}

idv_error_t *idv_page_close(idv_request_t *request, idv_json_writer_t *page)
{
    idv_json_close_array(page);
    idv_json_close_object(page);
    return idv_respond_text(request, HTTP_OK, idv_json_writer_text(page, NULL));
}

idv_error_t *idv_page_respond(idv_request_t *request,
                              const apr_array_header_t *items, int has_more)
{
    idv_json_writer_t page;

    idv_page_open(request, has_more, &page);
    for (int i = 0; i < items->nelts; i++)
        idv_json_put_raw(&page, NULL, APR_ARRAY_IDX(items, i, const char *));
    return idv_page_close(request, &page);
}

typedef struct {
    idv_page_t page;
} list_input_t;

typedef struct {
    const idv_list_t *list;
    idv_listing_t listing;
} list_reading_t;

static idv_error_t *read_list(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    list_reading_t *reading = baton;

    return reading->list->read(db, &reading->listing, pool);
}

static void write_items(idv_json_writer_t *page, const idv_list_t *list,
                        const apr_array_header_t *items, apr_pool_t *pool)
{
    for (int i = 0; i < items->nelts; i++) {
        const void *element = items->elts + i * items->elt_size;

        if (list->write)
            list->write(page, element, pool);
        else
            idv_json_put_raw(page, NULL, *(const char *const *)element);
    }
}

idv_error_t *idv_list_respond(idv_request_t *request, const idv_list_t *list)
{
    const idv_parameter_t parameters[] = {
        IDV_PAGE_PARAMETERS(list_input_t, list->type),
        {0},
    };
    list_input_t input = {.page = IDV_PAGE_DEFAULT};
    list_reading_t reading = {.list = list, .listing = {.request = request}};
    idv_json_writer_t page;

    IDV_TRY(idv_request_parameters(request, parameters, &input, NULL));
    IDV_TRY(idv_page_check(&input.page, request->pool));
    reading.listing.cursor = idv_page_cursor(&input.page);
    IDV_TRY(idv_request_with_database(request, read_list, &reading));
    idv_page_open(request, reading.listing.has_more, &page);
    write_items(&page, list, reading.listing.items, request->pool);
    return idv_page_close(request, &page);
}

/* --- errors --- */

#define EXPECTED_ERROR_LENGTH 300

/* The code for each status that httpd itself may set. */
static const struct {
    int status;
    idv_error_code_t code;
} httpd_errors[] = {
    {HTTP_BAD_REQUEST, IDV_E_PARAMETER_INVALID},
    {HTTP_UNAUTHORIZED, IDV_E_API_KEY_INVALID},
    {HTTP_FORBIDDEN, IDV_E_ACCESS_DENIED},
    {HTTP_NOT_FOUND, IDV_E_RESOURCE_MISSING},
    {HTTP_METHOD_NOT_ALLOWED, IDV_E_METHOD_NOT_ALLOWED},
    {HTTP_REQUEST_TIME_OUT, IDV_E_REQUEST_TIMEOUT},
    {HTTP_PRECONDITION_FAILED, IDV_E_PRECONDITION_FAILED},
    {HTTP_REQUEST_ENTITY_TOO_LARGE, IDV_E_BODY_TOO_LARGE},
    {HTTP_REQUEST_URI_TOO_LARGE, IDV_E_URI_TOO_LONG},
    {HTTP_UNSUPPORTED_MEDIA_TYPE, IDV_E_UNSUPPORTED_MEDIA_TYPE},
    {HTTP_REQUEST_HEADER_FIELDS_TOO_LARGE, IDV_E_HEADERS_TOO_LARGE},
    {HTTP_NOT_IMPLEMENTED, IDV_E_METHOD_NOT_ALLOWED},
    {HTTP_SERVICE_UNAVAILABLE, IDV_E_SERVICE_UNAVAILABLE},
};

idv_error_t *idv_error_of_status(int status, apr_pool_t *pool)
{
    for (size_t i = 0; i < sizeof(httpd_errors) / sizeof(*httpd_errors); i++) {
        if (httpd_errors[i].status == status)
            return idv_error_new(httpd_errors[i].code, pool);
    }
    return idv_error_new(status >= 400 && status < 500 ? IDV_E_PARAMETER_INVALID
                                                       : IDV_E_INTERNAL,
                         pool);
}

const char *idv_error_envelope(const idv_error_t *error, const char *request_id,
                               apr_pool_t *pool)
{
    const idv_error_info_t *info = idv_error_info(error->code);
    idv_json_writer_t envelope;

    idv_json_writer_init(&envelope, EXPECTED_ERROR_LENGTH, pool);
    idv_json_open_object(&envelope, NULL);
    idv_json_open_object(&envelope, "error");
    idv_json_put_text(&envelope, "type", info->type);
    idv_json_put_text(&envelope, "code", info->code);
    idv_json_put_text(&envelope, "message",
                      idv_error_sentence(error, NULL, pool));
    if (error->param)
        idv_json_put_text(&envelope, "param", error->param);
    idv_json_put_text(&envelope, "request_id", request_id);
    idv_json_close_object(&envelope);
    idv_json_close_object(&envelope);
    return idv_json_writer_text(&envelope, NULL);
}

void idv_error_headers(request_rec *r, const idv_error_t *error,
                       apr_table_t *headers)
{
    if (error->retry_after > 0)
        apr_table_setn(headers, "Retry-After",
                       apr_itoa(r->pool, error->retry_after));
    if (idv_error_info(error->code)->status == HTTP_UNAUTHORIZED)
        apr_table_setn(headers, "WWW-Authenticate",
                       apr_table_get(r->headers_in, "Authorization")
                           ? "Bearer realm=\"verify\", error=\"invalid_token\""
                           : "Bearer realm=\"verify\"");
}

void idv_respond_error(idv_request_t *request, const idv_error_t *error)
{
    const char *text = idv_error_envelope(error, request->id, request->pool);

    idv_error_headers(request->r, error, request->r->err_headers_out);
    idv_respond_bytes(request, idv_error_info(error->code)->status,
                      json_media_type,
                      (idv_bytes_t){(const unsigned char *)text, strlen(text)});
}
