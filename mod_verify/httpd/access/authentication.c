/* SPDX-License-Identifier: Apache-2.0 */
#include "httpd/access/authentication.h"

#include <apr_strings.h>
#include <http_core.h>
#include <http_log.h>
#include <http_protocol.h>
#include <http_request.h>
#include <mod_auth.h>

#include "core/http_syntax.h"
#include "httpd/configuration/configuration.h"
#include "httpd/process/counters.h"
#include "httpd/request/request_state.h"

APLOG_USE_MODULE(verify);

static const char auth_type[] = "VerifyKey";
static const char provider_name[] = "verify-key";

const char *idv_bearer_token(request_rec *r)
{
    return idv_bearer_token_parse(
        apr_table_get(r->headers_in, "Authorization"));
}

/* Records that KEY was used, if the last record known to this child is old
 * enough. A failure to record does not refuse the request. */
static void note_use(request_rec *r, idv_db_t *db, const idv_api_key_t *seen,
                     idv_api_key_t *key)
{
    idv_time_t now = idv_request_state(r)->now;
    idv_error_t *error;

    key->last_used = seen ? seen->last_used : 0;
    if (now - key->last_used < IDV_API_KEY_USE_STEP)
        return;
    key->last_used = now;
    error = idv_api_key_note_use(db, key, now, r->pool);
    if (error)
        idv_request_log_error(r, error);
}

/* Reads the key from the database; NULL with *ERROR if that fails. The
 * connection counts toward the organization of the key when it was last SEEN
 * (NULL: never). Otherwise one organization could exhaust the connections of
 * all with key look-ups, which come before its requests proper. */
static idv_api_key_t *look_up(request_rec *r, const char *token,
                              const idv_db_source_t *database,
                              const idv_api_key_t *seen, idv_error_t **error)
{
    const idv_db_claim_t claim = {seen ? seen->organization_id : NULL, 0};
    const idv_request_state_t *state = idv_request_state(r);
    idv_api_key_t *key = NULL;
    idv_db_t *db;

    *error = database->open(database, &claim, &db, r->pool);
    if (*error)
        return NULL;
    idv_db_set_trace(db, state->trace);
    *error = idv_api_key_authenticate(db, token, state->now, &key, r->pool);
    if (!*error)
        note_use(r, db, seen, key);
    database->close(database, db);
    if (!*error)
        return key;
    if ((*error)->code == IDV_E_API_KEY_INVALID)
        idv_count(authentication_failures);
    return NULL;
}

/* Assumes that the key is as it was last SEEN; the guard confirms this. Not if
 * the use of the key is due to be recorded, because that needs a look-up.
 * Publishable keys, which browsers use, are never guessed: their requests may
 * call the captcha provider before any statement, and an invalid key must not
 * cause such a call. */
static void guess(request_rec *r, const unsigned char *digest,
                  idv_api_key_t *seen)
{
    idv_request_state_t *state = idv_request_state(r);

    if (!seen || seen->type != IDV_KEY_SECRET
        || (seen->expires && seen->expires <= state->now)
        || state->now - seen->last_used >= IDV_API_KEY_USE_STEP)
        return;
    state->key = seen;
    state->guard = idv_api_key_guard(seen, digest, r->pool);
}

/* Accepts the key as just read. It also gets a guard, already passed, because
 * statements that check the key along the way expect one. */
static void trust(idv_request_state_t *state, idv_api_key_t *key,
                  const unsigned char *digest, apr_pool_t *pool)
{
    state->key = key;
    if (key->type != IDV_KEY_SECRET)
        return;
    state->guard = idv_api_key_guard(key, digest, pool);
    state->guard->passed = 1;
}

idv_error_t *idv_authenticate_key(request_rec *r,
                                  const idv_db_source_t *database)
{
    idv_request_state_t *state = idv_request_state(r);
    idv_key_cache_t *cache = idv_configuration_of(r->server)->key_cache;
    const char *token = idv_bearer_token(r);
    idv_key_type_t type;
    idv_api_key_t *key = state->key;
    idv_error_t *error = NULL;

    if (!key) {
        unsigned char *digest = apr_palloc(r->pool, IDV_DIGEST_SIZE);
        idv_api_key_t *seen;

        /* A text without the form of a key does not need a query. */
        if (!token || !idv_api_key_is_well_formed(token, &type)) {
            idv_count(authentication_failures);
            return idv_error_new(IDV_E_API_KEY_INVALID, r->pool);
        }
        idv_issued_secret_digest(token, digest);
        seen = idv_key_cache_find(cache, digest, r->pool);
        if (state->is_verify && !state->distrusted)
            guess(r, digest, seen);
        key = state->key;
        if (!key) {
            key = look_up(r, token, database, seen, &error);
            if (!key)
                return error;
            trust(state, key, digest, r->pool);
            idv_key_cache_put(cache, digest, key);
        }
    }
    r->user = apr_pstrdup(r->pool, key->id);
    r->ap_auth_type = (char *)auth_type;
    return NULL;
}

idv_error_t *idv_authenticate_confirm(request_rec *r,
                                      const idv_db_source_t *database,
                                      int *changed)
{
    idv_request_state_t *state = idv_request_state(r);
    const idv_api_key_t *guessed = state->key;

    *changed = 0;
    if (!state->guard || state->guard->passed)
        return NULL;
    state->guard = NULL;
    state->key = NULL;
    state->distrusted = 1;
    IDV_TRY(idv_authenticate_key(r, database));
    *changed = !idv_api_key_equal(guessed, state->key);
    return NULL;
}

/* Keeps ERROR for the response and returns its HTTP status. */
static int refuse(request_rec *r, const idv_error_t *error)
{
    idv_request_state(r)->error = error;
    idv_request_log_error(r, error);
    return idv_error_info(error->code)->status;
}

/* Confirms the guess for handlers of other modules, which would not do it. */
static int confirm_for_others(request_rec *r)
{
    const idv_request_state_t *state;
    idv_error_t *error;
    int changed;

    if (!idv_configuration_in_service(r->server)
        || idv_handler_is_verify(r->handler))
        return DECLINED;
    state = idv_request_state(r);
    if (!state->guard || state->guard->passed)
        return DECLINED;
    error = idv_authenticate_confirm(
        r, idv_configuration_of(r->server)->services.database, &changed);
    return error ? refuse(r, error) : DECLINED;
}

static int check_authn(request_rec *r)
{
    const char *type = ap_auth_type(r);
    idv_error_t *error;

    if (!type || strcasecmp(type, auth_type) != 0)
        return DECLINED;
    if (!idv_configuration_in_service(r->server)) {
        ap_log_rerror(APLOG_MARK, APLOG_ERR, 0, r,
                      "IDV0030: AuthType VerifyKey without VerifyDatabase");
        return HTTP_INTERNAL_SERVER_ERROR;
    }
    error = idv_authenticate_key(
        r, idv_configuration_of(r->server)->services.database);
    return error ? refuse(r, error) : OK;
}

/* --- Require verify-key [secret] [publishable] --- */

/* Non-zero if the route of this path requires a key. */
static int route_needs_key(request_rec *r)
{
    idv_route_match_t match;

    if (idv_route_find(r->method, r->uri, &match, r->pool))
        return 0; /* no such route: nothing to protect */
    if (match.for_operator)
        return 0; /* operator routes do not accept keys */
    return match.route->credential == IDV_CREDENTIAL_SECRET
        || match.route->credential == IDV_CREDENTIAL_PUBLISHABLE_OR_SECRET;
}

static const char *parse_require(cmd_parms *command, const char *line,
                                 const void **parsed)
{
    unsigned allowed = 0;
    const char *word;

    while (*(word = ap_getword_conf(command->pool, &line))) {
        if (strcmp(word, "secret") == 0)
            allowed |= 1u << IDV_KEY_SECRET;
        else if (strcmp(word, "publishable") == 0)
            allowed |= 1u << IDV_KEY_PUBLISHABLE;
        else
            return "Require verify-key: only secret and publishable";
    }
    *parsed = apr_pmemdup(command->pool, &allowed, sizeof(allowed));
    return NULL;
}

static authz_status check_require(request_rec *r, const char *line,
                                  const void *parsed)
{
    const idv_api_key_t *key = idv_request_state(r)->key;
    unsigned allowed = *(const unsigned *)parsed;
    idv_error_t *error;
    int changed;

    (void)line;
    if (!allowed && !route_needs_key(r))
        return AUTHZ_GRANTED;
    if (!r->user || !key)
        return AUTHZ_DENIED_NO_USER;
    /* The type of key that a path needs is checked with its route. */
    if (!allowed || allowed & (1u << key->type))
        return AUTHZ_GRANTED;
    error = idv_authenticate_confirm(
        r, idv_configuration_of(r->server)->services.database, &changed);
    if (error) {
        idv_request_state(r)->error = error;
        return AUTHZ_DENIED_NO_USER;
    }
    idv_request_state(r)->error =
        idv_error_new(IDV_E_PUBLISHABLE_KEY_SCOPE, r->pool);
    return AUTHZ_DENIED;
}

static const authz_provider provider = {check_require, parse_require};

void idv_authentication_register(apr_pool_t *pool)
{
    ap_hook_check_authn(check_authn, NULL, NULL, APR_HOOK_MIDDLE,
                        AP_AUTH_INTERNAL_PER_CONF);
    ap_hook_fixups(confirm_for_others, NULL, NULL, APR_HOOK_REALLY_LAST);
    ap_register_auth_provider(pool, AUTHZ_PROVIDER_GROUP, provider_name,
                              AUTHZ_PROVIDER_VERSION, &provider,
                              AP_AUTH_INTERNAL_PER_CONF);
}
