/* SPDX-License-Identifier: Apache-2.0 */
#include "out/http_target.h"

#include <string.h>

#include <apr_hash.h>
#include <apr_strings.h>
#include <curl/curl.h>

#define PINNED_FOR (20 * IDV_SECOND) /* curl forgets after a minute */

struct idv_http_targets_t {
    apr_pool_t *pool;
    apr_hash_t *by_url;
};

idv_http_targets_t *idv_http_targets_create(apr_pool_t *pool)
{
    idv_http_targets_t *targets = apr_pcalloc(pool, sizeof(*targets));

    apr_pool_create(&targets->pool, pool);
    targets->by_url = apr_hash_make(targets->pool);
    return targets;
}

static void parse_url(idv_http_target_t *target, const char *text,
                      apr_pool_t *pool)
{
    CURLU *url = curl_url();
    char *host = NULL, *port = NULL, *scheme = NULL;

    if (url && curl_url_set(url, CURLUPART_URL, text, 0) == CURLUE_OK
        && curl_url_get(url, CURLUPART_SCHEME, &scheme, 0) == CURLUE_OK
        && strcmp(scheme, "https") == 0
        && curl_url_get(url, CURLUPART_HOST, &host, CURLU_PUNYCODE) == CURLUE_OK
        && curl_url_get(url, CURLUPART_PORT, &port, CURLU_DEFAULT_PORT)
               == CURLUE_OK) {
        target->host = apr_pstrdup(pool, host);
        target->port = apr_pstrdup(pool, port);
    }
    curl_free(host);
    curl_free(port);
    curl_free(scheme);
    curl_url_cleanup(url);
}

idv_http_target_t *idv_http_targets_find(idv_http_targets_t *targets,
                                         const char *url)
{
    idv_http_target_t *target =
        apr_hash_get(targets->by_url, url, APR_HASH_KEY_STRING);

    if (target)
        return target;
    if (apr_hash_count(targets->by_url) >= IDV_HTTP_TARGETS_KEPT) {
        apr_pool_clear(targets->pool);
        targets->by_url = apr_hash_make(targets->pool);
    }
    target = apr_pcalloc(targets->pool, sizeof(*target));
    parse_url(target, url, targets->pool);
    apr_hash_set(targets->by_url, apr_pstrdup(targets->pool, url),
                 APR_HASH_KEY_STRING, target);
    return target;
}

void idv_http_target_note(idv_http_target_t *target, const char *addresses,
                          idv_time_t time)
{
    if (strlen(addresses) >= sizeof(target->addresses))
        return; /* too many to remember: always pinned */
    apr_cpystrn(target->addresses, addresses, sizeof(target->addresses));
    target->pinned_until = time + PINNED_FOR;
}

int idv_http_target_is_pinned(const idv_http_target_t *target,
                              const char *addresses, idv_time_t time)
{
    return time < target->pinned_until
        && strcmp(target->addresses, addresses) == 0;
}
