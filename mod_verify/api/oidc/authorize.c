/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /v1/oidc/authorize and /v1/oidc/continue: a browser's way through a login.
 *
 *     authorize   a client's request. A known browser whose earlier login is
 *                 still valid gets a code. Another one gets a cookie and goes to
 *                 continue; the request becomes a login
 *                 (store/oidc/login.h).
 *     continue    creates the session of the login and leads to the hosted
 *                 page, which leads back here. Once the session is verified,
 *                 the browser goes to the client with a code.
 *
 * Protections:
 *
 * - A browser is redirected only to a registered redirect URI. If the client or
 *   its redirect URI is wrong, the person sees a page.
 * - Sessions are created only for browsers that have returned the cookie, and a
 *   limited number a minute per address, as by age gates.
 * - A login belongs to the browser with its cookie. Another browser that opens a
 *   link to the login does not get its code.
 * - HEAD is refused: it must not create a session or spend the code of a login.
 * - All requests of an address are counted before they reach the database.
 */
#include <string.h>

#include <apr_strings.h>

#include "api/http/response.h"
#include "api/oidc/login_subject.h"
#include "api/session/visitor_session.h"
#include "core/id.h"
#include "core/query_string.h"
#include "domain/oidc/authorization.h"
#include "domain/oidc/client.h"
#include "store/gate/gate.h"
#include "store/oidc/client_record.h"
#include "store/oidc/login.h"

#define AUTHORIZE_PATH "/v1/oidc/authorize"
#define CONTINUE_PATH "/v1/oidc/continue"
#define COOKIE "__Host-verify-login"
#define COOKIE_BYTES 32
#define COOKIE_LENGTH 43 /* in base64url */
#define QUERY_MAX 7000   /* bytes of a form that becomes a query */

/* A browser's request. */
typedef struct {
    idv_request_t *request;
    const char *issuer;
    idv_oidc_client_t *client;
    idv_oidc_return_t back; /* `redirect_uri` NULL: not known yet */
    idv_oidc_authorization_t asked;
    const char *cookie; /* NULL: none */
    unsigned char digest[IDV_DIGEST_SIZE];
    idv_oidc_browser_t browser;
    idv_oidc_login_t *login; /* NULL: none */
    idv_gate_standing_t standing; /* of its session */
} visit_t;

typedef struct {
    idv_oidc_hint_t hint;
    int fits;
} hinting_t;

/* --- answers --- */

static void redirect(const visit_t *visit, const char *location)
{
    idv_respond_header(visit->request, "Location", location);
    idv_respond_header(visit->request, "Referrer-Policy", "no-referrer");
    idv_respond_bytes(visit->request, HTTP_SEE_OTHER, "text/plain",
                      (idv_bytes_t){(const unsigned char *)"", 0});
}

static void show(const visit_t *visit, idv_gate_page_t page, const char *next)
{
    idv_request_t *request = visit->request;
    const char *organization =
        visit->client ? visit->client->organization_id : NULL;
    const char *text = request->services->visitor_page(request, organization,
                                                       page, next);

    idv_respond_bytes(request, idv_gate_page_status(page),
                      "text/html; charset=utf-8",
                      (idv_bytes_t){(const unsigned char *)text, strlen(text)});
}

/* The page for a request that cannot be answered to its client. */
static void show_end(const visit_t *visit)
{
    const char *next = NULL;

    if (visit->client)
        next = visit->client->redirect_uris[0];
    /* The home page of the site; the redirect URI itself answers only
     * clients. */
    if (next) {
        apr_size_t scheme = strcspn(next, "/") + 2;

        next = apr_pstrmemdup(visit->request->pool, next,
                              scheme + strcspn(next + scheme, "/?"));
    }
    show(visit, IDV_GATE_PAGE_LOGIN, next);
}

static void refuse(const visit_t *visit, idv_oidc_error_code_t code,
                   const char *reason)
{
    const idv_oidc_error_t error = {code, reason};

    redirect(visit, idv_oidc_return_error(&visit->back, &error,
                                          visit->request->pool));
}

/* Answers a failure of this service, which is logged. */
static void refuse_failure(const visit_t *visit, idv_error_t *error)
{
    switch (error->code) {
    case IDV_E_RATE_LIMIT_EXCEEDED:
        refuse(visit, IDV_OIDC_TEMPORARILY_UNAVAILABLE,
               "Too many logins from this address. Try again in a minute.");
        return;
    case IDV_E_SERVICE_UNAVAILABLE:
        refuse(visit, IDV_OIDC_TEMPORARILY_UNAVAILABLE,
               "The service is temporarily unavailable.");
        break;
    case IDV_E_USE_CASE_PROHIBITED:
    case IDV_E_COMPLIANCE_UNKNOWN:
        refuse(visit, IDV_OIDC_ACCESS_DENIED,
               "The law of the person's location does not allow this.");
        break;
    case IDV_E_JURISDICTION_UNRESOLVABLE:
        refuse(visit, IDV_OIDC_ACCESS_DENIED,
               "The person's location is unknown, so the law that applies is "
               "unknown.");
        break;
    case IDV_E_PARAMETER_INVALID:
        refuse(visit, IDV_OIDC_INVALID_SCOPE,
               "The client's workflow does not verify what scope asks for.");
        break;
    default:
        refuse(visit, IDV_OIDC_SERVER_ERROR,
               "The verification could not be started.");
        break;
    }
    if (!error->detail)
        error->detail = apr_psprintf(
            visit->request->pool, "the login of %s cannot create a session: %s",
            visit->client->id, idv_error_info(error->code)->code);
    visit->request->response.failure = error;
}

/* --- the client and the browser --- */

static const char *parameter(const visit_t *visit, const char *name)
{
    return json_string_value(
        json_object_get(visit->request->parameters, name));
}

typedef struct {
    const char *id;
    idv_oidc_client_t *client;
} client_search_t;

static idv_error_t *find_client(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    client_search_t *search = baton;

    return idv_oidc_client_find(db, search->id, &search->client, pool);
}

static int is_cookie(const char *cookie)
{
    return cookie && strlen(cookie) == COOKIE_LENGTH
        && strspn(cookie, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                          "0123456789-_")
               == COOKIE_LENGTH;
}

/* The digest differs for each client, so that the database does not show that
 * logins at several organizations are from one browser. */
static void set_cookie(visit_t *visit, const char *cookie)
{
    const char *text = apr_pstrcat(visit->request->pool, visit->client->id,
                                   "\n", cookie, NULL);

    visit->cookie = cookie;
    idv_sha256(text, strlen(text), visit->digest);
}

static void take_browser(visit_t *visit)
{
    const char *cookie = idv_gate_cookie(
        apr_table_get(visit->request->r->headers_in, "Cookie"), COOKIE,
        visit->request->pool);

    visit->browser.organization_id = visit->client->organization_id;
    visit->browser.client_id = visit->client->id;
    visit->browser.digest =
        (idv_bytes_t){visit->digest, sizeof(visit->digest)};
    if (is_cookie(cookie))
        set_cookie(visit, cookie);
}

static void give_cookie(visit_t *visit)
{
    idv_request_t *request = visit->request;

    set_cookie(visit, idv_random_token(COOKIE_BYTES, request->pool));
    apr_table_addn(
        request->r->err_headers_out, "Set-Cookie",
        apr_psprintf(request->pool,
                     COOKIE "=%s; Path=/; Max-Age=%" APR_INT64_T_FMT
                            "; Secure; HttpOnly; SameSite=Lax",
                     visit->cookie,
                     (apr_int64_t)(IDV_OIDC_LOGIN_DAYS * IDV_DAY
                                   / IDV_SECOND)));
}

/* Counts the request for its address. If there were too many, the person sees
 * a page, and *IS_ADMITTED becomes 0. */
static idv_error_t *admit(visit_t *visit, int *is_admitted)
{
    idv_request_t *request = visit->request;
    idv_error_t *error = request->services->count_visitor(
        request, "oidc login", request->services->settings->rate_limit_secret);

    *is_admitted = !error;
    if (!error || error->code != IDV_E_RATE_LIMIT_EXCEEDED)
        return error;
    idv_error_headers(request->r, error, request->r->err_headers_out);
    show(visit, IDV_GATE_PAGE_LIMIT,
         apr_pstrcat(request->pool, request->r->uri, "?", request->r->args,
                     NULL));
    return NULL;
}

static idv_error_t *refuse_head(idv_request_t *request)
{
    if (!request->r->header_only)
        return NULL;
    idv_respond_header(request, "Allow",
                       strcmp(request->r->uri, AUTHORIZE_PATH) == 0
                           ? "GET, POST, OPTIONS"
                           : "GET, OPTIONS");
    return idv_error_new(IDV_E_METHOD_NOT_ALLOWED, request->pool);
}

/* Finds the client. If there is none, `client` stays NULL. */
static idv_error_t *begin(visit_t *visit, idv_request_t *request,
                          int *is_admitted)
{
    client_search_t search = {0};

    memset(visit, 0, sizeof(*visit));
    visit->request = request;
    visit->issuer = request->services->settings->public_url;
    if (!visit->issuer)
        return idv_error_new(IDV_E_RESOURCE_MISSING, request->pool);
    IDV_TRY(refuse_head(request));
    IDV_TRY(admit(visit, is_admitted));
    if (!*is_admitted)
        return NULL;
    search.id = parameter(visit, "client_id");
    if (!search.id)
        return NULL;
    IDV_TRY(idv_request_with_database(request, find_client, &search));
    visit->client = search.client;
    if (visit->client)
        take_browser(visit);
    return NULL;
}

/* --- codes --- */

static idv_error_t *issue(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    const visit_t *visit = baton;
    const char *code;

    IDV_TRY(idv_oidc_login_issue(db, visit->login, visit->request->now, &code,
                                 pool));
    if (code)
        redirect(visit, idv_oidc_return_code(&visit->back, code,
                                             visit->request->pool));
    else
        refuse(visit, IDV_OIDC_LOGIN_REQUIRED,
               "This login has ended. Begin another one.");
    return NULL;
}

/* --- the session --- */

/* Non-zero while the session of the visit is verified, and recent enough to be
 * used for another login. */
static int is_in_force(const visit_t *visit)
{
    const idv_settings_t *settings = visit->request->services->settings;
    idv_time_t age = visit->request->now - visit->standing.completed;

    return visit->standing.in_force
        && age < settings->gate_max_age * IDV_SECOND;
}

static int is_reviewed(const visit_t *visit)
{
    return visit->standing.workflow_id
        && visit->standing.status == IDV_STATUS_UNDER_REVIEW;
}

static int is_open(const visit_t *visit)
{
    return visit->standing.workflow_id
        && idv_session_status_open(visit->standing.status);
}

/* A session counts only while its workflow is that of the client. */
static idv_error_t *look_at_session(visit_t *visit, idv_db_t *db,
                                    apr_pool_t *pool)
{
    const idv_oidc_login_t *login = visit->login;
    idv_gate_standing_t *standing = &visit->standing;

    if (!login || !login->session_id)
        return NULL;
    IDV_TRY(idv_gate_standing(
        db,
        &(const idv_gate_query_t){.organization_id = login->organization_id,
                                  .id = login->session_id,
                                  .now = visit->request->now},
        standing, pool));
    if (standing->workflow_id
        && strcmp(standing->workflow_id, visit->client->workflow_id) != 0)
        memset(standing, 0, sizeof(*standing));
    return NULL;
}

typedef struct {
    const idv_oidc_login_t *login;
    const char *session_id;
} join_t;

static idv_error_t *set_session(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    const join_t *join = baton;

    return idv_oidc_login_set_session(db, join->login, join->session_id, pool);
}

static const char *continue_url(const visit_t *visit, const char *login_id)
{
    return apr_pstrcat(visit->request->pool, visit->issuer,
                       CONTINUE_PATH "?client_id=", visit->client->id,
                       "&login=", login_id, NULL);
}

/* Creates the session of the login, or finds it again, and leads to its
 * page. */
static idv_error_t *lead_to_session(visit_t *visit)
{
    idv_request_t request = *visit->request;
    const idv_oidc_login_t *login = visit->login;
    const idv_visitor_session_t wanted = {
        .workflow_id = visit->client->workflow_id,
        .session_type = login->type,
        .back = continue_url(visit, login->id),
        .once = login->id,
    };
    join_t join = {login, NULL};
    const char *url;

    idv_visitor_request_fill(
        &request,
        apr_pstrcat(request.pool, "login ", visit->client->id, NULL),
        visit->client->organization_id);
    IDV_TRY(idv_visitor_session_open(&request, &wanted, &join.session_id,
                                     &url));
    if (!login->session_id || strcmp(login->session_id, join.session_id) != 0)
        IDV_TRY(idv_request_with_database(visit->request, set_session, &join));
    redirect(visit, url ? url : wanted.back);
    return NULL;
}

/* --- authorize --- */

static const char *type_of(const idv_oidc_authorization_t *asked)
{
    return asked->scopes & IDV_OIDC_SCOPE_BIT(IDENTITY) ? "identity" : "age";
}

/* The login that the request asks for. */
static idv_oidc_login_t *make_login(const visit_t *visit)
{
    apr_pool_t *pool = visit->request->pool;
    idv_oidc_login_t *login = apr_pcalloc(pool, sizeof(*login));

    login->id = idv_id_new(IDV_ID_OIDC_LOGIN, visit->request->now, pool);
    login->organization_id = visit->client->organization_id;
    login->client_id = visit->client->id;
    login->type = type_of(&visit->asked);
    login->redirect_uri = visit->back.redirect_uri;
    login->state = visit->asked.state;
    login->nonce = visit->asked.nonce;
    login->challenge = visit->asked.challenge;
    login->scope = idv_oidc_scopes_text(visit->asked.scopes, pool);
    return login;
}

static idv_error_t *find_earlier(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    visit_t *visit = baton;

    IDV_TRY(idv_oidc_login_latest(db, &visit->browser, type_of(&visit->asked),
                                  &visit->login, pool));
    return look_at_session(visit, db, pool);
}

/* Whether the browser's earlier login satisfies the request. */
static int is_satisfied(const visit_t *visit)
{
    idv_time_t age = visit->request->now - visit->standing.completed;

    return visit->login && is_in_force(visit)
        && (visit->asked.max_age < 0
            || age <= visit->asked.max_age * IDV_SECOND);
}

static idv_error_t *check_hint(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    hinting_t *hinting = baton;

    return idv_oidc_hint_check(db, &hinting->hint, &hinting->fits, pool);
}

/* Refuses the request if its id_token_hint is about somebody else than the
 * person whom the browser is logged in as. It is not answered by another
 * verification, which might be somebody else's as well. */
static idv_error_t *follow_hint(const visit_t *visit, int *is_refused)
{
    hinting_t hinting = {
        .hint = {.request = visit->request,
                 .browser = &visit->browser,
                 .redirect_uri = visit->back.redirect_uri}};

    *is_refused = 0;
    if (!visit->asked.id_token_hint)
        return NULL;
    hinting.hint.subject = idv_oidc_hint_subject(
        visit->request, visit->client->id, visit->asked.id_token_hint);
    if (hinting.hint.subject && is_satisfied(visit)) {
        hinting.hint.session_id = visit->login->session_id;
        IDV_TRY(idv_request_with_database(visit->request, check_hint,
                                          &hinting));
    }
    *is_refused = !hinting.fits;
    if (!hinting.hint.subject)
        refuse(visit, IDV_OIDC_INVALID_REQUEST,
               "id_token_hint must be an ID token that this client got here.");
    else if (!hinting.fits)
        refuse(visit, IDV_OIDC_LOGIN_REQUIRED,
               "The person of id_token_hint is not logged in here.");
    return NULL;
}

/* Whether the browser is in the middle of a login. */
static int is_under_way(const visit_t *visit)
{
    return visit->login && !visit->login->has_code
        && (!visit->login->session_id || is_open(visit));
}

static idv_error_t *store_login(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    visit_t *visit = baton;

    return idv_oidc_login_create(db, visit->login, &visit->browser,
                                 visit->request->now, pool);
}

static idv_error_t *take_over(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    const visit_t *visit = baton;

    return idv_oidc_login_take_over(db, visit->login, pool);
}

static idv_error_t *count(const visit_t *visit)
{
    idv_request_t request = *visit->request;

    idv_visitor_request_fill(
        &request,
        apr_pstrcat(request.pool, "login ", visit->client->id, NULL),
        visit->client->organization_id);
    return request.services->count_visitor(
        &request, "login", request.services->settings->gate_sessions);
}

/* Begins a login; with SESSION_ID, one that a session already satisfies. */
static idv_error_t *begin_login(visit_t *visit, const char *session_id)
{
    idv_request_t *request = visit->request;

    IDV_TRY(count(visit));
    visit->login = make_login(visit);
    visit->login->session_id = session_id;
    if (!visit->cookie)
        give_cookie(visit);
    IDV_TRY(idv_request_with_database(request, store_login, visit));
    if (session_id)
        return idv_request_with_database(request, issue, visit);
    redirect(visit, continue_url(visit, visit->login->id));
    return NULL;
}

/* Continues the login that is under way for this request. */
static idv_error_t *continue_login(visit_t *visit)
{
    const char *id = visit->login->id;

    visit->login = make_login(visit);
    visit->login->id = id;
    IDV_TRY(idv_request_with_database(visit->request, take_over, visit));
    redirect(visit, continue_url(visit, id));
    return NULL;
}

static idv_error_t *decide(visit_t *visit)
{
    int is_refused;

    if (visit->cookie && !visit->asked.is_fresh)
        IDV_TRY(idv_request_with_database(visit->request, find_earlier, visit));
    if (is_reviewed(visit)) {
        refuse(visit, IDV_OIDC_INTERACTION_REQUIRED,
               "The verification is being reviewed. Try again later.");
        return NULL;
    }
    IDV_TRY(follow_hint(visit, &is_refused));
    if (is_refused)
        return NULL;
    if (is_satisfied(visit))
        return begin_login(visit, visit->login->session_id);
    if (visit->asked.is_silent) {
        refuse(visit, IDV_OIDC_LOGIN_REQUIRED,
               "The person has to be verified first.");
        return NULL;
    }
    return is_under_way(visit) ? continue_login(visit)
                               : begin_login(visit, NULL);
}

idv_error_t *idv_oidc_api_authorize(idv_request_t *request)
{
    visit_t visit;
    const char *redirect_uri;
    idv_error_t *error;
    int is_admitted;

    IDV_TRY(begin(&visit, request, &is_admitted));
    if (!is_admitted)
        return NULL;
    redirect_uri = parameter(&visit, "redirect_uri");
    if (!visit.client || !redirect_uri
        || !idv_oidc_client_has_redirect_uri(visit.client, redirect_uri)) {
        show_end(&visit);
        return NULL;
    }
    idv_oidc_authorization_read(request->parameters, &visit.asked);
    visit.back = (idv_oidc_return_t){redirect_uri, visit.issuer,
                                     visit.asked.state};
    if (visit.asked.error.code) {
        refuse(&visit, visit.asked.error.code, visit.asked.error.reason);
        return NULL;
    }
    if (visit.asked.scopes & ~visit.client->scopes) {
        refuse(&visit, IDV_OIDC_INVALID_SCOPE,
               "The client is not registered for this scope.");
        return NULL;
    }
    error = decide(&visit);
    if (error)
        refuse_failure(&visit, error);
    return NULL;
}

/* Whether FORM can be a query as it is. */
static int is_query(idv_bytes_t form)
{
    for (apr_size_t i = 0; i < form.length; i++) {
        unsigned char c = form.data[i];

        if (c <= ' ' || c > '~' || strchr("#<>\"\\", c))
            return 0;
    }
    return form.length > 0 && form.length <= QUERY_MAX;
}

/* Browsers send the cookie with the redirected GET, but not with a POST from
 * another site. */
idv_error_t *idv_oidc_api_authorize_form(idv_request_t *request)
{
    visit_t visit = {.request = request};
    json_t *parameters;

    IDV_TRY(idv_form_parse(request->body, &parameters, request->pool));
    if (!is_query(request->body))
        return idv_error_param(request->pool, NULL,
                               "The form is not a valid authorization "
                               "request.");
    redirect(&visit,
             apr_pstrcat(request->pool, AUTHORIZE_PATH "?",
                         apr_pstrmemdup(request->pool,
                                        (const char *)request->body.data,
                                        request->body.length),
                         NULL));
    return NULL;
}

/* --- continue --- */

static idv_error_t *find_login(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    visit_t *visit = baton;
    const char *id = parameter(visit, "login");

    if (id)
        IDV_TRY(idv_oidc_login_find(db, &visit->browser, id, &visit->login,
                                    pool));
    return look_at_session(visit, db, pool);
}

static idv_error_t *proceed(visit_t *visit)
{
    if (visit->login->has_code)
        refuse(visit, IDV_OIDC_LOGIN_REQUIRED,
               "This login has ended. Begin another one.");
    else if (is_in_force(visit))
        return idv_request_with_database(visit->request, issue, visit);
    else if (is_reviewed(visit))
        refuse(visit, IDV_OIDC_INTERACTION_REQUIRED,
               "The verification is being reviewed. Try again later.");
    else if (!visit->login->session_id || is_open(visit))
        return lead_to_session(visit);
    else
        refuse(visit, IDV_OIDC_ACCESS_DENIED,
               "The person was not verified.");
    return NULL;
}

idv_error_t *idv_oidc_api_continue(idv_request_t *request)
{
    visit_t visit;
    idv_error_t *error;
    int is_admitted;

    IDV_TRY(begin(&visit, request, &is_admitted));
    if (!is_admitted)
        return NULL;
    if (visit.client && visit.cookie)
        IDV_TRY(idv_request_with_database(request, find_login, &visit));
    /* The client may have lost the redirect URI since. */
    if (!visit.login
        || !idv_oidc_client_has_redirect_uri(visit.client,
                                             visit.login->redirect_uri)) {
        if (visit.client && !visit.cookie)
            show(&visit, IDV_GATE_PAGE_COOKIES,
                 apr_pstrcat(request->pool, CONTINUE_PATH "?",
                             request->r->args, NULL));
        else
            show_end(&visit);
        return NULL;
    }
    visit.back = (idv_oidc_return_t){visit.login->redirect_uri, visit.issuer,
                                     visit.login->state};
    error = proceed(&visit);
    if (error)
        refuse_failure(&visit, error);
    return NULL;
}
