/* SPDX-License-Identifier: Apache-2.0 */
#include "httpd/site_check.h"

#include <apr_fnmatch.h>
#include <apr_hash.h>
#include <apr_strings.h>
#include <http_config.h>
#include <http_log.h>

#include "api/http/routes.h"
#include "httpd/configuration.h"

APLOG_USE_MODULE(verify);

/* A <Location> or <LocationMatch>. */
typedef struct {
    const ap_directive_t *node;
    const char *path; /* as configured; NULL: there is a pattern */
    ap_regex_t *pattern;
} section_t;

/* A directive that interferes with requests to the service. */
typedef struct {
    const ap_directive_t *directive;
    const char *does, *write;  /* its effect, and the remedy */
    apr_array_header_t *roots; /* const char *, the affected paths */
} finding_t;

/* The facts about one server. */
typedef struct {
    apr_pool_t *pool;  /* of the whole check */
    apr_pool_t *round; /* of the check of one path */
    apr_array_header_t *sections; /* section_t, in merge order */
    apr_array_header_t *outside;  /* const ap_directive_t *, no section */
    int own; /* index in `outside` of the server's first own one */
    apr_array_header_t *findings; /* finding_t, of all servers */
    apr_hash_t *patterns; /* ap_regex_t by flags and text, of all servers */
} site_t;

/* The settings of one path after merging its sections. */
typedef struct {
    const char *path;
    const ap_directive_t *handler, *earlier_handler; /* SetHandler */
    const section_t *handler_section;
    const ap_directive_t *proxy_pass;
    const ap_directive_t *auth_type;
    const section_t *auth_section; /* the section of auth_type */
    apr_array_header_t *requires; /* const ap_directive_t * */
    const section_t *requires_section; /* the section of the last one */
    const ap_directive_t *compat; /* of mod_access_compat: restricts, opens */
    const section_t *compat_section; /* the last with any of its directives */
} effective_t;

/* --- directives --- */

static int is_named(const ap_directive_t *directive, const char *name)
{
    return strcasecmp(directive->directive, name) == 0;
}

static const char *word(const site_t *site, const ap_directive_t *directive,
                        int number)
{
    const char *rest = directive->args ? directive->args : "";
    const char *found = "";

    /* httpd leaves the bracket at the end of a section's first line. */
    if (*directive->directive == '<' && ap_strrchr_c(rest, '>'))
        rest = apr_pstrmemdup(site->round, rest,
                              (apr_size_t)(ap_strrchr_c(rest, '>') - rest));
    for (int i = 0; i <= number; i++)
        found = ap_getword_conf(site->round, &rest);
    return found;
}

static int matches_pattern(const site_t *site, const char *pattern, int flags,
                           const char *path)
{
    const char *key =
        apr_psprintf(site->round, "%d %s", flags, pattern);
    ap_regex_t *regex = apr_hash_get(site->patterns, key, APR_HASH_KEY_STRING);

    if (!regex) {
        regex = ap_pregcomp(site->pool, pattern, flags);
        apr_hash_set(site->patterns, apr_pstrdup(site->pool, key),
                     APR_HASH_KEY_STRING, regex);
    }
    return regex && ap_regexec(regex, path, 0, NULL, 0) == 0;
}

/* Whether httpd applies SECTION to PATH; compares like ap_location_walk(). */
static int matches_section(const section_t *section, const char *path)
{
    apr_size_t length;

    if (section->pattern)
        return ap_regexec(section->pattern, path, 0, NULL, 0) == 0;
    if (apr_fnmatch_test(section->path))
        return apr_fnmatch(section->path, path, APR_FNM_PATHNAME)
            == APR_SUCCESS;
    length = strlen(section->path);
    return strncmp(section->path, path, length) == 0
        && (length == 0 || section->path[length - 1] == '/' || !path[length]
            || path[length] == '/');
}

/* --- the site --- */

static void add_section(site_t *site, const ap_directive_t *node, int is_match)
{
    section_t *section = apr_array_push(site->sections);
    const char *path = word(site, node, 0);

    if (!is_match && strcmp(path, "~") == 0) {
        path = word(site, node, 1);
        is_match = 1;
    }
    *section = (section_t){node, apr_pstrdup(site->pool, path), NULL};
    if (!is_match)
        return;
    section->pattern = ap_pregcomp(site->pool, path, AP_REG_EXTENDED);
    if (!section->pattern)
        apr_array_pop(site->sections);
}

static void add_level(site_t *site, const ap_directive_t *first)
{
    site->own = site->outside->nelts;
    for (const ap_directive_t *node = first; node; node = node->next) {
        if (is_named(node, "<Location"))
            add_section(site, node, 0);
        else if (is_named(node, "<LocationMatch"))
            add_section(site, node, 1);
        else if (*node->directive != '<')
            APR_ARRAY_PUSH(site->outside, const ap_directive_t *) = node;
    }
}

/* The main server's sections are merged before those of a virtual host. */
static void read_site(const server_rec *server, site_t *site)
{
    site->sections = apr_array_make(site->pool, 16, sizeof(section_t));
    site->outside = apr_array_make(site->pool, 64, sizeof(ap_directive_t *));
    add_level(site, ap_conftree);
    for (const ap_directive_t *node = ap_conftree;
         server->is_virtual && node; node = node->next) {
        if (is_named(node, "<VirtualHost") && server->defn_name
            && strcmp(node->filename, server->defn_name) == 0
            && node->line_num == (int)server->defn_line_number)
            add_level(site, node->first_child);
    }
}

/* --- settings of a path --- */

/* Adds the Require directives at NODE and below. Non-zero if there are any. */
static int collect_requires(const ap_directive_t *node,
                            apr_array_header_t *requires)
{
    int count = 0;

    for (; node; node = node->next) {
        if (is_named(node, "Require")) {
            APR_ARRAY_PUSH(requires, const ap_directive_t *) = node;
            count++;
        } else if (strncasecmp(node->directive, "<Require", 8) == 0
                   || strncasecmp(node->directive, "<Limit", 6) == 0) {
            count += collect_requires(node->first_child, requires);
        }
    }
    return count;
}

static int adds_to_requires(const site_t *site, const section_t *section)
{
    int adds = 0;

    for (const ap_directive_t *node = section->node->first_child; node;
         node = node->next) {
        if (is_named(node, "AuthMerging"))
            adds = strcasecmp(word(site, node, 0), "Off") != 0;
    }
    return adds;
}

static void apply_requires(const site_t *site, const section_t *section,
                           effective_t *effective)
{
    apr_array_header_t *requires =
        apr_array_make(site->round, 4, sizeof(ap_directive_t *));

    if (!collect_requires(section->node->first_child, requires))
        return;
    effective->requires =
        adds_to_requires(site, section)
            ? apr_array_append(site->round, effective->requires, requires)
            : requires;
    effective->requires_section = section;
}

/* A section with any directive of mod_access_compat replaces those of all
 * earlier sections. */
static void apply_compat(const site_t *site, const section_t *section,
                         effective_t *effective)
{
    for (const ap_directive_t *node = section->node->first_child; node;
         node = node->next) {
        int is_allow = is_named(node, "Allow");
        int is_deny = is_named(node, "Deny");
        int is_satisfy = is_named(node, "Satisfy");

        if (!is_allow && !is_deny && !is_satisfy && !is_named(node, "Order"))
            continue;
        if (effective->compat_section != section)
            effective->compat = NULL;
        effective->compat_section = section;
        if (is_deny
            || (is_allow && strcasecmp(word(site, node, 1), "all") != 0)
            || (is_satisfy && strcasecmp(word(site, node, 0), "any") == 0))
            effective->compat = node;
    }
}

static void apply_section(const site_t *site, const section_t *section,
                          effective_t *effective)
{
    for (const ap_directive_t *node = section->node->first_child; node;
         node = node->next) {
        if (is_named(node, "SetHandler")) {
            effective->earlier_handler = effective->handler;
            effective->handler = node;
            effective->handler_section = section;
        } else if (is_named(node, "ProxyPass")
                   || is_named(node, "ProxyPassMatch")) {
            effective->proxy_pass = node;
        } else if (is_named(node, "AuthType")) {
            effective->auth_type = node;
            effective->auth_section = section;
        }
    }
    apply_requires(site, section, effective);
    apply_compat(site, section, effective);
}

static effective_t look_at(const site_t *site, const char *path)
{
    effective_t effective = {
        .path = path,
        .requires = apr_array_make(site->round, 0, sizeof(ap_directive_t *)),
    };

    for (int i = 0; i < site->sections->nelts; i++) {
        const section_t *section =
            &APR_ARRAY_IDX(site->sections, i, section_t);

        if (matches_section(section, path))
            apply_section(site, section, &effective);
    }
    return effective;
}

static int is_handler(const site_t *site, const ap_directive_t *directive,
                      const char *name)
{
    return directive && strcmp(word(site, directive, 0), name) == 0;
}

/* --- findings --- */

/* The first segment of PATH. */
static const char *root_of(const site_t *site, const char *path)
{
    const char *end = *path ? strchr(path + 1, '/') : NULL;

    return end ? apr_pstrmemdup(site->pool, path, (apr_size_t)(end - path))
               : apr_pstrdup(site->pool, path);
}

static void add_root(const finding_t *finding, const char *root)
{
    for (int i = 0; i < finding->roots->nelts; i++) {
        if (strcmp(APR_ARRAY_IDX(finding->roots, i, const char *), root) == 0)
            return;
    }
    APR_ARRAY_PUSH(finding->roots, const char *) = root;
}

/* Records that DIRECTIVE does DOES to PATH and that the remedy is to write
 * WRITE. */
static void note_finding(const site_t *site, const char *path,
                         const ap_directive_t *directive, const char *does,
                         const char *write)
{
    finding_t *finding = NULL;

    for (int i = 0; i < site->findings->nelts && !finding; i++) {
        finding_t *other = &APR_ARRAY_IDX(site->findings, i, finding_t);

        if (other->directive == directive && other->does == does)
            finding = other;
    }
    if (!finding) {
        finding = apr_array_push(site->findings);
        *finding = (finding_t){directive, does, write,
                               apr_array_make(site->pool, 3, sizeof(char *))};
    }
    add_root(finding, root_of(site, path));
}

static const char include_after[] =
    "include verify.conf after that section, in the same virtual host";

/* --- other servers --- */

static const char captures[] = "takes the requests, keys and documents "
                               "included, to another server";

static int passes(const site_t *site, const ap_directive_t *node,
                  const char *path)
{
    const section_t as_section = {node, word(site, node, 0), NULL};

    if (is_named(node, "ProxyPassMatch"))
        return matches_pattern(site, as_section.path, AP_REG_EXTENDED, path);
    return is_named(node, "ProxyPass") && matches_section(&as_section, path);
}

static const ap_directive_t *outside_at(const site_t *site, int place)
{
    return APR_ARRAY_IDX(site->outside, place, const ap_directive_t *);
}

/* The first matching ProxyPass applies; those of the virtual host precede those
 * of the main server. */
static const ap_directive_t *find_proxy_pass(const site_t *site,
                                             const char *path)
{
    int count = site->outside->nelts;

    for (int i = 0; i < count; i++) {
        const ap_directive_t *node =
            outside_at(site, (site->own + i) % count);

        if (passes(site, node, path))
            return strcmp(word(site, node, 1), "!") == 0 ? NULL : node;
    }
    return NULL;
}

static void check_proxy_pass(const site_t *site, const effective_t *effective)
{
    const ap_directive_t *outside;

    if (effective->proxy_pass) {
        if (strcmp(word(site, effective->proxy_pass, 0), "!") != 0)
            note_finding(site, effective->path, effective->proxy_pass, captures,
                         include_after);
        return;
    }
    outside = find_proxy_pass(site, effective->path);
    if (outside)
        note_finding(site, effective->path, outside, captures,
                     "write ProxyPass \"!\" into each <Location> with "
                     "SetHandler verify or verify-metrics (/v1, /verify, "
                     "/dashboard, /metrics), as verify.conf has it, and load "
                     "mod_proxy before");
}

static int has_flag(const site_t *site, const char *flags, const char *brief,
                    const char *full)
{
    char *state, *list = apr_pstrdup(site->round, flags);

    for (char *flag = apr_strtok(list, "[], ", &state); flag;
         flag = apr_strtok(NULL, "[], ", &state)) {
        if (strcasecmp(flag, brief) == 0 || strcasecmp(flag, full) == 0)
            return 1;
    }
    return 0;
}

/* Whether PATTERN of mod_rewrite matches PATH; a leading "!" negates it. */
static int rewrite_matches(const site_t *site, const char *pattern,
                           const char *flags, const char *path)
{
    int options = AP_REG_EXTENDED
                | (has_flag(site, flags, "NC", "nocase") ? AP_REG_ICASE : 0);

    return *pattern == '!'
             ? !matches_pattern(site, pattern + 1, options, path)
             : matches_pattern(site, pattern, options, path);
}

/* Whether a condition on TESTED requires that the file does not exist, like
 * PATTERN !-f. The service's paths never map to files. */
static int asks_for_no_file(const char *tested, const char *pattern)
{
    return (ap_strstr_c(tested, "%{REQUEST_URI}")
            || ap_strstr_c(tested, "%{REQUEST_FILENAME}"))
        && pattern[0] == '!' && pattern[1] == '-' && pattern[2]
        && strchr("dfhlLsx", pattern[2]) && !pattern[3];
}

/* Non-zero if CONDITION is certainly met. A condition on anything but the path
 * may be met by only some requests. */
static int condition_is_met(const site_t *site, const ap_directive_t *condition,
                            const char *path)
{
    const char *tested = word(site, condition, 0);
    const char *pattern = word(site, condition, 1);
    const char *flags = word(site, condition, 2);

    if (has_flag(site, flags, "OR", "ornext"))
        return 0;
    return asks_for_no_file(tested, pattern)
        || (strcmp(tested, "%{REQUEST_URI}") == 0
            && rewrite_matches(site, pattern, flags, path));
}

static int rewriting_is_on(const site_t *site)
{
    int is_on = 0;

    for (int i = site->own; i < site->outside->nelts; i++)
        if (is_named(outside_at(site, i), "RewriteEngine"))
            is_on = strcasecmp(word(site, outside_at(site, i), 0), "on") == 0;
    return is_on;
}

/* Checks the rewrite rules of the server itself; by default, a virtual host
 * does not inherit those of the main server. */
static void check_rewriting(const site_t *site, const effective_t *effective)
{
    int is_met = 1;

    for (int i = rewriting_is_on(site) ? site->own : site->outside->nelts;
         i < site->outside->nelts; i++) {
        const ap_directive_t *node = outside_at(site, i);
        const char *flags;

        if (is_named(node, "RewriteCond"))
            is_met &= condition_is_met(site, node, effective->path);
        if (!is_named(node, "RewriteRule"))
            continue;
        flags = word(site, node, 2);
        if (is_met
            && rewrite_matches(site, word(site, node, 0), flags,
                               effective->path)) {
            if (has_flag(site, flags, "P", "proxy")) {
                note_finding(site, effective->path, node, captures,
                             "write before it: RewriteRule "
                             "\"^/(v1|verify|dashboard|metrics)(/|$)\" "
                             "\"-\" [END]");
                return;
            }
            if (has_flag(site, flags, "L", "last")
                || has_flag(site, flags, "END", "END"))
                return;
        }
        is_met = 1;
    }
}

/* --- other handlers and logins --- */

/* Whether SECTION is above the service's paths. A section for a path of the
 * service itself is deliberate. */
static int is_parent(const section_t *section, const char *path)
{
    return section->pattern || strlen(section->path) <= 1
        || strncmp(section->path, path, strlen(section->path)) != 0;
}

static void check_handler(const site_t *site, const effective_t *effective,
                          const char *handler)
{
    if (is_handler(site, effective->earlier_handler, handler)
        && !is_handler(site, effective->handler, handler)
        && is_parent(effective->handler_section, effective->path))
        note_finding(site, effective->path, effective->handler,
                     "takes the requests to another handler", include_after);
}

/* Whether a Require of PROVIDER can be met without a login. */
static int is_anonymous(const char *provider)
{
    static const char *const known[] = {"all", "env", "expr", "forward-dns",
                                        "host", "ip", "local", "method", "ssl",
                                        "ssl-verify-client"};

    for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
        if (strcasecmp(provider, known[i]) == 0)
            return 1;
    return 0;
}

static const char asks_login[] = "asks for another login than the service's";

static void check_login(const site_t *site, const effective_t *effective)
{
    const ap_directive_t *key = NULL, *other = NULL;
    int is_ours = effective->auth_type
               && strcasecmp(word(site, effective->auth_type, 0), "VerifyKey")
                      == 0;

    for (int i = 0; i < effective->requires->nelts; i++) {
        const ap_directive_t *node =
            APR_ARRAY_IDX(effective->requires, i, const ap_directive_t *);
        const char *provider = word(site, node, 0);

        if (strcasecmp(provider, "not") == 0)
            provider = word(site, node, 1);
        if (strcasecmp(provider, "verify-key") == 0)
            key = node;
        else if (!is_anonymous(provider))
            other = node;
        else if (strcasecmp(provider, "all") == 0
                 && strcasecmp(word(site, node, 1), "denied") == 0)
            note_finding(site, effective->path, node, "refuses everybody",
                         include_after);
    }
    if (other && !(key && is_ours))
        note_finding(site, effective->path, other, asks_login, include_after);
    else if (key && !is_ours)
        note_finding(site, effective->path,
                     effective->auth_type ? effective->auth_type : key,
                     asks_login, include_after);
}

/* verify.conf denies everyone access to the dashboard; a login for it must come
 * later in the configuration. */
static void check_operators(const site_t *site, const effective_t *effective)
{
    const ap_directive_t *node;

    if (effective->requires->nelts != 1 || !effective->auth_type
        || is_parent(effective->auth_section, effective->path))
        return;
    node = APR_ARRAY_IDX(effective->requires, 0, const ap_directive_t *);
    if (strcasecmp(word(site, node, 0), "all") == 0
        && strcasecmp(word(site, node, 1), "denied") == 0)
        note_finding(site, effective->path, node,
                     "refuses everybody, whatever login stands before it",
                     "write the <Location> with the login of the dashboard "
                     "after the Include of verify.conf");
}

static void check_metrics_access(const site_t *site,
                                 const effective_t *effective)
{
    if (effective->requires->nelts == 0
        || effective->requires_section == effective->handler_section
        || !is_parent(effective->requires_section, effective->path))
        return;
    for (int i = 0; i < effective->requires->nelts; i++) {
        const ap_directive_t *node =
            APR_ARRAY_IDX(effective->requires, i, const ap_directive_t *);

        if (strcasecmp(word(site, node, 0), "all") == 0
            && strcasecmp(word(site, node, 1), "granted") == 0)
            note_finding(site, effective->path, node, "opens it to everybody",
                         include_after);
    }
}

static const char decides_access[] = "decides who is let in";
static const char opens_access[] = "lets in whoever meets one rule of many";

static void check_compat(const site_t *site, const effective_t *effective)
{
    if (effective->compat
        && is_parent(effective->compat_section, effective->path))
        note_finding(site, effective->path, effective->compat,
                     is_named(effective->compat, "Satisfy") ? opens_access
                                                            : decides_access,
                     "write Satisfy All into each <Location> of the service, "
                     "as verify.conf has it, and include it after this "
                     "section");
}

/* --- the whole check --- */

static void check_path(const site_t *site, const char *path,
                       const char *handler)
{
    effective_t effective = look_at(site, path);

    check_handler(site, &effective, handler);
    if (!is_handler(site, effective.handler, handler))
        return;
    check_proxy_pass(site, &effective);
    check_rewriting(site, &effective);
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
static const char *path_of(const site_t *site, const idv_route_t *route)
{
    char *path = apr_pstrdup(site->round, route->pattern);

    for (char *c = path; *c; c++)
        if (*c == ':')
            *c = 'x';
    return path;
}

static void check_paths(const site_t *site)
{
    int count;
    const idv_route_t *routes = idv_routes(&count);

    for (int i = 0; i < count; i++) {
        check_path(site, path_of(site, &routes[i]), "verify");
        apr_pool_clear(site->round);
    }
    for (int i = 0; i < site->sections->nelts; i++) {
        const section_t *section =
            &APR_ARRAY_IDX(site->sections, i, section_t);
        effective_t alone = {.path = section->path};

        alone.requires = apr_array_make(site->round, 0, sizeof(char *));
        apply_section(site, section, &alone);
        if (!section->pattern
            && is_handler(site, alone.handler, "verify-metrics"))
            check_path(site, section->path, "verify-metrics");
        apr_pool_clear(site->round);
    }
}

static void tell(const finding_t *finding, server_rec *server,
                 apr_pool_t *scratch)
{
    const ap_directive_t *directive = finding->directive;

    ap_log_error(APLOG_MARK, APLOG_WARNING, 0, server,
                 "IDV0763: %s (%s:%d) comes between the service and its "
                 "paths (%s): it %s; %s",
                 directive->directive, directive->filename,
                 directive->line_num,
                 apr_array_pstrcat(scratch, finding->roots, ' '),
                 finding->does, finding->write);
}

static site_t begin_check(apr_pool_t *scratch)
{
    site_t site = {0};

    apr_pool_create(&site.pool, scratch);
    apr_pool_create(&site.round, site.pool);
    site.findings = apr_array_make(site.pool, 4, sizeof(finding_t));
    site.patterns = apr_hash_make(site.pool);
    return site;
}

void idv_site_check(server_rec *servers, apr_pool_t *scratch)
{
    site_t site = begin_check(scratch);

    for (server_rec *server = servers; server; server = server->next) {
        if (!idv_configuration_in_service(server))
            continue;
        read_site(server, &site);
        check_paths(&site);
    }
    for (int i = 0; i < site.findings->nelts; i++)
        tell(&APR_ARRAY_IDX(site.findings, i, finding_t), servers, site.round);
    /* The watchdog is forked later and would keep the memory permanently. */
    apr_pool_destroy(site.pool);
}

const ap_directive_t *idv_site_handler(const server_rec *server,
                                       apr_pool_t *scratch)
{
    site_t site = begin_check(scratch);
    const ap_directive_t *found = NULL;
    int count;
    const idv_route_t *routes = idv_routes(&count);

    read_site(server, &site);
    for (int i = 0; i < count && !found; i++) {
        const effective_t effective =
            look_at(&site, path_of(&site, &routes[i]));

        if (is_handler(&site, effective.handler, "verify"))
            found = effective.handler;
    }
    apr_pool_destroy(site.pool);
    return found;
}

int idv_site_has_tls(const server_rec *server, apr_pool_t *scratch)
{
    site_t site = begin_check(scratch);
    int has_tls = 0;

    read_site(server, &site);
    for (int i = 0; i < site.outside->nelts; i++) {
        const ap_directive_t *node = outside_at(&site, i);

        if (is_named(node, "SSLEngine") || is_named(node, "GnuTLSEnable"))
            has_tls = strcasecmp(word(&site, node, 0), "off") != 0;
        else if (is_named(node, "TLSEngine"))
            has_tls = 1;
    }
    apr_pool_destroy(site.pool);
    return has_tls;
}
