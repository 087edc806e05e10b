/* SPDX-License-Identifier: Apache-2.0 */
#include "httpd/gate/gate_page.h"

#include <string.h>

#include <apr_strings.h>
#include <http_core.h>
#include <http_protocol.h>

#include "domain/account/brand.h"
#include "httpd/request/request_state.h"
#include "store/account/organization.h"

#define NONCE_BYTES 16
#define DEFAULT_ACCENT "#1d4ed8"

typedef struct {
    idv_gate_page_t page;
    const char *language, *title, *text, *next;
} text_t;

static const text_t texts[] = {
#define IDV_GATE_TEXT(page, language, title, text, next)                       \
    {IDV_GATE_PAGE_##page, language, title, text, next},
#include "httpd/gate/gate_texts.def"
#undef IDV_GATE_TEXT
};

#define TEXT_COUNT ((int)(sizeof(texts) / sizeof(*texts)))

/* --- language --- */

static const text_t *find_text(idv_gate_page_t page, const char *language,
                               apr_size_t length)
{
    for (int i = 0; i < TEXT_COUNT; i++)
        if (texts[i].page == page
            && (!language
                || (strncasecmp(texts[i].language, language, length) == 0
                    && !texts[i].language[length])))
            return &texts[i];
    return NULL;
}

/* The first available language of ACCEPTED; browsers list languages in order of
 * preference. */
static const text_t *choose_text(idv_gate_page_t page, const char *accepted)
{
    const text_t *found = NULL;

    while (accepted && *accepted && !found) {
        accepted += strspn(accepted, ", \t");
        if (*accepted)
            found = find_text(page, accepted, strcspn(accepted, "-,; \t"));
        accepted += strcspn(accepted, ",");
    }
    return found ? found : find_text(page, NULL, 0);
}

static const char *direction_of(const text_t *text)
{
    return strcmp(text->language, "ar") == 0 ? "rtl" : "ltr";
}

/* --- brand --- */

typedef struct {
    const char *organization_id;
    idv_organization_brand_t found;
} branding_t;

static idv_error_t *find_brand(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    branding_t *branding = baton;

    return idv_organization_brand(db, branding->organization_id,
                                  &branding->found, pool);
}

static idv_organization_brand_t brand_of(idv_request_t *request,
                                         const char *organization_id)
{
    branding_t branding = {organization_id, {0}};
    idv_error_t *error =
        organization_id
            ? idv_request_with_database(request, find_brand, &branding)
            : NULL;

    if (error)
        idv_request_log_error(request->r, error);
    return branding.found;
}

static const char *member_of(const json_t *brand, const char *name)
{
    return json_string_value(json_object_get(brand, name));
}

/* --- the page --- */

static const char style[] =
    "body{margin:0;font:1.0625rem/1.5 system-ui,sans-serif;color:#1b1b1f;"
    "background:#f4f4f6}"
    "main{box-sizing:border-box;max-width:30rem;margin:12vh auto;padding:2rem;"
    "background:#fff;border-radius:.75rem}"
    "img{display:block;max-width:12rem;max-height:4rem;margin:0 0 1.5rem}"
    "h1{font-size:1.5rem;line-height:1.25;margin:0 0 .75rem}"
    "p{margin:0 0 1.5rem}"
    "a{display:inline-block;padding:.75rem 1.25rem;border-radius:.5rem;"
    "color:#fff;background:var(--accent);text-decoration:none}"
    "a:focus-visible{outline:3px solid #1b1b1f;outline-offset:2px}"
    "@media(prefers-color-scheme:dark){body{color:#f4f4f6;background:#121215}"
    "main{background:#1e1e23}a:focus-visible{outline-color:#f4f4f6}}";

static const char *escaped(const char *text, apr_pool_t *pool)
{
    return ap_escape_html2(pool, text, 0);
}

static const char *logo_of(const json_t *brand, apr_pool_t *pool)
{
    const char *logo = member_of(brand, "logo");

    return logo && strncmp(logo, "data:image/", 11) == 0 ? apr_pstrcat(
               pool, "<img alt=\"\" src=\"", escaped(logo, pool), "\">", NULL)
                                                         : "";
}

static void set_headers(request_rec *r, const char *nonce)
{
    apr_table_t *headers = r->err_headers_out;

    apr_table_setn(headers, "Content-Security-Policy",
                   apr_pstrcat(r->pool, "default-src 'none'; style-src 'nonce-",
                               nonce,
                               "'; img-src data:; form-action 'none'; "
                               "base-uri 'none'; frame-ancestors 'none'",
                               NULL));
    apr_table_setn(headers, "X-Content-Type-Options", "nosniff");
    apr_table_setn(headers, "X-Robots-Tag", "noindex");
    apr_table_setn(headers, "Referrer-Policy", "no-referrer");
    apr_table_setn(headers, "Cache-Control", "no-store");
}

/* TEXT with its %s replaced by NAME. */
static const char *filled(const char *text, const char *name, apr_pool_t *pool)
{
    const char *place = ap_strstr_c(text, "%s");

    return apr_pstrcat(pool,
                       apr_pstrmemdup(pool, text, (apr_size_t)(place - text)),
                       name, place + 2, NULL);
}

static const char *link_to(const char *next, const text_t *text,
                           apr_pool_t *pool)
{
    return next ? apr_pstrcat(pool, "<a href=\"", escaped(next, pool), "\">",
                              text->next, "</a>\n", NULL)
                : "";
}

static const char *page_text(request_rec *r, const text_t *text,
                             const idv_organization_brand_t *brand,
                             const char *next)
{
    apr_pool_t *pool = r->pool;
    const json_t *members =
        brand->brand ? idv_json_load(brand->brand, pool) : NULL;
    const char *accent = member_of(members, "accent");
    const char *name =
        brand->shown_name ? brand->shown_name : ap_get_server_name(r);
    const char *nonce = idv_random_token(NONCE_BYTES, pool);

    if (!accent || idv_brand_contrast(accent) == 0)
        accent = DEFAULT_ACCENT;
    set_headers(r, nonce);
    return apr_pstrcat(
        pool, "<!DOCTYPE html>\n<html lang=\"", text->language, "\" dir=\"",
        direction_of(text),
        "\">\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width\">\n<title>",
        text->title, "</title>\n<style nonce=\"", nonce, "\">:root{--accent:",
        accent, "}", style, "</style>\n<main>\n", logo_of(members, pool),
        "<h1>", text->title, "</h1>\n<p>",
        filled(text->text, escaped(name, pool), pool), "</p>\n",
        link_to(next, text, pool), "</main>\n</html>\n", NULL);
}

const char *idv_gate_page_text(idv_request_t *request,
                               const char *organization_id,
                               idv_gate_page_t page, const char *next)
{
    request_rec *r = request->r;
    const idv_organization_brand_t brand = brand_of(request, organization_id);

    apr_table_mergen(r->err_headers_out, "Vary", "Accept-Language");
    return page_text(
        r, choose_text(page, apr_table_get(r->headers_in, "Accept-Language")),
        &brand, next);
}

void idv_gate_page(request_rec *r, idv_gate_visitor_t *visitor,
                   idv_gate_page_t page, const char *next)
{
    /* Headers belong to R, which httpd may have redirected here. */
    idv_request_t request = *visitor->request;

    request.r = r;
    r->status = idv_gate_page_status(page);
    r->status_line = NULL;
    ap_set_content_type(r, "text/html; charset=utf-8");
    ap_rputs(idv_gate_page_text(&request, visitor->gate->organization_id, page,
                                next),
             r);
}
