/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/process/process_end.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <apr_strings.h>

#include "core/clock.h"

#define LOOK_AGAIN 50 /* ms; where the kernel has no descriptors of processes */

int idv_process_wait(pid_t pid, int patience, int *status)
{
    idv_time_t until = idv_time_steady() + patience;
    /* Poll passes over a descriptor of -1 and only sleeps. */
    struct pollfd process = {.fd = (int)syscall(SYS_pidfd_open, pid, 0),
                             .events = POLLIN};
    pid_t ended;

    while ((ended = waitpid(pid, status, WNOHANG)) == 0
           && idv_time_steady() < until)
        poll(&process, 1, LOOK_AGAIN);
    if (process.fd >= 0)
        close(process.fd);
    if (ended < 0)
        *status = -1;
    return ended != 0;
}

int idv_process_end(pid_t pid, int patience)
{
    int status;
    pid_t ended;

    if (idv_process_wait(pid, patience, &status))
        return status;
    kill(pid, SIGKILL);
    while ((ended = waitpid(pid, &status, 0)) < 0 && errno == EINTR)
        continue;
    return ended == pid ? status : -1;
}

const char *idv_process_end_fault(int status, apr_pool_t *pool)
{
    if (status == 0)
        return NULL;
    if (status == -1)
        return "for an unknown reason";
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS)
        return "signal SIGSYS: a system call is forbidden. Under systemd, "
               "SystemCallFilter must allow it";
    if (WIFSIGNALED(status))
        return apr_psprintf(pool, "signal %d", WTERMSIG(status));
    return apr_psprintf(pool, "status %d", WEXITSTATUS(status));
}
