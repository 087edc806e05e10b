/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_API_WEB_ASSET_H
#define IDV_API_WEB_ASSET_H

/*
 * The files of the widget (mod_verify/web), embedded at build time, and the
 * headers with which they are served. The module needs no document root.
 *
 * Each file is there twice, plain and gzip-compressed, because what a phone
 * has to load must not depend on whether the administrator loaded mod_deflate.
 * The two have different entity tags, as RFC 9110, 8.8.3.3 wants it.
 *
 * Memory: everything is constant. Threads: all functions are thread-safe.
 */
#include <apr_pools.h>
#include <apr_tables.h>

/* One representation of a file. */
typedef struct {
    const unsigned char *data;
    apr_size_t length;
    const char *etag; /* strong, with its quotes */
} idv_web_body_t;

typedef struct {
    const char *path; /* below /verify/: "embed.js", "assets/app.js" */
    const char *media_type;
    idv_web_body_t plain;
    idv_web_body_t gzip;
} idv_web_asset_t;

/* Every file, ended by an entry whose path is NULL. */
extern const idv_web_asset_t idv_web_assets[];

/* The description of the API (api/openapi.json), likewise: a single file. */
extern const idv_web_asset_t idv_openapi_document[];

/* The page of /verify/{id}, the same for every session. */
#define IDV_WEB_PAGE "index.html"
/* The page on which persons end what they share; nobody may frame it. */
#define IDV_WEB_REVOKE_PAGE "revoke.html"
/* What customers' pages load, and the folder of everything else. */
#define IDV_WEB_EMBED_SCRIPT "embed.js"
#define IDV_WEB_ASSETS "assets/"

/* The file at PATH below /verify/, or NULL. */
const idv_web_asset_t *idv_web_asset_find(const char *path);

/* Non-zero when ACCEPT_ENCODING (the request's header, or NULL) admits gzip;
 * RFC 9110, 12.5.3. */
int idv_web_accepts_gzip(const char *accept_encoding);

/* Sets in HEADERS what goes with every answer for ASSET: the list of
 * web_headers.def and who may use it from elsewhere. FRAME_ANCESTORS is the
 * source list of that directive, such as "'self' https://shop.example". */
void idv_web_headers_set(apr_table_t *headers, const idv_web_asset_t *asset,
                         const char *frame_ancestors, apr_pool_t *pool);

#endif
