/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/sandbox.h"

#include <errno.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <apr_strings.h>
#include <linux/seccomp.h>
#include <seccomp.h>

/* The user and group that a process of root changes to: Debian's nobody and
 * nogroup. */
enum { UNPRIVILEGED_ID = 65534 };

static idv_error_t *drop_privileges(unsigned *layers, apr_pool_t *pool)
{
    if (geteuid() != 0) {
        *layers |= IDV_SANDBOX_UNPRIVILEGED_USER;
        return NULL;
    }
    /* A container without the capabilities continues as its own root. */
    if (setgroups(0, NULL) != 0)
        return NULL;
    if (setresgid(UNPRIVILEGED_ID, UNPRIVILEGED_ID, UNPRIVILEGED_ID) != 0
        || setresuid(UNPRIVILEGED_ID, UNPRIVILEGED_ID, UNPRIVILEGED_ID) != 0)
        return idv_error_apr(pool, errno, "cannot drop privileges");
    *layers |= IDV_SANDBOX_UNPRIVILEGED_USER;
    return NULL;
}

idv_error_t *idv_sandbox_prepare(unsigned *layers, apr_pool_t *pool)
{
    int no_network = unshare(CLONE_NEWNET) == 0;

    IDV_TRY(drop_privileges(layers, pool));
    /* Privileges are dropped before a user namespace is created: inside it,
     * geteuid() does not tell whether the process was root's. */
    if (no_network || unshare(CLONE_NEWUSER | CLONE_NEWNET) == 0)
        *layers |= IDV_SANDBOX_NETWORK_NAMESPACE;
    /* This comes after the change of user, which makes the process dumpable
     * again (prctl(2), PR_SET_DUMPABLE). */
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0)
        *layers |= IDV_SANDBOX_NOT_DUMPABLE;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return idv_error_apr(pool, errno, "cannot renounce privileges");
    *layers |= IDV_SANDBOX_NO_NEW_PRIVILEGES;
    return NULL;
}

static int limit_to(int resource, apr_uint64_t soft, apr_uint64_t hard)
{
    struct rlimit both = {soft, hard};

    return setrlimit(resource, &both) == 0;
}

static int limit(int resource, apr_uint64_t value)
{
    return limit_to(resource, value, value);
}

static idv_error_t *limit_resources(const idv_sandbox_limits_t *limits,
                                    unsigned *layers, apr_pool_t *pool)
{
    /* A write to a file is then an error instead of a signal. */
    signal(SIGXFSZ, SIG_IGN);
    if (!limit(RLIMIT_CORE, 0) || !limit(RLIMIT_FSIZE, 0)
        || !limit(RLIMIT_NOFILE, (apr_uint64_t)limits->stream + 1)
        || !limit(RLIMIT_MEMLOCK, 0) || !limit(RLIMIT_MSGQUEUE, 0)
        || !limit_to(RLIMIT_CPU, (apr_uint64_t)limits->cpu_seconds,
                     (apr_uint64_t)limits->cpu_seconds + 1))
        return idv_error_apr(pool, errno, "cannot limit resources");
        /* The shadow memory of a sanitizer is larger than any limit. */
#ifndef __SANITIZE_ADDRESS__
    if (!limit(RLIMIT_AS, limits->memory_bytes))
        return idv_error_apr(pool, errno, "cannot limit memory");
#endif
    *layers |= IDV_SANDBOX_RESOURCE_LIMITS;
    /* RLIMIT_NPROC has no effect on a process with CAP_SYS_RESOURCE, which
     * processes of root have: the layer is not in force there. */
    if (limit(RLIMIT_NPROC, 0) && geteuid() != 0)
        *layers |= IDV_SANDBOX_PROCESS_LIMIT;
    return NULL;
}

/* Calls without which computing is impossible. */
static const int allowed_calls[] = {
    SCMP_SYS(close),         SCMP_SYS(munmap),
    SCMP_SYS(mremap),        SCMP_SYS(madvise),
    SCMP_SYS(brk),           SCMP_SYS(futex),
    SCMP_SYS(clock_gettime), SCMP_SYS(gettimeofday),
    SCMP_SYS(getpid),        SCMP_SYS(gettid),
    SCMP_SYS(sched_yield),   SCMP_SYS(sched_getaffinity),
    SCMP_SYS(exit),          SCMP_SYS(exit_group),
    SCMP_SYS(rt_sigreturn),  SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(getrandom),     SCMP_SYS(restart_syscall),
    SCMP_SYS(lseek),         SCMP_SYS(fstat),
    SCMP_SYS(getrusage),
#ifdef __SANITIZE_ADDRESS__
    SCMP_SYS(sigaltstack), /* before every function that does not return */
#endif
};

/* Calls that libraries try and can do without: they fail with EACCES. */
static const int refused_calls[] = {
    SCMP_SYS(openat),    SCMP_SYS(open),       SCMP_SYS(access),
    SCMP_SYS(faccessat), SCMP_SYS(faccessat2), SCMP_SYS(newfstatat),
    SCMP_SYS(stat),      SCMP_SYS(readlink),   SCMP_SYS(ioctl),
    SCMP_SYS(sysinfo),   SCMP_SYS(prlimit64),  SCMP_SYS(sched_setaffinity),
    SCMP_SYS(uname),
};

/* Calls allowed only on the stream; on any other descriptor they fail. */
static const int stream_calls[] = {
    SCMP_SYS(read),
    SCMP_SYS(write),
    SCMP_SYS(readv),
    SCMP_SYS(writev),
};

/* Calls that must not request executable memory. */
static const int mapping_calls[] = {SCMP_SYS(mmap), SCMP_SYS(mprotect)};

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* Adds a rule for CALL that applies if its argument compares so. */
static int add_rule(scmp_filter_ctx filter, uint32_t action, int call,
                    struct scmp_arg_cmp argument)
{
    return seccomp_rule_add_array(filter, action, call, 1, &argument);
}

static int add_rules(scmp_filter_ctx filter, int stream)
{
    const struct scmp_arg_cmp on_stream = {0, SCMP_CMP_EQ, (unsigned)stream, 0};
    const struct scmp_arg_cmp elsewhere = {0, SCMP_CMP_NE, (unsigned)stream, 0};
    const struct scmp_arg_cmp no_code = {2, SCMP_CMP_MASKED_EQ, PROT_EXEC, 0};
    const struct scmp_arg_cmp own_time = {0, SCMP_CMP_EQ, ITIMER_PROF, 0};
    int failed = 0;

    for (size_t i = 0; i < COUNT(allowed_calls); i++)
        failed |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowed_calls[i], 0);
    for (size_t i = 0; i < COUNT(refused_calls); i++)
        failed |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(EACCES),
                                   refused_calls[i], 0);
    for (size_t i = 0; i < COUNT(stream_calls); i++) {
        failed |= add_rule(filter, SCMP_ACT_ALLOW, stream_calls[i], on_stream);
        failed |=
            add_rule(filter, SCMP_ACT_ERRNO(EBADF), stream_calls[i], elsewhere);
    }
    for (size_t i = 0; i < COUNT(mapping_calls); i++)
        failed |= add_rule(filter, SCMP_ACT_ALLOW, mapping_calls[i], no_code);
    /* A child limits its own processor time according to its request. */
    failed |=
        add_rule(filter, SCMP_ACT_ALLOW, SCMP_SYS(setitimer), own_time);
    return failed;
}

static apr_status_t release_filter(void *filter)
{
    seccomp_release(filter);
    return APR_SUCCESS;
}

/* Explains why there is no filter. Usually the environment that started httpd
 * denies the call that would load it. */
static idv_error_t *filter_fault(apr_pool_t *pool)
{
    unsigned action = SECCOMP_RET_KILL_PROCESS;

    if (syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0)
        return idv_error_internal(pool, "no memory for the seccomp filter");
    return idv_error_apr(pool, errno,
                         "the system call seccomp, which SystemCallFilter of a "
                         "systemd unit has to allow, is refused (errno %d)",
                         errno);
}

static idv_error_t *make_filter(int stream, scmp_filter_ctx *filter,
                                apr_pool_t *pool)
{
    *filter = seccomp_init(SCMP_ACT_KILL_PROCESS);
    if (!*filter)
        return filter_fault(pool);
    apr_pool_cleanup_register(pool, *filter, release_filter,
                              apr_pool_cleanup_null);
    /* Calls of another architecture's table also end the process, not only one
     * thread of it. */
    if (seccomp_attr_set(*filter, SCMP_FLTATR_ACT_BADARCH,
                         SCMP_ACT_KILL_PROCESS)
            != 0
        || add_rules(*filter, stream) != 0)
        return idv_error_internal(pool, "cannot write the seccomp filter");
    return NULL;
}

idv_error_t *idv_sandbox_write_list(int stream, int file, apr_pool_t *pool)
{
    scmp_filter_ctx filter;
    int status;

    IDV_TRY(make_filter(stream, &filter, pool));
    status = seccomp_export_bpf(filter, file);
    return status == 0
             ? NULL
             : idv_error_apr(pool, -status, "cannot write the seccomp filter");
}

static idv_error_t *list_system_calls(int stream, unsigned *layers,
                                      apr_pool_t *pool)
{
    scmp_filter_ctx filter;
    int status;

    IDV_TRY(make_filter(stream, &filter, pool));
    status = seccomp_load(filter);
    if (status != 0)
        return idv_error_apr(pool, -status, "cannot load the seccomp filter");
    *layers |= IDV_SANDBOX_SYSTEM_CALLS;
    return NULL;
}

idv_error_t *idv_sandbox_enter(const idv_sandbox_limits_t *limits,
                               unsigned *layers, apr_pool_t *pool)
{
    IDV_TRY(limit_resources(limits, layers, pool));
    return list_system_calls(limits->stream, layers, pool);
}

unsigned idv_sandbox_layers_missing(unsigned layers)
{
    return ~layers & ((1u << IDV_SANDBOX_LAYER_COUNT) - 1);
}

const char *idv_sandbox_layer_names(unsigned layers, apr_pool_t *pool)
{
    static const char *const names[] = {
#define X(name, text) text,
        IDV_SANDBOX_LAYERS(X)
#undef X
    };
    const char *list = "";

    for (int i = 0; i < IDV_SANDBOX_LAYER_COUNT; i++)
        if (layers & 1u << i)
            list = apr_pstrcat(pool, list, *list ? " " : "", names[i], NULL);
    return list;
}
