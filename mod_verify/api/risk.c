/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /v1/risk: how risky an address, e-mail, phone or device looks.
 */
#include <string.h>

#include <arpa/inet.h>
#include <apr_lib.h>
#include <apr_strings.h>

#include "api/parameters.h"
#include "api/response.h"
#include "api/write.h"
#include "core/id.h"
#include "domain/country.h"
#include "domain/identifier.h"
#include "out/address_guard.h"
#include "store/risk.h"
#include "store/verified_person.h"

#define IPV6_NETWORK 8 /* bytes that one subscriber has: a /64 */

typedef struct {
    const char *ip;
    const char *email; /* these two normalized in place */
    const char *phone;
    const char *device_id;
    const char *user_agent;
    const char *session_id;
    const char *claimed_country;
    const char *doc_country;
    const char *doc_region;
    const char *required_jurisdiction;
} input_t;

static const idv_parameter_t parameters[] = {
    IDV_PARAMETER(STRING, input_t, ip, 0, 2, 64),
    IDV_PARAMETER(STRING, input_t, email, 0, 1, 320),
    IDV_PARAMETER(STRING, input_t, phone, 0, 1, 64),
    IDV_PARAMETER(STRING, input_t, device_id, 0, 1, 255),
    IDV_PARAMETER(STRING, input_t, user_agent, 0, 1, 1024),
    IDV_PARAMETER(STRING, input_t, session_id, 0, 1, 64),
    IDV_PARAMETER(STRING, input_t, claimed_country, 0, 2, 8),
    IDV_PARAMETER(STRING, input_t, doc_country, 0, 2, 2),
    IDV_PARAMETER(STRING, input_t, doc_region, 0, 1, 3),
    IDV_PARAMETER(STRING, input_t, required_jurisdiction, 0, 2, 8),
    {0},
};

typedef struct {
    idv_request_t *request;
    idv_scope_t scope;
    input_t input;
    struct sockaddr_storage address; /* family 0: no IP address */
    idv_risk_facts_t facts;
    idv_risk_identifiers_t identifiers;
} scoring_t;

/* --- the parameters --- */

static idv_error_t *check_ip(scoring_t *scoring, apr_pool_t *pool)
{
    struct sockaddr_in *v4 = (struct sockaddr_in *)&scoring->address;
    struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)&scoring->address;
    struct in6_addr six;

    if (inet_pton(AF_INET, scoring->input.ip, &v4->sin_addr) == 1) {
        scoring->address.ss_family = AF_INET;
        return NULL;
    }
    if (inet_pton(AF_INET6, scoring->input.ip, &six) != 1)
        return idv_error_param(pool, "ip",
                               "Must be an IPv4 or IPv6 address.");
    if (IN6_IS_ADDR_V4MAPPED(&six)) {
        memcpy(&v4->sin_addr, six.s6_addr + 12, 4);
        scoring->address.ss_family = AF_INET;
        return NULL;
    }
    v6->sin6_addr = six;
    scoring->address.ss_family = AF_INET6;
    return NULL;
}

static idv_error_t *check_email(scoring_t *scoring, apr_pool_t *pool)
{
    return idv_email_normalize(scoring->input.email, "email",
                               &scoring->input.email, pool);
}

static idv_error_t *check_phone(scoring_t *scoring, apr_pool_t *pool)
{
    return idv_phone_normalize(scoring->input.phone, "phone",
                               &scoring->input.phone, pool);
}

static idv_error_t *check_claimed(scoring_t *scoring, apr_pool_t *pool)
{
    return idv_jurisdiction_parse(scoring->input.claimed_country,
                                  "claimed_country", &scoring->facts.claimed,
                                  pool);
}

static idv_error_t *check_required(scoring_t *scoring, apr_pool_t *pool)
{
    return idv_jurisdiction_parse(scoring->input.required_jurisdiction,
                                  "required_jurisdiction",
                                  &scoring->facts.required, pool);
}

static idv_error_t *check_document(scoring_t *scoring, apr_pool_t *pool)
{
    return idv_jurisdiction_parse(scoring->input.doc_country, "doc_country",
                                  &scoring->facts.document, pool);
}

static idv_error_t *check_region(scoring_t *scoring, apr_pool_t *pool)
{
    for (const char *c = scoring->input.doc_region; *c; c++)
        if (!apr_isalnum(*c))
            return idv_error_param(pool, "doc_region",
                                   "Must be 1 to 3 letters and digits.");
    return NULL;
}

static const struct {
    const char *name;
    idv_error_t *(*check)(scoring_t *scoring, apr_pool_t *pool);
} checks[] = {
    {"ip", check_ip},
    {"email", check_email},
    {"phone", check_phone},
    {"claimed_country", check_claimed},
    {"doc_country", check_document},
    {"doc_region", check_region},
    {"required_jurisdiction", check_required},
};

/* In document order, as the types were checked. */
static idv_error_t *check_input(scoring_t *scoring)
{
    const idv_request_t *request = scoring->request;
    input_t *input = &scoring->input;
    const char *name;
    json_t *value;

    json_object_foreach (request->parameters, name, value)
        for (size_t i = 0; i < sizeof(checks) / sizeof(*checks); i++)
            if (strcmp(checks[i].name, name) == 0)
                IDV_TRY(checks[i].check(scoring, request->pool));
    if (!input->ip && !input->email && !input->phone && !input->device_id)
        return idv_error_param(request->pool, "ip",
                               "One of ip, email, phone and device_id is "
                               "needed.");
    if (!input->doc_region)
        return NULL;
    if (!input->doc_country)
        return idv_error_param(request->pool, "doc_country",
                               "Is needed with doc_region.");
    scoring->facts.document = idv_jurisdiction_join(
        scoring->facts.document, input->doc_region, request->pool);
    return NULL;
}

/* --- the facts --- */

/* The address as it is counted: of IPv6, the subscriber's network. */
static const char *counted_address(const scoring_t *scoring, apr_pool_t *pool)
{
    const struct sockaddr *address = (const void *)&scoring->address;
    char *text = apr_palloc(pool, INET6_ADDRSTRLEN);
    struct in6_addr six;

    if (address->sa_family == AF_INET)
        inet_ntop(AF_INET, &((const struct sockaddr_in *)address)->sin_addr,
                  text, INET6_ADDRSTRLEN);
    if (address->sa_family != AF_INET6)
        return address->sa_family ? text : NULL;
    six = ((const struct sockaddr_in6 *)address)->sin6_addr;
    memset(six.s6_addr + IPV6_NETWORK, 0, sizeof(six) - IPV6_NETWORK);
    inet_ntop(AF_INET6, &six, text, INET6_ADDRSTRLEN);
    return text;
}

static void identify(scoring_t *scoring)
{
    const input_t *input = &scoring->input;
    idv_request_t *request = scoring->request;
    idv_bytes_t *digests = scoring->identifiers.digests;
    const struct {
        const char *label, *text;
    } identifiers[IDV_RISK_KIND_COUNT] = {
        [IDV_RISK_KIND_IP] = {"risk_ip",
                              counted_address(scoring, request->pool)},
        [IDV_RISK_KIND_EMAIL] = {"risk_email", input->email},
        [IDV_RISK_KIND_PHONE] = {"risk_phone", input->phone},
        [IDV_RISK_KIND_DEVICE] = {"risk_device", input->device_id},
    };

    for (int i = 0; i < IDV_RISK_KIND_COUNT; i++)
        digests[i] = idv_identifier_digest(request->services->keyring,
                                           identifiers[i].label,
                                           identifiers[i].text, request->pool);
    scoring->identifiers.person = digests[input->email ? IDV_RISK_KIND_EMAIL
                                                       : IDV_RISK_KIND_PHONE];
}

static void look_at_address(scoring_t *scoring)
{
    const idv_services_t *services = scoring->request->services;
    const struct sockaddr *address = (const void *)&scoring->address;
    idv_risk_facts_t *facts = &scoring->facts;
    idv_address_facts_t known = {NULL, -1, -1, -1};

    if (!address->sa_family)
        return;
    facts->ip_reserved = idv_address_refusal(address, NULL) != NULL;
    services->look_up_address(services, address, &known,
                              scoring->request->pool);
    facts->ip_country = known.place;
    facts->ip_hosting = known.hosting;
    facts->ip_anonymizer = known.anonymizer;
    facts->ip_tor = known.tor;
}

static void look_at_email(scoring_t *scoring)
{
    const idv_risk_data_t *data = scoring->request->services->risk;
    const char *domain =
        scoring->input.email ? strchr(scoring->input.email, '@') : NULL;
    idv_risk_facts_t *facts = &scoring->facts;

    if (!domain)
        return;
    if (data->disposable_domains)
        facts->email_disposable =
            idv_email_domain_is_listed(data->disposable_domains, domain + 1);
    /* Lists of free services hold disposable ones, too. */
    if (data->free_domains)
        facts->email_free =
            facts->email_disposable != 1
            && idv_email_domain_is_listed(data->free_domains, domain + 1);
}

/* --- scoring --- */

static json_t *assessment_json(const char *id, idv_time_t now,
                               const idv_risk_assessment_t *assessment)
{
    return json_pack(
        "{s:s, s:s, s:i, s:s, s:s, s:O, s:O, s:O, s:I}", "id", id, "object",
        "risk_assessment", "risk_score", assessment->score, "risk_level",
        idv_risk_level_value(assessment->level), "recommendation",
        idv_risk_recommendation(assessment->level), "triggered_signals",
        assessment->triggered_signals, "reasons", assessment->reasons,
        "signal_details", assessment->signal_details, "created",
        (json_int_t)idv_time_seconds(now));
}

static idv_error_t *score(idv_db_t *db, void *baton, json_t **answer,
                          apr_pool_t *pool)
{
    scoring_t *scoring = baton;
    const idv_request_t *request = scoring->request;
    const idv_risk_policy_t *policy = &request->services->risk->policy;
    idv_risk_facts_t facts = scoring->facts;
    idv_risk_assessment_t assessment;
    idv_risk_record_t record = {
        .id = idv_id_new(IDV_ID_RISK_ASSESSMENT, request->now, pool),
        .session_id = scoring->input.session_id,
        .created = request->now,
    };
    idv_error_t *error;

    IDV_TRY(idv_risk_count(db, &scoring->scope, &scoring->identifiers, policy,
                           request->now, &facts, pool));
    IDV_TRY(idv_risk_assess(policy, &facts, &assessment, pool));
    record.tier = idv_risk_tier(&assessment);
    record.body = idv_json_own(
        assessment_json(record.id, request->now, &assessment), pool);
    if (!record.body)
        return idv_error_internal(pool, "no memory for an assessment");
    error = idv_risk_insert(db, &scoring->scope, &record,
                            &scoring->identifiers, pool);
    if (error && error->code == IDV_E_SESSION_NOT_FOUND)
        error->param = "session_id";
    IDV_TRY(error);
    *answer = json_incref((json_t *)record.body);
    return NULL;
}

idv_error_t *idv_risk_api_score(idv_request_t *request)
{
    scoring_t scoring = {.request = request,
                         .scope = idv_request_scope(request)};
    idv_write_t write = {HTTP_OK, score, &scoring, 0};

    idv_risk_facts_init(&scoring.facts);
    IDV_TRY(idv_parameters_read(request, parameters, &scoring.input));
    IDV_TRY(check_input(&scoring));
    scoring.facts.phone = scoring.input.phone;
    scoring.facts.user_agent = scoring.input.user_agent;
    identify(&scoring);
    look_at_address(&scoring);
    look_at_email(&scoring);
    return idv_write(request, &write);
}

/* --- retrieval --- */

typedef struct {
    idv_scope_t scope;
    const char *id;
    json_t *body;
} retrieval_t;

static idv_error_t *find(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    retrieval_t *retrieval = baton;

    return idv_risk_find(db, &retrieval->scope, retrieval->id, &retrieval->body,
                         pool);
}

idv_error_t *idv_risk_api_retrieve(idv_request_t *request)
{
    retrieval_t retrieval = {.scope = idv_request_scope(request),
                             .id = idv_request_path(request, "id")};

    IDV_TRY(idv_parameters_none(request));
    IDV_TRY(idv_request_with_database(request, find, &retrieval));
    return idv_respond_json(request, HTTP_OK, json_incref(retrieval.body));
}
