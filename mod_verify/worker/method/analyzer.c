/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/method/analyzer.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <apr_strings.h>

#include "worker/process/process_end.h"

enum {
    /* Milliseconds. */
    FIRST_PAUSE = 500, /* before the second start */
    LONGEST_PAUSE = 30000,
    STABLE_AFTER = 30000, /* a death after so long a service is a first one */
    START_TIME = 30000,   /* in which a process has to become ready */
    ENDING_TIME = 2000    /* time limit for its exit when told to end */
};

struct idv_analyzer_t {
    idv_analyzer_settings_t settings;
    int control;  /* -1: no process */
    pid_t pid;
    int ready;
    idv_time_t since; /* the moment of readiness; before that, of the start */
    idv_time_t next;  /* time of the next start, while no process runs */
    int deaths;       /* in a row, each soon after the start */
    char layers[IDV_ANALYZE_READY_MAX + 1];  /* that hold */
    char missing[IDV_ANALYZE_READY_MAX + 1]; /* the others */
};

enum { PARTS = 1 + IDV_ANALYZE_PARTS_MAX }; /* and a header */

struct idv_analysis_t {
    idv_analysis_state_t state;
    int stream; /* -1: closed */
    idv_time_t deadline;
    struct iovec parts[PARTS]; /* what is still to be sent */
    int part_count, part;
    apr_size_t received;
    unsigned char *answer; /* its length first; then room for all of it */
    apr_size_t room;
    apr_pool_t *pool;
};

/* --- the process --- */

/* Ends the process and waits for it, for at most PATIENCE milliseconds; the
 * status of waitpid(2). */
static int close_process(idv_analyzer_t *analyzer, int patience)
{
    int status;

    if (analyzer->control < 0)
        return 0;
    close(analyzer->control);
    analyzer->control = -1;
    /* A process that is ready ends, with its children, when the other side of
     * its control socket is closed. Before that it does not look at the socket,
     * and ends by the signal. */
    if (!analyzer->ready)
        kill(analyzer->pid, SIGTERM);
    status = idv_process_end(analyzer->pid, patience);
    analyzer->ready = 0;
    analyzer->layers[0] = analyzer->missing[0] = '\0';
    analyzer->pid = 0;
    return status;
}

static apr_status_t close_analyzer(void *analyzer)
{
    close_process(analyzer, ENDING_TIME);
    return APR_SUCCESS;
}

idv_analyzer_t *idv_analyzer_create(const idv_analyzer_settings_t *settings,
                                    apr_pool_t *pool)
{
    idv_analyzer_t *analyzer = apr_pcalloc(pool, sizeof(*analyzer));

    analyzer->settings.program = apr_pstrdup(pool, settings->program);
    if (settings->models && settings->kind != IDV_ANALYSIS_SIGNED)
        analyzer->settings.models = apr_pstrdup(pool, settings->models);
    analyzer->settings.children = settings->children;
    analyzer->settings.kind = settings->kind;
    analyzer->control = -1;
    apr_pool_cleanup_register(pool, analyzer, close_analyzer,
                              apr_pool_cleanup_null);
    return analyzer;
}

/* Becomes the zygote; runs between fork and exec. */
static void become_zygote(const idv_analyzer_settings_t *settings, int control)
{
    static char *const environment[] = {
        (char *)"OMP_THREAD_LIMIT=1", (char *)"LC_ALL=C",
        (char *)"PATH=/usr/bin:/bin", NULL};
    char children[16];
    const char *arguments[9] = {
        settings->program, "--zygote", "--children", children,
        "--evidence", idv_analysis_kind_value(settings->kind), NULL};
    sigset_t mask;
    int null = open("/dev/null", O_RDWR);

    snprintf(children, sizeof(children), "%d", settings->children);
    if (settings->models) {
        arguments[6] = "--models";
        arguments[7] = settings->models;
    }
    /* A process group of its own: httpd's prefork MPM signals the whole group
     * of its parent. */
    setpgid(0, 0);
    /* SIGTERM stays pending until verify-analyze is able to end in order. */
    sigemptyset(&mask);
    sigaddset(&mask, SIGTERM);
    sigprocmask(SIG_SETMASK, &mask, NULL);
    for (int i = 1; i < NSIG; i++)
        signal(i, SIG_DFL);
    /* The descriptors are moved out of the way first: the control socket may
     * have one of the numbers that are given out below. */
    control = fcntl(control, F_DUPFD, 10);
    null = fcntl(null, F_DUPFD, 10);
    if (control < 0 || null < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0 ||
        dup2(control, IDV_ANALYZE_CONTROL) < 0 ||
        close_range(IDV_ANALYZE_CONTROL + 1, ~0U, 0) != 0)
        _exit(126);
    execve(settings->program, (char *const *)arguments, environment);
    _exit(127);
}

static idv_error_t *start_process(idv_analyzer_t *analyzer, idv_time_t now,
                                  apr_pool_t *pool)
{
    int control[2];

    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, control) != 0)
        return idv_error_apr(pool, errno, "cannot make a socket pair");
    analyzer->pid = fork();
    if (analyzer->pid == 0)
        become_zygote(&analyzer->settings, control[1]);
    close(control[1]);
    if (analyzer->pid < 0) {
        close(control[0]);
        return idv_error_apr(pool, errno, "cannot fork verify-analyze");
    }
    analyzer->control = control[0];
    analyzer->since = now;
    return NULL;
}

static void schedule_start(idv_analyzer_t *analyzer, idv_time_t now)
{
    if (analyzer->ready && now - analyzer->since >= STABLE_AFTER)
        analyzer->deaths = 0;
    analyzer->next =
        now + idv_time_backoff(FIRST_PAUSE, LONGEST_PAUSE, analyzer->deaths);
    if (analyzer->deaths < INT_MAX)
        analyzer->deaths++;
}

/* Reads what the process says. When it has ended instead, or says why it is
 * going to, that is an error, and its end is to be waited for *PATIENCE
 * milliseconds. */
static idv_error_t *listen_to_process(idv_analyzer_t *analyzer, idv_time_t now,
                                      int *patience, apr_pool_t *pool)
{
    idv_analysis_readiness_t readiness;
    char text[IDV_ANALYZE_READY_MAX];
    ssize_t count =
        recv(analyzer->control, text, sizeof(text), MSG_DONTWAIT);

    if (count < 0 && (errno == EAGAIN || errno == EINTR))
        return NULL;
    if (count <= 0)
        return idv_error_internal(pool, "verify-analyze has ended");
    if (analyzer->ready)
        return NULL;
    *patience = ENDING_TIME; /* a process that says why it ends does end */
    idv_analysis_readiness_decode(
        (idv_bytes_t){(unsigned char *)text, (size_t)count}, &readiness, pool);
    if (readiness.fault)
        return idv_error_internal(pool, "%s", readiness.fault);
    apr_cpystrn(analyzer->layers, readiness.layers, sizeof(analyzer->layers));
    apr_cpystrn(analyzer->missing, readiness.missing,
                sizeof(analyzer->missing));
    analyzer->ready = 1;
    analyzer->since = now;
    return NULL;
}

int idv_analyzer_fd(const idv_analyzer_t *analyzer)
{
    return analyzer->control;
}

idv_time_t idv_analyzer_due(const idv_analyzer_t *analyzer)
{
    if (analyzer->control < 0)
        return analyzer->next > 0 ? analyzer->next : 1;
    return analyzer->ready ? 0 : analyzer->since + START_TIME;
}

idv_error_t *idv_analyzer_tend(idv_analyzer_t *analyzer, idv_time_t now,
                               apr_pool_t *pool)
{
    idv_error_t *error = NULL;
    const char *fault;
    int patience = 0; /* the process has had its time, or is gone already */

    if (analyzer->control < 0 && now < analyzer->next)
        return NULL;
    if (analyzer->control < 0)
        error = start_process(analyzer, now, pool);
    else
        error = listen_to_process(analyzer, now, &patience, pool);
    if (!error && !analyzer->ready && now - analyzer->since >= START_TIME)
        error = idv_error_internal(pool, "verify-analyze does not get ready");
    if (!error)
        return NULL;
    schedule_start(analyzer, now);
    fault = idv_process_end_fault(close_process(analyzer, patience), pool);
    return fault ? idv_error_internal(pool, "%s (%s)", idv_error_cause(error),
                                      fault)
                 : error;
}

idv_error_t *idv_analyzer_end(idv_analyzer_t *analyzer, apr_pool_t *pool)
{
    int was_ready = analyzer->ready;
    int status = close_process(analyzer, ENDING_TIME);
    const char *fault = idv_process_end_fault(status, pool);

    /* A process that cannot get ready exits with this status by itself, even
     * while it is being ended. */
    if (!was_ready && WIFEXITED(status) && WEXITSTATUS(status) == EXIT_FAILURE)
        return NULL;
    return fault ? idv_error_internal(pool, "did not end cleanly: %s", fault)
                 : NULL;
}

int idv_analyzer_is_ready(const idv_analyzer_t *analyzer)
{
    return analyzer->ready;
}

const char *idv_analyzer_layers(const idv_analyzer_t *analyzer)
{
    return analyzer->layers;
}

const char *idv_analyzer_missing_layers(const idv_analyzer_t *analyzer)
{
    return analyzer->missing;
}

/* --- a submission --- */

static void close_stream(idv_analysis_t *analysis, idv_analysis_state_t state)
{
    if (analysis->stream >= 0)
        close(analysis->stream);
    analysis->stream = -1;
    analysis->state = state;
}

static apr_status_t close_analysis(void *data)
{
    idv_analysis_cancel(data);
    return APR_SUCCESS;
}

/* Sends STREAM over the control socket; non-zero on success. */
static int hand_over(int control, int stream)
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
    return sendmsg(control, &message, MSG_DONTWAIT | MSG_NOSIGNAL) == 1;
}

static idv_analysis_t *make_analysis(int stream, idv_time_t deadline,
                                     apr_pool_t *pool)
{
    idv_analysis_t *analysis = apr_pcalloc(pool, sizeof(*analysis));

    analysis->stream = stream;
    analysis->deadline = deadline;
    analysis->pool = pool;
    apr_pool_cleanup_register(pool, analysis, close_analysis,
                              apr_pool_cleanup_null);
    return analysis;
}

idv_error_t *idv_analyzer_submit(idv_analyzer_t *analyzer,
                                 const idv_analysis_request_t *request,
                                 idv_time_t deadline, idv_analysis_t **out,
                                 apr_pool_t *pool)
{
    idv_analysis_t *analysis;
    int stream[2], handed;
    idv_bytes_t head;

    *out = NULL;
    if (!analyzer->ready)
        return idv_error_unavailable(pool, 1, "verify-analyze is not ready");
    IDV_TRY(idv_analysis_request_encode(request, &head, pool));
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, stream) != 0)
        return idv_error_apr(pool, errno, "cannot make a socket pair");
    analysis = make_analysis(stream[0], deadline, pool);
    handed = fcntl(stream[0], F_SETFL, O_NONBLOCK) == 0 &&
             hand_over(analyzer->control, stream[1]);
    close(stream[1]);
    if (!handed) {
        idv_analysis_cancel(analysis);
        return idv_error_unavailable(pool, 1, "verify-analyze is busy");
    }
    analysis->parts[0] = (struct iovec){(void *)head.data, head.length};
    analysis->part_count = 1 + request->part_count;
    for (int i = 0; i < request->part_count; i++)
        analysis->parts[1 + i] =
            (struct iovec){(void *)request->parts[i].bytes.data,
                           request->parts[i].bytes.length};
    *out = analysis;
    return NULL;
}

int idv_analysis_fd(const idv_analysis_t *analysis)
{
    return analysis->stream;
}

static int is_sending(const idv_analysis_t *analysis)
{
    return analysis->part < analysis->part_count;
}

short idv_analysis_events(const idv_analysis_t *analysis)
{
    return is_sending(analysis) ? POLLOUT : POLLIN;
}

static int would_block(void)
{
    return errno == EAGAIN || errno == EINTR;
}

static void send_parts(idv_analysis_t *analysis)
{
    while (is_sending(analysis)) {
        struct iovec *part = &analysis->parts[analysis->part];
        ssize_t count = send(analysis->stream, part->iov_base, part->iov_len,
                             MSG_NOSIGNAL | MSG_DONTWAIT);

        if (count < 0) {
            if (!would_block())
                close_stream(analysis, IDV_ANALYSIS_FAILED);
            return;
        }
        part->iov_base = (char *)part->iov_base + count;
        part->iov_len -= (size_t)count;
        if (part->iov_len == 0)
            analysis->part++;
    }
}

static idv_analysis_answer_t decode_answer(const idv_analysis_t *analysis)
{
    return idv_analysis_answer_decode(
        (idv_bytes_t){analysis->answer, analysis->received});
}

/* Makes room for MOST bytes more: first for the length, then, once that is
 * known and within its limit, for the whole. */
static void make_room(idv_analysis_t *analysis, apr_size_t most)
{
    apr_size_t room = analysis->received + most;
    unsigned char *answer;

    if (room <= analysis->room)
        return;
    answer = apr_palloc(analysis->pool, room);
    idv_wipe_with_pool(answer, room, analysis->pool);
    if (analysis->received)
        memcpy(answer, analysis->answer, analysis->received);
    analysis->answer = answer;
    analysis->room = room;
}

/* Reads one more piece of the answer; zero when none has come. */
static int receive_piece(idv_analysis_t *analysis, apr_size_t most)
{
    ssize_t count;

    make_room(analysis, most);
    count = recv(analysis->stream, analysis->answer + analysis->received, most,
                 MSG_DONTWAIT);

    if (count < 0 && would_block())
        return 0;
    if (count <= 0)
        close_stream(analysis, IDV_ANALYSIS_FAILED);
    else
        analysis->received += (apr_size_t)count;
    return 1;
}

static void receive_answer(idv_analysis_t *analysis)
{
    while (analysis->state == IDV_ANALYSIS_RUNNING) {
        idv_analysis_answer_t answer = decode_answer(analysis);

        switch (answer.state) {
        case IDV_ANALYSIS_ANSWER_PARTIAL:
            if (!receive_piece(analysis, answer.missing))
                return;
            break;
        case IDV_ANALYSIS_ANSWER_FINDINGS:
            close_stream(analysis, IDV_ANALYSIS_DONE);
            break;
        case IDV_ANALYSIS_ANSWER_TOO_LONG:
            close_stream(analysis, IDV_ANALYSIS_TOO_LONG);
            break;
        case IDV_ANALYSIS_ANSWER_BROKEN:
            close_stream(analysis, IDV_ANALYSIS_FAILED);
            break;
        }
    }
}

idv_analysis_state_t idv_analysis_step(idv_analysis_t *analysis,
                                       idv_time_t now)
{
    if (analysis->state == IDV_ANALYSIS_RUNNING && is_sending(analysis))
        send_parts(analysis);
    if (analysis->state == IDV_ANALYSIS_RUNNING && !is_sending(analysis))
        receive_answer(analysis);
    if (analysis->state == IDV_ANALYSIS_RUNNING && now >= analysis->deadline)
        close_stream(analysis, IDV_ANALYSIS_FAILED);
    return analysis->state;
}

idv_bytes_t idv_analysis_findings(const idv_analysis_t *analysis)
{
    if (analysis->state != IDV_ANALYSIS_DONE)
        return (idv_bytes_t){NULL, 0};
    return decode_answer(analysis).findings;
}

void idv_analysis_cancel(idv_analysis_t *analysis)
{
    if (analysis->state == IDV_ANALYSIS_RUNNING)
        close_stream(analysis, IDV_ANALYSIS_FAILED);
}
