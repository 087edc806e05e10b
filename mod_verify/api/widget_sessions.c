/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /v1/widget/sessions/:id: what a person does with a session, authorized by
 * its client secret. Every answer is the widget view of the session.
 */
#include <stdatomic.h>
#include <string.h>

#include <apr_strings.h>
#include <apr_time.h>

#include "api/admission.h"
#include "api/client_signals.h"
#include "api/response.h"
#include "domain/parameters.h"
#include "domain/session_view.h"
#include "store/credential_record.h"
#include "store/evidence.h"
#include "store/session_transition.h"
#include "store/trust_reuse_record.h"
#include "store/vp_token_redemption.h"
#include "store/workflow.h"
#include "worker/watchdog.h"

/* A waiting request holds a worker thread, so in each child only some may wait;
 * the others are answered at once and ask again. */
#define MAX_WAITING 16
#define MAX_WAIT_SECONDS 25
#define LOOK_INTERVAL (APR_USEC_PER_SEC / 4)

static atomic_int waiting;

/* What a handler does, and what its view is made from. */
typedef struct {
    idv_request_t *request;
    idv_scope_t scope;
    const char *session_id;
    const idv_session_input_t *input; /* NULL: only look */
    const char *redeemed; /* a token to redeem; NULL: none */
    const idv_evidence_t *evidence;   /* NULL: no upload */
    const idv_session_record_t *record;
    const idv_workflow_t *workflow;
    const char *vp_token;
    int trust_reuse_available;
    idv_session_queued_t queued;
} visit_t;

/* The secret leads to the session; the path has to name the same. */
static idv_error_t *begin(idv_request_t *request, visit_t *visit)
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

static idv_error_t *authorize(idv_db_t *db, visit_t *visit, apr_pool_t *pool)
{
    idv_session_record_t *record;

    IDV_TRY(idv_session_authorize(db, visit->request->client_secret,
                                  visit->session_id, visit->request->now,
                                  &record, pool));
    visit->record = record;
    return NULL;
}

static void keep_result(visit_t *visit,
                        const idv_session_transition_result_t *result)
{
    visit->record = result->record;
    visit->workflow = result->workflow;
    visit->queued = result->queued;
}

static idv_error_t *apply(idv_db_t *db, visit_t *visit, apr_pool_t *pool)
{
    idv_session_transition_t transition = {
        .scope = visit->scope,
        .session_id = visit->session_id,
        .input = visit->input,
        .now = visit->request->now,
        .keyring = visit->request->services->keyring,
        .risk_policy = &visit->request->services->risk->policy,
        .compliance = visit->request->services->compliance,
    };
    idv_session_transition_result_t result;

    IDV_TRY(idv_session_transition(db, &transition, &result, pool));
    keep_result(visit, &result);
    return NULL;
}

static idv_error_t *redeem(idv_db_t *db, visit_t *visit, apr_pool_t *pool)
{
    const idv_vp_token_redemption_t redemption = {
        .scope = visit->scope,
        .session_id = visit->session_id,
        .token = visit->redeemed,
        .keyring = visit->request->services->keyring,
        .risk_policy = &visit->request->services->risk->policy,
        .compliance = visit->request->services->compliance,
        .now = visit->request->now,
    };
    idv_session_transition_result_t result;

    IDV_TRY(idv_vp_token_redeem(db, &redemption, &result, pool));
    keep_result(visit, &result);
    return NULL;
}

/* A person may be asked to share while the consent is open, when the
 * application takes part and can name the person again. */
static idv_error_t *look_at_sharing(idv_db_t *db, visit_t *visit,
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

static idv_error_t *look(idv_db_t *db, visit_t *visit, apr_pool_t *pool)
{
    const idv_session_t *session = visit->record->session;
    idv_workflow_t *workflow;

    if (!visit->workflow) {
        IDV_TRY(idv_workflow_of_session(db, session, &workflow, pool));
        visit->workflow = workflow;
    }
    IDV_TRY(look_at_sharing(db, visit, pool));
    if (session->status != IDV_STATUS_VERIFIED)
        return NULL;
    return idv_vp_token_of_session(db, visit->request->services->keyring,
                                   session, &visit->vp_token, pool);
}

static idv_error_t *visit_session(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    visit_t *visit = baton;

    IDV_TRY(authorize(db, visit, pool));
    if (visit->input)
        IDV_TRY(apply(db, visit, pool));
    if (visit->redeemed)
        IDV_TRY(redeem(db, visit, pool));
    return look(db, visit, pool);
}

static idv_error_t *respond(idv_request_t *request, const visit_t *visit)
{
    idv_session_widget_t extra = {
        .vp_token = visit->vp_token,
        .trust_reuse_available = visit->trust_reuse_available,
    };

    return idv_respond_text(
        request, HTTP_OK,
        idv_session_widget_text(visit->record->session, visit->workflow,
                                &extra, request->pool));
}

/* Does what the visit is for, and answers with the view. */
static idv_error_t *visit_and_respond(visit_t *visit)
{
    const idv_services_t *services = visit->request->services;

    IDV_TRY(idv_request_with_database(visit->request, visit_session, visit));
    if (visit->queued.deliveries)
        services->wake(services, IDV_WORK_DELIVERIES);
    if (visit->queued.analyses)
        services->wake(services, IDV_WORK_ANALYSES);
    return respond(visit->request, visit);
}

/* Applies INPUT, a person's, and answers with the view. DEVICE: what the widget
 * says of the browser, or NULL. */
static idv_error_t *change_and_respond(idv_request_t *request,
                                       idv_session_input_t *input,
                                       const idv_person_device_t *device)
{
    idv_session_signals_t signals;
    visit_t visit;

    IDV_TRY(begin(request, &visit));
    idv_person_signals(request, device, &signals);
    input->signals = &signals;
    visit.input = input;
    return visit_and_respond(&visit);
}

static const idv_parameter_t open_parameters[] = {
    IDV_PARAMETER(STRING, idv_person_device_t, device_id, 0, 1,
                  IDV_DEVICE_ID_MAX),
    IDV_PARAMETER(BOOLEAN, idv_person_device_t, webdriver, 0, 0, 0),
    {0},
};

idv_error_t *idv_widget_session_open(idv_request_t *request)
{
    idv_session_input_t input = {.type = IDV_INPUT_OPEN};
    idv_person_device_t device = {NULL, -1};

    IDV_TRY(idv_request_parameters(request, open_parameters, &device, NULL));
    return change_and_respond(request, &input, &device);
}

idv_error_t *idv_widget_session_cancel(idv_request_t *request)
{
    idv_session_input_t input = {.type = IDV_INPUT_LEAVE};

    IDV_TRY(idv_request_no_parameters(request));
    return change_and_respond(request, &input, NULL);
}

/* --- consent --- */

typedef struct {
    int consent;
    int share;
} consent_input_t;

static const idv_parameter_t consent_parameters[] = {
    IDV_PARAMETER(BOOLEAN, consent_input_t, consent, IDV_REQUIRED, 0, 0),
    IDV_PARAMETER(BOOLEAN, consent_input_t, share, 0, 0, 0),
    {0},
};

idv_error_t *idv_widget_session_consent(idv_request_t *request)
{
    consent_input_t body = {0};
    idv_session_input_t input = {.type = IDV_INPUT_CONSENT};

    IDV_TRY(idv_request_parameters(request, consent_parameters, &body, NULL));
    input.consent = body.consent;
    input.share = body.share;
    return change_and_respond(request, &input, NULL);
}

/* --- an earlier verification --- */

typedef struct {
    const char *vp_token;
} redemption_input_t;

static const idv_parameter_t redemption_parameters[] = {
    IDV_PARAMETER(STRING, redemption_input_t, vp_token, IDV_REQUIRED, 0,
                  IDV_TOKEN_TEXT_MAX),
    {0},
};

idv_error_t *idv_widget_session_redeem(idv_request_t *request)
{
    redemption_input_t body = {0};
    visit_t visit;

    IDV_TRY(begin(request, &visit));
    IDV_TRY(
        idv_request_parameters(request, redemption_parameters, &body, NULL));
    visit.redeemed = body.vp_token;
    return visit_and_respond(&visit);
}

/* --- images and submissions --- */

/* The part that an image of this NAME is; NULL: there is no such image. */
static const char *image_of(const char *name)
{
    const idv_evidence_part_t *part = idv_evidence_part_find(name);

    return part && part->source == IDV_EVIDENCE_IMAGE ? part->name : NULL;
}

/* Locked, so that no image arrives behind the purge of an ended session. */
static idv_error_t *upload(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    visit_t *visit = baton;
    idv_session_record_t *record;
    idv_workflow_t *workflow;

    IDV_TRY(authorize(db, visit, pool));
    IDV_TRY(idv_session_lock(db, &visit->scope, visit->session_id, &record,
                             pool));
    visit->record = record;
    IDV_TRY(idv_workflow_of_session(db, record->session, &workflow, pool));
    visit->workflow = workflow;
    IDV_TRY(idv_session_check_awaiting(record->session, workflow,
                                       visit->request->now, pool));
    IDV_TRY(idv_evidence_put(db, visit->request->services->keyring,
                             record->session, visit->evidence, pool));
    return look(db, visit, pool);
}

idv_error_t *idv_widget_session_image(idv_request_t *request)
{
    idv_evidence_t evidence = {
        .part = image_of(idv_request_path(request, "side")),
        .media_type = request->body_type,
        .bytes = request->body,
    };
    visit_t visit;

    IDV_TRY(begin(request, &visit));
    if (!evidence.part)
        return idv_error_new(IDV_E_RESOURCE_MISSING, request->pool);
    if (evidence.bytes.length == 0)
        return idv_error_param(request->pool, NULL, "The image is empty.");
    visit.evidence = &evidence;
    IDV_TRY(idv_request_transaction(request, upload, &visit));
    return respond(request, &visit);
}

typedef struct {
    const char *method;
    const json_t *images;
} submission_input_t;

static const idv_parameter_t submission_parameters[] = {
    IDV_PARAMETER(STRING, submission_input_t, method, IDV_REQUIRED, 1, 64),
    IDV_PARAMETER(STRINGS, submission_input_t, images, 0, 1,
                  IDV_METHOD_PARTS_MAX),
    {0},
};

idv_error_t *idv_widget_session_submit(idv_request_t *request)
{
    submission_input_t body = {0};
    idv_session_input_t input = {.type = IDV_INPUT_SUBMIT};

    IDV_TRY(
        idv_request_parameters(request, submission_parameters, &body, NULL));
    input.method = idv_method_parse(body.method);
    if (input.method == IDV_METHOD_NONE)
        return idv_error_param(request->pool, "method", "No such method.");
    input.image_count = (int)json_array_size(body.images);
    for (int i = 0; i < input.image_count; i++)
        input.images[i] =
            json_string_value(json_array_get(body.images, (size_t)i));
    return change_and_respond(request, &input, NULL);
}

/* --- looking, and waiting for a change --- */

typedef struct {
    apr_int64_t after_revision;
    apr_int64_t wait_seconds;
} status_input_t;

static const idv_parameter_t status_parameters[] = {
    IDV_PARAMETER(INTEGER, status_input_t, after_revision, 0, 0, INT32_MAX),
    IDV_PARAMETER(INTEGER, status_input_t, wait_seconds, 0, 0,
                  MAX_WAIT_SECONDS),
    {0},
};

/* One look at the revision, with a connection and a pool for it alone. */
static idv_error_t *look_at_revision(const visit_t *visit,
                                     apr_int64_t *revision, apr_pool_t *scratch)
{
    const idv_db_source_t *source = visit->request->services->database;
    const idv_db_claim_t claim = {visit->scope.organization_id, 0};
    idv_error_t *error;
    idv_db_t *db;

    IDV_TRY(source->open(source, &claim, &db, scratch));
    error = idv_session_revision(db, &visit->scope, visit->session_id, revision,
                                 scratch);
    source->close(source, db);
    return error;
}

/* An error of a look ends the waiting only: the visit that follows meets it
 * again and reports it. */
static void wait_for_change(const visit_t *visit, const status_input_t *input)
{
    apr_time_t end = apr_time_now() + apr_time_from_sec(input->wait_seconds);
    apr_int64_t revision = visit->record->session->revision;
    apr_pool_t *scratch;

    apr_pool_create(&scratch, visit->request->pool);
    while (revision <= input->after_revision && apr_time_now() < end) {
        apr_sleep(LOOK_INTERVAL);
        if (look_at_revision(visit, &revision, scratch))
            break;
        apr_pool_clear(scratch);
    }
    apr_pool_destroy(scratch);
}

static int is_worth_waiting(const visit_t *visit, const status_input_t *input)
{
    const idv_session_t *session = visit->record->session;

    return input->wait_seconds && session->revision <= input->after_revision
        && idv_session_status_open(session->status);
}

idv_error_t *idv_widget_session_status(idv_request_t *request)
{
    status_input_t input = {0};
    visit_t visit;

    IDV_TRY(begin(request, &visit));
    IDV_TRY(idv_request_parameters(request, status_parameters, &input, NULL));
    IDV_TRY(idv_request_with_database(request, visit_session, &visit));
    if (is_worth_waiting(&visit, &input)) {
        if (atomic_fetch_add(&waiting, 1) < MAX_WAITING)
            wait_for_change(&visit, &input);
        atomic_fetch_sub(&waiting, 1);
        visit.workflow = NULL;
        IDV_TRY(idv_request_with_database(request, visit_session, &visit));
    }
    return respond(request, &visit);
}
