/* SPDX-License-Identifier: Apache-2.0 */
#include "httpd/start/site_findings.h"

#include <apr_strings.h>
#include <http_log.h>

APLOG_USE_MODULE(verify);

/* A directive that interferes with requests to the service. */
typedef struct {
    const ap_directive_t *directive;
    const char *does, *write;  /* its effect, and the remedy */
    apr_array_header_t *roots; /* const char *, the affected paths */
} finding_t;

const char idv_site_include_after[] =
    "include verify.conf after that section, in the same virtual host";

void idv_site_findings_begin(idv_site_t *site)
{
    site->findings = apr_array_make(site->pool, 4, sizeof(finding_t));
}

/* The first segment of PATH. */
static const char *root_of(const idv_site_t *site, const char *path)
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

void idv_site_note(const idv_site_t *site, const char *path,
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

static void tell(const finding_t *finding, server_rec *server,
                 apr_pool_t *scratch)
{
    const ap_directive_t *directive = finding->directive;

    ap_log_error(APLOG_MARK, APLOG_WARNING, 0, server,
                 "IDV0763: %s (%s:%d) comes between the service and its "
                 "paths (%s): it %s; %s",
                 directive->directive, directive->filename, directive->line_num,
                 apr_array_pstrcat(scratch, finding->roots, ' '), finding->does,
                 finding->write);
}

void idv_site_findings_tell(const idv_site_t *site, server_rec *server)
{
    for (int i = 0; i < site->findings->nelts; i++)
        tell(&APR_ARRAY_IDX(site->findings, i, finding_t), server, site->round);
}
