/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command/command.h"

#include <string.h>

#include <apr_strings.h>

#include "cli/command/command_record.h"
#include "store/session/attempt_limit.h"
#include "store/session/credential_record.h"
#include "store/session/passkey.h"
#include "store/session/person_lookup.h"
#include "store/session/person_view.h"
#include "store/transaction/credential_revocation.h"
#include "store/transaction/erasure.h"
#include "store/transaction/trust_reuse_grant.h"

/* Verified persons, the credentials that they reuse, and the applications that
 * looked them up. */

#define HOURS_DEFAULT 24 /* how far back `trust-reuse asks` looks */

static json_t *credential_json(const idv_credential_record_t *record)
{
    return json_pack(
        "{s:s, s:s, s:s, s:s?, s:s, s:s, s:s, s:s, s:s?, s:I, s:I, s:o, s:b,"
        " s:O, s:O}",
        "id", record->id, "object", "credential", "organization_id",
        record->organization_id, "verified_person_id",
        record->verified_person_id, "session_id", record->session_id, "method",
        record->method, "strength", record->strength, "assurance",
        record->assurance, "age_tier", record->age_tier, "verified_at",
        (json_int_t)idv_time_seconds(record->verified_at), "expires_at",
        (json_int_t)idv_time_seconds(record->expires_at), "revoked_at",
        idv_json_integer_or_null(idv_time_seconds(record->revoked_at)),
        "shared", record->shared, "tokens", record->tokens,
        "passkeys", record->passkeys);
}

static json_t *credentials_json(const apr_array_header_t *credentials)
{
    json_t *array = json_array();

    for (int i = 0; i < credentials->nelts; i++)
        json_array_append_new(
            array, credential_json(APR_ARRAY_IDX(credentials, i,
                                                 idv_credential_record_t *)));
    return array;
}

static json_t *sessions_json(const apr_array_header_t *sessions)
{
    json_t *array = json_array();

    for (int i = 0; i < sessions->nelts; i++) {
        const idv_person_session_t *session =
            &APR_ARRAY_IDX(sessions, i, idv_person_session_t);
        json_t *links = json_array();

        for (const char *const *link = session->links; *link; link++)
            json_array_append_new(links, json_string(*link));
        json_array_append_new(
            array,
            json_pack(
                "{s:s, s:s, s:s?, s:s?, s:o, s:o, s:I}", "session_id",
                session->id, "status", session->status, "error_code",
                session->error_code, "client_reference_id",
                session->client_reference_id, "linked_by", links,
                "completed_at",
                idv_json_integer_or_null(idv_time_seconds(session->completed)),
                "created", (json_int_t)idv_time_seconds(session->created)));
    }
    return array;
}

/* The actor who requested the erasure of the person of CALL, and the time until
 * which another can confirm it; or null. */
static idv_error_t *request_json(const idv_call_t *call,
                                 const char *organization_id, json_t **json)
{
    const idv_person_erasure_t erasure = {.person_id = call->arguments[0],
                                          .organization_id = organization_id,
                                          .at = idv_time_now()};
    idv_erasure_request_t *request;

    IDV_TRY(idv_erasure_request_find(call->db, &erasure, &request,
                                     call->pool));
    *json = request ? json_pack(
                "{s:s, s:I, s:I}", "requested_by", request->requested_by,
                "created", (json_int_t)idv_time_seconds(request->created),
                "expires_at",
                (json_int_t)idv_time_seconds(request->expires_at))
                    : json_null();
    return NULL;
}

#define LINE_MAX_BYTES 4000 /* of an address, in UTF-8 */

/* Sets `methods` of GIVEN to the comma-separated words of TEXT. An empty list
 * would not restrict anything, which cannot be what the option is given for. */
static idv_error_t *set_methods(const idv_call_t *call, json_t *given,
                                const char *text)
{
    json_t *array = json_array();
    char *state, *word = apr_strtok(apr_pstrdup(call->pool, text), ",", &state);
    int is_good = word != NULL;

    json_object_set_new(given, "methods", array);
    for (; word; word = apr_strtok(NULL, ",", &state))
        is_good = json_array_append_new(array, json_string(word)) == 0 && is_good;
    return is_good ? NULL
                   : idv_error_param(call->pool, "methods",
                                     "Must be names of methods, separated by "
                                     "commas.");
}

/* The parameters as in a request of the API. Addresses are read from standard
 * input, in the order of the arguments. */
static idv_error_t *read_lookup(const idv_call_t *call,
                                idv_person_lookup_t *lookup)
{
    static const char *const options[][2] = {{"min-strength", "min_strength"},
                                             {"max-age-days", "max_age"}};
    const char *methods = idv_call_option(call, "methods"), *text;
    json_t *given = idv_json_own(json_object(), call->pool);
    const idv_parameters_t values = {.values = given};

    for (int i = 0; i < 2 && call->arguments[i]; i++) {
        const char *kind = call->arguments[i];

        if ((strcmp(kind, "email") != 0 && strcmp(kind, "phone") != 0)
            || json_object_get(given, kind))
            return idv_error_param(call->pool, "KIND",
                                   "Expected email, phone, or both.");
        IDV_TRY(idv_call_read_line(call, kind, LINE_MAX_BYTES, &text));
        json_object_set_new(given, kind, json_string(text));
        if (!json_object_get(given, kind))
            return idv_error_param(call->pool, kind, "Must be UTF-8.");
    }
    if (methods)
        IDV_TRY(set_methods(call, given, methods));
    for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++)
        if ((text = idv_call_option(call, options[i][0])))
            json_object_set_new(given, options[i][1], json_string(text));
    return idv_parameters_read(&values, idv_person_lookup_parameters, lookup,
                               NULL, call->pool);
}

/* Recorded like an operator's POST to /v1/verified_person/lookup. */
IDV_COMMAND(person_find)
{
    const idv_person_lookup_place_t place = {
        .organization_id = idv_call_option(call, "org"),
        .keyring = call->keyring,
        .now = idv_time_now()};
    idv_person_lookup_t lookup = {0};
    const char *text;

    IDV_TRY(idv_call_organization(call));
    IDV_TRY(read_lookup(call, &lookup));
    IDV_TRY(idv_person_lookup_check(&lookup, call->pool));
    IDV_TRY(idv_person_lookup(call->db, &place, &lookup, &text, call->pool));
    *answer = json_loads(text, 0, NULL);
    return NULL;
}

IDV_COMMAND(person_show)
{
    idv_person_record_t person;
    json_t *kinds, *request;

    IDV_TRY(idv_person_show(call->db, call->arguments[0], &person, call->pool));
    IDV_TRY(request_json(call, person.organization_id, &request));
    kinds = json_array();
    for (const char *const *kind = person.identifiers; *kind; kind++)
        json_array_append_new(kinds, json_string(*kind));
    *answer = json_pack(
        "{s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "id", call->arguments[0],
        "object", "verified_person", "organization_id", person.organization_id,
        "identifiers", kinds, "created",
        idv_json_integer_or_null(idv_time_seconds(person.created)), "erased_at",
        idv_json_integer_or_null(idv_time_seconds(person.erased_at)),
        "erasure_request", request, "credentials",
        credentials_json(person.credentials), "sessions",
        sessions_json(person.sessions));
    return NULL;
}

IDV_COMMAND(person_erase)
{
    idv_person_erasure_t erasure = {.person_id = call->arguments[0],
                                    .operator = idv_call_actor(call),
                                    .at = idv_time_now()};

    IDV_TRY(idv_person_erase(call->db, &erasure, call->pool));
    if (!erasure.erased) {
        *answer = json_pack(
            "{s:s, s:s, s:s, s:s, s:I}", "id", erasure.person_id, "object",
            "person_erasure_request", "organization_id",
            erasure.organization_id, "requested_by", erasure.operator,
            "expires_at",
            (json_int_t)idv_time_seconds(erasure.at
                                         + IDV_ERASURE_REQUEST_TIME));
        return NULL;
    }
    *answer = json_pack("{s:s, s:s, s:s, s:O, s:I}", "id", erasure.person_id,
                        "object", "person_erasure", "organization_id",
                        erasure.organization_id, "erased", erasure.erased,
                        "erased_at", (json_int_t)idv_time_seconds(erasure.at));
    return NULL;
}

IDV_COMMAND(person_withdraw_erasure)
{
    idv_person_erasure_t erasure = {.person_id = call->arguments[0],
                                    .at = idv_time_now()};

    IDV_TRY(idv_erasure_request_withdraw(call->db, &erasure, call->pool));
    *answer = json_pack("{s:s, s:s, s:s, s:b}", "id", erasure.person_id,
                        "object", "person_erasure_request", "organization_id",
                        erasure.organization_id, "deleted", 1);
    return NULL;
}

IDV_COMMAND(person_erasures)
{
    idv_erasure_query_t query = {
        .organization_id = idv_call_option(call, "org"),
        .now = idv_time_now(),
        .cursor.starting_after = idv_call_option(call, "starting-after")};
    apr_array_header_t *requests;
    int has_more;

    IDV_TRY(idv_call_limit(call, &query.cursor.limit));
    IDV_TRY(idv_call_organization(call));
    IDV_TRY(idv_erasure_request_page(call->db, &query, &requests, &has_more,
                                     call->pool));
    *answer = json_array();
    for (int i = 0; i < requests->nelts; i++) {
        const idv_erasure_request_t *request =
            &APR_ARRAY_IDX(requests, i, idv_erasure_request_t);

        json_array_append_new(
            *answer,
            json_pack("{s:s, s:s, s:s, s:I, s:I}", "id", request->person_id,
                      "object", "person_erasure_request", "requested_by",
                      request->requested_by, "created",
                      (json_int_t)idv_time_seconds(request->created),
                      "expires_at",
                      (json_int_t)idv_time_seconds(request->expires_at)));
    }
    return NULL;
}

/* --- credentials --- */

IDV_COMMAND(credential_list)
{
    apr_array_header_t *credentials;

    IDV_TRY(idv_credential_list_minted(
        call->db, idv_call_option(call, "session"), &credentials, call->pool));
    *answer = credentials_json(credentials);
    return NULL;
}

IDV_COMMAND(credential_revoke)
{
    idv_credential_revocation_t revocation = {.id = call->arguments[0],
                                              .now = idv_time_now()};

    IDV_TRY(idv_credential_revoke(call->db, &revocation, call->pool));
    *answer = credential_json(revocation.credential);
    json_object_set_new(*answer, "grants_revoked",
                        json_integer(revocation.grants));
    return NULL;
}

IDV_COMMAND(token_revoke)
{
    idv_credential_record_t *credential;

    IDV_TRY(idv_vp_token_revoke(call->db, call->arguments[0], idv_time_now(),
                                &credential, call->pool));
    *answer = credential_json(credential);
    return NULL;
}

IDV_COMMAND(passkey_remove)
{
    idv_credential_record_t *credential;
    const char *credential_id;

    IDV_TRY(idv_passkey_remove(call->db, call->arguments[0], &credential_id,
                               call->pool));
    IDV_TRY(
        idv_credential_find(call->db, credential_id, &credential, call->pool));
    *answer = credential_json(credential);
    return NULL;
}

/* --- trust reuse --- */

static json_t *asker_json(const idv_trust_reuse_asker_t *asker)
{
    return json_pack("{s:s, s:s, s:s, s:s?, s:I, s:I, s:I, s:I, s:o}", "object",
                     "trust_reuse_asks", "organization_id",
                     asker->organization_id, "application_id",
                     asker->application_id, "application_name", asker->name,
                     "asked", (json_int_t)asker->asked, "met",
                     (json_int_t)asker->met, "unmet",
                     (json_int_t)(asker->asked - asker->met),
                     "most_in_an_hour", (json_int_t)asker->most_in_an_hour,
                     "last_hour",
                     idv_json_integer_or_null(
                         idv_time_seconds(asker->last_asked)));
}

IDV_COMMAND(trust_reuse_asks)
{
    const apr_int64_t lengths[2] = {
        1, IDV_TRUST_REUSE_TALLY_DAYS * (IDV_DAY / IDV_HOUR)};
    apr_int64_t hours = HOURS_DEFAULT;
    const char *organization = idv_call_option(call, "org");
    apr_array_header_t *askers;
    int limit;

    IDV_TRY(idv_call_limit(call, &limit));
    IDV_TRY(idv_call_number(call, "hours", lengths, &hours));
    if (organization)
        IDV_TRY(idv_call_organization(call));
    IDV_TRY(
        idv_trust_reuse_askers(call->db,
                               &(const idv_trust_reuse_askers_query_t){
                                   .organization_id = organization,
                                   .since = idv_time_now() - hours * IDV_HOUR,
                                   .limit = limit},
                               &askers, call->pool));
    *answer = json_array();
    for (int i = 0; i < askers->nelts; i++)
        json_array_append_new(*answer,
                              asker_json(&APR_ARRAY_IDX(
                                  askers, i, idv_trust_reuse_asker_t)));
    return NULL;
}

static json_t *grant_json(const idv_trust_reuse_grant_t *grant,
                          apr_pool_t *pool)
{
    return json_incref(
        idv_json_load(idv_trust_reuse_grant_text(grant, pool), pool));
}

IDV_COMMAND(trust_reuse_grants)
{
    idv_cursor_t cursor = {.starting_after =
                               idv_call_option(call, "starting-after")};
    apr_array_header_t *grants;
    int has_more;

    IDV_TRY(idv_call_limit(call, &cursor.limit));
    IDV_TRY(idv_call_organization(call));
    IDV_TRY(idv_trust_reuse_grant_list(
        call->db,
        &(const idv_page_query_t){
            .scope = {.organization_id = idv_call_option(call, "org")},
            .cursor = cursor},
        &grants, &has_more, call->pool));
    *answer = json_array();
    for (int i = 0; i < grants->nelts; i++)
        json_array_append_new(
            *answer,
            grant_json(APR_ARRAY_IDX(grants, i, idv_trust_reuse_grant_t *),
                       call->pool));
    return NULL;
}

/* Revoking does not report a missing grant, so look it up first. */
IDV_COMMAND(trust_reuse_revoke)
{
    idv_grant_revoking_t revoking = {
        .organization_id = idv_call_option(call, "org"),
        .id = call->arguments[0],
        .reason = IDV_GRANT_TARGET_OPERATOR_REVOKED,
        .now = idv_time_now(),
    };
    idv_trust_reuse_grant_t *grant;

    IDV_TRY(idv_call_organization(call));
    IDV_TRY(idv_trust_reuse_revoke_grant(call->db, &revoking, call->pool));
    IDV_TRY(idv_trust_reuse_grant_find(call->db, revoking.organization_id,
                                       revoking.id, &grant, call->pool));
    *answer = grant_json(grant, call->pool);
    return NULL;
}

static const char *const grant_columns[] = {
    "id",         "application_id", "session_id",     "method",
    "granted_at", "expires_at",     "revoked_reason", NULL};

static const char *const erasure_columns[] = {
    "id", "requested_by", "created", "expires_at", NULL};

static const char *const credential_columns[] = {
    "id", "method", "strength", "assurance", "age_tier", "verified_at",
    "expires_at", "revoked_at", NULL};

static const char *const asker_columns[] = {
    "organization_id", "application_name", "asked", "met", "unmet",
    "most_in_an_hour", "last_hour", NULL};

const idv_command_t idv_person_commands[] = {
    {.noun = "person",
     .verb = "find",
     .changes = 1,
     .needs_keyring = 1,
     .arguments = "email|phone [email|phone]",
     .options = {"org! ORG", "methods METHOD,METHOD", "min-strength STRENGTH",
                 "max-age-days N"},
     .run = person_find,
     .help = "find out whether somebody is a verified user of the\n"
             "      organization, and who, by an e-mail address, a phone number,\n"
             "      or both of the same person, one per line on standard input.\n"
             "      The lookup is recorded, but not for whom"},
    {.noun = "person",
     .verb = "show",
     .arguments = "PERSON_ID",
     .run = person_show,
     .help = "print a verified person's credentials and the IDs of their\n"
             "      tokens and passkeys"},
    {.noun = "person",
     .verb = "erase",
     .changes = 1,
     .told = "object",
     .arguments = "PERSON_ID",
     .run = person_erase,
     .help = "erase a verified person and print what was erased; or request\n"
             "      it, if the organization requires two people (org four-eyes)"},
    {.noun = "person",
     .verb = "erasures",
     .options = {"org! ORG", "limit N", "starting-after PERSON_ID"},
     .run = person_erasures,
     .columns = erasure_columns,
     .help = "list the erasures that wait for a second person"},
    {.noun = "person",
     .verb = "withdraw-erasure",
     .changes = 1,
     .arguments = "PERSON_ID",
     .run = person_withdraw_erasure,
     .help = "withdraw a requested erasure"},
    {.noun = "credential",
     .verb = "list",
     .options = {"session! SESSION_ID"},
     .run = credential_list,
     .columns = credential_columns,
     .help = "list the credentials of a session"},
    {.noun = "credential",
     .verb = "revoke",
     .changes = 1,
     .arguments = "CREDENTIAL_ID",
     .run = credential_revoke,
     .help = "revoke a credential, its tokens and the grants derived from it"},
    {.noun = "token",
     .verb = "revoke",
     .changes = 1,
     .arguments = "TOKEN_ID",
     .run = token_revoke,
     .help = "revoke the VP token with this ID; its credential stays valid"},
    {.noun = "passkey",
     .verb = "remove",
     .changes = 1,
     .arguments = "PASSKEY_ID",
     .run = passkey_remove,
     .help = "remove a passkey, which then redeems nothing; its credential and\n"
             "      VP token stay valid"},
    {.noun = "trust-reuse",
     .verb = "asks",
     .options = {"org ORG", "hours N", "limit N"},
     .run = trust_reuse_asks,
     .columns = asker_columns,
     .help = "list the applications that looked up persons of others, those\n"
             "      with the most lookups without a match first"},
    {.noun = "trust-reuse",
     .verb = "grants",
     .options = {"org! ORG", "limit N", "starting-after TRG_ID"},
     .run = trust_reuse_grants,
     .columns = grant_columns,
     .help = "list the verifications that an organization has reused from\n"
             "      others, newest first"},
    {.noun = "trust-reuse",
     .verb = "revoke",
     .changes = 1,
     .arguments = "TRG_ID",
     .options = {"org! ORG"},
     .run = trust_reuse_revoke,
     .help = "revoke such a grant; the original verification stays"},
    {0},
};
