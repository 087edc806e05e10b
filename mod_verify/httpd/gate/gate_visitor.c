/* SPDX-License-Identifier: Apache-2.0 */
#include "httpd/gate/gate_visitor.h"

#include <pthread.h>
#include <string.h>

#include <apr_strings.h>
#include <http_core.h>
#include <http_log.h>
#include <http_protocol.h>

#include "api/session/visitor_session.h"
#include "domain/value/jurisdiction.h"
#include "httpd/configuration/configuration.h"
#include "httpd/request/request_state.h"

APLOG_USE_MODULE(verify);

#define HTTPS "https://"

/* --- the child's cache of confirmed proofs --- */

#define PLACES 1024 /* a power of two */
#define NAME_SIZE 16

typedef struct {
    unsigned char name[NAME_SIZE]; /* of an organization's session */
    idv_time_t checked;            /* 0: free */
    int in_force;
} verdict_t;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static verdict_t verdicts[PLACES];

static verdict_t *verdict_of(const idv_gate_visitor_t *visitor,
                             unsigned char *name)
{
    const char *text =
        apr_pstrcat(visitor->request->pool, visitor->gate->organization_id,
                    "\n", visitor->proof->session_id, NULL);
    unsigned char digest[IDV_DIGEST_SIZE];

    idv_sha256(text, strlen(text), digest);
    memcpy(name, digest, NAME_SIZE);
    return &verdicts[(digest[0] << 8 | digest[1]) & (PLACES - 1)];
}

/* Non-zero if there is a verdict newer than SINCE; sets *VERDICT. */
static int recall(const idv_gate_visitor_t *visitor, idv_time_t since,
                  verdict_t *verdict)
{
    unsigned char name[NAME_SIZE];
    const verdict_t *place = verdict_of(visitor, name);
    int is_known;

    pthread_mutex_lock(&mutex);
    is_known =
        place->checked > since && memcmp(place->name, name, NAME_SIZE) == 0;
    *verdict = *place;
    pthread_mutex_unlock(&mutex);
    return is_known;
}

static void remember(const idv_gate_visitor_t *visitor, idv_time_t now,
                     int in_force)
{
    verdict_t verdict = {.checked = now, .in_force = in_force};
    verdict_t *place = verdict_of(visitor, verdict.name);

    pthread_mutex_lock(&mutex);
    *place = verdict;
    pthread_mutex_unlock(&mutex);
}

/* --- the visitor --- */

/* The gate as a caller of the API: it acts for its organization, without a key
 * that anybody could present. */
static idv_request_t *make_request(request_rec *r, const idv_gate_t *gate)
{
    const idv_request_state_t *state = idv_request_state(r);
    idv_request_t *request = apr_pcalloc(r->pool, sizeof(*request));

    request->r = r;
    request->pool = r->pool;
    request->now = state->now;
    request->id = state->id;
    request->services = &idv_configuration_of(r->server)->services;
    idv_visitor_request_fill(request,
                             apr_pstrcat(r->pool, "gate ", gate->name, NULL),
                             gate->organization_id);
    return request;
}

/* Whether a URL with HOST as its authority has the host that httpd compared
 * with its names. With `HttpProtocolOptions Unsafe`,
 * `evil.example#.shop.example` is a name like `*.shop.example`, but its URL is
 * one of evil.example. */
static int is_authority(const char *host)
{
    return host[strspn(host, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                             "abcdefghijklmnopqrstuvwxyz0123456789-._:[]")]
        == '\0';
}

/* Whether PORT is one of the server's: of its ServerName, of its <VirtualHost>,
 * or the one connected to. */
static int is_own_port(const request_rec *r, apr_port_t port)
{
    if (port == r->server->port || port == r->connection->local_addr->port)
        return 1;
    for (const server_addr_rec *address = r->server->addrs; address;
         address = address->next)
        if (port == address->host_port)
            return 1;
    return 0;
}

/* Whether HOST, of the Host header, has a port of the server or none. An
 * address with another one may lead to somebody else on the same machine. */
static int has_own_port(const request_rec *r, const char *host)
{
    char *name, *zone;
    apr_port_t port;

    return apr_parse_addr_port(&name, &zone, &port, host, r->pool)
            == APR_SUCCESS
        && (port == 0 || port == DEFAULT_HTTPS_PORT || is_own_port(r, port));
}

static const char *origin_of(request_rec *r)
{
    const char *origin = idv_configuration_of(r->server)->settings.gate_origin;
    const char *host = apr_table_get(r->headers_in, "Host");
    char *own;

    if (origin)
        return strncmp(origin, HTTPS, strlen(HTTPS)) == 0 ? origin : NULL;
    if (strcmp(ap_http_scheme(r), "https") != 0 || !host || !is_authority(host)
        || !idv_request_has_own_name(r) || !has_own_port(r, host))
        return NULL;
    own = apr_pstrcat(r->pool, HTTPS, host, NULL);
    ap_str_tolower(own);
    return own;
}

static int is_navigation(request_rec *r)
{
    const apr_table_t *headers = r->headers_in;
    const idv_gate_head_t head = {
        .is_read = r->method_number == M_GET,
        .fetch_mode = apr_table_get(headers, "Sec-Fetch-Mode"),
        .fetch_dest = apr_table_get(headers, "Sec-Fetch-Dest"),
        .accept = apr_table_get(headers, "Accept"),
        .requested_with = apr_table_get(headers, "X-Requested-With"),
        .purpose = apr_table_get(headers, "Sec-Purpose"),
    };

    return idv_gate_is_navigation(&head) && !apr_table_get(headers, "Purpose");
}

/* The URL that the browser requested, before internal redirects of httpd. */
static const char *destination_of(const request_rec *r)
{
    const char *path = r->unparsed_uri;

    if (path && idv_gate_destination_is_safe(path))
        return path;
    path = r->parsed_uri.path;
    return path && idv_gate_destination_is_safe(path) ? path : "/";
}

static request_rec *first_of(request_rec *r)
{
    while (r->main || r->prev)
        r = r->main ? r->main : r->prev;
    return r;
}

static idv_error_t *send_proof(const idv_gate_visitor_t *visitor)
{
    const idv_request_t *request = visitor->request;
    const char *cookie;

    IDV_TRY(idv_gate_proof_seal(&visitor->place, visitor->proof, &cookie,
                                request->pool));
    idv_gate_set_cookie(request->r, visitor->gate->proof_cookie, cookie,
                        (visitor->proof->expires - request->now) / IDV_SECOND);
    return NULL;
}

/* Confirms the proof of VISITOR in the database, since the cookie is too old to
 * be trusted. */
static idv_error_t *confirm(idv_gate_visitor_t *visitor, idv_time_t since)
{
    idv_gate_proof_t *proof =
        apr_pmemdup(visitor->request->pool, visitor->proof, sizeof(*proof));
    idv_gate_standing_t standing;
    verdict_t verdict;

    if (!recall(visitor, since, &verdict)) {
        IDV_TRY(
            idv_gate_visitor_standing(visitor, proof->session_id, &standing));
        verdict.checked = visitor->request->now;
        verdict.in_force = standing.in_force;
        remember(visitor, verdict.checked, verdict.in_force);
    }
    visitor->proof = verdict.in_force ? proof : NULL;
    if (!verdict.in_force)
        return NULL;
    proof->checked = verdict.checked;
    return send_proof(visitor);
}

static void open_proof(idv_gate_visitor_t *visitor)
{
    const idv_request_t *request = visitor->request;
    request_rec *r = request->r;
    idv_time_t since =
        request->now - request->services->settings->gate_recheck * IDV_SECOND;
    idv_error_t *error;

    visitor->proof = idv_gate_proof_open(
        &visitor->place, idv_gate_sent_cookie(r, visitor->gate->proof_cookie),
        request->now, r->pool);
    if (!visitor->proof || visitor->proof->checked > since)
        return;
    error = confirm(visitor, since);
    if (!error)
        return;
    idv_request_log_error(r, error);
    visitor->proof = NULL;
    visitor->lack = IDV_GATE_LACKS_DATABASE;
}

static void explain_origin(request_rec *r, const idv_gate_t *gate)
{
    ap_log_rerror(APLOG_MARK, APLOG_WARNING, 0, r,
                  "IDV0101: the gate %s cannot be used here, because the "
                  "request did not use HTTPS or its Host is not a name and port "
                  "of the virtual host. Behind a proxy or a forwarded port, set "
                  "VerifyGateOrigin",
                  gate->name);
}

idv_gate_visitor_t *idv_gate_visitor(request_rec *r, const idv_gate_t *gate)
{
    idv_request_state_t *state = idv_request_state(r);
    idv_gate_visitor_t *visitor = state->visitor;
    request_rec *first = first_of(r);

    if (visitor && visitor->gate == gate)
        return visitor;
    visitor = apr_pcalloc(first->pool, sizeof(*visitor));
    visitor->gate = gate;
    visitor->request = make_request(first, gate);
    visitor->place = (idv_gate_place_t){
        .keyring = idv_configuration_of(r->server)->keyring,
        .gate = gate->name,
        .organization_id = gate->organization_id,
        .workflow_id = gate->workflow_id,
        .origin = origin_of(first),
    };
    visitor->is_navigation = is_navigation(first);
    visitor->destination = destination_of(first);
    state->visitor = visitor;
    if (visitor->place.origin)
        open_proof(visitor);
    else
        explain_origin(r, gate);
    return visitor;
}

/* --- demands --- */

/* The age that the law requires at the visitor's location; -1 if the law
 * prohibits access there. If the location is unknown, the law that applied to
 * the session is used. */
static int lawful_age(const idv_gate_visitor_t *visitor)
{
    const idv_request_t *request = visitor->request;
    const idv_gate_proof_t *proof = visitor->proof;
    idv_compliance_t rule = {0};
    idv_location_t location = {0};
    idv_compliance_question_t question = {.use_case = proof->use_case,
                                          .article = proof->article,
                                          .channel = proof->channel};

    request->services->locate(request, &location);
    question.jurisdiction = location.geo_header  ? location.geo_header
                          : location.ip_database ? location.ip_database
                                                 : visitor->gate->jurisdiction;
    if (!question.jurisdiction || question.use_case == IDV_USE_CASE_NONE)
        return 0;
    question.day = idv_jurisdiction_date(question.jurisdiction, request->now);
    idv_compliance_rules_look_up(request->services->compliance, &question,
                                 &rule, request->pool);
    if (rule.prohibited || rule.on_unknown == IDV_UNKNOWN_REFUSE)
        return -1;
    return rule.required_age ? rule.required_age : idv_tier_age(rule.age_tier);
}

static int lacks(idv_gate_visitor_t *visitor, idv_gate_lack_t lack)
{
    visitor->lack = lack;
    return 0;
}

int idv_gate_visitor_meets(idv_gate_visitor_t *visitor,
                           const idv_gate_demand_t *demand)
{
    int lawful = 0;

    if (!visitor->place.origin)
        return lacks(visitor, IDV_GATE_LACKS_HTTPS);
    if (!visitor->proof)
        return lacks(visitor, visitor->lack == IDV_GATE_LACKS_DATABASE
                                  ? IDV_GATE_LACKS_DATABASE
                                  : IDV_GATE_LACKS_PROOF);
    if (demand->kind == IDV_GATE_LAWFUL)
        lawful = lawful_age(visitor);
    if (lawful < 0)
        return lacks(visitor, IDV_GATE_LACKS_PLACE);
    if (idv_gate_is_met(demand, visitor->proof, lawful))
        return 1;
    visitor->needed_age = demand->kind == IDV_GATE_AGE ? demand->age : lawful;
    return lacks(visitor, IDV_GATE_LACKS_AGE);
}

/* --- sessions --- */

typedef struct {
    const idv_gate_visitor_t *visitor;
    const char *id;
    idv_gate_standing_t *standing;
} look_up_t;

static idv_error_t *look_up(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    look_up_t *look_up = baton;

    return idv_gate_standing(
        db,
        &(const idv_gate_query_t){.organization_id =
                                      look_up->visitor->gate->organization_id,
                                  .id = look_up->id,
                                  .now = look_up->visitor->request->now},
        look_up->standing, pool);
}

/* When a proof from a session with STANDING ends. */
static idv_time_t end_of(const idv_request_t *request,
                         const idv_gate_standing_t *standing)
{
    idv_time_t end = standing->completed
                   + request->services->settings->gate_max_age * IDV_SECOND;

    return standing->expires && standing->expires < end ? standing->expires
                                                        : end;
}

idv_error_t *idv_gate_visitor_standing(idv_gate_visitor_t *visitor,
                                       const char *id,
                                       idv_gate_standing_t *standing)
{
    const idv_request_t *request = visitor->request;
    look_up_t work = {visitor, id, standing};

    IDV_TRY(idv_request_with_database(visitor->request, look_up, &work));
    if (end_of(request, standing) <= request->now)
        standing->in_force = 0;
    return NULL;
}

idv_error_t *idv_gate_visitor_prove(idv_gate_visitor_t *visitor,
                                    const char *session_id,
                                    const idv_gate_standing_t *standing)
{
    const idv_request_t *request = visitor->request;
    idv_gate_proof_t *proof = apr_pcalloc(request->pool, sizeof(*proof));

    *proof = (idv_gate_proof_t){
        .session_id = session_id,
        .expires = end_of(request, standing),
        .checked = request->now,
        .age = standing->age,
        .identity = standing->identity,
        .use_case = standing->use_case,
        .article = standing->article,
        .channel = standing->channel,
    };
    visitor->proof = proof;
    return send_proof(visitor);
}

/* --- cookies --- */

const char *idv_gate_sent_cookie(request_rec *r, const char *name)
{
    const char *sent = idv_request_state(r)->cookies;

    return idv_gate_cookie(sent ? sent : apr_table_get(r->headers_in, "Cookie"),
                           name, r->pool);
}

/* Internal redirects and subrequests may have the headers of their request, and
 * need a proof themselves. */
void idv_gate_hide_cookies(request_rec *r)
{
    const apr_array_header_t *names = idv_gate_cookies();
    const char *sent = apr_table_get(r->headers_in, "Cookie");
    const char *kept = sent;

    for (int i = 0; kept && i < names->nelts; i++)
        kept = idv_gate_cookies_without(
            kept, APR_ARRAY_IDX(names, i, const char *), r->pool);
    if (kept == sent)
        return;
    if (!idv_request_state(r)->cookies)
        idv_request_state(r)->cookies = apr_pstrdup(first_of(r)->pool, sent);
    if (kept)
        apr_table_set(r->headers_in, "Cookie", kept);
    else
        apr_table_unset(r->headers_in, "Cookie");
}

void idv_gate_set_cookie(request_rec *r, const char *name, const char *value,
                         apr_int64_t seconds)
{
    apr_table_addn(r->err_headers_out, "Set-Cookie",
                   apr_psprintf(r->pool,
                                "%s=%s; Path=/; Max-Age=%" APR_INT64_T_FMT
                                "; Secure; HttpOnly; SameSite=Lax",
                                name, value, seconds));
}
