/* SPDX-License-Identifier: Apache-2.0 */
#include "api/widget/page_site.h"

#include <string.h>

#include <apr_lib.h>
#include <apr_strings.h>
#include <apr_uri.h>

/* Browsers write scheme and host in lower case. */
static const char *lower_case(const char *text, apr_pool_t *pool)
{
    char *copy = apr_pstrdup(pool, text);

    for (char *c = copy; *c; c++)
        *c = (char)apr_tolower(*c);
    return copy;
}

idv_error_t *idv_page_site(const char *public_url, idv_page_site_t *site,
                           apr_pool_t *pool)
{
    const char *scheme, *host;
    apr_uri_t uri;

    if (!public_url || apr_uri_parse(pool, public_url, &uri) || !uri.scheme
        || !uri.hostname)
        return idv_error_internal(pool, "VerifyPublicURL is not a URL");
    scheme = lower_case(uri.scheme, pool);
    site->host = lower_case(uri.hostname, pool);
    host = strchr(site->host, ':')
             ? apr_pstrcat(pool, "[", site->host, "]", NULL) : site->host;
    site->origin =
        uri.port_str && uri.port != apr_uri_port_of_scheme(scheme)
            ? apr_pstrcat(pool, scheme, "://", host, ":", uri.port_str, NULL)
            : apr_pstrcat(pool, scheme, "://", host, NULL);
    return NULL;
}
