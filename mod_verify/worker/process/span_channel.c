/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/process/span_channel.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

#include <apr_strings.h>

#define PIPE_BYTES (1 << 20) /* about 4,000 spans */

_Static_assert(sizeof(idv_span_t) <= PIPE_BUF,
               "a span is written as a whole");

/* A pipe that is opened once more through /proc has both ends in one descriptor
 * (proc(5)). */
idv_error_t *idv_span_channel_open(int *descriptor, apr_pool_t *pool)
{
    int ends[2], both, cause;

    if (pipe2(ends, O_CLOEXEC) < 0)
        return idv_error_apr(pool, errno, "opening the pipe for spans");
    both = open(apr_psprintf(pool, "/proc/self/fd/%d", ends[0]),
                O_RDWR | O_NONBLOCK | O_CLOEXEC);
    cause = errno;
    close(ends[0]);
    close(ends[1]);
    if (both < 0)
        return idv_error_apr(pool, cause, "opening both ends of a pipe");
    /* Without the permission it keeps its size, which is enough for less. */
    (void)fcntl(both, F_SETPIPE_SZ, PIPE_BYTES);
    *descriptor = both;
    return NULL;
}

int idv_span_channel_write(int descriptor, const idv_span_t *span)
{
    return write(descriptor, span, sizeof(*span)) != (ssize_t)sizeof(*span);
}

int idv_span_channel_read(int descriptor, idv_span_t *spans, int max)
{
    ssize_t length = read(descriptor, spans, (size_t)max * sizeof(*spans));

    return length < 0 ? 0 : (int)((size_t)length / sizeof(*spans));
}
