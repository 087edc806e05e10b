/* SPDX-License-Identifier: Apache-2.0 */
#include "httpd/geo.h"

#include <apr_strings.h>
#include <http_log.h>
#include <maxminddb.h>

#include "domain/jurisdiction.h"
#include "httpd/configuration.h"

APLOG_USE_MODULE(verify);

/* The text at PATH, or NULL. */
static const char *text_at(MMDB_entry_s *entry, const char *const *path,
                           apr_pool_t *pool)
{
    MMDB_entry_data_s data;

    if (MMDB_aget_value(entry, &data, path) != MMDB_SUCCESS || !data.has_data
        || data.type != MMDB_DATA_TYPE_UTF8_STRING || data.data_size > 16)
        return NULL;
    return apr_pstrmemdup(pool, data.utf8_string, data.data_size);
}

static const char *by_address(const MMDB_s *database, request_rec *r)
{
    static const char *const country[] = {"country", "iso_code", NULL};
    static const char *const region[] = {"subdivisions", "0", "iso_code", NULL};
    int no_address, fault;
    MMDB_lookup_result_s found = MMDB_lookup_string(
        database, r->useragent_ip, &no_address, &fault);

    if (no_address || fault != MMDB_SUCCESS) {
        ap_log_rerror(APLOG_MARK, APLOG_INFO, 0, r,
                      "IDV0040: no look-up in the address database: %s",
                      no_address ? "not an address" : MMDB_strerror(fault));
        return NULL;
    }
    if (!found.found_entry)
        return NULL;
    return idv_jurisdiction_join(text_at(&found.entry, country, r->pool),
                                 text_at(&found.entry, region, r->pool),
                                 r->pool);
}

/* The region alone: some proxies give "US-MD", and one of another country than
 * the other header's is worth nothing. */
static const char *region_of(const char *text, const char *country)
{
    const char *hyphen = text ? strchr(text, '-') : NULL;
    size_t length = hyphen ? (size_t)(hyphen - text) : 0;

    if (!hyphen)
        return text;
    return country && strlen(country) == length
            && strncasecmp(text, country, length) == 0
        ? hyphen + 1 : NULL;
}

static const char *by_headers(const idv_settings_t *settings, request_rec *r)
{
    const char *region = NULL, *country;

    if (!settings->geo_country_header)
        return NULL;
    country = apr_table_get(r->headers_in, settings->geo_country_header);
    if (settings->geo_region_header)
        region = apr_table_get(r->headers_in, settings->geo_region_header);
    return idv_jurisdiction_join(country, region_of(region, country), r->pool);
}

void idv_geo_locate(const idv_request_t *request, idv_location_t *location)
{
    const idv_configuration_t *configuration = request->services->baton;

    location->ip_database = NULL;
    location->geo_header =
        by_headers(&configuration->settings, request->r);
    if (!location->geo_header && configuration->geo_database)
        location->ip_database =
            by_address(configuration->geo_database, request->r);
}
