/* SPDX-License-Identifier: Apache-2.0 */
#include "api/widget/widget_visit.h"

#include <string.h>

#include <apr_time.h>

#include "api/http/admission.h"
#include "api/http/response.h"
#include "api/widget/page_site.h"
#include "domain/session/session_view.h"
#include "methods/passkey/webauthn.h"
#include "store/method/evidence.h"
#include "store/session/attempt_limit.h"
#include "store/session/credential_record.h"
#include "store/session/passkey.h"
#include "store/session/trust_reuse_record.h"
#include "store/transaction/vp_token_redemption.h"
#include "store/workflow/workflow.h"
#include "worker/watchdog/watchdog.h"

#define LOOK_INTERVAL (APR_USEC_PER_SEC / 4)

idv_error_t *idv_visit_begin(idv_request_t *request, idv_visit_t *visit)
{
    memset(visit, 0, sizeof(*visit));
    visit->request = request;
    if (!request->client_secret)
        return idv_error_new(IDV_E_CLIENT_SECRET_INVALID, request->pool);
    IDV_TRY(idv_client_secret_parse(request->client_secret, &visit->session_id,
                                    &visit->scope.organization_id,
                                    request->pool));
    if (strcmp(visit->session_id, idv_request_path(request, "id")) != 0)
        return idv_error_new(IDV_E_CLIENT_SECRET_INVALID, request->pool);
    return NULL;
}

idv_error_t *idv_visit_authorize(idv_db_t *db, idv_visit_t *visit,
                                 apr_pool_t *pool)
{
    idv_session_record_t *record;

    IDV_TRY(idv_session_authorize(
        db,
        &(const idv_session_claim_t){.secret = visit->request->client_secret,
                                     .id = visit->session_id,
                                     .now = visit->request->now},
        &record, pool));
    visit->record = record;
    visit->device = record->device;
    return NULL;
}

/* --- the browser --- */

#define BROWSER_HEADER "Verify-Browser"
#define BROWSER_LENGTH 32 /* 128 bits in hexadecimal */

/* The digest of the browser's secret, or no data. */
static idv_bytes_t browser_of(const idv_visit_t *visit, apr_pool_t *pool)
{
    const char *secret =
        apr_table_get(visit->request->r->headers_in, BROWSER_HEADER);
    unsigned char *digest;

    if (!secret || strlen(secret) != BROWSER_LENGTH
        || strspn(secret, "0123456789abcdef") != BROWSER_LENGTH)
        return (idv_bytes_t){NULL, 0};
    digest = apr_palloc(pool, IDV_DIGEST_SIZE);
    idv_sha256(secret, BROWSER_LENGTH, digest);
    return (idv_bytes_t){digest, IDV_DIGEST_SIZE};
}

static idv_error_t *note_giver(idv_db_t *db, const idv_visit_t *visit,
                               const idv_session_t *session, apr_pool_t *pool)
{
    return idv_passkey_note_giver(db, session, browser_of(visit, pool), pool);
}

idv_error_t *idv_visit_check_saver(idv_db_t *db, const idv_visit_t *visit,
                                   const idv_session_t *session,
                                   apr_pool_t *pool)
{
    int may_save;

    IDV_TRY(idv_passkey_may_save(db, session, browser_of(visit, pool),
                                 &may_save, pool));
    return may_save ? NULL
                    : idv_error_new(IDV_E_SESSION_STATE_CONFLICT, pool);
}

/* --- the session --- */

static void keep_result(idv_visit_t *visit,
                        const idv_session_transition_result_t *result)
{
    visit->record = result->record;
    visit->workflow = result->workflow;
    visit->queued = result->queued;
}

/* The condition of an input that submits. */
static idv_error_t *take_evidence(idv_db_t *db, void *baton,
                                  idv_session_record_t *after,
                                  apr_pool_t *pool)
{
    const idv_visit_t *visit = baton;

    IDV_TRY(note_giver(db, visit, after->session, pool));
    return visit->condition ? visit->condition(db, visit->baton, after, pool)
                            : NULL;
}

idv_error_t *idv_visit_apply(idv_db_t *db, idv_visit_t *visit,
                             apr_pool_t *pool)
{
    const int submits = visit->input->type == IDV_INPUT_SUBMIT;
    idv_session_input_t input = *visit->input;
    idv_session_transition_t transition = {
        .scope = visit->scope,
        .session_id = visit->session_id,
        .input = &input,
        .condition = submits ? take_evidence : visit->condition,
        .baton = submits ? visit : visit->baton,
        .now = visit->request->now,
        .keyring = visit->request->services->keyring,
        .risk_policy = &visit->request->services->risk->policy,
        .compliance = visit->request->services->compliance,
    };
    idv_session_transition_result_t result;

    input.device = visit->device;
    IDV_TRY(idv_session_transition(db, &transition, &result, pool));
    keep_result(visit, &result);
    return NULL;
}

typedef struct {
    idv_visit_t *visit;
    idv_db_work_t *work;
    void *baton;
} write_t;

static idv_error_t *write_locked(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    const write_t *write = baton;
    idv_visit_t *visit = write->visit;
    idv_session_record_t *record;

    IDV_TRY(idv_session_lock(db, &visit->scope, visit->session_id, &record,
                             pool));
    visit->record = record;
    IDV_TRY(idv_session_check_device(record->session, &visit->device, pool));
    if (visit->gives_evidence)
        IDV_TRY(note_giver(db, visit, record->session, pool));
    return write->work(db, write->baton, pool);
}

/* First settles which device owns the session after a phone has gone silent. */
static idv_error_t *write_settled(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    static const idv_session_input_t act = {.type = IDV_INPUT_ACT};
    write_t *write = baton;
    idv_visit_t *visit = write->visit;

    IDV_TRY(idv_visit_authorize(db, visit, pool));
    if (visit->record->session->runner.handoff.state == IDV_HANDOFF_IDLE) {
        visit->input = &act;
        IDV_TRY(idv_visit_apply(db, visit, pool));
    }
    return idv_db_transaction(db, write_locked, write, pool);
}

idv_error_t *idv_visit_write(idv_visit_t *visit, idv_db_work_t *work,
                             void *baton)
{
    write_t write = {visit, work, baton};

    return idv_request_with_database(visit->request, write_settled, &write);
}

static idv_error_t *redeem(idv_db_t *db, idv_visit_t *visit, apr_pool_t *pool)
{
    const idv_vp_token_redemption_t redemption = {
        .scope = visit->scope,
        .session_id = visit->session_id,
        .token = visit->redeemed,
        .keyring = visit->request->services->keyring,
        .risk_policy = &visit->request->services->risk->policy,
        .compliance = visit->request->services->compliance,
        .device = visit->device,
        .now = visit->request->now,
    };
    idv_session_transition_result_t result;

    IDV_TRY(idv_vp_token_redeem(db, &redemption, &result, pool));
    keep_result(visit, &result);
    return NULL;
}

/* The page may offer sharing before the consent, if the application has enabled
 * trust reuse and can identify the person again. */
static idv_error_t *look_at_sharing(idv_db_t *db, idv_visit_t *visit,
                                    apr_pool_t *pool)
{
    const idv_session_record_t record =
        idv_session_record_standing(visit->record);
    idv_scope_t scope = {record.session->organization_id,
                         record.session->application_id};
    idv_trust_reuse_settings_t settings;

    if (!scope.application_id || record.session->consented_at
        || !idv_session_status_open(record.session->status)
        || record.session->runner.review_flagged
        || (!record.email_digest.data && !record.phone_digest.data))
        return NULL;
    IDV_TRY(idv_trust_reuse_settings_find(db, &scope, &settings, pool));
    visit->trust_reuse_available = settings.enabled;
    return NULL;
}

idv_error_t *idv_visit_count(idv_db_t *db, const idv_visit_t *visit,
                             const idv_visit_limit_t *limit, apr_pool_t *pool)
{
    const idv_request_t *request = visit->request;
    const idv_attempt_limit_t attempt = {
        .organization_id = visit->scope.organization_id,
        .digest = idv_identifier_digest(request->services->keyring, limit->what,
                                        visit->session_id, pool),
        .window = limit->window,
        .limit = limit->most,
        .refusal = limit->message,
    };

    return idv_attempt_admit(db, &attempt, request->now, pool);
}

idv_error_t *idv_visit_look(idv_db_t *db, idv_visit_t *visit, apr_pool_t *pool)
{
    const idv_session_t *session = visit->record->session;
    idv_workflow_t *workflow;

    if (!visit->workflow) {
        IDV_TRY(idv_workflow_of_session(db, session, &workflow, pool));
        visit->workflow = workflow;
    }
    IDV_TRY(look_at_sharing(db, visit, pool));
    IDV_TRY(idv_organization_brand(db, session->organization_id,
                                   &visit->organization, pool));
    if (session->status == IDV_STATUS_PENDING
        || session->status == IDV_STATUS_REQUIRES_INPUT)
        IDV_TRY(idv_evidence_names(db, session, &visit->parts_received, pool));
    if (session->status != IDV_STATUS_VERIFIED)
        return NULL;
    IDV_TRY(idv_vp_token_of_session(db, visit->request->services->keyring,
                                    session, &visit->vp_token, pool));
    return visit->vp_token
             ? idv_passkey_may_save(db, session, browser_of(visit, pool),
                                    &visit->may_save, pool)
             : NULL;
}

static int has_input(const idv_visit_t *visit)
{
    const idv_session_t *session = visit->record->session;

    if (!visit->input || !visit->unless_checked)
        return visit->input != NULL;
    return session->status == IDV_STATUS_CREATED
           && !idv_session_has_passive_checks(session);
}

idv_error_t *idv_visit_session(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    idv_visit_t *visit = baton;

    IDV_TRY(idv_visit_authorize(db, visit, pool));
    if (has_input(visit))
        IDV_TRY(idv_visit_apply(db, visit, pool));
    if (visit->redeemed)
        IDV_TRY(redeem(db, visit, pool));
    return idv_visit_look(db, visit, pool);
}

const char *idv_visit_passkey(const idv_visit_t *visit)
{
    const idv_session_t *session = visit->record->session;
    idv_page_site_t page;

    if (idv_page_site(visit->request->services->settings->public_url, &page,
                      visit->request->pool)
        || !idv_webauthn_is_rp_id(page.host)
        || idv_session_check_device(session, &visit->device,
                                    visit->request->pool))
        return NULL;
    if (session->status == IDV_STATUS_VERIFIED)
        return visit->vp_token && visit->may_save ? "save" : NULL;
    return visit->organization.has_passkeys
                && idv_session_status_open(session->status)
                && session->status != IDV_STATUS_PROCESSING
                && session->status != IDV_STATUS_UNDER_REVIEW
                && !idv_session_requires_email_otp(session)
             ? "use"
             : NULL;
}

void idv_visit_wake(const idv_visit_t *visit)
{
    const idv_services_t *services = visit->request->services;

    if (visit->queued.deliveries)
        services->wake(services, IDV_WORK_DELIVERIES);
    if (visit->queued.analyses)
        services->wake(services, IDV_WORK_ANALYSES);
}

idv_error_t *idv_visit_respond(const idv_visit_t *visit)
{
    idv_request_t *request = visit->request;
    const idv_settings_t *settings = request->services->settings;
    idv_session_widget_t extra = {
        .passport_apps = settings->passport_app,
        .liveness_provider = settings->liveness_provider
                                 ? settings->liveness_provider_name
                                 : NULL,
        .vp_token = visit->vp_token,
        .passkey = idv_visit_passkey(visit),
        .trust_reuse_available = visit->trust_reuse_available,
        .lacks_email = !visit->record->email_digest.data || !settings->smtp,
        .is_phone = visit->device.kind == IDV_DEVICE_PHONE,
        .client_secret = visit->client_secret,
        .organization_name = visit->organization.name,
        .brand = visit->organization.brand,
        .sighting_days = visit->request->services->settings->document_sightings,
        .risk_days = visit->request->services->settings->risk_retention,
        .parts_received = visit->parts_received,
        .reviews = visit->workflow && idv_workflow_may_review(visit->workflow),
    };

    return idv_respond_text(request, HTTP_OK,
                            idv_session_widget_text(visit->record->session,
                                                    visit->workflow, &extra,
                                                    request->pool));
}

idv_error_t *idv_visit_and_respond(idv_visit_t *visit)
{
    IDV_TRY(
        idv_request_with_database(visit->request, idv_visit_session, visit));
    idv_visit_wake(visit);
    return idv_visit_respond(visit);
}

/* --- waiting --- */

static idv_error_t *look_once(const idv_request_t *request,
                              const idv_visit_wait_t *wait, int *done,
                              apr_pool_t *scratch)
{
    const idv_db_source_t *source = request->services->database;
    const idv_db_claim_t claim = {wait->organization_id, 0};
    idv_error_t *error;
    idv_db_t *db;

    IDV_TRY(source->open(source, &claim, &db, scratch));
    error = wait->look(db, wait->baton, done, scratch);
    source->close(source, db);
    return error;
}

static void wait_here(const idv_request_t *request,
                      const idv_visit_wait_t *wait)
{
    apr_time_t end = apr_time_now() + apr_time_from_sec(wait->seconds);
    apr_pool_t *scratch;
    int done = 0;

    apr_pool_create(&scratch, request->pool);
    while (!done && apr_time_now() < end && !idv_child_is_stopping()) {
        apr_sleep(LOOK_INTERVAL);
        if (look_once(request, wait, &done, scratch))
            break;
        apr_pool_clear(scratch);
    }
    apr_pool_destroy(scratch);
}

/* Seconds that a look may take beyond the wait. */
#define LOOK_TIME 5

int idv_visit_wait(idv_request_t *request, const idv_visit_wait_t *wait)
{
    if (wait->seconds <= 0)
        return 0;
    /* Wallets have no credential, but their session is known. The place is kept
     * until the end of the request, which may wait again. */
    request->caller_id = wait->session_id;
    request->caller_organization_id = wait->organization_id;
    if (idv_admission_take(request, wait->place, wait->seconds + LOOK_TIME))
        return 0;
    wait_here(request, wait);
    return 1;
}
