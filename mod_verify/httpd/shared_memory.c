/* SPDX-License-Identifier: Apache-2.0 */
#include "httpd/shared_memory.h"

#include <sys/mman.h>

#include <http_config.h>

typedef struct {
    void *memory;
    apr_size_t size;
} segment_t;

idv_error_t *idv_shared_memory_get(const char *name, apr_size_t size,
                                   void **memory, apr_pool_t *pool)
{
    /* Survives the unloading of the module at a restart. */
    segment_t *segment = ap_retained_data_get(name);

    if (!segment)
        segment = ap_retained_data_create(name, sizeof(*segment));
    if (segment->memory && segment->size != size) {
        munmap(segment->memory, segment->size);
        segment->memory = NULL;
    }
    if (!segment->memory) {
        void *mapped = mmap(NULL, size, PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS, -1, 0);

        if (mapped == MAP_FAILED)
            return idv_error_apr(pool, apr_get_os_error(),
                                 "mapping shared memory");
        segment->memory = mapped;
        segment->size = size;
    }
    *memory = segment->memory;
    return NULL;
}
