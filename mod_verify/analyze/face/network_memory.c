/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/face/network_memory.h"

#include <sys/mman.h>

#define ALIGNMENT ((apr_size_t)64)
#define LARGE_PAGE ((apr_size_t)2 << 20)
#define BLOCK ((apr_size_t)8 << 20)

typedef struct {
    void *start;
    apr_size_t length;
} block_t;

static apr_status_t release(void *data)
{
    const block_t *block = data;

    munmap(block->start, block->length);
    return APR_SUCCESS;
}

static apr_size_t round_up(apr_size_t size, apr_size_t unit)
{
    return (size + unit - 1) / unit * unit;
}

/* Large pages are only used where all of one lies in the block, so that it starts at
 * one. What is not used of it takes no memory. */
static int add_block(idv_network_memory_t *memory, apr_size_t size)
{
    block_t *block = apr_palloc(memory->pool, sizeof(*block));
    apr_uintptr_t first;

    size = round_up(size > BLOCK ? size : BLOCK, LARGE_PAGE);
    block->length = size + LARGE_PAGE;
    block->start = mmap(NULL, block->length, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block->start == MAP_FAILED)
        return 0;
    apr_pool_cleanup_register(memory->pool, block, release,
                              apr_pool_cleanup_null);
    first = round_up((apr_uintptr_t)block->start, LARGE_PAGE);
    memory->next = (char *)first;
    memory->left = size;
    (void)madvise(memory->next, size, MADV_HUGEPAGE);
    return 1;
}

float *idv_network_memory_take(idv_network_memory_t *memory, apr_size_t count)
{
    apr_size_t size = round_up(count * sizeof(float), ALIGNMENT);
    char *taken;

    if (size > memory->left && !add_block(memory, size))
        return NULL;
    taken = memory->next;
    memory->next += size;
    memory->left -= size;
    return (float *)taken;
}
