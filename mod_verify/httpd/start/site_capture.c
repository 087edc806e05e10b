/* SPDX-License-Identifier: Apache-2.0 */
#include "httpd/start/site_capture.h"

#include <apr_strings.h>

#include "httpd/start/site_findings.h"

static const char captures[] = "takes the requests, keys and documents "
                               "included, to another server";

static int passes(const idv_site_t *site, const ap_directive_t *node,
                  const char *path)
{
    const idv_site_section_t as_section = {node, idv_site_word(site, node, 0),
                                           NULL};

    if (idv_site_is_named(node, "ProxyPassMatch"))
        return idv_site_matches_pattern(site, as_section.path, AP_REG_EXTENDED,
                                        path);
    return idv_site_is_named(node, "ProxyPass")
        && idv_site_matches_section(&as_section, path);
}

/* The first matching ProxyPass applies; those of the virtual host precede those
 * of the main server. */
static const ap_directive_t *find_proxy_pass(const idv_site_t *site,
                                             const char *path)
{
    int count = site->outside->nelts;

    for (int i = 0; i < count; i++) {
        const ap_directive_t *node =
            idv_site_outside(site, (site->own + i) % count);

        if (passes(site, node, path))
            return strcmp(idv_site_word(site, node, 1), "!") == 0 ? NULL : node;
    }
    return NULL;
}

static void check_proxy_pass(const idv_site_t *site,
                             const idv_site_settings_t *effective)
{
    const ap_directive_t *outside;

    if (effective->proxy_pass) {
        if (strcmp(idv_site_word(site, effective->proxy_pass, 0), "!") != 0)
            idv_site_note(site, effective->path, effective->proxy_pass,
                          captures, idv_site_include_after);
        return;
    }
    outside = find_proxy_pass(site, effective->path);
    if (outside)
        idv_site_note(site, effective->path, outside, captures,
                      "write ProxyPass \"!\" into each <Location> with "
                      "SetHandler verify or verify-metrics (/v1, /verify, "
                      "/dashboard, /metrics), as in verify.conf, and load "
                      "mod_proxy before");
}

static int has_flag(const idv_site_t *site, const char *flags,
                    const char *brief, const char *full)
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
static int rewrite_matches(const idv_site_t *site, const char *pattern,
                           const char *flags, const char *path)
{
    int options = AP_REG_EXTENDED
                | (has_flag(site, flags, "NC", "nocase") ? AP_REG_ICASE : 0);

    return *pattern == '!'
             ? !idv_site_matches_pattern(site, pattern + 1, options, path)
             : idv_site_matches_pattern(site, pattern, options, path);
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
static int condition_is_met(const idv_site_t *site,
                            const ap_directive_t *condition, const char *path)
{
    const char *tested = idv_site_word(site, condition, 0);
    const char *pattern = idv_site_word(site, condition, 1);
    const char *flags = idv_site_word(site, condition, 2);

    if (has_flag(site, flags, "OR", "ornext"))
        return 0;
    return asks_for_no_file(tested, pattern)
        || (strcmp(tested, "%{REQUEST_URI}") == 0
            && rewrite_matches(site, pattern, flags, path));
}

static int rewriting_is_on(const idv_site_t *site)
{
    int is_on = 0;

    for (int i = site->own; i < site->outside->nelts; i++)
        if (idv_site_is_named(idv_site_outside(site, i), "RewriteEngine"))
            is_on = strcasecmp(
                        idv_site_word(site, idv_site_outside(site, i), 0), "on")
                 == 0;
    return is_on;
}

/* Checks the rewrite rules of the server itself; by default, a virtual host
 * does not inherit those of the main server. */
static void check_rewriting(const idv_site_t *site,
                            const idv_site_settings_t *effective)
{
    int is_met = 1;

    for (int i = rewriting_is_on(site) ? site->own : site->outside->nelts;
         i < site->outside->nelts; i++) {
        const ap_directive_t *node = idv_site_outside(site, i);
        const char *flags;

        if (idv_site_is_named(node, "RewriteCond"))
            is_met &= condition_is_met(site, node, effective->path);
        if (!idv_site_is_named(node, "RewriteRule"))
            continue;
        flags = idv_site_word(site, node, 2);
        if (is_met
            && rewrite_matches(site, idv_site_word(site, node, 0), flags,
                               effective->path)) {
            if (has_flag(site, flags, "P", "proxy")) {
                idv_site_note(site, effective->path, node, captures,
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

void idv_site_check_capture(const idv_site_t *site,
                            const idv_site_settings_t *settings)
{
    check_proxy_pass(site, settings);
    check_rewriting(site, settings);
}
