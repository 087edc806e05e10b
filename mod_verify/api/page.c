/* SPDX-License-Identifier: Apache-2.0 */
#include "api/page.h"

#include "api/response.h"

#define EXPECTED_LENGTH 16000 /* of most pages of ten */

idv_error_t *idv_page_check(const idv_page_t *page, apr_pool_t *pool)
{
    if (page->starting_after && page->ending_before)
        return idv_error_param(
            pool, "ending_before",
            "starting_after and ending_before exclude each other.");
    return NULL;
}

idv_cursor_t idv_page_cursor(const idv_page_t *page)
{
    return (idv_cursor_t){(int)page->limit, page->starting_after,
                          page->ending_before};
}

idv_error_t *idv_page_respond(idv_request_t *request, json_t *data,
                              int has_more)
{
    return idv_respond_json(
        request, HTTP_OK,
        json_pack("{s:s, s:s, s:b, s:o}", "object", "list", "url",
                  request->r->uri, "has_more", has_more, "data", data));
}

void idv_page_open(idv_request_t *request, int has_more,
                   idv_json_writer_t *page)
{
    idv_json_writer_init(page, EXPECTED_LENGTH, request->pool);
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
