/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The watchdog's client against the real verify-analyze of the same build, and
 * against programs that are none.
 */
#include "unit/unit.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include <apr_strings.h>

#include "core/json.h"
#include "worker/method/analyzer.h"

enum { PATIENCE = 20000 /* milliseconds after which a test gives up */ };

/* That far away that a test does not meet it. */
#define DEADLINE (idv_time_now() + PATIENCE)

static const char *program(apr_pool_t *pool)
{
    const char *build = getenv("VERIFY_BUILD");

    return apr_pstrcat(pool, build ? build : "build", "/verify-analyze", NULL);
}

/* Polls one descriptor for a moment. */
static void wait_for(int fd, short events)
{
    struct pollfd polled = {fd, events, 0};

    poll(&polled, 1, 50);
}

/* An analyzer that is ready; skips the test where there is no program. */
static idv_analyzer_t *ready_analyzer_of(idv_analysis_kind_t kind,
                                         apr_pool_t *pool)
{
    idv_analyzer_settings_t settings = {program(pool), NULL, 2, kind};
    idv_analyzer_t *analyzer = idv_analyzer_create(&settings, pool);
    idv_time_t until = idv_time_now() + PATIENCE;

    if (access(settings.program, X_OK) != 0)
        skip();
    while (!idv_analyzer_is_ready(analyzer)) {
        assert_true(idv_time_now() < until);
        assert_null(idv_analyzer_tend(analyzer, idv_time_now(), pool));
        wait_for(idv_analyzer_fd(analyzer), POLLIN);
    }
    return analyzer;
}

static idv_analyzer_t *ready_analyzer(apr_pool_t *pool)
{
    return ready_analyzer_of(IDV_ANALYSIS_ALL, pool);
}

static idv_analysis_request_t request_for(const void *image, apr_size_t length)
{
    idv_analysis_request_t request = {
        .method = "document_capture",
        .now = idv_time_now(),
        .milliseconds = 5000,
        .part_count = 1,
        .parts = {{"front", {image, length}}}};

    return request;
}

static idv_analysis_state_t finish(idv_analysis_t *analysis)
{
    idv_analysis_state_t state;

    while ((state = idv_analysis_step(analysis, idv_time_now())) ==
           IDV_ANALYSIS_RUNNING)
        wait_for(idv_analysis_fd(analysis), idv_analysis_events(analysis));
    return state;
}

static const char *hint_of(const idv_analysis_t *analysis, apr_pool_t *pool)
{
    idv_bytes_t findings = idv_analysis_findings(analysis);
    json_t *value;

    assert_null(idv_json_parse((const char *)findings.data, findings.length,
                               &value, pool));
    return json_string_value(json_object_get(value, "hint"));
}

static void brings_findings_back(void **state)
{
    apr_pool_t *pool = *state;
    idv_analyzer_t *analyzer = ready_analyzer(pool);
    idv_analysis_request_t request = request_for("no image", 8);
    idv_analysis_t *analysis;

    assert_non_null(strstr(idv_analyzer_layers(analyzer), "system_calls"));
    assert_null(idv_analyzer_submit(analyzer, &request, DEADLINE,
                                    &analysis, pool));
    assert_int_equal(finish(analysis), IDV_ANALYSIS_DONE);
    assert_string_equal(hint_of(analysis, pool), "unsupported_image");
    assert_int_equal(idv_analysis_fd(analysis), -1);
}

static void takes_two_images_of_the_largest_size(void **state)
{
    apr_pool_t *pool = *state;
    idv_analyzer_t *analyzer = ready_analyzer(pool);
    const apr_size_t most = 20 * 1024 * 1024;
    idv_analysis_request_t request = request_for(apr_pcalloc(pool, most), most);
    idv_analysis_t *analysis;

    request.parts[1] = request.parts[0];
    request.parts[1].name = "back";
    request.part_count = 2;
    assert_null(idv_analyzer_submit(analyzer, &request, DEADLINE,
                                    &analysis, pool));
    assert_int_equal(finish(analysis), IDV_ANALYSIS_DONE);
    assert_string_equal(hint_of(analysis, pool), "unsupported_image");
}

static void reads_evidence_of_its_kind_alone(void **state)
{
    apr_pool_t *pool = *state;
    idv_analyzer_t *signed_only = ready_analyzer_of(IDV_ANALYSIS_SIGNED, pool);
    idv_analyzer_t *pictures = ready_analyzer_of(IDV_ANALYSIS_PICTURES, pool);
    idv_analysis_request_t request = request_for("no image", 8);
    idv_analysis_t *analysis;

    assert_null(idv_analyzer_submit(signed_only, &request, DEADLINE, &analysis,
                                    pool));
    assert_int_equal(finish(analysis), IDV_ANALYSIS_FAILED);
    assert_null(
        idv_analyzer_submit(pictures, &request, DEADLINE, &analysis, pool));
    assert_int_equal(finish(analysis), IDV_ANALYSIS_DONE);
}

static void queues_more_than_it_runs(void **state)
{
    apr_pool_t *pool = *state;
    idv_analyzer_t *analyzer = ready_analyzer(pool);
    idv_analysis_request_t request = request_for("no image", 8);
    idv_analysis_t *analyses[8];

    for (int i = 0; i < 8; i++)
        assert_null(idv_analyzer_submit(analyzer, &request, DEADLINE,
                                        &analyses[i], pool));
    for (int i = 0; i < 8; i++)
        idv_analysis_step(analyses[i], idv_time_now());
    for (int i = 7; i >= 0; i--)
        assert_int_equal(finish(analyses[i]), IDV_ANALYSIS_DONE);
}

/* A request that the child refuses ends the stream without findings. */
static void tells_a_failed_analysis_from_findings(void **state)
{
    apr_pool_t *pool = *state;
    idv_analyzer_t *analyzer = ready_analyzer(pool);
    idv_analysis_request_t request = request_for("no image", 8);
    idv_analysis_t *analysis;

    request.parts[0].name = "inside";
    assert_null(idv_analyzer_submit(analyzer, &request, DEADLINE,
                                    &analysis, pool));
    assert_int_equal(finish(analysis), IDV_ANALYSIS_FAILED);
    assert_int_equal(idv_analysis_findings(analysis).length, 0);
    request.parts[0].name = "front";
    request.method = "carrier_pigeon";
    assert_null(idv_analyzer_submit(analyzer, &request, DEADLINE,
                                    &analysis, pool));
    assert_int_equal(finish(analysis), IDV_ANALYSIS_FAILED);
    request.method = "document_capture";
    assert_null(idv_analyzer_submit(analyzer, &request, DEADLINE,
                                    &analysis, pool));
    assert_int_equal(finish(analysis), IDV_ANALYSIS_DONE);
}

static void keeps_the_deadline(void **state)
{
    apr_pool_t *pool = *state;
    idv_analyzer_t *analyzer = ready_analyzer(pool);
    idv_analysis_request_t request = request_for("no image", 8);
    idv_analysis_t *analysis, *cancelled;

    /* More than the stream holds, so that one step cannot be enough. */
    request.parts[0].bytes.length = 4 << 20;
    request.parts[0].bytes.data = apr_pcalloc(pool, 4 << 20);
    assert_null(idv_analyzer_submit(analyzer, &request, request.now - 1,
                                    &analysis, pool));
    assert_int_equal(idv_analysis_step(analysis, idv_time_now()),
                     IDV_ANALYSIS_FAILED);
    assert_null(idv_analyzer_submit(analyzer, &request, DEADLINE,
                                    &cancelled, pool));
    idv_analysis_cancel(cancelled);
    assert_int_equal(idv_analysis_step(cancelled, 0), IDV_ANALYSIS_FAILED);
}

/* The zygote's process id: the only child of this process. */
static pid_t zygote_of_this_process(void)
{
    char path[64];
    long pid = 0;
    FILE *file;

    snprintf(path, sizeof(path), "/proc/self/task/%d/children", (int)getpid());
    file = fopen(path, "r");
    if (!file)
        skip();
    if (fscanf(file, "%ld", &pid) != 1)
        pid = 0;
    fclose(file);
    return (pid_t)pid;
}

static void survives_the_death_of_the_process(void **state)
{
    apr_pool_t *pool = *state;
    idv_analyzer_t *analyzer = ready_analyzer(pool);
    idv_analysis_request_t request = request_for("no image", 8);
    idv_time_t until = idv_time_now() + PATIENCE;
    pid_t zygote = zygote_of_this_process();
    idv_error_t *error = NULL;
    idv_analysis_t *analysis;

    assert_true(zygote > 0);
    kill(zygote, SIGSTOP);
    assert_null(idv_analyzer_submit(analyzer, &request, DEADLINE,
                                    &analysis, pool));
    kill(zygote, SIGKILL);
    while (!error && idv_time_now() < until) {
        wait_for(idv_analyzer_fd(analyzer), POLLIN);
        error = idv_analyzer_tend(analyzer, idv_time_now(), pool);
    }
    assert_non_null(error);
    assert_int_equal(finish(analysis), IDV_ANALYSIS_FAILED);
    assert_false(idv_analyzer_is_ready(analyzer));
    error =
        idv_analyzer_submit(analyzer, &request, DEADLINE, &analysis, pool);
    assert_int_equal(error->code, IDV_E_SERVICE_UNAVAILABLE);
    /* The pause is over when the caller's clock says so. */
    assert_null(idv_analyzer_tend(analyzer, idv_analyzer_due(analyzer), pool));
    while (!idv_analyzer_is_ready(analyzer) && idv_time_now() < until) {
        wait_for(idv_analyzer_fd(analyzer), POLLIN);
        assert_null(idv_analyzer_tend(analyzer, idv_time_now(), pool));
    }
    assert_null(idv_analyzer_submit(analyzer, &request, DEADLINE,
                                    &analysis, pool));
    assert_int_equal(finish(analysis), IDV_ANALYSIS_DONE);
}

static void pauses_longer_after_each_failure(void **state)
{
    apr_pool_t *pool = *state;
    idv_analyzer_settings_t settings = {"/bin/false", NULL, 1,
                                        IDV_ANALYSIS_ALL};
    idv_analyzer_t *analyzer = idv_analyzer_create(&settings, pool);
    idv_time_t now = 1000000, last_pause = 0;

    for (int i = 0; i < 10; i++) {
        idv_error_t *error = NULL;

        assert_true(idv_analyzer_due(analyzer) <= now);
        assert_null(idv_analyzer_tend(analyzer, now, pool));
        for (int tries = 0; !error && tries < 400; tries++) {
            wait_for(idv_analyzer_fd(analyzer), POLLIN);
            error = idv_analyzer_tend(analyzer, now, pool);
        }
        assert_non_null(error);
        assert_int_equal(idv_analyzer_fd(analyzer), -1);
        assert_true(idv_analyzer_due(analyzer) - now >= last_pause);
        last_pause = idv_analyzer_due(analyzer) - now;
        assert_null(idv_analyzer_tend(analyzer, now + last_pause - 1, pool));
        assert_int_equal(idv_analyzer_fd(analyzer), -1);
        now += last_pause;
    }
    assert_int_equal(last_pause, 30 * IDV_SECOND);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(brings_findings_back),
        pooled_test(takes_two_images_of_the_largest_size),
        pooled_test(reads_evidence_of_its_kind_alone),
        pooled_test(queues_more_than_it_runs),
        pooled_test(tells_a_failed_analysis_from_findings),
        pooled_test(keeps_the_deadline),
        pooled_test(survives_the_death_of_the_process),
        pooled_test(pauses_longer_after_each_failure),
    };

    return unit_run("worker/analyzer", tests);
}
