/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reaper RECORD COMMAND…: runs COMMAND and ends with its status, while a
 * process in the background adopts whatever COMMAND leaves running and writes
 * into RECORD how each of it ended: "PID STATUS NAME", of waitpid(2), a line. The
 * line "end" follows when nothing is left.
 *
 * That is how a test learns the status of a daemon, whose parent has gone.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static void fail(const char *what)
{
    perror(what);
    exit(127);
}

static void record(int file, const char *line)
{
    if (write(file, line, strlen(line)) < 0)
        _exit(127);
}

static void let_go_of_output(void)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);

    for (int fd = 0; fd < 3; fd++)
        if (null < 0 || dup2(null, fd) < 0)
            fail("/dev/null");
}

/* The name of a process that has ended and was not waited for yet. */
static void name_of(pid_t pid, char *name, size_t size)
{
    char path[32];
    ssize_t length;
    int file;

    snprintf(path, sizeof(path), "/proc/%d/comm", (int)pid);
    file = open(path, O_RDONLY | O_CLOEXEC);
    length = file < 0 ? 0 : read(file, name, size - 1);
    name[length > 0 ? length : 0] = '\0';
    name[strcspn(name, "\n")] = '\0';
    if (file >= 0)
        close(file);
}

/* Waits for the next one to end; its process id, or -1 when none is left. */
static pid_t next_end(int *status, char *name, size_t size)
{
    siginfo_t info;

    while (waitid(P_ALL, 0, &info, WEXITED | WNOWAIT) != 0)
        if (errno != EINTR)
            return -1;
    name_of(info.si_pid, name, size);
    return waitpid(info.si_pid, status, 0);
}

/* In the background: all that is adopted, and the command itself, whose status
 * goes to ANSWER. */
static void reap(int file, pid_t command, int answer)
{
    char line[96], name[32];
    int status;
    pid_t pid;

    while ((pid = next_end(&status, name, sizeof(name))) > 0) {
        if (pid == command) {
            if (write(answer, &status, sizeof(status)) < 0)
                _exit(127);
            close(answer);
        } else {
            snprintf(line, sizeof(line), "%d %d %s\n", (int)pid, status,
                     name);
            record(file, line);
        }
    }
    record(file, "end\n");
    _exit(0);
}

static void adopt(const char *path, char **arguments, int answer)
{
    int file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    pid_t command;

    if (file < 0)
        fail(path);
    setsid();
    if (prctl(PR_SET_CHILD_SUBREAPER, 1) != 0)
        fail("prctl");
    command = fork();
    if (command < 0)
        fail("fork");
    if (command == 0) {
        execvp(*arguments, arguments);
        fail(*arguments);
    }
    let_go_of_output();
    reap(file, command, answer);
}

int main(int count, char **arguments)
{
    int answer[2], status;
    pid_t pid;

    if (count < 3) {
        fputs("Usage: reaper RECORD COMMAND...\n", stderr);
        return 127;
    }
    if (pipe2(answer, O_CLOEXEC) != 0)
        fail("pipe");
    pid = fork();
    if (pid < 0)
        fail("fork");
    if (pid == 0)
        adopt(arguments[1], arguments + 2, answer[1]);
    close(answer[1]);
    if (read(answer[0], &status, sizeof(status)) != sizeof(status))
        return 127;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
