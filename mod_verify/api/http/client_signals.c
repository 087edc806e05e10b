/* SPDX-License-Identifier: Apache-2.0 */
#include "api/http/client_signals.h"

#include <apr_strings.h>

#include "domain/risk/risk.h"
#include "domain/risk/user_agent.h"
#include "out/address_guard.h"
#include "store/session/person.h"

/* --- addresses --- */

void idv_address_judge(const idv_services_t *services,
                       const struct sockaddr_storage *address,
                       idv_address_facts_t *facts, apr_pool_t *pool)
{
    const struct sockaddr *socket_address = (const void *)address;
    const idv_address_facts_t unknown = {NULL, -1, -1, -1, -1};

    *facts = unknown;
    if (!address->ss_family)
        return;
    facts->reserved = idv_address_refusal(socket_address, NULL) != NULL;
    services->look_up_address(services, socket_address, facts, pool);
}

/* --- a request of the widget --- */

static void look_at_address(const idv_request_t *request,
                            idv_session_signals_t *signals)
{
    const idv_services_t *services = request->services;
    struct sockaddr_storage address;
    idv_address_facts_t facts;
    idv_location_t location;

    idv_address_parse(request->r->useragent_ip, &address);
    idv_address_judge(services, &address, &facts, request->pool);
    services->locate(request, &location);
    signals->place =
        location.geo_header ? location.geo_header : location.ip_database;
    signals->address = idv_identifier_digest(
        services->keyring, "risk_ip",
        idv_address_counted(&address, request->pool), request->pool);
    signals->reserved = facts.reserved;
    signals->hosting = facts.hosting;
    signals->anonymizer = facts.anonymizer;
    signals->tor = facts.tor;
}

/* Every browser sends its name and, with requests of a page, where they come
 * from. Apps do not have pages. */
static int is_automated(const idv_request_t *request)
{
    const apr_table_t *headers = request->r->headers_in;
    const char *name = apr_table_get(headers, "User-Agent");

    if (!name)
        return 1;
    return apr_table_get(headers, "Origin")
                || apr_table_get(headers, "Sec-Fetch-Site")
             ? idv_user_agent_is_automated(name)
             : idv_app_user_agent_is_automated(name);
}

void idv_person_signals(const idv_request_t *request,
                        const idv_person_device_t *device,
                        idv_session_signals_t *signals)
{
    idv_session_signals_init(signals);
    look_at_address(request, signals);
    signals->automated = is_automated(request);
    signals->browser = idv_user_agent_browser(
        apr_table_get(request->r->headers_in, "User-Agent"));
    if (!device)
        return;
    signals->webdriver = device->webdriver;
    signals->virtual_camera = device->virtual_camera;
    signals->time_zone = device->time_zone;
    signals->device =
        idv_identifier_digest(request->services->keyring, "risk_device",
                              device->device_id, request->pool);
}
