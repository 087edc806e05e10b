/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Static files.
 *
 * - /verify/: the hosted page, the embeddable script and the files that both
 *   load. The page is the same for every session, even a nonexistent one. The
 *   widget finds out whether the link is valid and says so in plain words. The
 *   same is true of the page where persons end their sharing.
 * - /dashboard/: the operators' page and its files. They do not contain data of
 *   organizations; that has routes of its own.
 * - /v1/openapi.json: the description of this API, for machines.
 *   t/meta/openapi.t compares it with the table of routes.
 * - /v1/docs: the same for people; /v1/postman.json: for Postman.
 */
#include <http_protocol.h>

#include <apr_strings.h>

#include "api/http/response.h"
#include "api/http/web_asset.h"

/* Sends ASSET in a form that the request accepts, with its ETag; 304 if the
 * client already has it, precondition_failed if it requires another version
 * (RFC 9110, 13.2). */
static idv_error_t *respond_asset(idv_request_t *request,
                                  const idv_web_asset_t *asset)
{
    request_rec *r = request->r;
    const idv_web_body_t *body = idv_web_encoding_pick(
        asset, apr_table_get(r->headers_in, "Accept-Encoding"));

    apr_table_setn(r->headers_out, "ETag", body->etag);
    switch (ap_meets_conditions(r)) {
    case HTTP_NOT_MODIFIED:
        idv_respond_bytes(request, HTTP_NOT_MODIFIED, asset->media_type,
                          (idv_bytes_t){NULL, 0});
        return NULL;
    case HTTP_PRECONDITION_FAILED:
        return idv_error_new(IDV_E_PRECONDITION_FAILED, request->pool);
    default:
        break;
    }
    if (body->coding)
        apr_table_setn(r->headers_out, "Content-Encoding", body->coding);
    idv_respond_bytes(request, HTTP_OK, asset->media_type,
                      (idv_bytes_t){body->data, body->length});
    return NULL;
}

/* --- /verify/ --- */

#define DEFAULT_FRAME_ANCESTORS "'self'"
#define NO_FRAME_ANCESTORS "'none'"

static const char *frame_ancestors(const idv_request_t *request)
{
    const apr_array_header_t *sources =
        request->services->settings->widget_frame_ancestors;

    if (!sources || sources->nelts == 0)
        return DEFAULT_FRAME_ANCESTORS;
    return apr_array_pstrcat(request->pool, sources, ' ');
}

/* Sends ASSET, or an error if it is NULL. VERSION as for
 * idv_web_headers_set(). */
static idv_error_t *respond_framed(idv_request_t *request,
                                   const idv_web_asset_t *asset,
                                   const char *version, const char *ancestors)
{
    if (!asset)
        return idv_error_new(IDV_E_RESOURCE_MISSING, request->pool);
    idv_web_headers_set(request->r->err_headers_out, asset, version, ancestors,
                        request->pool);
    return respond_asset(request, asset);
}

/* PAGE in the language of the parameter `lang`, or of the browser. */
static idv_error_t *respond_page(idv_request_t *request, const char *page,
                                 const char *ancestors)
{
    const request_rec *r = request->r;
    const char *lang =
        json_string_value(json_object_get(request->parameters, "lang"));

    apr_table_mergen(r->err_headers_out, "Vary", "Accept-Language");
    return respond_framed(
        request,
        idv_web_page_find(page, lang,
                          apr_table_get(r->headers_in, "Accept-Language")),
        NULL, ancestors);
}

idv_error_t *idv_web_page(idv_request_t *request)
{
    return respond_page(request, IDV_WEB_PAGE, frame_ancestors(request));
}

/* A click on this page has an effect, so no other page may frame it. */
idv_error_t *idv_web_revoke_page(idv_request_t *request)
{
    return respond_page(request, IDV_WEB_REVOKE_PAGE, NO_FRAME_ANCESTORS);
}

idv_error_t *idv_web_embed_script(idv_request_t *request)
{
    return respond_framed(request, idv_web_asset_find(IDV_WEB_EMBED_SCRIPT),
                          NULL, frame_ancestors(request));
}

/* Answers a request for another version's page, from before or after an
 * upgrade, with the current page: its files have the same names. */
static idv_error_t *respond_versioned(idv_request_t *request, const char *path)
{
    return respond_framed(
        request,
        idv_web_asset_find(apr_pstrcat(request->pool, IDV_WEB_ASSETS, path,
                                       NULL)),
        idv_request_path(request, "version"), frame_ancestors(request));
}

idv_error_t *idv_web_asset(idv_request_t *request)
{
    return respond_versioned(request, idv_request_path(request, "name"));
}

/* For the folders of texts and methods. */
idv_error_t *idv_web_folder_asset(idv_request_t *request)
{
    return respond_versioned(
        request, apr_pstrcat(request->pool, idv_request_path(request, "folder"),
                             "/", idv_request_path(request, "name"), NULL));
}

/* --- /dashboard/ --- */

static idv_error_t *respond_dashboard(idv_request_t *request,
                                      const idv_web_asset_t *asset,
                                      const char *version)
{
    if (!asset)
        return idv_error_new(IDV_E_RESOURCE_MISSING, request->pool);
    idv_dashboard_headers_set(request->r->err_headers_out, version);
    return respond_asset(request, asset);
}

idv_error_t *idv_dashboard_page(idv_request_t *request)
{
    const request_rec *r = request->r;
    const char *lang =
        json_string_value(json_object_get(request->parameters, "lang"));

    apr_table_mergen(r->err_headers_out, "Vary", "Accept-Language");
    return respond_dashboard(
        request,
        idv_dashboard_page_find(lang,
                                apr_table_get(r->headers_in,
                                              "Accept-Language")),
        NULL);
}

/* The URLs in the page are relative to /dashboard/. */
idv_error_t *idv_dashboard_redirect(idv_request_t *request)
{
    const char *query = request->r->args;

    idv_respond_header(request, "Location",
                       query ? apr_pstrcat(request->pool, "/dashboard/?",
                                           query, NULL)
                             : "/dashboard/");
    idv_respond_bytes(request, HTTP_PERMANENT_REDIRECT, "text/plain",
                      (idv_bytes_t){(const unsigned char *)"", 0});
    return NULL;
}

/* Requests for other versions get the current file, as below /verify/. */
idv_error_t *idv_dashboard_asset(idv_request_t *request)
{
    return respond_dashboard(
        request,
        idv_dashboard_asset_find(apr_pstrcat(request->pool, IDV_WEB_ASSETS,
                                             idv_request_path(request, "name"),
                                             NULL)),
        idv_request_path(request, "version"));
}

/* --- API documents; openapi.json is written by hand, the others are
 * made from it --- */

static idv_error_t *respond_document(idv_request_t *request, const char *path)
{
    IDV_TRY(idv_request_no_parameters(request));
    idv_respond_header(request, "Cache-Control", IDV_WEB_FOR_A_WHILE);
    idv_respond_header(request, "Vary", "Accept-Encoding");
    return respond_asset(request, idv_api_document_find(path));
}

idv_error_t *idv_openapi_api_retrieve(idv_request_t *request)
{
    return respond_document(request, "openapi.json");
}

idv_error_t *idv_openapi_widget_api_retrieve(idv_request_t *request)
{
    return respond_document(request, "openapi.widget.json");
}

idv_error_t *idv_openapi_dashboard_api_retrieve(idv_request_t *request)
{
    return respond_document(request, "openapi.dashboard.json");
}

idv_error_t *idv_postman_api_retrieve(idv_request_t *request)
{
    return respond_document(request, "postman.json");
}

idv_error_t *idv_docs_api_page(idv_request_t *request)
{
    IDV_TRY(idv_request_no_parameters(request));
    idv_api_page_headers_set(request->r->err_headers_out, request->pool);
    return respond_asset(request, idv_api_document_find("docs.html"));
}
