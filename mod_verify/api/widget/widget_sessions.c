/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /v1/widget/sessions/:id: a person's actions in a session, authorized by its
 * client secret. Every answer is the widget view of the session.
 */
#include <string.h>

#include <apr_lib.h>

#include "api/http/client_signals.h"
#include "api/widget/widget_visit.h"
#include "domain/request/parameters.h"
#include "domain/value/time_zone.h"
#include "store/method/evidence.h"
#include "store/workflow/workflow.h"

#define MAX_WAIT_SECONDS 25

/* Applies INPUT, from a person at DEVICE (NULL: not described), and answers with
 * the view. */
static idv_error_t *change_and_respond(idv_request_t *request,
                                       const idv_person_device_t *device,
                                       idv_session_input_t *input)
{
    idv_session_signals_t signals;
    idv_visit_t visit;

    IDV_TRY(idv_visit_begin(request, &visit));
    idv_person_signals(request, device, &signals);
    input->signals = &signals;
    visit.input = input;
    return idv_visit_and_respond(&visit);
}

typedef struct {
    idv_person_device_t device;
    int unless_checked;
} opening_t;

static const idv_parameter_t open_parameters[] = {
    IDV_PARAMETER_AS(STRING, opening_t, device_id, device.device_id, 0, 1,
                     IDV_DEVICE_ID_MAX),
    IDV_PARAMETER_AS(BOOLEAN, opening_t, webdriver, device.webdriver, 0, 0, 0),
    IDV_PARAMETER_AS(STRING, opening_t, time_zone, device.time_zone, 0, 1,
                     IDV_TIME_ZONE_MAX),
    IDV_PARAMETER(BOOLEAN, opening_t, unless_checked, 0, 0, 0),
    {0},
};

/* Zones that are not in our table are still valid names. */
static idv_error_t *check_opening(void *baton, const char *name,
                                  apr_pool_t *pool)
{
    const opening_t *opening = baton;

    if (strcmp(name, "time_zone") != 0)
        return NULL;
    for (const char *c = opening->device.time_zone; *c; c++)
        if (!apr_isalnum(*c) && !strchr("_/+-", *c))
            return idv_error_param(pool, name,
                                   "must be a name of the tz database, such as "
                                   "`Europe/Berlin`.");
    return NULL;
}

idv_error_t *idv_widget_session_open(idv_request_t *request)
{
    idv_session_input_t input = {.type = IDV_INPUT_OPEN};
    opening_t opening = {.device = IDV_PERSON_DEVICE_UNKNOWN};
    idv_session_signals_t signals;
    idv_visit_t visit;

    IDV_TRY(idv_request_parameters(request, open_parameters, &opening,
                                   check_opening));
    IDV_TRY(idv_visit_begin(request, &visit));
    idv_person_signals(request, &opening.device, &signals);
    input.signals = &signals;
    visit.input = &input;
    visit.unless_checked = opening.unless_checked;
    return idv_visit_and_respond(&visit);
}

idv_error_t *idv_widget_session_cancel(idv_request_t *request)
{
    idv_session_input_t input = {.type = IDV_INPUT_LEAVE};

    IDV_TRY(idv_request_no_parameters(request));
    return change_and_respond(request, NULL, &input);
}

/* --- consent --- */

typedef struct {
    int consent;
    int share;
    const char *text_version;
} consent_input_t;

#define CONSENT_TEXT_MAX 32 /* characters of a version */

static const idv_parameter_t consent_parameters[] = {
    IDV_PARAMETER(BOOLEAN, consent_input_t, consent, IDV_REQUIRED, 0, 0),
    IDV_PARAMETER(BOOLEAN, consent_input_t, share, 0, 0, 0),
    IDV_PARAMETER(STRING, consent_input_t, text_version, 0, 1,
                  CONSENT_TEXT_MAX),
    {0},
};

idv_error_t *idv_widget_session_consent(idv_request_t *request)
{
    consent_input_t body = {0};
    idv_session_input_t input = {.type = IDV_INPUT_CONSENT};

    IDV_TRY(idv_request_parameters(request, consent_parameters, &body, NULL));
    input.consent = body.consent;
    input.share = body.share;
    input.consent_text = body.text_version;
    return change_and_respond(request, NULL, &input);
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
    idv_visit_t visit;

    IDV_TRY(idv_visit_begin(request, &visit));
    IDV_TRY(
        idv_request_parameters(request, redemption_parameters, &body, NULL));
    visit.redeemed = body.vp_token;
    return idv_visit_and_respond(&visit);
}

/* --- images and submissions --- */

/* The evidence part for images called NAME, or NULL. */
static const char *image_of(const char *name)
{
    const idv_evidence_part_t *part = idv_evidence_part_find(name);

    return part && part->source == IDV_EVIDENCE_IMAGE ? part->name : NULL;
}

typedef struct {
    idv_visit_t visit;
    idv_evidence_t evidence;
} upload_t;

/* Locked, so that no image arrives after the purge of an ended session. */
static idv_error_t *upload(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    upload_t *image = baton;
    idv_visit_t *visit = &image->visit;
    const idv_session_t *session = visit->record->session;
    idv_workflow_t *workflow;
    idv_method_list_t choices;

    IDV_TRY(idv_workflow_of_session(db, session, &workflow, pool));
    visit->workflow = workflow;
    IDV_TRY(idv_session_check_awaiting(session, workflow,
                                       visit->request->now, pool));
    /* The evidence of a passed method must not change: others may depend on
     * it. */
    idv_session_choices(session, workflow, &choices);
    if (!idv_method_list_has(
            &choices, idv_evidence_part_find(image->evidence.part)->method))
        return idv_error_new(IDV_E_SESSION_STATE_CONFLICT, pool);
    IDV_TRY(idv_evidence_put(db, visit->request->services->keyring,
                             session, &image->evidence, pool));
    return idv_visit_look(db, visit, pool);
}

idv_error_t *idv_widget_session_image(idv_request_t *request)
{
    upload_t image = {.evidence = {
                          .part = image_of(idv_request_path(request, "side")),
                          .media_type = request->body_type,
                          .bytes = request->body,
                      }};

    IDV_TRY(idv_visit_begin(request, &image.visit));
    if (!image.evidence.part)
        return idv_error_new(IDV_E_RESOURCE_MISSING, request->pool);
    if (image.evidence.bytes.length == 0)
        return idv_error_param(request->pool, NULL,
                               "The image is empty. Send a JPEG, PNG or WebP "
                               "picture.");
    image.visit.gives_evidence = 1;
    IDV_TRY(idv_visit_write(&image.visit, upload, &image));
    return idv_visit_respond(&image.visit);
}

typedef struct {
    const char *method;
    const json_t *images;
    const char *statement, *language; /* NULL: not given */
    idv_person_device_t device;
} submission_input_t;

static const idv_parameter_t submission_parameters[] = {
    IDV_PARAMETER(STRING, submission_input_t, method, IDV_REQUIRED, 1, 64),
    IDV_PARAMETER(STRINGS, submission_input_t, images, 0, 1,
                  IDV_METHOD_PARTS_MAX),
    IDV_PARAMETER(STRING, submission_input_t, statement, 0, 1,
                  IDV_STATEMENT_NAME_MAX),
    IDV_PARAMETER(STRING, submission_input_t, language, 0, 1,
                  IDV_LANGUAGE_TAG_MAX),
    IDV_PARAMETER_AS(BOOLEAN, submission_input_t, virtual_camera,
                     device.virtual_camera, 0, 0, 0),
    {0},
};

idv_error_t *idv_widget_session_submit(idv_request_t *request)
{
    submission_input_t body = {.device = IDV_PERSON_DEVICE_UNKNOWN};
    idv_session_input_t input = {.type = IDV_INPUT_SUBMIT};

    IDV_TRY(
        idv_request_parameters(request, submission_parameters, &body, NULL));
    input.method = idv_method_parse(body.method);
    if (input.method == IDV_METHOD_NONE)
        return idv_error_param(request->pool, "method",
                               "must be a verification method.");
    if (input.method == IDV_METHOD_MDL)
        return idv_error_param(request->pool, "method",
                               "is `mdl`, which is submitted with the wallet's "
                               "response.");
    input.statement = body.statement;
    input.language = body.language;
    input.image_count = (int)json_array_size(body.images);
    for (int i = 0; i < input.image_count; i++)
        input.images[i] =
            json_string_value(json_array_get(body.images, (size_t)i));
    return change_and_respond(request, &body.device, &input);
}

/* --- showing, and waiting for a change --- */

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

/* The change to wait for. */
typedef struct {
    const idv_visit_t *visit;
    apr_int64_t after_revision;
} change_t;

static idv_error_t *look_at_revision(idv_db_t *db, void *baton, int *done,
                                     apr_pool_t *pool)
{
    const change_t *change = baton;
    const idv_visit_t *visit = change->visit;
    apr_int64_t revision;

    IDV_TRY(idv_session_revision(db, &visit->scope, visit->session_id,
                                 &revision, pool));
    *done = revision > change->after_revision;
    return NULL;
}

static int is_worth_waiting(const idv_visit_t *visit,
                            const status_input_t *input)
{
    const idv_session_t *session = visit->record->session;

    return input->wait_seconds && session->revision <= input->after_revision
        && idv_session_status_open(session->status);
}

idv_error_t *idv_widget_session_status(idv_request_t *request)
{
    status_input_t input = {0};
    idv_visit_t visit;

    IDV_TRY(idv_visit_begin(request, &visit));
    IDV_TRY(idv_request_parameters(request, status_parameters, &input, NULL));
    IDV_TRY(idv_request_with_database(request, idv_visit_session, &visit));
    if (is_worth_waiting(&visit, &input)) {
        change_t change = {&visit, input.after_revision};

        const idv_visit_wait_t wait = {
            .place = IDV_PLACE_POLL,
            .organization_id = visit.scope.organization_id,
            .session_id = visit.session_id,
            .look = look_at_revision,
            .baton = &change,
            .seconds = (int)input.wait_seconds,
        };

        (void)idv_visit_wait(request, &wait);
        visit.workflow = NULL;
        IDV_TRY(idv_request_with_database(request, idv_visit_session, &visit));
    }
    return idv_visit_respond(&visit);
}
