/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The zygote with children that do not end by themselves.
 */
#include "unit/unit.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analyze/zygote.h"

/* What a child does, by the first byte and the number of its images. */
static idv_error_t *work(void *baton, const idv_analysis_request_t *submission,
                         idv_bytes_t *findings, apr_pool_t *pool)
{
    static int never = 0;
    sigset_t all;

    (void)baton;
    (void)pool;
    sigfillset(&all);
    if (submission->part_count > 1)
        sigprocmask(SIG_BLOCK, &all, NULL);
    while (submission->parts[0].bytes.data[0] == 'w')
        syscall(SYS_futex, &never, 0 /* wait */, 0, NULL, NULL, 0);
    while (submission->parts[0].bytes.data[0] == 'c')
        never = 0;
    *findings = (idv_bytes_t){(const unsigned char *)"done", 4};
    return NULL;
}

/* A zygote of one place, and the control socket to it. */
typedef struct {
    pid_t pid;
    int control;
} zygote_t;

static zygote_t start_zygote(int wall_seconds, apr_pool_t *pool)
{
    idv_zygote_settings_t settings = {
        .children = 1,
        .grace_seconds = 1,
        .patience_seconds = 1,
        .child = {work, NULL, (apr_uint64_t)1 << 30, 1, wall_seconds,
                  NULL}};
    char layers[IDV_ANALYZE_READY_MAX];
    zygote_t zygote;
    int control[2];

    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, control), 0);
    zygote.control = control[0];
    zygote.pid = fork();
    assert_true(zygote.pid >= 0);
    if (zygote.pid == 0) {
        close(control[0]);
        settings.control = control[1];
        _exit(idv_zygote_run(&settings, pool) ? 1 : 0);
    }
    close(control[1]);
    assert_true(recv(zygote.control, layers, sizeof(layers), 0) > 0);
    return zygote;
}

static void end_zygote(const zygote_t *zygote)
{
    int status;

    close(zygote->control);
    assert_int_equal(waitpid(zygote->pid, &status, 0), zygote->pid);
    assert_int_equal(status, 0);
}

static void hand_over(const zygote_t *zygote, int stream)
{
    char byte = IDV_ANALYZE_SUBMIT, space[CMSG_SPACE(sizeof(int))] = {0};
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = space,
                             .msg_controllen = sizeof(space)};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);

    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &stream, sizeof(int));
    assert_int_equal(sendmsg(zygote->control, &message, 0), 1);
}

/* A stream on which a child does WHAT: 'w'aits, 'c'omputes or answers. A
 * DEFIANT one lets no clock end it. */
static int submit(const zygote_t *zygote, char what, int defiant,
                  apr_pool_t *pool)
{
    idv_bytes_t image = {(const unsigned char *)&what, 1};
    idv_analysis_request_t submission = {
        .method = "any",
        .milliseconds = 1000,
        .part_count = 1 + defiant,
        .parts = {{"front", image}, {"back", image}}};
    int stream[2];

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, stream), 0);
    hand_over(zygote, stream[1]);
    close(stream[1]);
    assert_null(idv_submission_send(stream[0], &submission, pool));
    return stream[0];
}

/* The length of what came back, -1: nothing. */
static int answer(int stream, apr_pool_t *pool)
{
    idv_bytes_t findings;
    int length = idv_findings_receive(stream, &findings, pool)
                   ? -1
                   : (int)findings.length;

    close(stream);
    return length;
}

static void says_what_a_child_could_not(void **state)
{
    apr_pool_t *pool = *state;
    zygote_t zygote = start_zygote(60, pool);

    assert_int_equal(answer(submit(&zygote, 'c', 0, pool), pool), 0);
    assert_int_equal(answer(submit(&zygote, 'c', 1, pool), pool), 0);
    assert_int_equal(answer(submit(&zygote, 'a', 0, pool), pool), 4);
    end_zygote(&zygote);
}

static void kills_who_ignores_the_wall_clock(void **state)
{
    apr_pool_t *pool = *state;
    zygote_t zygote = start_zygote(1, pool);

    assert_int_equal(answer(submit(&zygote, 'w', 0, pool), pool), -1);
    assert_int_equal(answer(submit(&zygote, 'w', 1, pool), pool), -1);
    assert_int_equal(answer(submit(&zygote, 'a', 0, pool), pool), 4);
    end_zygote(&zygote);
}

/* There is one place, and its time would not be over within the test's. */
static void frees_the_place_of_a_client_that_has_gone(void **state)
{
    apr_pool_t *pool = *state;
    zygote_t zygote = start_zygote(3600, pool);

    close(submit(&zygote, 'w', 1, pool));
    assert_int_equal(answer(submit(&zygote, 'a', 0, pool), pool), 4);
    end_zygote(&zygote);
}

/* The only child of ZYGOTE. */
static pid_t child_of(const zygote_t *zygote, apr_pool_t *pool)
{
    const char *name = apr_psprintf(pool, "/proc/%d/task/%d/children",
                                    (int)zygote->pid, (int)zygote->pid);
    int pid = 0;

    while (pid == 0) {
        FILE *file = fopen(name, "r");

        assert_non_null(file);
        if (fscanf(file, "%d", &pid) != 1)
            pid = 0;
        fclose(file);
    }
    return pid;
}

/* Its wall clock would not run out within the test's time. */
static void lets_others_go_before_a_child_that_takes_long(void **state)
{
    apr_pool_t *pool = *state;
    zygote_t zygote = start_zygote(3600, pool);
    int stream = submit(&zygote, 'w', 1, pool);
    pid_t child = child_of(&zygote, pool);
    int own = getpriority(PRIO_PROCESS, 0), nice_value = own;

    for (int i = 0; i < 2000 && nice_value == own; i++) {
        errno = 0;
        nice_value = getpriority(PRIO_PROCESS, (id_t)child);
        assert_int_equal(errno, 0);
        apr_sleep(10000);
    }
    assert_int_equal(nice_value, 10);
    assert_int_equal(getpriority(PRIO_PROCESS, (id_t)zygote.pid), own);
    close(stream);
    assert_int_equal(answer(submit(&zygote, 'a', 0, pool), pool), 4);
    end_zygote(&zygote);
}

/* A service manager tells all processes at once. The child would be killed by
 * the kernel, and be somebody else's to wait for. */
static void leaves_no_child_behind_when_all_are_told_to_end(void **state)
{
    apr_pool_t *pool = *state;
    zygote_t zygote = start_zygote(3600, pool);
    int stream = submit(&zygote, 'w', 0, pool);

    assert_int_equal(kill(zygote.pid, SIGTERM), 0);
    close(stream);
    assert_int_equal(answer(submit(&zygote, 'a', 0, pool), pool), 4);
    end_zygote(&zygote);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(says_what_a_child_could_not),
        pooled_test(kills_who_ignores_the_wall_clock),
        pooled_test(frees_the_place_of_a_client_that_has_gone),
        pooled_test(lets_others_go_before_a_child_that_takes_long),
        pooled_test(leaves_no_child_behind_when_all_are_told_to_end),
    };

    signal(SIGPIPE, SIG_IGN);
    return unit_run("analyze/zygote", tests);
}
