/* SPDX-License-Identifier: Apache-2.0 */
#include "httpd/start/site_check.h"

#include <apr_strings.h>

#include "api/http/routes.h"
#include "httpd/configuration/configuration.h"
#include "httpd/configuration/site.h"
#include "httpd/start/site_capture.h"
#include "httpd/start/site_findings.h"

/* --- other handlers and logins --- */

/* Whether SECTION is above the service's paths. A section for a path of the
 * service itself is deliberate. */
static int is_parent(const idv_site_section_t *section, const char *path)
{
    return section->pattern || strlen(section->path) <= 1
        || strncmp(section->path, path, strlen(section->path)) != 0;
}

static void check_handler(const idv_site_t *site,
                          const idv_site_settings_t *effective,
                          const char *handler)
{
    if (idv_site_is_handler(site, effective->earlier_handler, handler)
        && !idv_site_is_handler(site, effective->handler, handler)
        && is_parent(effective->handler_section, effective->path))
        idv_site_note(site, effective->path, effective->handler,
                      "takes the requests to another handler",
                      idv_site_include_after);
}

/* Whether a Require of PROVIDER can be met without a login. */
static int is_anonymous(const char *provider)
{
    static const char *const known[] = {
        "all", "env",   "expr",   "forward-dns", "host",
        "ip",  "local", "method", "ssl",         "ssl-verify-client"};

    for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
        if (strcasecmp(provider, known[i]) == 0)
            return 1;
    return 0;
}

static const char asks_login[] = "asks for another login than the service's";

static void check_login(const idv_site_t *site,
                        const idv_site_settings_t *effective)
{
    const ap_directive_t *key = NULL, *other = NULL;
    int is_ours =
        effective->auth_type
        && strcasecmp(idv_site_word(site, effective->auth_type, 0), "VerifyKey")
               == 0;

    for (int i = 0; i < effective->requires->nelts; i++) {
        const ap_directive_t *node =
            APR_ARRAY_IDX(effective->requires, i, const ap_directive_t *);
        const char *provider = idv_site_word(site, node, 0);

        if (strcasecmp(provider, "not") == 0)
            provider = idv_site_word(site, node, 1);
        if (strcasecmp(provider, "verify-key") == 0)
            key = node;
        else if (!is_anonymous(provider))
            other = node;
        else if (strcasecmp(provider, "all") == 0
                 && strcasecmp(idv_site_word(site, node, 1), "denied") == 0)
            idv_site_note(site, effective->path, node, "refuses everybody",
                          idv_site_include_after);
    }
    if (other && !(key && is_ours))
        idv_site_note(site, effective->path, other, asks_login,
                      idv_site_include_after);
    else if (key && !is_ours)
        idv_site_note(site, effective->path,
                      effective->auth_type ? effective->auth_type : key,
                      asks_login, idv_site_include_after);
}

/* verify.conf denies everyone access to the dashboard; a login for it must come
 * later in the configuration. */
static void check_operators(const idv_site_t *site,
                            const idv_site_settings_t *effective)
{
    const ap_directive_t *node;

    if (effective->requires->nelts != 1 || !effective->auth_type
        || is_parent(effective->auth_section, effective->path))
        return;
    node = APR_ARRAY_IDX(effective->requires, 0, const ap_directive_t *);
    if (strcasecmp(idv_site_word(site, node, 0), "all") == 0
        && strcasecmp(idv_site_word(site, node, 1), "denied") == 0)
        idv_site_note(site, effective->path, node,
                      "refuses everybody, whatever login precedes it",
                      "write the <Location> with the login of the dashboard "
                      "after the Include of verify.conf");
}

static void check_metrics_access(const idv_site_t *site,
                                 const idv_site_settings_t *effective)
{
    if (effective->requires->nelts == 0
        || effective->requires_section == effective->handler_section
        || !is_parent(effective->requires_section, effective->path))
        return;
    for (int i = 0; i < effective->requires->nelts; i++) {
        const ap_directive_t *node =
            APR_ARRAY_IDX(effective->requires, i, const ap_directive_t *);

        if (strcasecmp(idv_site_word(site, node, 0), "all") == 0
            && strcasecmp(idv_site_word(site, node, 1), "granted") == 0)
            idv_site_note(site, effective->path, node, "opens it to everybody",
                          idv_site_include_after);
    }
}

static const char decides_access[] = "decides who has access";
static const char opens_access[] = "gives access to everybody who meets one of "
                                   "several rules";

static void check_compat(const idv_site_t *site,
                         const idv_site_settings_t *effective)
{
    if (effective->compat
        && is_parent(effective->compat_section, effective->path))
        idv_site_note(site, effective->path, effective->compat,
                      idv_site_is_named(effective->compat, "Satisfy")
                          ? opens_access
                          : decides_access,
                      "write Satisfy All into each <Location> of the service, "
                      "as in verify.conf, and include verify.conf after this "
                      "section");
}

/* --- the whole check --- */

static void check_path(const idv_site_t *site, const char *path,
                       const char *handler)
{
    idv_site_settings_t effective = idv_site_look(site, path);

    check_handler(site, &effective, handler);
    if (!idv_site_is_handler(site, effective.handler, handler))
        return;
    idv_site_check_capture(site, &effective);
    check_compat(site, &effective);
    /* The login of operators is up to the administrator. */
    if (strcmp(handler, "verify") != 0)
        check_metrics_access(site, &effective);
    else if (idv_path_is_of_dashboard(path))
        check_operators(site, &effective);
    else
        check_login(site, &effective);
}

/* A path for ROUTE, with some value for each parameter. */
static const char *path_of(const idv_site_t *site, const idv_route_t *route)
{
    char *path = apr_pstrdup(site->round, route->pattern);

    for (char *c = path; *c; c++)
        if (*c == ':')
            *c = 'x';
    return path;
}

/* Below /.well-known a site has paths of many services. The one of the provider is
 * public, and needed only where people log in through OpenID Connect. */
static int is_shared(const idv_route_t *route)
{
    static const char prefix[] = "/.well-known/";

    return strncmp(route->pattern, prefix, sizeof(prefix) - 1) == 0;
}

static void check_paths(const idv_site_t *site)
{
    int count;
    const idv_route_t *routes = idv_routes(&count);

    for (int i = 0; i < count; i++) {
        if (is_shared(&routes[i]))
            continue;
        check_path(site, path_of(site, &routes[i]), "verify");
        apr_pool_clear(site->round);
    }
    for (int i = 0; i < site->sections->nelts; i++) {
        const idv_site_section_t *section =
            &APR_ARRAY_IDX(site->sections, i, idv_site_section_t);
        idv_site_settings_t alone = {.path = section->path};

        alone.requires = apr_array_make(site->round, 0, sizeof(char *));
        idv_site_apply(site, section, &alone);
        if (!section->pattern
            && idv_site_is_handler(site, alone.handler, "verify-metrics"))
            check_path(site, section->path, "verify-metrics");
        apr_pool_clear(site->round);
    }
}

void idv_site_check(server_rec *servers, apr_pool_t *scratch)
{
    idv_site_t site = idv_site_begin(scratch);

    idv_site_findings_begin(&site);
    for (server_rec *server = servers; server; server = server->next) {
        if (!idv_configuration_in_service(server))
            continue;
        idv_site_read(server, &site);
        check_paths(&site);
    }
    idv_site_findings_tell(&site, servers);
    /* The watchdog is forked later and would keep the memory permanently. */
    apr_pool_destroy(site.pool);
}

const ap_directive_t *idv_site_handler(const server_rec *server,
                                       apr_pool_t *scratch)
{
    idv_site_t site = idv_site_begin(scratch);
    const ap_directive_t *found = NULL;
    int count;
    const idv_route_t *routes = idv_routes(&count);

    idv_site_read(server, &site);
    for (int i = 0; i < count && !found; i++) {
        const idv_site_settings_t effective =
            idv_site_look(&site, path_of(&site, &routes[i]));

        if (idv_site_is_handler(&site, effective.handler, "verify"))
            found = effective.handler;
    }
    apr_pool_destroy(site.pool);
    return found;
}
