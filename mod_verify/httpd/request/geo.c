/* SPDX-License-Identifier: Apache-2.0 */
#include "httpd/request/geo.h"

#include <apr_strings.h>
#include <http_log.h>
#include <maxminddb.h>

#include "domain/value/jurisdiction.h"
#include "httpd/configuration/configuration.h"

APLOG_USE_MODULE(verify);

#define CODE_MAX 16 /* bytes; the codes of ISO 3166 are much shorter */

/* The text at PATH, or NULL. */
static const char *text_at(MMDB_entry_s *entry, const char *const *path,
                           apr_pool_t *pool)
{
    MMDB_entry_data_s data;

    if (MMDB_aget_value(entry, &data, path) != MMDB_SUCCESS || !data.has_data
        || data.type != MMDB_DATA_TYPE_UTF8_STRING || data.data_size > CODE_MAX)
        return NULL;
    return apr_pstrmemdup(pool, data.utf8_string, data.data_size);
}

static const char *place_of(MMDB_entry_s *entry, apr_pool_t *pool)
{
    static const char *const country[] = {"country", "iso_code", NULL};
    static const char *const region[] = {"subdivisions", "0", "iso_code", NULL};

    return idv_jurisdiction_join(text_at(entry, country, pool),
                                 text_at(entry, region, pool), pool);
}

static const char *by_address(const MMDB_s *database, request_rec *r)
{
    int no_address, fault;
    MMDB_lookup_result_s found = MMDB_lookup_string(
        database, r->useragent_ip, &no_address, &fault);

    if (no_address || fault != MMDB_SUCCESS) {
        ap_log_rerror(APLOG_MARK, APLOG_INFO, 0, r,
                      "IDV0040: the lookup in the address database failed: %s",
                      no_address ? "not an address" : MMDB_strerror(fault));
        return NULL;
    }
    if (!found.found_entry)
        return NULL;
    return place_of(&found.entry, r->pool);
}

/* The part after the country, since some proxies send "US-MD". NULL if that
 * names a country other than the other header. */
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

/* --- any address --- */

static int flag_at(MMDB_entry_s *entry, const char *name)
{
    const char *const path[] = {name, NULL};
    MMDB_entry_data_s data;

    return MMDB_aget_value(entry, &data, path) == MMDB_SUCCESS && data.has_data
        && data.type == MMDB_DATA_TYPE_BOOLEAN && data.boolean;
}

/* Non-zero if the look-up succeeded; `found_entry` of RESULT says whether it
 * found anything. */
static int look_up(const MMDB_s *database, const struct sockaddr *address,
                   MMDB_lookup_result_s *result)
{
    int fault = MMDB_SUCCESS;

    if (!database)
        return 0;
    *result = MMDB_lookup_sockaddr(database, address, &fault);
    return fault == MMDB_SUCCESS;
}

void idv_geo_look_up(const idv_services_t *services,
                     const struct sockaddr *address,
                     idv_address_facts_t *facts, apr_pool_t *pool)
{
    const idv_configuration_t *configuration = services->baton;
    MMDB_lookup_result_s result;

    if (look_up(configuration->geo_database, address, &result)
        && result.found_entry)
        facts->place = place_of(&result.entry, pool);
    if (!look_up(configuration->anonymizers, address, &result))
        return;
    /* An unlisted address is none of these. */
    facts->hosting = facts->anonymizer = facts->tor = 0;
    if (!result.found_entry)
        return;
    facts->hosting = flag_at(&result.entry, "is_hosting_provider");
    facts->tor = flag_at(&result.entry, "is_tor_exit_node");
    facts->anonymizer = flag_at(&result.entry, "is_anonymous_vpn")
                     || flag_at(&result.entry, "is_public_proxy")
                     || flag_at(&result.entry, "is_residential_proxy");
}
