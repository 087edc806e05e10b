/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /v1/risk: the risk of an address, e-mail, phone or device.
 */
#include <string.h>

#include <apr_lib.h>
#include <apr_strings.h>

#include "api/http/client_signals.h"
#include "api/http/response.h"
#include "api/http/write.h"
#include "core/id.h"
#include "domain/risk/risk_assessment.h"
#include "domain/risk/user_agent.h"
#include "domain/value/jurisdiction.h"
#include "store/risk/risk_list.h"
#include "store/session/person.h"
#include "store/session/session_risk.h"

typedef struct {
    const char *ip;
    struct sockaddr_storage address; /* of `ip`; family 0: not given */
    const char *email;
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
    IDV_PARAMETER(EMAIL, input_t, email, 0, 1, 320),
    IDV_PARAMETER(PHONE, input_t, phone, 0, 1, 64),
    IDV_PARAMETER(STRING, input_t, device_id, 0, 1, 255),
    IDV_PARAMETER(STRING, input_t, user_agent, 0, 1, 1024),
    IDV_PARAMETER(STRING, input_t, session_id, 0, 1, 64),
    IDV_PARAMETER(JURISDICTION, input_t, claimed_country, 0, 2, 8),
    IDV_PARAMETER(JURISDICTION, input_t, doc_country, 0, 2, 2),
    IDV_PARAMETER(STRING, input_t, doc_region, 0, 1, 3),
    IDV_PARAMETER(JURISDICTION, input_t, required_jurisdiction, 0, 2, 8),
    {0},
};

typedef struct {
    idv_request_t *request;
    idv_scope_t scope;
    input_t input;
    idv_risk_facts_t facts;
    idv_risk_identifiers_t identifiers;
} scoring_t;

/* --- the parameters --- */

static idv_error_t *check_value(void *baton, const char *name, apr_pool_t *pool)
{
    input_t *input = baton;

    if (strcmp(name, "ip") == 0
        && !idv_address_parse(input->ip, &input->address))
        return idv_error_param(pool, name, "must be an IPv4 or IPv6 address.");
    for (const char *c = input->doc_region; c && *c; c++)
        if (!apr_isalnum(*c))
            return idv_error_param(pool, "doc_region",
                                   "must have 1 to 3 letters and digits.");
    return NULL;
}

static idv_error_t *read_input(scoring_t *scoring)
{
    const idv_request_t *request = scoring->request;
    input_t *input = &scoring->input;
    idv_risk_facts_t *facts = &scoring->facts;

    IDV_TRY(idv_request_parameters(request, parameters, input, check_value));
    if (!input->ip && !input->email && !input->phone && !input->device_id)
        return idv_error_param(request->pool, "ip",
                               "or another identifier is required. Pass at "
                               "least one of `ip`, `email`, `phone` and "
                               "`device_id`.");
    facts->phone = input->phone;
    facts->claimed = input->claimed_country;
    facts->required = input->required_jurisdiction;
    facts->document = input->doc_country;
    if (input->doc_country && input->doc_region)
        facts->document = idv_jurisdiction_join(
            input->doc_country, input->doc_region, request->pool);
    return NULL;
}

/* --- the facts --- */

static void identify(scoring_t *scoring)
{
    const input_t *input = &scoring->input;
    idv_request_t *request = scoring->request;
    idv_bytes_t *digests = scoring->identifiers.digests;
    /* The digests are those used for persons and sessions, so that the same
     * identifier is recognized here and an erasure finds it. */
    const char *const texts[IDV_RISK_KIND_COUNT] = {
        [IDV_RISK_KIND_IP] =
            idv_address_counted(&input->address, request->pool),
        [IDV_RISK_KIND_EMAIL] = input->email,
        [IDV_RISK_KIND_PHONE] = input->phone,
        [IDV_RISK_KIND_DEVICE] = input->device_id,
    };

    for (int i = 0; i < IDV_RISK_KIND_COUNT; i++)
        digests[i] = idv_risk_list_digest(request->services->keyring,
                                          (idv_risk_list_kind_t)i, texts[i],
                                          request->pool);
    memcpy(scoring->identifiers.listed, digests,
           sizeof(scoring->identifiers.listed));
    scoring->identifiers.email_domain = idv_risk_list_digest(
        request->services->keyring, IDV_RISK_LIST_EMAIL_DOMAIN,
        input->email ? strchr(input->email, '@') + 1 : NULL, request->pool);
    scoring->identifiers.person =
        digests[input->email ? IDV_RISK_KIND_EMAIL : IDV_RISK_KIND_PHONE];
}

static void look_at_address(scoring_t *scoring)
{
    idv_risk_facts_t *facts = &scoring->facts;
    idv_address_facts_t known;

    idv_address_judge(scoring->request->services, &scoring->input.address,
                      &known, scoring->request->pool);
    facts->ip_country = known.place;
    facts->ip_reserved = known.reserved;
    facts->ip_hosting = known.hosting;
    facts->ip_anonymizer = known.anonymizer;
    facts->ip_tor = known.tor;
}

/* --- scoring --- */

static idv_error_t *score(idv_db_t *db, void *baton, const char **answer,
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

    IDV_TRY(idv_risk_count(
        db,
        &(const idv_risk_question_t){.scope = scoring->scope,
                                     .identifiers = &scoring->identifiers,
                                     .policy = policy,
                                     .now = request->now},
        &facts, pool));
    idv_risk_assess(policy, &facts, &assessment, pool);
    record.tier = idv_risk_tier(&assessment);
    record.body =
        idv_risk_assessment_text(record.id, request->now, &assessment, pool);
    error = idv_session_risk_insert(db, &scoring->scope, &record,
                                    &scoring->identifiers, pool);
    if (error && error->code == IDV_E_SESSION_NOT_FOUND)
        error->param = "session_id";
    IDV_TRY(error);
    *answer = record.body;
    return NULL;
}

idv_error_t *idv_risk_api_score(idv_request_t *request)
{
    scoring_t scoring = {.request = request,
                         .scope = idv_request_scope(request)};
    idv_write_t write = {.status = HTTP_OK, .work = score, .baton = &scoring};

    idv_risk_facts_init(&scoring.facts);
    IDV_TRY(read_input(&scoring));
    write.changes_once = !scoring.input.session_id;
    if (scoring.input.user_agent)
        scoring.facts.automated =
            idv_user_agent_is_automated(scoring.input.user_agent);
    identify(&scoring);
    look_at_address(&scoring);
    idv_risk_judge_email(request->services->risk, scoring.input.email,
                         &scoring.facts);
    return idv_write(request, &write);
}

/* --- retrieval --- */

typedef struct {
    idv_scope_t scope;
    const char *id;
    const char *body;
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

    IDV_TRY(idv_request_no_parameters(request));
    IDV_TRY(idv_request_with_database(request, find, &retrieval));
    return idv_respond_text(request, HTTP_OK, retrieval.body);
}
