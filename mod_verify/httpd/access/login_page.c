/* SPDX-License-Identifier: Apache-2.0 */
#include "httpd/access/login_page.h"

#include <string.h>

#include <apr_strings.h>
#include <http_protocol.h>

#include "core/crypto.h"

#define NONCE_BYTES 16
#define API "/dashboard/v1/"

typedef struct {
    const char *language, *title, *text;
    const char *file; /* markup; %s: its name */
    const char *again;
} texts_t;

static const texts_t english = {
    "en", "Log in to the dashboard",
    "The dashboard is for the operators of this server. Its administrator "
    "gives you a login.",
    "<p>In this demonstration, <code>DASHBOARD_USER</code> and "
    "<code>DASHBOARD_PASSWORD</code> are in <code>%s</code>.</p>\n",
    "Try again"};

static const texts_t german = {
    "de", "Beim Dashboard anmelden",
    "Das Dashboard ist für die Betreiber dieses Servers. Zugangsdaten erhalten "
    "Sie vom Administrator.",
    "<p>In dieser Demonstration stehen <code>DASHBOARD_USER</code> und "
    "<code>DASHBOARD_PASSWORD</code> in <code>%s</code>.</p>\n",
    "Erneut versuchen"};

/* The first of both languages that ACCEPTED lists. */
static const texts_t *choose_texts(const char *accepted)
{
    while (accepted && *accepted) {
        accepted += strspn(accepted, ", \t");
        if (strcspn(accepted, "-,; \t") == 2) {
            if (strncasecmp(accepted, "de", 2) == 0)
                return &german;
            if (strncasecmp(accepted, "en", 2) == 0)
                return &english;
        }
        accepted += strcspn(accepted, ",");
    }
    return &english;
}

/* The dashboard's colors (web/dashboard/dashboard.css). */
static const char style[] =
    ":root{color-scheme:light dark}"
    "body{margin:0;padding:1rem;background:light-dark(#eef2f6,#0e141b);"
    "color:light-dark(#14202e,#e9eef4);font:.9375rem/1.5 system-ui,"
    "-apple-system,\"Segoe UI\",Roboto,\"Helvetica Neue\",\"Noto Sans\",Arial,"
    "sans-serif;overflow-wrap:anywhere}"
    "main{box-sizing:border-box;max-width:30rem;margin:12vh auto 0;"
    "padding:1.75rem;background:light-dark(#fff,#171f29);border:1px solid "
    "light-dark(#d5dde6,#2f3b4a);border-radius:.75rem}"
    "h1{margin:0 0 .75rem;font-size:1.5rem;line-height:1.25}"
    "p{margin:0 0 .75rem}"
    "code{font-family:ui-monospace,\"SF Mono\",Menlo,Consolas,"
    "\"DejaVu Sans Mono\",monospace;font-size:.875em}"
    "a{display:inline-block;margin-top:.5rem;padding:.625rem 1.125rem;"
    "border-radius:.5rem;background:light-dark(#1d4f91,#8ebcf5);"
    "color:light-dark(#fff,#0b1a2c);font-weight:600;text-decoration:none}"
    "a:focus-visible{outline:3px solid light-dark(#1d4f91,#8ebcf5);"
    "outline-offset:2px}";

/* Format strings that are chosen at run time are the constants above. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

static const char *where_it_is(request_rec *r, const texts_t *texts)
{
    const char *file = apr_table_get(r->subprocess_env, "verify-login-file");

    return file
             ? apr_psprintf(r->pool, texts->file, ap_escape_html(r->pool, file))
             : "";
}

#pragma GCC diagnostic pop

/* A person's browser that opens a page, not a script of the dashboard. */
static int is_navigation(request_rec *r)
{
    const char *accepted = apr_table_get(r->headers_in, "Accept");

    return r->method_number == M_GET && accepted
        && ap_strcasestr(accepted, "text/html")
        && strncmp(r->uri, API, strlen(API)) != 0;
}

static void set_headers(request_rec *r, const char *nonce)
{
    apr_table_set(r->headers_out, "Content-Security-Policy",
                  apr_pstrcat(r->pool, "default-src 'none'; style-src 'nonce-",
                              nonce,
                              "'; base-uri 'none'; form-action 'none'; "
                              "frame-ancestors 'none'; "
                              "require-trusted-types-for 'script'",
                              NULL));
    apr_table_mergen(r->headers_out, "Vary", "Accept, Accept-Language");
}

const char *idv_login_page(request_rec *r)
{
    const texts_t *texts;
    const char *nonce;

    if (!is_navigation(r))
        return NULL;
    texts = choose_texts(apr_table_get(r->headers_in, "Accept-Language"));
    nonce = idv_random_token(NONCE_BYTES, r->pool);
    set_headers(r, nonce);
    return apr_pstrcat(
        r->pool, "<!doctype html>\n<html lang=\"", texts->language,
        "\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width\">\n<title>",
        texts->title, "</title>\n<style nonce=\"", nonce, "\">", style,
        "</style>\n</head>\n<body>\n<main>\n<h1>", texts->title, "</h1>\n<p>",
        texts->text, "</p>\n", where_it_is(r, texts),
        "<a href=\"/dashboard/\">", texts->again,
        "</a>\n</main>\n</body>\n</html>\n", NULL);
}
