/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/child.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <apr_strings.h>

/* Runs a child that has entered the sandbox: it handles the descriptor STREAM,
 * and LAYERS are the layers in force. With a FAULT it could not enter, and must
 * not read from STREAM. Returns the exit code of the process. */
typedef int serve_t(const idv_child_settings_t *settings, int stream,
                    unsigned layers, const idv_error_t *fault,
                    apr_pool_t *pool);

/* The report that a child of idv_child_probe() writes to its stream. */
typedef struct {
    unsigned layers;
    char fault[256]; /* empty: none */
} probe_report_t;

/* The state of the clocks' signal handlers, to which nothing can be passed. It
 * must last as long as the process, because a clock may run out after any
 * function has returned. */
static const idv_child_settings_t *clock_settings; /* set before they run */
static idv_bytes_t clock_findings; /* so far; empty: nothing read yet */
static int clock_knows_request; /* the clock of processor time is set for it */

static double used_cpu_seconds(void)
{
    return (double)idv_processor_time_used() / IDV_SECOND;
}

int idv_child_computed(const idv_child_settings_t *settings, double cpu_seconds)
{
    return cpu_seconds >= settings->cpu_seconds / 4.0;
}

/* The handler may interrupt the change: findings of length 0 do not count. */
void idv_child_lay_down(idv_bytes_t *findings, idv_bytes_t so_far)
{
    findings->length = 0;
    atomic_signal_fence(memory_order_seq_cst);
    findings->data = so_far.data;
    atomic_signal_fence(memory_order_seq_cst);
    findings->length = so_far.length;
}

/* Non-zero if only the wall clock ran out. If the clock of processor time is
 * set for the request and has not run out, the machine was busy with other
 * work, however much was computed. */
static int was_kept_waiting(int signal_number)
{
    return signal_number == SIGALRM
        && (clock_knows_request
            || !idv_child_computed(clock_settings, used_cpu_seconds()));
}

static void on_clock(int signal_number)
{
    if (was_kept_waiting(signal_number))
        _exit(IDV_CHILD_KEPT_WAITING);
    if (clock_findings.data && clock_findings.length > 0)
        idv_findings_send_at_end(IDV_CHILD_STREAM, clock_findings);
    else
        idv_findings_send_time_out(IDV_CHILD_STREAM);
    _exit(IDV_CHILD_OUT_OF_TIME);
}

/* Starts the wall clock; the processor clock is a resource limit. */
static int start_clocks(const idv_child_settings_t *settings)
{
    struct itimerval wall = {.it_value = {settings->wall_seconds, 0}};
    struct sigaction action = {.sa_handler = on_clock};

    clock_settings = settings;
    sigfillset(&action.sa_mask);
    return sigaction(SIGALRM, &action, NULL) == 0
        && sigaction(SIGXCPU, &action, NULL) == 0
        && sigaction(SIGPROF, &action, NULL) == 0
        && setitimer(ITIMER_REAL, &wall, NULL) == 0;
}

/* Sets the clock of processor time to the allowance of REQUEST. */
static int limit_time(const idv_child_settings_t *settings,
                      const idv_analysis_request_t *request)
{
    int milliseconds = settings->allowance ? settings->allowance(request) : 0;
    struct itimerval left = {
        .it_value = {milliseconds / 1000, milliseconds % 1000 * 1000}};

    if (milliseconds == 0)
        return 1;
    clock_knows_request = 1;
    return setitimer(ITIMER_PROF, &left, NULL) == 0;
}

/* Blocks the signals of both clocks, so that neither ends the process while
 * findings are being written. */
static void stop_clocks(void)
{
    sigset_t clocks;

    sigemptyset(&clocks);
    sigaddset(&clocks, SIGALRM);
    sigaddset(&clocks, SIGXCPU);
    sigaddset(&clocks, SIGPROF);
    sigprocmask(SIG_BLOCK, &clocks, NULL);
}

static int out_of_memory(int status)
{
    (void)status;
    _exit(IDV_CHILD_NO_MEMORY);
}

static int serve_submission(const idv_child_settings_t *settings, int stream,
                            unsigned layers, const idv_error_t *fault,
                            apr_pool_t *pool)
{
    idv_analysis_request_t request;

    (void)stream;
    (void)layers;
    if (fault)
        return IDV_CHILD_NO_SANDBOX;
    if (idv_submission_receive(IDV_CHILD_STREAM, &request, pool))
        return IDV_CHILD_BAD_REQUEST;
    if (!limit_time(settings, &request))
        return IDV_CHILD_NO_SANDBOX;
    if (settings->work(settings->baton, &request, &clock_findings, pool))
        return IDV_CHILD_NO_FINDINGS;
    stop_clocks();
    if (idv_findings_send(IDV_CHILD_STREAM, clock_findings, pool))
        return IDV_CHILD_NOT_SENT;
    return IDV_CHILD_DONE;
}

static int serve_probe(const idv_child_settings_t *settings, int stream,
                       unsigned layers, const idv_error_t *fault,
                       apr_pool_t *pool)
{
    probe_report_t report = {.layers = layers};

    (void)settings;
    (void)pool;
    if (fault)
        apr_cpystrn(report.fault, idv_error_cause(fault),
                    sizeof(report.fault));
    if (write(stream, &report, sizeof(report)) != sizeof(report))
        return IDV_CHILD_NOT_SENT;
    return fault ? IDV_CHILD_NO_SANDBOX : IDV_CHILD_DONE;
}

/* Closes every descriptor except the stream, which becomes IDV_CHILD_STREAM. */
static int keep_only(int stream)
{
    if (stream != IDV_CHILD_STREAM && dup2(stream, IDV_CHILD_STREAM) < 0)
        return 0;
    return close_range(0, IDV_CHILD_STREAM - 1, 0) == 0
        && close_range(IDV_CHILD_STREAM + 1, ~0U, 0) == 0;
}

/* *STREAM becomes its number inside the sandbox. */
static idv_error_t *enter(const idv_child_settings_t *settings, int *stream,
                          unsigned *layers, apr_pool_t *pool)
{
    idv_sandbox_limits_t limits = {settings->memory_bytes,
                                   settings->cpu_seconds, IDV_CHILD_STREAM};

    if (!keep_only(*stream))
        return idv_error_apr(pool, errno,
                             "cannot close descriptors (close_range, errno "
                             "%d)", errno);
    *stream = IDV_CHILD_STREAM;
    if (!start_clocks(settings))
        return idv_error_apr(pool, errno,
                             "cannot start clocks (setitimer, errno %d)",
                             errno);
    return idv_sandbox_enter(&limits, layers, pool);
}

static void run_child(const idv_child_settings_t *settings, int stream,
                      serve_t *serve, pid_t parent)
{
    const idv_error_t *fault;
    unsigned layers = 0;
    apr_pool_t *pool;
    sigset_t none;

    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (getppid() != parent) /* it died before prctl() */
        _exit(IDV_CHILD_NO_SANDBOX);
    signal(SIGCHLD, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (apr_pool_create(&pool, NULL) != APR_SUCCESS)
        _exit(IDV_CHILD_NO_SANDBOX);
    fault = enter(settings, &stream, &layers, pool);
    apr_pool_abort_set(out_of_memory, pool);
    _exit(serve(settings, stream, layers, fault, pool));
}

static idv_error_t *start(const idv_child_settings_t *settings, int stream,
                          serve_t *serve, pid_t *pid, apr_pool_t *pool)
{
    pid_t parent = getpid();

    *pid = fork();
    if (*pid < 0)
        return idv_error_apr(pool, errno, "cannot fork");
    if (*pid == 0)
        run_child(settings, stream, serve, parent);
    return NULL;
}

idv_error_t *idv_child_start(const idv_child_settings_t *settings, int stream,
                             pid_t *pid, apr_pool_t *pool)
{
    return start(settings, stream, serve_submission, pid, pool);
}

/* The error of a probe: its child ended with the wait status STATUS after
 * writing REPORT, perhaps not all of it. */
static idv_error_t *probe_fault(int status, const probe_report_t *report,
                                apr_pool_t *pool)
{
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS)
        return idv_error_internal(
            pool, "a child that enters the sandbox is ended by SIGSYS, because "
                  "a system call that it needs is forbidden, probably seccomp. "
                  "Under systemd, SystemCallFilter must allow it");
    if (*report->fault)
        return idv_error_internal(pool, "a child cannot enter the sandbox: %s",
                                  report->fault);
    return idv_error_internal(pool,
                              "a child cannot enter the sandbox (wait status "
                              "%d)", status);
}

idv_error_t *idv_child_probe(const idv_child_settings_t *settings,
                             unsigned *layers, apr_pool_t *pool)
{
    probe_report_t report = {0};
    int stream[2], status = 0;
    idv_error_t *error;
    ssize_t count;
    pid_t pid;

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, stream) != 0)
        return idv_error_apr(pool, errno, "cannot make a socket pair");
    error = start(settings, stream[1], serve_probe, &pid, pool);
    close(stream[1]);
    if (!error) {
        count = read(stream[0], &report, sizeof(report));
        if (waitpid(pid, &status, 0) != pid || status != 0
            || count != sizeof(report))
            error = probe_fault(status, &report, pool);
    }
    close(stream[0]);
    *layers |= report.layers;
    return error;
}
