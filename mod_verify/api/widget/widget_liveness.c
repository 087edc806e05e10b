/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /v1/widget/sessions/:id/liveness: the challenge of selfie_liveness and
 * selfie_match. Each prompt is sent after the pictures of the previous one have
 * arrived.
 */
#include <stdlib.h>
#include <string.h>

#include <apr_encode.h>

#include "api/http/response.h"
#include "api/widget/widget_visit.h"
#include "core/json_writer.h"
#include "domain/request/parameters.h"
#include "domain/value/identifier.h"
#include "methods/face/provider_answer.h"
#include "store/method/evidence.h"
#include "store/method/liveness.h"
#include "store/session/attempt_limit.h"
#include "store/workflow/workflow.h"

enum { EXPECTED_ANSWER = 300 };

#define CHALLENGES_WINDOW IDV_DAY /* longer than a session is open */

/* A request about the challenge of a session. */
typedef struct {
    idv_visit_t visit;
    idv_liveness_wish_t wish; /* of a new challenge */
    int step;     /* from 1, of the step being answered */
    idv_evidence_t parts[IDV_LIVENESS_FRAMES + 1];
    int part_count;
    idv_liveness_record_t *record; /* after the request */
} liveness_t;

/* The session, locked by the visit, if it currently offers a method with a
 * challenge. */
static idv_error_t *enter(idv_db_t *db, liveness_t *liveness,
                          const idv_session_t **session, apr_pool_t *pool)
{
    const idv_visit_t *visit = &liveness->visit;
    idv_workflow_t *workflow;
    idv_method_list_t choices;

    *session = visit->record->session;
    IDV_TRY(idv_workflow_of_session(db, *session, &workflow, pool));
    IDV_TRY(idv_session_check_awaiting(*session, workflow, visit->request->now,
                                       pool));
    idv_session_choices(*session, workflow, &choices);
    if (!idv_method_list_has(&choices, IDV_METHOD_SELFIE_LIVENESS)
        && !idv_method_list_has(&choices, IDV_METHOD_SELFIE_MATCH))
        return idv_error_new(IDV_E_SESSION_STATE_CONFLICT, pool);
    return NULL;
}

/* Answers with the next step, or without one when all are done. */
static idv_error_t *respond(const liveness_t *liveness, int status)
{
    const idv_liveness_challenge_t *challenge = &liveness->record->challenge;
    idv_request_t *request = liveness->visit.request;
    int done = idv_liveness_steps_done(challenge);
    idv_json_writer_t answer;

    idv_json_writer_init(&answer, EXPECTED_ANSWER, request->pool);
    idv_json_open_object(&answer, NULL);
    idv_json_put_text(&answer, "object", "liveness_challenge");
    idv_json_put_text(&answer, "id", challenge->id);
    idv_json_put_boolean(&answer, "assisted", liveness->record->assisted);
    idv_json_put_integer(&answer, "steps", IDV_LIVENESS_STEPS);
    idv_json_put_integer(&answer, "frames", IDV_LIVENESS_FRAMES);
    idv_json_put_positive(&answer, "step",
                          done < IDV_LIVENESS_STEPS ? done + 1 : 0);
    idv_json_put_text(&answer, "prompt",
                      done < IDV_LIVENESS_STEPS
                          ? idv_liveness_prompt_value(challenge->prompts[done])
                          : NULL);
    idv_json_put_integer(&answer, "step_seconds",
                         IDV_LIVENESS_STEP_MOST / IDV_SECOND);
    idv_json_close_object(&answer);
    return idv_respond_text(request, status,
                            idv_json_writer_text(&answer, NULL));
}

/* --- beginning --- */

typedef struct {
    int consent;
    int assisted;
    const char *provider;
} begin_input_t;

static const idv_parameter_t begin_parameters[] = {
    IDV_PARAMETER(BOOLEAN, begin_input_t, consent, IDV_REQUIRED, 0, 0),
    IDV_PARAMETER(BOOLEAN, begin_input_t, assisted, 0, 0, 0),
    IDV_PARAMETER(STRING, begin_input_t, provider, 0, 1, IDV_PROVIDER_NAME_MAX),
    {0},
};

static idv_error_t *begin(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    liveness_t *liveness = baton;
    const idv_session_t *session;

    IDV_TRY(enter(db, liveness, &session, pool));
    liveness->wish.now = idv_time_now();
    return idv_liveness_begin(db, session, &liveness->wish, &liveness->record,
                              pool);
}

/* Outside a transaction, so that refused challenges count too. */
static idv_error_t *count_challenge(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    liveness_t *liveness = baton;
    const idv_request_t *request = liveness->visit.request;
    const idv_session_t *session;
    idv_attempt_limit_t attempt = {
        .window = CHALLENGES_WINDOW,
        .limit = IDV_LIVENESS_CHALLENGES_MAX,
        .refusal = "This session has started too many challenges.",
    };

    IDV_TRY(idv_visit_authorize(db, &liveness->visit, pool));
    session = liveness->visit.record->session;
    attempt.organization_id = session->organization_id;
    attempt.digest = idv_identifier_digest(request->services->keyring,
                                           "liveness", session->id, pool);
    return idv_attempt_admit(db, &attempt, request->now, pool);
}

/* Consent is given to the service's current provider, and to no other. */
static idv_error_t *check_provider(const idv_request_t *request,
                                   const char *agreed)
{
    const idv_settings_t *settings = request->services->settings;
    const char *name =
        settings->liveness_provider ? settings->liveness_provider_name : NULL;

    if (!agreed && !name)
        return NULL;
    if (!name)
        return idv_error_param(request->pool, "provider",
                               "must be omitted: this session has no "
                               "liveness provider.");
    if (!agreed || strcmp(agreed, name) != 0)
        return idv_error_param(request->pool, "provider",
                               "must be `liveness_provider` of the session, "
                               "which the person agreed to.");
    return NULL;
}

idv_error_t *idv_widget_liveness_begin(idv_request_t *request)
{
    begin_input_t input = {0};
    liveness_t liveness = {0};

    IDV_TRY(idv_visit_begin(request, &liveness.visit));
    IDV_TRY(idv_request_parameters(request, begin_parameters, &input, NULL));
    if (!input.consent)
        return idv_error_param(request->pool, "consent",
                               "must be true: ask for consent before the "
                               "camera opens.");
    IDV_TRY(check_provider(request, input.provider));
    liveness.wish.assisted = input.assisted;
    liveness.wish.provider = input.provider;
    IDV_TRY(idv_request_with_database(request, count_challenge, &liveness));
    IDV_TRY(idv_visit_write(&liveness.visit, begin, &liveness));
    return respond(&liveness, HTTP_CREATED);
}

/* --- steps --- */

typedef struct {
    const json_t *frames;
    const char *still;
} step_input_t;

static const idv_parameter_t step_parameters[] = {
    IDV_PARAMETER(STRINGS, step_input_t, frames, IDV_REQUIRED,
                  IDV_LIVENESS_FRAMES, IDV_LIVENESS_FRAMES),
    IDV_PARAMETER(STRING, step_input_t, still, 0, 1, IDV_LIVENESS_STILL_TEXT),
    {0},
};

/* Adds the JPEG file in the base64 TEXT, at most MOST bytes, as the part
 * INDEX. */
static idv_error_t *add_picture(liveness_t *liveness, int index,
                                const char *text, apr_size_t most)
{
    idv_request_t *request = liveness->visit.request;
    const char *place = index == IDV_LIVENESS_STILL ? "still" : "frames";
    idv_evidence_t *part = &liveness->parts[liveness->part_count];
    apr_size_t length = 0;

    part->bytes.data =
        text && strlen(text) <= most / 3 * 4 + 4 ? apr_pdecode_base64_binary(
            request->pool, text, APR_ENCODE_STRING, APR_ENCODE_NONE, &length)
                                                 : NULL;
    part->bytes.length = length;
    if (!part->bytes.data || length < 4 || length > most
        || part->bytes.data[0] != 0xff || part->bytes.data[1] != 0xd8)
        return idv_error_param(request->pool, place,
                               "must be a JPEG in base64 of at most %d bytes.",
                               (int)most);
    part->part = idv_liveness_part_name(index);
    part->media_type = "image/jpeg";
    liveness->part_count++;
    return NULL;
}

static idv_error_t *take_pictures(liveness_t *liveness)
{
    idv_request_t *request = liveness->visit.request;
    step_input_t input = {0};

    IDV_TRY(idv_request_parameters(request, step_parameters, &input, NULL));
    if ((input.still != NULL) != (liveness->step == 1))
        return idv_error_param(request->pool, "still",
                               "is required in the first step, and not allowed "
                               "in the others.");
    if (input.still)
        IDV_TRY(add_picture(liveness, IDV_LIVENESS_STILL, input.still,
                            IDV_LIVENESS_STILL_MAX));
    for (int i = 0; i < IDV_LIVENESS_FRAMES; i++)
        IDV_TRY(add_picture(
            liveness, idv_liveness_part_of(liveness->step, i + 1),
            json_string_value(json_array_get(input.frames, (size_t)i)),
            IDV_LIVENESS_FRAME_MAX));
    return NULL;
}

/* Stores the pictures of the next step. If the step has already arrived,
 * repeats the answer, which was lost. */
static idv_error_t *arrive(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    liveness_t *liveness = baton;
    const idv_request_t *request = liveness->visit.request;
    idv_time_t now = idv_time_now();
    const idv_session_t *session;
    int done;

    IDV_TRY(enter(db, liveness, &session, pool));
    IDV_TRY(idv_liveness_find(db, session, &liveness->record, pool));
    if (!liveness->record
        || strcmp(liveness->record->challenge.id,
                  idv_request_path(request, "challenge"))
               != 0)
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    done = idv_liveness_steps_done(&liveness->record->challenge);
    if (liveness->step <= done)
        return NULL;
    if (liveness->step > done + 1)
        return idv_error_new(IDV_E_SESSION_STATE_CONFLICT, pool);
    if (now - liveness->record->challenge.told[done] > IDV_LIVENESS_STEP_MOST)
        return idv_error_new(IDV_E_CHALLENGE_EXPIRED, pool);
    for (int i = 0; i < liveness->part_count; i++)
        IDV_TRY(idv_evidence_put(db, request->services->keyring, session,
                                 &liveness->parts[i], pool));
    return idv_liveness_arrive(
        db, session, liveness->record,
        &(const idv_liveness_arrival_t){.step = liveness->step, .now = now},
        pool);
}

idv_error_t *idv_widget_liveness_step(idv_request_t *request)
{
    liveness_t liveness = {0};
    const char *step = idv_request_path(request, "step");

    IDV_TRY(idv_visit_begin(request, &liveness.visit));
    if (strlen(step) != 1 || *step < '1' || *step > '0' + IDV_LIVENESS_STEPS)
        return idv_error_new(IDV_E_RESOURCE_MISSING, request->pool);
    liveness.step = *step - '0';
    IDV_TRY(take_pictures(&liveness));
    liveness.visit.gives_evidence = 1;
    IDV_TRY(idv_visit_write(&liveness.visit, arrive, &liveness));
    return respond(&liveness, HTTP_OK);
}
