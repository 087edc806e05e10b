/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/zygote.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <apr_strings.h>

#define YIELDING 10 /* nice value: a tenth of a new child's share */

/* Whether it has yielded to others, or why it was killed. */
typedef enum { ALIVE, YIELDS, LATE, ABANDONED } slot_state_t;

typedef struct {
    pid_t pid; /* 0: free */
    int stream;
    idv_time_t patience, until; /* when it starts to yield, when it ends */
    slot_state_t state;
} slot_t;

typedef struct {
    const idv_zygote_settings_t *settings;
    int signals; /* signalfd of SIGCHLD */
    int busy;
    slot_t slots[IDV_ZYGOTE_CHILDREN_MAX];
} zygote_t;

static idv_error_t *watch_children(zygote_t *zygote, apr_pool_t *pool)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    sigprocmask(SIG_BLOCK, &set, NULL);
    zygote->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    if (zygote->signals < 0)
        return idv_error_apr(pool, errno, "cannot watch children");
    return NULL;
}

static idv_error_t *report_ready(const zygote_t *zygote, unsigned layers,
                                 apr_pool_t *pool)
{
    const idv_analysis_readiness_t ready = {
        .layers = idv_sandbox_layer_names(layers, pool),
        .missing = idv_sandbox_layer_names(idv_sandbox_layers_missing(layers),
                                           pool)};
    idv_bytes_t packet = idv_analysis_readiness_encode(&ready, pool);

    /* A client that has gone meanwhile is not an error: the loop in serve()
     * sees the closed socket and ends in order. */
    if (send(zygote->settings->control, packet.data, packet.length,
             MSG_NOSIGNAL)
            < 0
        && errno != EPIPE && errno != ECONNRESET)
        return idv_error_apr(pool, errno, "cannot report readiness");
    return NULL;
}

static void log_end(const slot_t *slot, int status)
{
    if (slot->state == ABANDONED)
        return;
    if (slot->state == LATE)
        fprintf(stderr, "verify-analyze: child %d exceeded its time\n",
                (int)slot->pid);
    else if (WIFSIGNALED(status))
        fprintf(stderr, "verify-analyze: child %d ended by signal %d\n",
                (int)slot->pid, WTERMSIG(status));
    else if (WEXITSTATUS(status) != IDV_CHILD_DONE
             && WEXITSTATUS(status) != IDV_CHILD_OUT_OF_TIME)
        fprintf(stderr, "verify-analyze: child %d ended with code %d\n",
                (int)slot->pid, WEXITSTATUS(status));
}

/* Non-zero if a killed child had spent its time computing, so that its evidence
 * is to blame. */
static int was_computing(const zygote_t *zygote, const slot_t *slot, int status,
                         const struct rusage *usage)
{
    const idv_child_settings_t *child = &zygote->settings->child;
    double seconds =
        (double)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec)
        + (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) / 1e6;

    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL)
        return 0;
    if (slot->state == LATE)
        return idv_child_computed(child, seconds);
    return seconds >= child->cpu_seconds;
}

static void end_slot(zygote_t *zygote, slot_t *slot, int status,
                     const struct rusage *usage)
{
    log_end(slot, status);
    /* The child may have filled the buffer of the stream. The zygote must not
     * wait until somebody empties it. */
    if (was_computing(zygote, slot, status, usage)
        && fcntl(slot->stream, F_SETFL, O_NONBLOCK) == 0)
        idv_findings_send_time_out(slot->stream);
    close(slot->stream);
    memset(slot, 0, sizeof(*slot));
    zygote->busy--;
}

static void reap(zygote_t *zygote)
{
    struct signalfd_siginfo info;
    struct rusage usage;
    int status;
    pid_t pid;

    while (read(zygote->signals, &info, sizeof(info)) == sizeof(info))
        ;
    while ((pid = wait4(-1, &status, WNOHANG, &usage)) > 0)
        for (int i = 0; i < zygote->settings->children; i++)
            if (zygote->slots[i].pid == pid)
                end_slot(zygote, &zygote->slots[i], status, &usage);
}

static void kill_slot(slot_t *slot, slot_state_t why)
{
    slot->state = why;
    kill(slot->pid, SIGKILL);
}

static int is_running(const slot_t *slot)
{
    return slot->pid && slot->state <= YIELDS;
}

/* Lowers the priority of the child of SLOT, or kills it, when it is time.
 * Returns the time of the next step; 0: never. */
static idv_time_t enforce_time_of(slot_t *slot, idv_time_t now)
{
    if (slot->until <= now) {
        kill_slot(slot, LATE);
        return 0;
    }
    if (slot->state == ALIVE && slot->patience <= now) {
        slot->state = YIELDS;
        /* If that fails, the child shares the processors equally with the
         * others. */
        (void)setpriority(PRIO_PROCESS, (id_t)slot->pid, YIELDING);
    }
    return slot->state == ALIVE && slot->patience < slot->until
             ? slot->patience
             : slot->until;
}

/* Handles all children whose time has come. Returns the milliseconds until it
 * must be called again; -1 if no child is left. */
static int enforce_time(zygote_t *zygote)
{
    idv_time_t now = idv_time_steady(), next = 0;

    for (int i = 0; i < zygote->settings->children; i++) {
        slot_t *slot = &zygote->slots[i];
        idv_time_t due = is_running(slot) ? enforce_time_of(slot, now) : 0;

        if (due && (next == 0 || due < next))
            next = due;
    }
    return next ? (int)(next - now) : -1;
}

/* Kills and reaps all children: the client has gone, so nobody waits for their
 * findings. */
static void end_children(zygote_t *zygote)
{
    for (int i = 0; i < zygote->settings->children; i++) {
        pid_t pid = zygote->slots[i].pid;

        if (!pid)
            continue;
        kill(pid, SIGKILL);
        while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
            continue;
    }
}

/* Takes one packet: returns 1, with the descriptor in *STREAM (-1 if the packet
 * had none), or 0 if the client has gone. */
static int take_stream(int control, int *stream)
{
    char byte, space[CMSG_SPACE(sizeof(int))];
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = space,
                             .msg_controllen = sizeof(space)};
    struct cmsghdr *header;
    ssize_t count = recvmsg(control, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);

    *stream = -1;
    if (count < 0)
        return errno == EAGAIN || errno == EINTR;
    if (count == 0)
        return 0;
    header = CMSG_FIRSTHDR(&message);
    if (header && header->cmsg_level == SOL_SOCKET
        && header->cmsg_type == SCM_RIGHTS
        && header->cmsg_len == CMSG_LEN(sizeof(int)))
        memcpy(stream, CMSG_DATA(header), sizeof(int));
    return 1;
}

static void start_child(zygote_t *zygote, int stream, apr_pool_t *pool)
{
    slot_t *slot = zygote->slots;
    idv_error_t *error;

    while (slot->pid)
        slot++;
    error = idv_child_start(&zygote->settings->child, stream, &slot->pid, pool);
    if (error) {
        slot->pid = 0;
        close(stream);
        fprintf(stderr, "verify-analyze: %s\n", idv_error_cause(error));
        return;
    }
    slot->stream = stream;
    slot->patience = idv_time_steady()
                   + zygote->settings->patience_seconds * IDV_SECOND;
    slot->until = idv_time_steady()
                + (zygote->settings->child.wall_seconds
                   + zygote->settings->grace_seconds)
                      * IDV_SECOND;
    zygote->busy++;
}

/* Waits for the control socket, for the end of a child or a client, or for a
 * child's time limit, and ends children that nobody waits for. *EVENTS are the
 * control socket's. */
static idv_error_t *wait_for_events(zygote_t *zygote, short *events,
                                    apr_pool_t *pool)
{
    enum { CONTROL, SIGNALS, STREAMS };
    struct pollfd polled[STREAMS + IDV_ZYGOTE_CHILDREN_MAX] = {
        [CONTROL] = {zygote->settings->control, POLLIN, 0},
        [SIGNALS] = {zygote->signals, POLLIN, 0}};
    int children = zygote->settings->children;

    /* While every slot is taken, further submissions wait in the socket; poll()
     * still reports a client that has gone. */
    if (zygote->busy >= children)
        polled[CONTROL].events = 0;
    for (int i = 0; i < children; i++)
        polled[STREAMS + i].fd =
            is_running(&zygote->slots[i]) ? zygote->slots[i].stream : -1;
    *events = 0;
    if (poll(polled, (nfds_t)STREAMS + (nfds_t)children, enforce_time(zygote))
            < 0
        && errno != EINTR)
        return idv_error_apr(pool, errno, "cannot poll");
    reap(zygote);
    for (int i = 0; i < children; i++)
        if (zygote->slots[i].pid
            && (polled[STREAMS + i].revents & (POLLHUP | POLLERR)))
            kill_slot(&zygote->slots[i], ABANDONED);
    *events = polled[CONTROL].revents;
    return NULL;
}

static idv_error_t *serve(zygote_t *zygote, apr_pool_t *pool)
{
    int control = zygote->settings->control, stream;

    for (;;) {
        short events;

        apr_pool_clear(pool);
        IDV_TRY(wait_for_events(zygote, &events, pool));
        if (events & (POLLHUP | POLLERR | POLLNVAL))
            return NULL;
        if (!(events & POLLIN) || zygote->busy >= zygote->settings->children)
            continue;
        if (!take_stream(control, &stream))
            return NULL;
        if (stream < 0)
            continue;
        start_child(zygote, stream, pool);
    }
}

idv_error_t *idv_zygote_run(const idv_zygote_settings_t *settings,
                            apr_pool_t *pool)
{
    zygote_t *zygote = apr_pcalloc(pool, sizeof(*zygote));
    apr_pool_t *round;
    unsigned layers = 0;
    idv_error_t *error;

    zygote->settings = settings;
    IDV_TRY(idv_sandbox_prepare(&layers, pool));
    /* From the first child on, SIGTERM would end the zygote without reaping its
     * children. Closing the control socket ends them in order. */
    signal(SIGTERM, SIG_IGN);
    IDV_TRY(idv_child_probe(&settings->child, &layers, pool));
    IDV_TRY(watch_children(zygote, pool));
    IDV_TRY(report_ready(zygote, layers, pool));
    if (apr_pool_create(&round, pool) != APR_SUCCESS)
        return idv_error_internal(pool, "no pool");
    error = serve(zygote, round);
    end_children(zygote);
    return error;
}
