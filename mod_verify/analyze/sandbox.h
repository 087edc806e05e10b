/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_SANDBOX_H
#define IDV_ANALYZE_SANDBOX_H

/*
 * The sandbox of the process that reads untrusted images.
 *
 * It is entered in two steps. idv_sandbox_prepare() is for the zygote, once,
 * after the models are loaded: it gives up everything that no child needs
 * (privileges, network, being dumped or traced). idv_sandbox_enter() is for the
 * child, before it reads the first byte: resource limits, then the list of
 * system calls. Afterwards the child can only compute, allocate up to the
 * limit, read from and write to the one descriptor, and exit. Opening files
 * fails with EACCES. Any call that is not on the list, of whatever number or
 * system call table, ends the process with SIGSYS instead of failing: either
 * the reader was taken over or a library has changed, and neither may go
 * unnoticed.
 *
 * Two calls of x86_64 are on no list and still not refused: since 6.14, Linux
 * does not ask filters about uretprobe (335) and uprobe (336), which only
 * return from a probe of the kernel's own. Called in any other way, the first
 * ends the process and the second fails.
 *
 * Layers differ between machines (user namespaces may be forbidden, a container
 * may lack capabilities), so both steps report the active ones. Without the
 * system call list there is no sandbox: that is an error. Threads: the process
 * must have one thread only; it cannot create another.
 */
#include "core/error.h"

/* The layers between the child and the machine; bits of a mask. */
#define IDV_SANDBOX_LAYERS(X)                                                  \
    X(NO_NEW_PRIVILEGES, "no_new_privileges")                                  \
    X(NOT_DUMPABLE, "not_dumpable")                                            \
    X(NETWORK_NAMESPACE, "network_namespace")                                  \
    X(UNPRIVILEGED_USER, "unprivileged_user")                                  \
    X(RESOURCE_LIMITS, "resource_limits")                                      \
    X(PROCESS_LIMIT, "process_limit")                                          \
    X(SYSTEM_CALLS, "system_calls")

enum {
#define X(name, text) IDV_SANDBOX_BIT_##name,
    IDV_SANDBOX_LAYERS(X)
#undef X
        IDV_SANDBOX_LAYER_COUNT
};

enum {
#define X(name, text) IDV_SANDBOX_##name = 1 << IDV_SANDBOX_BIT_##name,
    IDV_SANDBOX_LAYERS(X)
#undef X
};

typedef struct {
    apr_uint64_t memory_bytes; /* address space */
    int cpu_seconds;           /* then SIGXCPU, and SIGKILL a second later */
    int stream;                /* the only descriptor it may read and write */
} idv_sandbox_limits_t;

/* The zygote's step. Adds the active layers to *LAYERS. */
idv_error_t *idv_sandbox_prepare(unsigned *layers,
                                 apr_pool_t *pool) IDV_CHECKED;

/* The child's step. Adds the active layers to *LAYERS. After an error the
 * process must end without reading anything. */
idv_error_t *idv_sandbox_enter(const idv_sandbox_limits_t *limits,
                               unsigned *layers, apr_pool_t *pool) IDV_CHECKED;

/* Writes a child's list of system calls for STREAM to the descriptor FILE, as
 * the classic BPF program given to the kernel. */
idv_error_t *idv_sandbox_write_list(int stream, int file,
                                    apr_pool_t *pool) IDV_CHECKED;

/* The layers, as bits of a mask, that are not among LAYERS. */
unsigned idv_sandbox_layers_missing(unsigned layers);

/* The names of LAYERS, separated by spaces. */
const char *idv_sandbox_layer_names(unsigned layers, apr_pool_t *pool);

#endif
