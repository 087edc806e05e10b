/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A login by OpenID Connect as httpd sees it, without a provider behind: what
 * mod_auth_openidc leaves in a request (the user, the AuthType and OIDC_CLAIM_*
 * variables), and how it sends somebody who is not logged in away. A cookie names
 * the login, in the clear, which is for tests alone.
 *
 *     FakeOpenIDLogin dora "Dora Maar" "staff,dev"
 *     <Location "/dashboard"> AuthType openid-connect, Require valid-user
 *     <Location "/provider"> SetHandler fake-openid-provider
 *     FakeOpenIDProvider http://127.0.0.1:8080/provider https://127.0.0.1:8443
 *
 * A navigation without a login is sent to the provider, whose page has a link for
 * each login; these lead to /dashboard/oidc, which sets the cookie and leads to
 * where the navigation began. What is no navigation is answered 401.
 */
#include <string.h>

#include <apr_strings.h>
#include <httpd.h>
#include <http_config.h>
#include <http_core.h>
#include <http_protocol.h>
#include <http_request.h>
#include <mod_auth.h>
#include <util_cookies.h>

module AP_MODULE_DECLARE_DATA fake_openid_module;

#define COOKIE "fake_openid"
#define RETURN "/dashboard/oidc"

typedef struct {
    const char *user;
    const char *name;
    const char *groups;
} login_t;

typedef struct {
    apr_array_header_t *logins; /* of login_t */
    const char *provider; /* the address of its page */
    const char *service;  /* the origin that it leads back to */
} conf_t;

static void *create_conf(apr_pool_t *pool, server_rec *server)
{
    conf_t *conf = apr_pcalloc(pool, sizeof(*conf));

    (void)server;
    conf->logins = apr_array_make(pool, 4, sizeof(login_t));
    return conf;
}

/* All of it stands outside of virtual hosts. */
static void *merge_conf(apr_pool_t *pool, void *base, void *own)
{
    (void)pool;
    (void)own;
    return base;
}

static conf_t *conf_of(const server_rec *server)
{
    return ap_get_module_config(server->module_config, &fake_openid_module);
}

static const char *read_login(cmd_parms *command, void *unused,
                              const char *user, const char *name,
                              const char *groups)
{
    (void)unused;
    APR_ARRAY_PUSH(conf_of(command->server)->logins, login_t) =
        (login_t){user, name, groups};
    return NULL;
}

static const char *read_provider(cmd_parms *command, void *unused,
                                 const char *address, const char *service)
{
    conf_t *conf = conf_of(command->server);

    (void)unused;
    conf->provider = address;
    conf->service = service;
    return NULL;
}

static const login_t *find_login(const request_rec *r, const char *user)
{
    const apr_array_header_t *logins = conf_of(r->server)->logins;

    for (int i = 0; user && i < logins->nelts; i++) {
        const login_t *login = &APR_ARRAY_IDX(logins, i, login_t);

        if (strcmp(login->user, user) == 0)
            return login;
    }
    return NULL;
}

static int lead_to(request_rec *r, const char *address)
{
    apr_table_setn(r->err_headers_out, "Location", address);
    apr_table_setn(r->err_headers_out, "Cache-Control", "no-store");
    return HTTP_MOVED_TEMPORARILY;
}

/* The value of NAME in the query of R, decoded. */
static const char *parameter(request_rec *r, const char *name)
{
    char *query = apr_pstrdup(r->pool, r->args ? r->args : ""), *rest;

    for (char *pair = apr_strtok(query, "&", &rest); pair;
         pair = apr_strtok(NULL, "&", &rest)) {
        char *value = strchr(pair, '=');

        if (!value)
            continue;
        *value++ = '\0';
        if (strcmp(pair, name) == 0 && ap_unescape_urlencoded(value) == OK)
            return value;
    }
    return NULL;
}

/* The way back from the provider: whoever has chosen a login there has it. */
static int begin_login(request_rec *r)
{
    const login_t *login = find_login(r, parameter(r, "code"));
    const char *state = parameter(r, "state");

    if (!login || !state || strncmp(state, "/dashboard", 10) != 0)
        return HTTP_BAD_REQUEST;
    apr_table_setn(r->err_headers_out, "Set-Cookie",
                   apr_psprintf(r->pool,
                                COOKIE "=%s; Path=/; Secure; HttpOnly; "
                                       "SameSite=Lax",
                                login->user));
    return lead_to(r, state);
}

static int is_navigation(const request_rec *r)
{
    const char *mode = apr_table_get(r->headers_in, "Sec-Fetch-Mode");

    return !mode || strcmp(mode, "navigate") == 0;
}

static int check_user(request_rec *r)
{
    const char *type = ap_auth_type(r), *value = NULL;
    const login_t *login;

    if (!type || strcasecmp(type, "openid-connect") != 0)
        return DECLINED;
    if (strcmp(r->uri, RETURN) == 0)
        return begin_login(r);
    ap_cookie_read(r, COOKIE, &value, 0);
    login = find_login(r, value);
    if (!login)
        return is_navigation(r)
                 ? lead_to(r, apr_pstrcat(
                                  r->pool, conf_of(r->server)->provider,
                                  "?state=",
                                  ap_escape_urlencoded(r->pool,
                                                       r->unparsed_uri),
                                  NULL))
                 : HTTP_UNAUTHORIZED;
    r->user = apr_pstrdup(r->pool, login->user);
    r->ap_auth_type = "openid-connect";
    apr_table_setn(r->subprocess_env, "OIDC_CLAIM_sub", login->user);
    apr_table_setn(r->subprocess_env, "OIDC_CLAIM_name", login->name);
    apr_table_setn(r->subprocess_env, "OIDC_CLAIM_groups", login->groups);
    return OK;
}

/* The provider's page, a link for each login. */
static int provide(request_rec *r)
{
    const apr_array_header_t *logins = conf_of(r->server)->logins;
    const char *state = parameter(r, "state");
    const char *back = conf_of(r->server)->service;

    if (!r->handler || strcmp(r->handler, "fake-openid-provider") != 0)
        return DECLINED;
    if (!state || !back)
        return HTTP_BAD_REQUEST;
    ap_set_content_type(r, "text/html;charset=utf-8");
    ap_rputs("<!DOCTYPE html><title>Provider</title>", r);
    for (int i = 0; i < logins->nelts; i++) {
        const login_t *login = &APR_ARRAY_IDX(logins, i, login_t);

        ap_rprintf(r,
                   "<p><a id=\"%s\" href=\"%s" RETURN
                   "?code=%s&amp;state=%s\">%s</a></p>",
                   login->user, ap_escape_html(r->pool, back), login->user,
                   ap_escape_urlencoded(r->pool, state), login->name);
    }
    return OK;
}

static const command_rec commands[] = {
    AP_INIT_TAKE3("FakeOpenIDLogin", read_login, NULL, RSRC_CONF,
                  "a user, the name, and groups separated by commas"),
    AP_INIT_TAKE2("FakeOpenIDProvider", read_provider, NULL, RSRC_CONF,
                  "the address of the provider's page, and the origin that it "
                  "leads back to"),
    {0},
};

static void register_hooks(apr_pool_t *pool)
{
    (void)pool;
    ap_hook_check_authn(check_user, NULL, NULL, APR_HOOK_MIDDLE,
                        AP_AUTH_INTERNAL_PER_CONF);
    ap_hook_handler(provide, NULL, NULL, APR_HOOK_MIDDLE);
}

AP_DECLARE_MODULE(fake_openid) = {
    STANDARD20_MODULE_STUFF,
    NULL,
    NULL,
    create_conf,
    merge_conf,
    commands,
    register_hooks,
#if defined(AP_MODULE_FLAG_NONE)
    AP_MODULE_FLAG_NONE,
#endif
};
