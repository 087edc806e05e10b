/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /verify/: the hosted page, the embeddable script and what both load. The
 * page is the same for every session and for none: whether the link is good
 * is found out by the widget, in words for persons. So it is with the page
 * on which persons end what they share.
 */
#include <apr_strings.h>

#include "api/response.h"
#include "api/web_asset.h"

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

static idv_error_t *respond(idv_request_t *request, const char *path,
                            const char *ancestors)
{
    const idv_web_asset_t *asset = idv_web_asset_find(path);

    if (!asset)
        return idv_error_new(IDV_E_RESOURCE_MISSING, request->pool);
    idv_web_headers_set(request->r->err_headers_out, asset, ancestors,
                        request->pool);
    return idv_respond_asset(request, asset);
}

static idv_error_t *respond_with_path(idv_request_t *request, const char *path)
{
    return respond(request, path, frame_ancestors(request));
}

idv_error_t *idv_web_page(idv_request_t *request)
{
    return respond_with_path(request, IDV_WEB_PAGE);
}

/* A click on it counts: no page may put it below something else. */
idv_error_t *idv_web_revoke_page(idv_request_t *request)
{
    return respond(request, IDV_WEB_REVOKE_PAGE, NO_FRAME_ANCESTORS);
}

idv_error_t *idv_web_embed_script(idv_request_t *request)
{
    return respond_with_path(request, IDV_WEB_EMBED_SCRIPT);
}

idv_error_t *idv_web_asset(idv_request_t *request)
{
    return respond_with_path(
        request, apr_pstrcat(request->pool, IDV_WEB_ASSETS,
                             idv_request_path(request, "name"), NULL));
}

idv_error_t *idv_web_texts(idv_request_t *request)
{
    return respond_with_path(
        request, apr_pstrcat(request->pool, IDV_WEB_ASSETS "texts/",
                             idv_request_path(request, "name"), NULL));
}
