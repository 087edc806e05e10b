/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Preloaded into httpd by tests: writes down the status of each process that
 * one of httpd's processes waits for, as reaper.c does for what it adopts, into
 * the file that VERIFY_EXIT_RECORD names. httpd itself logs how a child ended
 * only when that was a signal, and of other processes nothing.
 *
 * The file is opened once: httpd's children may not open it any more.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Out of the way of programs that count descriptors from below. */
#define FIRST_DESCRIPTOR 500

static int record = -1;
static pid_t (*next)(pid_t pid, int *status, int options);

__attribute__((constructor)) static void begin(void)
{
    const char *path = getenv("VERIFY_EXIT_RECORD");
    int file = path ? open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600)
                    : -1;

    *(void **)&next = dlsym(RTLD_NEXT, "waitpid");
    if (file < 0)
        return;
    record = fcntl(file, F_DUPFD_CLOEXEC, FIRST_DESCRIPTOR);
    close(file);
}

pid_t waitpid(pid_t pid, int *status, int options)
{
    int told = 0, saved;
    pid_t ended = next(pid, &told, options);
    char line[64];

    if (status && ended > 0)
        *status = told;
    if (ended <= 0 || record < 0 || !(WIFEXITED(told) || WIFSIGNALED(told)))
        return ended;
    saved = errno;
    snprintf(line, sizeof(line), "%d %d\n", (int)ended, told);
    if (write(record, line, strlen(line)) < 0)
        abort();
    errno = saved;
    return ended;
}
