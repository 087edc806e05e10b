/* SPDX-License-Identifier: Apache-2.0 */
/*
 * POST /v1/verification_sessions. The parameters and the decision are in
 * domain/transition/session_create.h, the two ways to write in
 * store/transaction/session_create.h.
 */
#include <string.h>

#include <apr_strings.h>

#include "api/http/action_record.h"
#include "api/http/response.h"
#include "api/http/write.h"
#include "api/session/reuse_search.h"
#include "core/id.h"
#include "domain/transition/session_create.h"
#include "store/account/ledger.h"
#include "store/transaction/session_create.h"
#include "store/transaction/session_create_cache.h"
#include "worker/watchdog/watchdog.h"

/* How often writing is tried if a record of the same Idempotency-Key prevents
 * it but is gone before it can be read. */
#define ATTEMPTS 3

typedef struct {
    idv_request_t *request;
    idv_session_create_caller_t caller;
    idv_session_create_params_t *params;
    idv_idempotency_t *idempotency;
    idv_stored_answer_t *replay;
    idv_reuse_search_t reuse;
    idv_session_create_facts_t facts; /* the basis of CHANGE */
    idv_session_change_t *change;
    const char *body;
    idv_session_creation_result_t result;
} creation_t;

static void locate(const idv_request_t *request,
                   idv_session_create_context_t *context)
{
    idv_location_t location = {0};

    request->services->locate(request, &location);
    context->geo_header = location.geo_header;
    context->ip_database = location.ip_database;
}

static idv_error_t *decide(creation_t *creation, idv_db_t *db,
                           const idv_session_create_facts_t *facts,
                           idv_session_change_t **change, apr_pool_t *pool)
{
    const idv_request_t *request = creation->request;
    idv_session_create_context_t context = {
        .session_id = idv_id_new(IDV_ID_SESSION, request->now, pool),
        .organization_id = request->key->organization_id,
        .application_id = request->key->application_id,
        .caller = &creation->caller,
        .workflow_id = facts->workflow_id,
        .workflow_version_id = facts->workflow_version_id,
        .workflow = facts->workflow,
        .billing_suspended = request->key->billing_suspended,
        .standing = facts->standing,
        .compliance = idv_compliance_rules_look_up,
        .compliance_baton = request->services->compliance,
    };

    locate(request, &context);
    IDV_TRY(idv_reuse_search_find(&creation->reuse, db, &context, pool));
    return idv_session_create(creation->params, &context, request->now, change,
                              pool);
}

/* The URL of the hosted page, with the secret in the part that browsers do not
 * send. NULL if VerifyPublicURL is not set, or if nobody has to open the
 * page. */
static const char *page_url(const creation_t *creation,
                            const idv_session_t *session,
                            const char *client_secret, apr_pool_t *pool)
{
    const char *base = creation->request->services->settings->public_url;
    const char *locale = creation->params->locale;

    if (!base || !idv_session_status_open(session->status))
        return NULL;
    return apr_pstrcat(pool, base, "/verify/", session->id,
                       locale ? "?lang=" : "", locale ? locale : "", "#",
                       client_secret, NULL);
}

static void write_answer(creation_t *creation, const idv_session_t *session,
                         const char *client_secret, apr_pool_t *pool)
{
    idv_session_view_t view = {0};

    idv_session_create_view(creation->params, session, client_secret, &view);
    view.url = page_url(creation, session, client_secret, pool);
    creation->body = idv_session_text(session, &view, pool);
}

/* Writes the session in one of the two ways of
 * store/transaction/session_create.h; the fast one does not need DB. */
static idv_error_t *store(creation_t *creation, idv_db_t *db,
                          const idv_session_create_facts_t *facts,
                          const idv_session_change_t *change, apr_pool_t *pool)
{
    const idv_request_t *request = creation->request;
    const idv_session_t *session = change->session;
    const char *secret =
        idv_client_secret_new(session->id, session->organization_id, pool);
    const idv_reusable_t *reused = creation->reuse.found.chosen;
    unsigned char digest[IDV_DIGEST_SIZE];
    idv_session_record_t record = {
        .session = session,
        .client_secret_digest = {digest, sizeof(digest)},
        .email_digest = creation->reuse.person.email,
        .phone_digest = creation->reuse.person.phone,
        .verified_person_id = reused ? reused->verified_person_id : NULL,
    };
    idv_session_creation_t row = {
        .record = &record,
        .change = change,
        .idempotency = creation->idempotency,
        .status = HTTP_CREATED,
        .facts = facts,
        .keyring = request->services->keyring,
        .trace = request->trace,
        .in_transaction = idv_reuse_search_writes(&creation->reuse, session)
                            ? idv_reuse_search_write
                            : NULL,
        .baton = &creation->reuse,
    };

    idv_issued_secret_digest(secret, digest);
    creation->reuse.session = session;
    write_answer(creation, session, secret, pool);
    row.body = creation->body;
    return facts->guessed
        ? idv_session_insert_guessed(request->services->commit_group, &row,
                                     request->guard, &creation->result, pool)
        : idv_session_insert(db, &row, &creation->result, pool);
}

/* Creates the session in the fast way, from cached facts, if these permit it. A
 * refusal based on them is not sent, because the facts must be read first. */
static idv_error_t *create_guessed(creation_t *creation)
{
    const idv_request_t *request = creation->request;
    apr_pool_t *pool = request->pool;
    idv_scope_t scope = idv_request_scope(request);
    idv_session_create_facts_t facts;
    idv_session_change_t *change;

    if (!request->guard)
        return NULL;
    idv_session_create_cache_find(request->services->session_create_cache,
                                  &scope, creation->params->workflow_id,
                                  &facts, pool);
    if (!facts.workflow || idv_reuse_is_sought(&creation->reuse, facts.workflow)
        || !idv_session_create_is_far_from_bound(
            &facts, !creation->caller.sandbox, request->now)
        || decide(creation, NULL, &facts, &change, pool)
        || !idv_session_is_plain(change)
        || idv_reuse_search_writes(&creation->reuse, change->session))
        return NULL;
    return store(creation, NULL, &facts, change, pool);
}

/* Sandboxes have no limit on sessions in progress. */
static idv_error_t *count_under_way(creation_t *creation,
                                    const idv_scope_t *scope, idv_db_t *db,
                                    apr_pool_t *pool)
{
    const idv_services_t *services = creation->request->services;
    idv_billing_account_t *account = &creation->facts.standing.account;

    account->overdraft = services->settings->credit_overdraft;
    if (creation->caller.sandbox
        || idv_session_create_cache_take_count(
            services->session_create_cache, scope, creation->request->now,
            &creation->facts))
        return NULL;
    return idv_ledger_count_under_way(db, scope->organization_id, account,
                                      pool);
}

static idv_error_t *decide_surely(creation_t *creation, idv_db_t *db,
                                  apr_pool_t *pool)
{
    const idv_request_t *request = creation->request;
    idv_scope_t scope = idv_request_scope(request);

    IDV_TRY(idv_session_create_facts(
        db,
        &(const idv_session_create_query_t){.scope = scope,
                                            .workflow_id =
                                                creation->params->workflow_id,
                                            .now = request->now},
        &creation->facts, pool));
    IDV_TRY(count_under_way(creation, &scope, db, pool));
    idv_session_create_cache_put(request->services->session_create_cache,
                                 &scope, &creation->facts);
    return decide(creation, db, &creation->facts, &creation->change, pool);
}

static idv_error_t *look_for_replay(idv_db_t *db, void *baton,
                                    apr_pool_t *pool)
{
    creation_t *creation = baton;

    return creation->idempotency
        ? idv_idempotency_find(db, creation->idempotency, &creation->replay,
                               pool)
        : NULL;
}

/* Writes the session as decided. If its trust reuse is no longer valid, or the
 * last credit has been used meanwhile, decides once more without trust reuse,
 * on the same facts of the organization. A person known elsewhere then gets the
 * same answer as an unknown one. */
static idv_error_t *store_decided(creation_t *creation, idv_db_t *db,
                                  apr_pool_t *pool)
{
    idv_error_t *error =
        store(creation, db, &creation->facts, creation->change, pool);

    if (!idv_reuse_search_retry(&creation->reuse, error))
        return error;
    IDV_TRY(decide(creation, db, &creation->facts, &creation->change, pool));
    return store(creation, db, &creation->facts, creation->change, pool);
}

static idv_error_t *record(const creation_t *creation, idv_db_t *db,
                           apr_pool_t *pool)
{
    const idv_recorded_t what = {
        .object_id = creation->change->session->id};

    return idv_record_action(db, creation->request, &what, pool);
}

/* Second half of a creation: writes the session, or finds the answer that a
 * request with the same Idempotency-Key got meanwhile. The record that
 * prevented writing may be removed before it is read, by an erasure or because
 * it expired. Then the key is unused again, and the session is written after
 * all. No answer is sent for a session that was not written. */
static idv_error_t *finish(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    creation_t *creation = baton;

    for (int i = 0; i < ATTEMPTS; i++) {
        IDV_TRY(store_decided(creation, db, pool));
        if (creation->result.stored)
            return record(creation, db, pool);
        IDV_TRY(look_for_replay(db, creation, pool));
        if (creation->replay)
            return NULL;
    }
    return idv_error_new(IDV_E_IDEMPOTENCY_IN_PROGRESS, pool);
}

/* First half of a creation: looks for a stored answer and decides. Continues
 * with the second half at once, unless it has searched what other organizations
 * share. The time of that search would reveal whether there was a result, so
 * create() first waits for a multiple of IDV_REUSE_ANSWER_GRID. */
static idv_error_t *begin(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    creation_t *creation = baton;

    IDV_TRY(look_for_replay(db, creation, pool));
    if (creation->replay)
        return NULL;
    IDV_TRY(decide_surely(creation, db, pool));
    return creation->reuse.looked_across ? NULL : finish(db, creation, pool);
}

static idv_error_t *create(creation_t *creation)
{
    idv_request_t *request = creation->request;
    idv_error_t *error = create_guessed(creation);

    if (error || creation->result.stored)
        return error;
    error = idv_request_with_database(request, begin, creation);
    if (!creation->reuse.looked_across)
        return error;
    idv_reuse_search_wait_for_tick(&creation->reuse);
    return error ? error : idv_request_with_database(request, finish, creation);
}

/* A captcha token can be used only once, so look for a stored answer before the
 * token is spent. */
static idv_error_t *check_captcha(creation_t *creation)
{
    idv_request_t *request = creation->request;

    if (!creation->caller.publishable_key)
        return NULL;
    if (creation->idempotency)
        IDV_TRY(idv_request_with_database(request, look_for_replay, creation));
    if (creation->replay)
        return NULL;
    return request->services->check_captcha(request,
                                            creation->params->captcha_token);
}

idv_error_t *idv_session_api_create(idv_request_t *request)
{
    const idv_api_key_t *key = request->key;
    creation_t creation = {
        .request = request,
        .caller = {.publishable_key = key->type == IDV_KEY_PUBLISHABLE,
                   .publishable_create_blocked =
                       key->publishable_create_blocked,
                   .sandbox = key->sandbox,
                   .sees_outcome = request->visitor_of != NULL},
    };

    IDV_TRY(idv_session_create_parse(request->parameters, &creation.caller,
                                     &creation.params, request->pool));
    IDV_TRY(idv_idempotency_of_request(request, &creation.idempotency));
    IDV_TRY(check_captcha(&creation));
    idv_reuse_search_begin(request, creation.params, &creation.reuse);
    if (!creation.replay)
        IDV_TRY(create(&creation));
    if (creation.replay)
        return idv_idempotency_replay(request, creation.replay);
    if (creation.result.queued)
        request->services->wake(request->services, IDV_WORK_DELIVERIES);
    if (creation.reuse.mail_queued)
        request->services->wake(request->services, IDV_WORK_MAIL);
    return idv_respond_text(request, HTTP_CREATED, creation.body);
}
