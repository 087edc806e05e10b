/* SPDX-License-Identifier: Apache-2.0 */
#include "httpd/configuration/site.h"

#include <apr_fnmatch.h>
#include <apr_strings.h>

/* --- directives --- */

int idv_site_is_named(const ap_directive_t *directive, const char *name)
{
    return strcasecmp(directive->directive, name) == 0;
}

const char *idv_site_word(const idv_site_t *site,
                          const ap_directive_t *directive, int number)
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

int idv_site_matches_pattern(const idv_site_t *site, const char *pattern,
                             int flags, const char *path)
{
    const char *key = apr_psprintf(site->round, "%d %s", flags, pattern);
    ap_regex_t *regex = apr_hash_get(site->patterns, key, APR_HASH_KEY_STRING);

    if (!regex) {
        regex = ap_pregcomp(site->pool, pattern, flags);
        apr_hash_set(site->patterns, apr_pstrdup(site->pool, key),
                     APR_HASH_KEY_STRING, regex);
    }
    return regex && ap_regexec(regex, path, 0, NULL, 0) == 0;
}

/* Compares like ap_location_walk(). */
int idv_site_matches_section(const idv_site_section_t *section,
                             const char *path)
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

static void add_section(idv_site_t *site, const ap_directive_t *node,
                        int is_match)
{
    idv_site_section_t *section = apr_array_push(site->sections);
    const char *path = idv_site_word(site, node, 0);

    if (!is_match && strcmp(path, "~") == 0) {
        path = idv_site_word(site, node, 1);
        is_match = 1;
    }
    *section = (idv_site_section_t){node, apr_pstrdup(site->pool, path), NULL};
    if (!is_match)
        return;
    section->pattern = ap_pregcomp(site->pool, path, AP_REG_EXTENDED);
    if (!section->pattern)
        apr_array_pop(site->sections);
}

static void add_level(idv_site_t *site, const ap_directive_t *first)
{
    site->own = site->outside->nelts;
    for (const ap_directive_t *node = first; node; node = node->next) {
        if (idv_site_is_named(node, "<Location"))
            add_section(site, node, 0);
        else if (idv_site_is_named(node, "<LocationMatch"))
            add_section(site, node, 1);
        else if (*node->directive != '<')
            APR_ARRAY_PUSH(site->outside, const ap_directive_t *) = node;
    }
}

void idv_site_read(const server_rec *server, idv_site_t *site)
{
    site->sections = apr_array_make(site->pool, 16, sizeof(idv_site_section_t));
    site->outside = apr_array_make(site->pool, 64, sizeof(ap_directive_t *));
    add_level(site, ap_conftree);
    for (const ap_directive_t *node = ap_conftree; server->is_virtual && node;
         node = node->next) {
        if (idv_site_is_named(node, "<VirtualHost") && server->defn_name
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
        if (idv_site_is_named(node, "Require")) {
            APR_ARRAY_PUSH(requires, const ap_directive_t *) = node;
            count++;
        } else if (strncasecmp(node->directive, "<Require", 8) == 0
                   || strncasecmp(node->directive, "<Limit", 6) == 0) {
            count += collect_requires(node->first_child, requires);
        }
    }
    return count;
}

static int adds_to_requires(const idv_site_t *site,
                            const idv_site_section_t *section)
{
    int adds = 0;

    for (const ap_directive_t *node = section->node->first_child; node;
         node = node->next) {
        if (idv_site_is_named(node, "AuthMerging"))
            adds = strcasecmp(idv_site_word(site, node, 0), "Off") != 0;
    }
    return adds;
}

static void apply_requires(const idv_site_t *site,
                           const idv_site_section_t *section,
                           idv_site_settings_t *effective)
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
static void apply_compat(const idv_site_t *site,
                         const idv_site_section_t *section,
                         idv_site_settings_t *effective)
{
    for (const ap_directive_t *node = section->node->first_child; node;
         node = node->next) {
        int is_allow = idv_site_is_named(node, "Allow");
        int is_deny = idv_site_is_named(node, "Deny");
        int is_satisfy = idv_site_is_named(node, "Satisfy");

        if (!is_allow && !is_deny && !is_satisfy
            && !idv_site_is_named(node, "Order"))
            continue;
        if (effective->compat_section != section)
            effective->compat = NULL;
        effective->compat_section = section;
        if (is_deny
            || (is_allow
                && strcasecmp(idv_site_word(site, node, 1), "all") != 0)
            || (is_satisfy
                && strcasecmp(idv_site_word(site, node, 0), "any") == 0))
            effective->compat = node;
    }
}

void idv_site_apply(const idv_site_t *site, const idv_site_section_t *section,
                    idv_site_settings_t *effective)
{
    for (const ap_directive_t *node = section->node->first_child; node;
         node = node->next) {
        if (idv_site_is_named(node, "SetHandler")) {
            effective->earlier_handler = effective->handler;
            effective->handler = node;
            effective->handler_section = section;
        } else if (idv_site_is_named(node, "ProxyPass")
                   || idv_site_is_named(node, "ProxyPassMatch")) {
            effective->proxy_pass = node;
        } else if (idv_site_is_named(node, "AuthType")) {
            effective->auth_type = node;
            effective->auth_section = section;
        }
    }
    apply_requires(site, section, effective);
    apply_compat(site, section, effective);
}

idv_site_settings_t idv_site_look(const idv_site_t *site, const char *path)
{
    idv_site_settings_t effective = {
        .path = path,
        .requires = apr_array_make(site->round, 0, sizeof(ap_directive_t *)),
    };

    for (int i = 0; i < site->sections->nelts; i++) {
        const idv_site_section_t *section =
            &APR_ARRAY_IDX(site->sections, i, idv_site_section_t);

        if (idv_site_matches_section(section, path))
            idv_site_apply(site, section, &effective);
    }
    return effective;
}

int idv_site_is_handler(const idv_site_t *site, const ap_directive_t *directive,
                        const char *name)
{
    return directive && strcmp(idv_site_word(site, directive, 0), name) == 0;
}

/* --- the whole server --- */

const ap_directive_t *idv_site_outside(const idv_site_t *site, int place)
{
    return APR_ARRAY_IDX(site->outside, place, const ap_directive_t *);
}

idv_site_t idv_site_begin(apr_pool_t *scratch)
{
    idv_site_t site = {0};

    apr_pool_create(&site.pool, scratch);
    apr_pool_create(&site.round, site.pool);
    site.patterns = apr_hash_make(site.pool);
    return site;
}

int idv_site_has_tls(const server_rec *server, apr_pool_t *scratch)
{
    idv_site_t site = idv_site_begin(scratch);
    int has_tls = 0;

    idv_site_read(server, &site);
    for (int i = 0; i < site.outside->nelts; i++) {
        const ap_directive_t *node = idv_site_outside(&site, i);

        if (idv_site_is_named(node, "SSLEngine")
            || idv_site_is_named(node, "GnuTLSEnable"))
            has_tls = strcasecmp(idv_site_word(&site, node, 0), "off") != 0;
        else if (idv_site_is_named(node, "TLSEngine"))
            has_tls = 1;
    }
    apr_pool_destroy(site.pool);
    return has_tls;
}
