/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/zygote.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef struct {
    pid_t pid; /* 0: free */
    idv_time_t until;
    int killed;
} slot_t;

typedef struct {
    const idv_zygote_settings_t *settings;
    int signals; /* signalfd of SIGCHLD */
    int busy;
    slot_t slots[IDV_ZYGOTE_CHILDREN_MAX];
} zygote_t;

/* A clock that nobody sets back while a child is being timed. */
static idv_time_t steady_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (idv_time_t)now.tv_sec * IDV_SECOND + now.tv_nsec / 1000000;
}

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
    const char *names = idv_sandbox_layer_names(layers, pool);

    /* Where the client has gone meanwhile, serving ends at once, in order. */
    if (send(zygote->settings->control, names, strlen(names), MSG_NOSIGNAL) < 0
        && errno != EPIPE && errno != ECONNRESET)
        return idv_error_apr(pool, errno, "cannot report readiness");
    return NULL;
}

static void log_end(const slot_t *slot, int status)
{
    if (slot->killed)
        fprintf(stderr, "verify-analyze: child %d exceeded its time\n",
                (int)slot->pid);
    else if (WIFSIGNALED(status))
        fprintf(stderr, "verify-analyze: child %d ended by signal %d\n",
                (int)slot->pid, WTERMSIG(status));
    else if (WEXITSTATUS(status) != IDV_CHILD_DONE)
        fprintf(stderr, "verify-analyze: child %d ended with code %d\n",
                (int)slot->pid, WEXITSTATUS(status));
}

static void reap(zygote_t *zygote)
{
    struct signalfd_siginfo info;
    int status;
    pid_t pid;

    while (read(zygote->signals, &info, sizeof(info)) == sizeof(info))
        ;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
        for (int i = 0; i < zygote->settings->children; i++) {
            slot_t *slot = &zygote->slots[i];

            if (slot->pid != pid)
                continue;
            log_end(slot, status);
            memset(slot, 0, sizeof(*slot));
            zygote->busy--;
        }
}

/* Kills who is late; returns the milliseconds until the next one will be, or
 * -1. */
static int enforce_time(zygote_t *zygote)
{
    idv_time_t now = steady_now(), next = 0;

    for (int i = 0; i < zygote->settings->children; i++) {
        slot_t *slot = &zygote->slots[i];

        if (!slot->pid || slot->killed)
            continue;
        if (slot->until <= now) {
            slot->killed = 1;
            kill(slot->pid, SIGKILL);
        } else if (next == 0 || slot->until < next) {
            next = slot->until;
        }
    }
    return next ? (int)(next - now) : -1;
}

/* What they would find nobody waits for any more. */
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

/* Takes one packet: 1 and the descriptor in *STREAM (-1 when the packet had
 * none), 0 when the client has gone. */
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
        fprintf(stderr, "verify-analyze: %s\n", idv_error_cause(error));
        return;
    }
    slot->until = steady_now() + zygote->settings->wall_seconds * IDV_SECOND;
    zygote->busy++;
}

static idv_error_t *serve(zygote_t *zygote, apr_pool_t *pool)
{
    int control = zygote->settings->control, stream;

    for (;;) {
        struct pollfd polled[2] = {{zygote->signals, POLLIN, 0},
                                   {control, POLLIN, 0}};

        /* While every slot is taken, only the end of the client counts. */
        if (zygote->busy >= zygote->settings->children)
            polled[1].events = 0;
        if (poll(polled, 2, enforce_time(zygote)) < 0 && errno != EINTR)
            return idv_error_apr(pool, errno, "cannot poll");
        reap(zygote);
        if (polled[1].revents & (POLLHUP | POLLERR | POLLNVAL))
            return NULL;
        if (!(polled[1].revents & POLLIN)
            || zygote->busy >= zygote->settings->children)
            continue;
        apr_pool_clear(pool);
        if (!take_stream(control, &stream))
            return NULL;
        if (stream < 0)
            continue;
        start_child(zygote, stream, pool);
        close(stream);
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
    IDV_TRY(idv_child_probe(&settings->child, &layers, pool));
    IDV_TRY(watch_children(zygote, pool));
    IDV_TRY(report_ready(zygote, layers, pool));
    if (apr_pool_create(&round, pool) != APR_SUCCESS)
        return idv_error_internal(pool, "no pool");
    error = serve(zygote, round);
    end_children(zygote);
    return error;
}
