/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_HTTPD_CONFIGURATION_SITE_H
#define IDV_HTTPD_CONFIGURATION_SITE_H

/*
 * The directives of a server as httpd has read them, and which of them apply to
 * a path.
 *
 * httpd merges sections in order: those of the main server before those of a
 * virtual host, and the last matching <Location> decides. This file evaluates
 * httpd's tree of directives in the same order. It ignores anything that the
 * tree does not decide, such as <If> and .htaccess.
 *
 * Threads: only the parent, while it reads the configuration. Memory: a subpool
 * of the caller's, which the caller destroys. Failures: none.
 */
#include <apr_hash.h>
#include <httpd.h>
#include <http_config.h>

/* A <Location> or <LocationMatch>. */
typedef struct {
    const ap_directive_t *node;
    const char *path; /* as configured; NULL: there is a pattern */
    ap_regex_t *pattern;
} idv_site_section_t;

/* The facts about one server. */
typedef struct {
    apr_pool_t *pool;  /* destroyed by the caller at the end */
    apr_pool_t *round; /* cleared by the caller after each path */
    apr_array_header_t *sections; /* idv_site_section_t, in merge order */
    apr_array_header_t *outside;  /* const ap_directive_t *, no section */
    int own; /* index in `outside` of the server's first own one */
    apr_hash_t *patterns; /* ap_regex_t by flags and text, of all servers */
    /* Of httpd/start/site_findings.h, of all servers; NULL: none are noted. */
    apr_array_header_t *findings;
} idv_site_t;

/* The settings of one path after merging its sections. */
typedef struct {
    const char *path;
    const ap_directive_t *handler, *earlier_handler; /* SetHandler */
    const idv_site_section_t *handler_section;
    const ap_directive_t *proxy_pass;
    const ap_directive_t *auth_type;
    const idv_site_section_t *auth_section; /* the section of auth_type */
    apr_array_header_t *requires; /* const ap_directive_t * */
    const idv_site_section_t *requires_section; /* of the last one */
    const ap_directive_t *compat; /* of mod_access_compat: restricts, opens */
    /* The last section with a directive of mod_access_compat. */
    const idv_site_section_t *compat_section;
} idv_site_settings_t;

/* A site without directives; its pools are subpools of SCRATCH. */
idv_site_t idv_site_begin(apr_pool_t *scratch);

/* Reads the directives of SERVER, in place of those of an earlier one. */
void idv_site_read(const server_rec *server, idv_site_t *site);

/* The settings of PATH. */
idv_site_settings_t idv_site_look(const idv_site_t *site, const char *path);

/* Adds the settings of SECTION to SETTINGS, as if it was merged last. */
void idv_site_apply(const idv_site_t *site, const idv_site_section_t *section,
                    idv_site_settings_t *settings);

/* Non-zero if SERVER speaks TLS itself, by mod_ssl, mod_tls or mod_gnutls. */
int idv_site_has_tls(const server_rec *server, apr_pool_t *scratch);

/* --- directives --- */

int idv_site_is_named(const ap_directive_t *directive, const char *name);

/* The argument NUMBER (the first is 0) of DIRECTIVE; empty if there is none.
 * Memory of the round. */
const char *idv_site_word(const idv_site_t *site,
                          const ap_directive_t *directive, int number);

/* The directive at PLACE in `outside`. */
const ap_directive_t *idv_site_outside(const idv_site_t *site, int place);

/* Non-zero if DIRECTIVE, which may be NULL, is `SetHandler NAME`. */
int idv_site_is_handler(const idv_site_t *site, const ap_directive_t *directive,
                        const char *name);

/* Non-zero if PATH matches the regular expression PATTERN; FLAGS are those of
 * ap_pregcomp(). */
int idv_site_matches_pattern(const idv_site_t *site, const char *pattern,
                             int flags, const char *path);

/* Non-zero if httpd applies SECTION to PATH. */
int idv_site_matches_section(const idv_site_section_t *section,
                             const char *path);

#endif
