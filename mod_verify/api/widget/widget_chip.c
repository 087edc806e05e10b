/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /v1/widget/sessions/:id/chip: data that an app has read from the chip of a
 * passport, authorized by the session's client secret. widget_sessions.c
 * handles the submission.
 */
#include <string.h>

#include <apr_encode.h>
#include <apr_strings.h>

#include "api/http/response.h"
#include "api/widget/widget_visit.h"
#include "methods/passport/chip_dump.h"
#include "store/method/chip_record.h"
#include "store/workflow/workflow.h"
#include "worker/watchdog/watchdog.h"

/* Seconds that a request waits for a step, which takes some milliseconds unless
 * others are queued. */
#define WAIT_SECONDS 10

/* A chip must be read again if contact is lost; its dumps count as uploads
 * (admission.h). Each step is a job for the reader that all sessions share. */
#define WINDOW (15 * IDV_MINUTE)
static const idv_visit_limit_t
    challenges = {"chip_challenge", 30, WINDOW,
                  "This session has requested too many challenges."},
    steps = {"relay", 30, WINDOW,
             "This session has requested too many steps."};

/* A request about the chip of one session. */
typedef struct {
    idv_visit_t session;
    idv_chip_place_t place;          /* set by enter() */
    const idv_chip_answer_t *answer; /* from the app; NULL: none */
    idv_bytes_t challenge;
    int has_challenge;
    idv_chip_relay_t *relay;
    idv_chip_relay_step_t *step; /* NULL: not computed yet */
} chip_visit_t;

static const char *base64(idv_bytes_t bytes, apr_pool_t *pool)
{
    return apr_pencode_base64_binary(
        pool, bytes.data, (apr_ssize_t)bytes.length, APR_ENCODE_NONE, NULL);
}

/* The caller has locked the session, so that no data arrives after the purge of
 * an ended session, and only one of two dumps uses the challenge. The session
 * must currently offer the chip. */
static idv_error_t *enter(idv_db_t *db, chip_visit_t *visit, apr_pool_t *pool)
{
    const idv_request_t *request = visit->session.request;
    const idv_session_record_t *record = visit->session.record;
    idv_method_list_t choices;
    idv_workflow_t *workflow;

    IDV_TRY(idv_workflow_of_session(db, record->session, &workflow, pool));
    IDV_TRY(idv_session_check_awaiting(record->session, workflow, request->now,
                                       pool));
    idv_session_choices(record->session, workflow, &choices);
    if (!idv_method_list_has(&choices, IDV_METHOD_NFC_PASSPORT))
        return idv_error_new(IDV_E_SESSION_STATE_CONFLICT, pool);
    visit->place = (idv_chip_place_t){request->services->keyring,
                                      record->session, request->now};
    return NULL;
}

/* --- the challenge --- */

static idv_error_t *make_challenge(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    chip_visit_t *visit = baton;

    IDV_TRY(enter(db, visit, pool));
    IDV_TRY(idv_visit_count(db, &visit->session, &challenges, pool));
    return idv_chip_challenge_make(db, &visit->place, &visit->challenge, pool);
}

idv_error_t *idv_widget_chip_challenge(idv_request_t *request)
{
    idv_json_writer_t object;
    chip_visit_t visit = {0};

    IDV_TRY(idv_visit_begin(request, &visit.session));
    IDV_TRY(idv_request_no_parameters(request));
    IDV_TRY(idv_visit_write(&visit.session, make_challenge, &visit));
    idv_json_writer_init(&object, 256, request->pool);
    idv_json_open_object(&object, NULL);
    idv_json_put_text(&object, "object", "chip_challenge");
    idv_json_put_text(&object, "challenge",
                      base64(visit.challenge, request->pool));
    idv_json_put_seconds(&object, "expires_at",
                         request->now + IDV_CHIP_CHALLENGE_TIME);
    idv_json_close_object(&object);
    return idv_respond_text(request, HTTP_OK,
                            idv_json_writer_text(&object, NULL));
}

/* --- the dump --- */

static idv_error_t *put_dump(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    chip_visit_t *visit = baton;

    IDV_TRY(enter(db, visit, pool));
    return idv_chip_dump_put(db, &visit->place, visit->session.request->body,
                             &visit->has_challenge, pool);
}

idv_error_t *idv_widget_chip_put(idv_request_t *request)
{
    const idv_bytes_t body = request->body;
    idv_json_writer_t object;
    idv_chip_dump_t *dump;
    chip_visit_t visit = {0};

    IDV_TRY(idv_visit_begin(request, &visit.session));
    IDV_TRY(idv_chip_dump_read((const char *)body.data, body.length, &dump,
                               request->pool));
    visit.session.gives_evidence = 1;
    IDV_TRY(idv_visit_write(&visit.session, put_dump, &visit));
    idv_json_writer_init(&object, 256, request->pool);
    idv_json_open_object(&object, NULL);
    idv_json_put_text(&object, "object", "chip");
    idv_json_open_array(&object, "files");
    for (int i = 0; i < IDV_CHIP_FILE_COUNT; i++)
        if (dump->files[i].length > 0)
            idv_json_put_text(&object, NULL, idv_chip_file_name(i));
    idv_json_close_array(&object);
    idv_json_put_boolean(&object, "challenge_open", visit.has_challenge);
    idv_json_close_object(&object);
    return idv_respond_text(request, HTTP_OK,
                            idv_json_writer_text(&object, NULL));
}

/* --- the relay --- */

typedef struct {
    const json_t *responses;
} apdu_input_t;

static const idv_parameter_t apdu_parameters[] = {
    IDV_PARAMETER(STRINGS, apdu_input_t, responses, 0, 1,
                  IDV_CHIP_RELAY_COMMANDS_MAX),
    {0},
};

static idv_error_t *bad_response(apr_pool_t *pool, int index)
{
    return idv_error_param(pool, apr_psprintf(pool, "responses[%d]", index),
                           "must be 2 to %d bytes in base64.",
                           IDV_CHIP_RELAY_RESPONSE_MAX);
}

static idv_error_t *read_response(const json_t *value, int index,
                                  idv_bytes_t *response, apr_pool_t *pool)
{
    const char *text = json_string_value(value);
    apr_size_t length = json_string_length(value), decoded;
    unsigned char *data;

    if (length == 0 || length % 4 != 0
        || length / 4 * 3 > IDV_CHIP_RELAY_RESPONSE_MAX + 2)
        return bad_response(pool, index);
    data = apr_palloc(pool, length / 4 * 3 + 1);
    if (apr_decode_base64_binary(data, text, (apr_ssize_t)length,
                                 APR_ENCODE_NONE, &decoded)
            != APR_SUCCESS
        || decoded < 2 || decoded > IDV_CHIP_RELAY_RESPONSE_MAX)
        return bad_response(pool, index);
    *response = (idv_bytes_t){data, decoded};
    return NULL;
}

static idv_error_t *read_answer(const json_t *responses,
                                idv_chip_answer_t **answer, apr_pool_t *pool)
{
    size_t count = json_array_size(responses);

    *answer = NULL;
    if (!responses)
        return NULL;
    *answer = apr_pcalloc(pool, sizeof(**answer));
    (*answer)->count = (int)count;
    for (int i = 0; i < (int)count; i++)
        IDV_TRY(read_response(json_array_get(responses, (size_t)i), i,
                              &(*answer)->responses[i], pool));
    return NULL;
}

/* Stores the answer to the current step and requests the next one. Without an
 * answer, requests the pending step unless that was done before. */
static idv_error_t *ask(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    chip_visit_t *visit = baton;

    IDV_TRY(enter(db, visit, pool));
    IDV_TRY(idv_chip_relay_find(db, &visit->place, &visit->relay, pool));
    if (!visit->relay)
        return idv_error_new(IDV_E_SESSION_STATE_CONFLICT, pool);
    IDV_TRY(idv_chip_step_find(db, &visit->place, visit->relay, &visit->step,
                               pool));
    if (visit->answer) {
        if (!visit->step || visit->step->status != IDV_CHIP_RELAY_WAITS)
            return idv_error_param(pool, "responses",
                                   "is not expected now. Omit it to get the "
                                   "commands.");
        IDV_TRY(idv_chip_relay_add(visit->relay, visit->answer, pool));
        visit->step = NULL;
    }
    if (visit->step)
        return NULL;
    IDV_TRY(idv_visit_count(db, &visit->session, &steps, pool));
    return idv_chip_relay_ask(db, &visit->place, visit->relay, pool);
}

static idv_error_t *look_for_step(idv_db_t *db, void *baton, int *done,
                                  apr_pool_t *pool)
{
    chip_visit_t *visit = baton;
    idv_chip_relay_step_t *step;

    IDV_TRY(idv_chip_step_find(db, &visit->place, visit->relay, &step, pool));
    *done = step != NULL;
    return NULL;
}

static idv_error_t *take_step(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    chip_visit_t *visit = baton;

    IDV_TRY(idv_visit_authorize(db, &visit->session, pool));
    IDV_TRY(idv_chip_step_find(db, &visit->place, visit->relay, &visit->step,
                               pool));
    return visit->step ? NULL : idv_error_new(IDV_E_SERVICE_UNAVAILABLE, pool);
}

static idv_error_t *await_step(idv_request_t *request, chip_visit_t *visit)
{
    const idv_visit_wait_t wait = {
        .place = IDV_PLACE_EXCHANGE,
        .organization_id = visit->session.scope.organization_id,
        .session_id = visit->session.session_id,
        .look = look_for_step,
        .baton = visit,
        .seconds = WAIT_SECONDS,
    };

    request->services->wake(request->services, IDV_WORK_ANALYSES);
    (void)idv_visit_wait(request, &wait);
    return idv_request_with_database(request, take_step, visit);
}

static void put_commands(idv_json_writer_t *object,
                         const idv_chip_relay_step_t *step, apr_pool_t *pool)
{
    idv_json_open_array(object, "commands");
    for (int i = 0; i < step->command_count; i++) {
        idv_json_open_object(object, NULL);
        idv_json_put_text(object, "apdu", base64(step->commands[i].apdu, pool));
        idv_json_put_boolean(object, "protected",
                             step->commands[i].is_protected);
        idv_json_close_object(object);
    }
    idv_json_close_array(object);
}

/* The submission shows whether the chip proved anything. Here the app learns
 * only whether there is more to do. */
idv_error_t *idv_widget_chip_apdu(idv_request_t *request)
{
    apdu_input_t body = {0};
    idv_chip_answer_t *answer;
    idv_json_writer_t object;
    chip_visit_t visit = {0};

    IDV_TRY(idv_visit_begin(request, &visit.session));
    IDV_TRY(idv_request_parameters(request, apdu_parameters, &body, NULL));
    IDV_TRY(read_answer(body.responses, &answer, request->pool));
    visit.answer = answer;
    visit.session.gives_evidence = answer != NULL;
    IDV_TRY(idv_visit_write(&visit.session, ask, &visit));
    if (!visit.step)
        IDV_TRY(await_step(request, &visit));
    idv_json_writer_init(&object, 2048, request->pool);
    idv_json_open_object(&object, NULL);
    idv_json_put_text(&object, "object", "chip_commands");
    idv_json_put_boolean(&object, "is_done",
                         visit.step->status != IDV_CHIP_RELAY_WAITS);
    put_commands(&object, visit.step, request->pool);
    idv_json_close_object(&object);
    return idv_respond_text(request, HTTP_OK,
                            idv_json_writer_text(&object, NULL));
}
