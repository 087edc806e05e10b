/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_SANDBOX_H
#define IDV_ANALYZE_SANDBOX_H

/*
 * The walls around the process that reads a stranger's image.
 *
 * Entered in two steps. idv_sandbox_prepare() is for the zygote, once, after
 * the models are loaded: it gives up what no child needs (privileges, network,
 * being dumped or traced). idv_sandbox_enter() is for the child, before it
 * reads the first byte: resource limits, then the list of system calls. What
 * the child can do afterwards is compute, allocate up to the limit, read from
 * and write to the one descriptor, and exit. Opening files fails with EACCES.
 * Every call that is not on the list, of whatever number or system call table,
 * ends the process with SIGSYS instead of failing: a reader that makes one has
 * been taken over, or a library has changed, and neither may go on unseen.
 *
 * Two calls of x86_64 are on no list and still not refused: Linux since 6.14
 * asks no filter about uretprobe (335) and uprobe (336), which only return from
 * a probe of the kernel's own. Called by anybody else the one ends the process
 * and the other fails.
 *
 * Layers differ between machines (user namespaces may be forbidden, a
 * container may lack capabilities), so both steps report which ones hold.
 * Without the system call list there is no sandbox: that is an error.
 * Threads: the process must have one thread only; it cannot make another.
 */
#include "core/error.h"

/* What may stand between the child and the machine; bits of a mask. */
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
    int cpu_seconds; /* then SIGXCPU, a second later SIGKILL */
    int stream; /* the only descriptor that may be read and written */
} idv_sandbox_limits_t;

/* The zygote's step. Adds the layers that hold to *LAYERS. */
idv_error_t *idv_sandbox_prepare(unsigned *layers,
                                 apr_pool_t *pool) IDV_CHECKED;

/* The child's step. Adds the layers that hold to *LAYERS. After an error the
 * process must end without reading anything. */
idv_error_t *idv_sandbox_enter(const idv_sandbox_limits_t *limits,
                               unsigned *layers, apr_pool_t *pool) IDV_CHECKED;

/* Writes the list of system calls of a child on STREAM to the descriptor FILE,
 * as the program for classic BPF that the kernel is given. */
idv_error_t *idv_sandbox_write_list(int stream, int file,
                                    apr_pool_t *pool) IDV_CHECKED;

/* The layers, as bits of a mask, that are not among LAYERS. */
unsigned idv_sandbox_layers_missing(unsigned layers);

/* The names of LAYERS, separated by spaces. */
const char *idv_sandbox_layer_names(unsigned layers, apr_pool_t *pool);

#endif
