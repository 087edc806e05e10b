/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_API_HTTP_WEB_ASSET_H
#define IDV_API_HTTP_WEB_ASSET_H

/*
 * The files of the widget (mod_verify/web) and of the dashboard
 * (mod_verify/web/dashboard) and the API documents, embedded at build time, and
 * their response headers. The module needs no document root.
 *
 * The build joins modules and makes a page for each language
 * (apxs/embed_web.pl, apxs/embed_dashboard.pl); the names here are those of the
 * result. The folder of everything a page loads is named after a digest of its
 * contents, so that browsers may cache it forever.
 *
 * Each file is stored plain, gzip-compressed, and compressed with brotli, unless
 * it is very large (an API document) or the building machine has no brotli. So
 * the download size does not depend on mod_deflate and mod_brotli, and no request
 * costs the time of a compression. Each form has its own entity tag (RFC 9110,
 * 8.8.3.3).
 *
 * Memory: everything is constant. Threads: all functions are thread-safe.
 */
#include <apr_pools.h>
#include <apr_tables.h>

/* One representation of a file. */
typedef struct {
    const unsigned char *data;
    apr_size_t length;
    const char *etag;   /* strong, with its quotes */
    const char *coding; /* as in Content-Encoding, or NULL */
} idv_web_body_t;

typedef struct {
    /* Below /verify/, without the folder of the version: "embed.js",
     * "index.de.html", "assets/widget.js". */
    const char *path;
    const char *media_type;
    idv_web_body_t plain;
    idv_web_body_t gzip;
    idv_web_body_t brotli; /* all NULL if there is none */
} idv_web_asset_t;

/* Every file, ended by an entry whose path is NULL. */
extern const idv_web_asset_t idv_web_assets[];
/* The name of the folder below assets/ that pages refer to. */
extern const char idv_web_assets_version[];
/* The page's only inline script (early.js), as a policy names it:
 * "'sha256-…='". */
extern const char idv_web_script_hash[];

/* The dashboard's files below /dashboard/ ("index.de.html",
 * "assets/dashboard.js"), embedded the same way. They contain no data. */
extern const idv_web_asset_t idv_dashboard_assets[];
extern const char idv_dashboard_assets_version[];

/* API documents, embedded the same way; they load no other resources:
 * the description for each audience ("openapi.json" for customers'
 * servers, "openapi.widget.json", "openapi.dashboard.json";
 * scripts/api-documents), "docs.html" and "postman.json" (apxs/embed_api.pl). */
extern const idv_web_asset_t idv_api_documents[];
/* The inline style of docs.html, as a policy names it: "'sha256-…='". */
extern const char idv_api_page_style_hash[];

/* Cache-Control of the API documents. */
#define IDV_WEB_FOR_A_WHILE "public, max-age=300"

/* The page of /verify/{id}, the same for every session. */
#define IDV_WEB_PAGE "index"
/* The page where persons revoke sharing; it must not be framed. */
#define IDV_WEB_REVOKE_PAGE "revoke"
/* The script for customers' pages, and the folder of everything else. */
#define IDV_WEB_EMBED_SCRIPT "embed.js"
#define IDV_WEB_ASSETS "assets/"

/* The file at PATH below /verify/, or NULL. */
const idv_web_asset_t *idv_web_asset_find(const char *path);

/* PAGE in the language of LANG (a language tag, or NULL), if available, else in
 * the language that ACCEPT_LANGUAGE (the request's header, or NULL) prefers
 * (RFC 9110, 12.5.4; of equal weights the first), else in English. Never NULL
 * for the two pages named above. */
const idv_web_asset_t *idv_web_page_find(const char *page, const char *lang,
                                         const char *accept_language);

/* The same for the dashboard, which has one page, IDV_WEB_PAGE. */
const idv_web_asset_t *idv_dashboard_asset_find(const char *path);
const idv_web_asset_t *idv_dashboard_page_find(const char *lang,
                                               const char *accept_language);

/* The API document PATH, or NULL. */
const idv_web_asset_t *idv_api_document_find(const char *path);

/* The form of ASSET that ACCEPT_ENCODING (the request's header, or NULL) prefers
 * (RFC 9110, 12.5.3). Of equal weights brotli, then gzip. A coding that only "*"
 * admits is sent only if the plain form is refused. The plain form is also the
 * answer if nothing is acceptable. */
const idv_web_body_t *idv_web_encoding_pick(const idv_web_asset_t *asset,
                                            const char *accept_encoding);

/* Sets the HEADERS of every answer for ASSET: the list of web_headers.def and
 * the cross-origin permissions. FRAME_ANCESTORS is the source list of that
 * directive, such as "'self' https://shop.example". VERSION is the requested
 * folder or NULL; an answer from the current folder is marked immutable. */
void idv_web_headers_set(apr_table_t *headers, const idv_web_asset_t *asset,
                         const char *version, const char *frame_ancestors,
                         apr_pool_t *pool);

/* The same for the dashboard's files: they cannot be framed or embedded, and
 * scripts cannot turn text into markup (Trusted Types). */
void idv_dashboard_headers_set(apr_table_t *headers, const char *version);

/* The same for the page of the API: it runs no script, loads nothing and cannot
 * be framed. It may be cached as long as openapi.json. */
void idv_api_page_headers_set(apr_table_t *headers, apr_pool_t *pool);

#endif
