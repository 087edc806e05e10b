/* SPDX-License-Identifier: Apache-2.0 */
/*
 * call_filter errno|kill allow|refuse NAME,NAME… COMMAND…: runs COMMAND behind a
 * filter of system calls as SystemCallFilter= of a systemd unit makes one. What
 * is not allowed, or is refused, fails with EPERM (SystemCallErrorNumber=EPERM)
 * or ends the process (systemd's default). Names that libseccomp does not know
 * are passed over, as systemd does.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <seccomp.h>

static void fail(const char *what)
{
    fprintf(stderr, "call_filter: %s\n", what);
    exit(127);
}

static void add_names(scmp_filter_ctx filter, uint32_t action, char *names)
{
    for (char *name = strtok(names, ","); name; name = strtok(NULL, ",")) {
        int call = seccomp_syscall_resolve_name(name);

        if (call == __NR_SCMP_ERROR)
            continue;
        if (seccomp_rule_add(filter, action, call, 0) != 0)
            fail(name);
    }
}

int main(int count, char **arguments)
{
    uint32_t refusal = SCMP_ACT_ERRNO(EPERM);
    int is_list_of_allowed;
    scmp_filter_ctx filter;

    if (count < 5)
        fail("errno|kill allow|refuse NAMES COMMAND...");
    if (strcmp(arguments[1], "kill") == 0)
        refusal = SCMP_ACT_KILL_PROCESS;
    is_list_of_allowed = strcmp(arguments[2], "allow") == 0;
    filter = seccomp_init(is_list_of_allowed ? refusal : SCMP_ACT_ALLOW);
    if (!filter)
        fail("no filter");
    add_names(filter, is_list_of_allowed ? SCMP_ACT_ALLOW : refusal,
              arguments[3]);
    /* As with NoNewPrivileges=yes; root does not need it. */
    if (geteuid() == 0)
        seccomp_attr_set(filter, SCMP_FLTATR_CTL_NNP, 0);
    if (seccomp_load(filter) != 0)
        fail("the filter is not loaded");
    seccomp_release(filter);
    execvp(arguments[4], arguments + 4);
    fail(strerror(errno));
}
