/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/session_run.h"

#include "domain/session/session_columns.h"
#include "domain/session/session_view.h"

#define FIRST {IDV_DEVICE_FIRST, 0}
#define PHONE(n) {IDV_DEVICE_PHONE, n}
#define BY(who, input_type)                                                    \
    (idv_session_input_t)                                                      \
    {                                                                          \
        .type = IDV_INPUT_##input_type, .consent = 1, .device = who            \
    }
#define FOR_ITSELF(input_type)                                                 \
    (idv_session_input_t) { .type = IDV_INPUT_##input_type }

static void is_at(const run_t *run, idv_handoff_state_t state, int is_held)
{
    const idv_session_t *session = run->session;

    assert_int_equal(session->runner.handoff.state, state);
    assert_int_equal(session->active_device != NULL, is_held);
    assert_int_equal(session->device_locked_at != 0, is_held);
    if (is_held)
        assert_string_equal(session->active_device, "mobile");
}

static void is_kept(const run_t *run, int kept)
{
    assert_int_equal((run->change->effects & IDV_EFFECT_KEEP_HANDOFF) != 0,
                     kept);
}

/* A session that phone number 1 has. */
static run_t begin_handed_over(apr_pool_t *pool)
{
    run_t run = begin(simple, pool);

    does(&run, BY(FIRST, OPEN));
    is_kept(&run, 0);
    does(&run, BY(FIRST, HANDOFF_OFFER));
    is_at(&run, IDV_HANDOFF_OFFERED, 0);
    does(&run, FOR_ITSELF(HANDOFF_SCAN));
    is_at(&run, IDV_HANDOFF_SCANNED, 0);
    does(&run, FOR_ITSELF(HANDOFF_TAKE));
    is_at(&run, IDV_HANDOFF_HELD, 1);
    is_kept(&run, 1);
    assert_int_equal(run.session->device_locked_at, run.now);
    assert_int_equal(run.session->runner.handoff.phones, 1);
    announced(&run, 0, 0, 0);
    return run;
}

static void locks_to_the_phone(void **state)
{
    run_t run = begin_handed_over(*state);

    is_refused(&run, BY(FIRST, CONSENT), IDV_E_SESSION_LOCKED_TO_OTHER_DEVICE,
               NULL);
    is_refused(&run, BY(FIRST, SUBMIT), IDV_E_SESSION_LOCKED_TO_OTHER_DEVICE,
               NULL);
    is_refused(&run, BY(FIRST, REDEEM), IDV_E_SESSION_LOCKED_TO_OTHER_DEVICE,
               NULL);
    is_refused(&run, BY(FIRST, ACT), IDV_E_SESSION_LOCKED_TO_OTHER_DEVICE,
               NULL);
    is_refused(&run, BY(FIRST, HANDOFF_OFFER),
               IDV_E_SESSION_LOCKED_TO_OTHER_DEVICE, NULL);
    changes_nothing(&run, BY(FIRST, OPEN));
    changes_nothing(&run, BY(PHONE(1), ACT));
    is_refused(&run, BY(PHONE(2), CONSENT),
               IDV_E_SESSION_LOCKED_TO_OTHER_DEVICE, NULL);
    is_refused(&run, BY(PHONE(1), HANDOFF_OFFER), IDV_E_SESSION_STATE_CONFLICT,
               NULL);
    does(&run, BY(PHONE(1), CONSENT));
    is_at(&run, IDV_HANDOFF_HELD, 1);
    is_kept(&run, 0);
}

static void lets_the_first_device_end_it(void **state)
{
    run_t run = begin_handed_over(*state);

    does(&run, BY(FIRST, LEAVE));
    assert_int_equal(run.session->status, IDV_STATUS_CANCELLED);
    assert_null(run.session->active_device);
    is_kept(&run, 1);
    /* The phone is told the end. */
    assert_false(idv_session_has_left_device(
        run.session, &(idv_device_t){IDV_DEVICE_PHONE, 1}));
    is_refused(&run, BY(PHONE(1), CONSENT), IDV_E_SESSION_TERMINAL, NULL);
    is_refused(&run, BY(FIRST, HANDOFF_OFFER), IDV_E_SESSION_TERMINAL, NULL);
    is_refused(&run, BY(FIRST, HANDOFF_RETURN), IDV_E_SESSION_TERMINAL, NULL);
}

static void gives_it_back(void **state)
{
    run_t run = begin_handed_over(*state);

    does(&run, BY(FIRST, HANDOFF_RETURN));
    is_at(&run, IDV_HANDOFF_NONE, 0);
    is_kept(&run, 1);
    changes_nothing(&run, BY(FIRST, HANDOFF_RETURN));
    is_refused(&run, BY(PHONE(1), CONSENT),
               IDV_E_SESSION_LOCKED_TO_OTHER_DEVICE, NULL);
    is_refused(&run, BY(PHONE(1), LEAVE), IDV_E_SESSION_LOCKED_TO_OTHER_DEVICE,
               NULL);
    is_refused(&run, BY(PHONE(1), HANDOFF_RETURN),
               IDV_E_SESSION_LOCKED_TO_OTHER_DEVICE, NULL);
    does(&run, BY(FIRST, CONSENT));
    does(&run, BY(FIRST, HANDOFF_OFFER));
    does(&run, FOR_ITSELF(HANDOFF_TAKE));
    assert_int_equal(run.session->runner.handoff.phones, 2);
    is_refused(&run, BY(PHONE(1), CONSENT),
               IDV_E_SESSION_LOCKED_TO_OTHER_DEVICE, NULL);
    does(&run, BY(PHONE(2), HANDOFF_RETURN));
    is_at(&run, IDV_HANDOFF_NONE, 0);
}

static void settles_a_silence_by_who_acts(void **state)
{
    run_t run = begin_handed_over(*state);

    does(&run, FOR_ITSELF(HANDOFF_IDLE));
    is_at(&run, IDV_HANDOFF_IDLE, 0);
    is_kept(&run, 1);
    changes_nothing(&run, FOR_ITSELF(HANDOFF_IDLE));
    run.now += IDV_MINUTE;
    does(&run, BY(PHONE(1), CONSENT));
    is_at(&run, IDV_HANDOFF_HELD, 1);
    is_kept(&run, 1);
    assert_int_equal(run.session->device_locked_at, run.now);
    is_refused(&run, BY(FIRST, CONSENT), IDV_E_SESSION_LOCKED_TO_OTHER_DEVICE,
               NULL);

    does(&run, FOR_ITSELF(HANDOFF_IDLE));
    does(&run, BY(PHONE(1), ACT));
    is_at(&run, IDV_HANDOFF_HELD, 1);
    does(&run, FOR_ITSELF(HANDOFF_IDLE));
    does(&run, BY(FIRST, ACT));
    is_at(&run, IDV_HANDOFF_NONE, 0);
    is_refused(&run, BY(PHONE(1), CONSENT),
               IDV_E_SESSION_LOCKED_TO_OTHER_DEVICE, NULL);
}

/* Applies INPUT and says whether the session is another device's by it. */
static int moves(run_t *run, idv_session_input_t input)
{
    const idv_session_t *before = run->session;

    does(run, input);
    return idv_session_has_moved(before, run->session);
}

static void moves_with_whoever_has_it(void **state)
{
    run_t run = begin(simple, *state);

    assert_false(moves(&run, BY(FIRST, OPEN)));
    assert_false(moves(&run, BY(FIRST, HANDOFF_OFFER)));
    assert_false(moves(&run, FOR_ITSELF(HANDOFF_SCAN)));
    assert_false(moves(&run, FOR_ITSELF(HANDOFF_DECLINE)));
    assert_false(moves(&run, BY(FIRST, HANDOFF_OFFER)));
    assert_true(moves(&run, FOR_ITSELF(HANDOFF_TAKE)));
    assert_false(moves(&run, BY(PHONE(1), CONSENT)));
    assert_false(moves(&run, FOR_ITSELF(HANDOFF_IDLE)));
    assert_false(moves(&run, BY(PHONE(1), ACT)));
    assert_false(moves(&run, FOR_ITSELF(HANDOFF_IDLE)));
    assert_true(moves(&run, BY(FIRST, HANDOFF_OFFER)));
    assert_true(moves(&run, FOR_ITSELF(HANDOFF_TAKE)));
    assert_true(moves(&run, BY(PHONE(2), HANDOFF_RETURN)));
}

/* What nobody's device did leaves the question open. */
static void keeps_a_silence_through_other_inputs(void **state)
{
    run_t run = begin_handed_over(*state);

    does(&run, BY(PHONE(1), CONSENT));
    does(&run, (idv_session_input_t){.type = IDV_INPUT_SUBMIT,
                                     .method = IDV_METHOD_DOCUMENT_CAPTURE,
                                     .images = {"front"},
                                     .image_count = 1,
                                     .device = PHONE(1)});
    does(&run, FOR_ITSELF(HANDOFF_IDLE));
    does(&run, outcome(&run, IDV_METHOD_UNREADABLE));
    is_at(&run, IDV_HANDOFF_IDLE, 0);
    run.now += IDV_DAY;
    does(&run, expire);
    changes_nothing(&run, FOR_ITSELF(HANDOFF_IDLE));
}

static void voids_links(void **state)
{
    run_t run = begin(simple, *state);

    is_refused(&run, FOR_ITSELF(HANDOFF_SCAN), IDV_E_HANDOFF_INVALID, NULL);
    is_refused(&run, FOR_ITSELF(HANDOFF_TAKE), IDV_E_HANDOFF_INVALID, NULL);
    does(&run, BY(FIRST, HANDOFF_OFFER));
    does(&run, FOR_ITSELF(HANDOFF_SCAN));
    changes_nothing(&run, FOR_ITSELF(HANDOFF_SCAN));
    does(&run, BY(FIRST, HANDOFF_OFFER));
    is_at(&run, IDV_HANDOFF_OFFERED, 0);
    does(&run, FOR_ITSELF(HANDOFF_DECLINE));
    is_at(&run, IDV_HANDOFF_NONE, 0);
    is_kept(&run, 1);
    is_refused(&run, FOR_ITSELF(HANDOFF_TAKE), IDV_E_HANDOFF_INVALID, NULL);
    does(&run, BY(FIRST, HANDOFF_OFFER));
    does(&run, cancel);
    is_kept(&run, 1);
    is_refused(&run, FOR_ITSELF(HANDOFF_TAKE), IDV_E_HANDOFF_INVALID, NULL);
}

static void moves_nothing_that_is_flagged(void **state)
{
    run_t run = begin_verified(*state);

    does(&run, flag);
    is_refused(&run, BY(FIRST, HANDOFF_OFFER), IDV_E_SESSION_TERMINAL, NULL);
}

static void is_stored(void **state)
{
    run_t run = begin_handed_over(*state);
    idv_session_t loaded = {0};

    assert_null(idv_session_runner_load(
        idv_session_runner_text(run.session, run.pool), &loaded, run.pool));
    assert_int_equal(loaded.runner.handoff.state, IDV_HANDOFF_HELD);
    assert_int_equal(loaded.runner.handoff.phones, 1);
    run = begin(simple, *state);
    assert_null(
        strstr(idv_session_runner_text(run.session, run.pool), "handoff"));
}

static void is_shown(void **state)
{
    run_t run = begin_handed_over(*state);
    idv_session_widget_t extra = {.is_phone = 1, .client_secret = "s"};
    json_t *view = parsed(idv_session_widget_text(run.session, run.workflow,
                                                  NULL, run.pool),
                          run.pool);

    assert_string_equal(member(view, "device"), "desktop");
    assert_string_equal(member(view, "active_device"), "mobile");
    assert_string_equal(member(view, "handoff"), "held");
    assert_null(json_object_get(view, "client_secret"));
    view = parsed(idv_session_widget_text(run.session, run.workflow, &extra,
                                          run.pool),
                  run.pool);
    assert_string_equal(member(view, "device"), "mobile");
    assert_string_equal(member(view, "client_secret"), "s");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(locks_to_the_phone),
        pooled_test(lets_the_first_device_end_it),
        pooled_test(gives_it_back),
        pooled_test(settles_a_silence_by_who_acts),
        pooled_test(moves_with_whoever_has_it),
        pooled_test(keeps_a_silence_through_other_inputs),
        pooled_test(voids_links),
        pooled_test(moves_nothing_that_is_flagged),
        pooled_test(is_stored),
        pooled_test(is_shown),
    };

    return unit_run("domain/session_handoff", tests);
}
