/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/process/retained.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include <apr_hash.h>
#include <apr_strings.h>
#include <httpd.h>

#include <http_config.h>

#include "core/crypto.h"

/* The version of item_t. A module with another structure has another number,
 * and so finds nothing of what this one has left. */
#define ITEM_VERSION 1
#define KEY_PREFIX "mod_verify retained "
#define TOKEN_BYTES 15
#define TOKEN_SIZE 32 /* bytes of a token as text, with the terminator */

/* One thing that is kept. It holds data only, as versions of the module read it
 * that are not written yet. */
typedef struct {
    unsigned version;
    apr_size_t size; /* of this structure */
    unsigned content_version;
    void *memory; /* shared; NULL: none */
    apr_size_t length;
    const char *layout; /* names of counters, a line each */
    int descriptor; /* -1: none */
    char token[TOKEN_SIZE];
} item_t;

/* The item of NAME; a new one where there is none. httpd copies the key, and no
 * cleanup of the module is registered. An item that an unknown version has left
 * under the same key is replaced; its descriptors and mappings stay open until
 * the server ends. */
static item_t *find_item(const char *name, apr_pool_t *pool)
{
    const char *key = apr_psprintf(pool, KEY_PREFIX "%d %s", ITEM_VERSION, name);
    item_t *item = ap_retained_data_get(key);

    if (item && item->version == ITEM_VERSION && item->size == sizeof(*item))
        return item;
    item = ap_retained_data_create(key, sizeof(*item));
    item->version = ITEM_VERSION;
    item->size = sizeof(*item);
    item->descriptor = -1;
    return item;
}

static idv_error_t *map(apr_size_t length, void **memory, apr_pool_t *pool)
{
    void *mapped = mmap(NULL, length, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (mapped == MAP_FAILED)
        return idv_error_apr(pool, errno, "mapping shared memory");
    *memory = mapped;
    return NULL;
}

/* Unmaps the old memory in the parent only: children that know it have mappings
 * of their own. */
static void replace_memory(item_t *item, void *memory, apr_size_t length)
{
    if (item->memory)
        munmap(item->memory, item->length);
    item->memory = memory;
    item->length = length;
}

idv_error_t *idv_retained_memory(const char *name, unsigned version,
                                 apr_size_t size, void **memory,
                                 apr_pool_t *pool)
{
    item_t *item = find_item(name, pool);
    void *mapped = NULL;

    if (!item->memory || item->content_version != version
        || item->length != size) {
        IDV_TRY(map(size, &mapped, pool));
        replace_memory(item, mapped, size);
        item->content_version = version;
    }
    *memory = item->memory;
    return NULL;
}

/* --- counters --- */

static char *layout_of(const char *const *names, int count, apr_pool_t *pool)
{
    struct iovec *parts =
        apr_palloc(pool, 2 * (apr_size_t)count * sizeof(*parts));

    for (int i = 0; i < count; i++) {
        parts[2 * i] = (struct iovec){(void *)names[i], strlen(names[i])};
        parts[2 * i + 1] = (struct iovec){(void *)"\n", 1};
    }
    return apr_pstrcatv(pool, parts, 2 * (apr_size_t)count, NULL);
}

/* A copy of LAYOUT that lives as long as the server process. Retained data is
 * never freed, so a later layout of the same length is written over it. */
static const char *keep_layout(const char *name, const char *layout,
                               apr_pool_t *pool)
{
    apr_size_t size = strlen(layout) + 1;
    const char *key = apr_psprintf(pool, KEY_PREFIX "%d %s: %" APR_SIZE_T_FMT,
                                   ITEM_VERSION, name, size);
    char *copy = ap_retained_data_get(key);

    if (!copy)
        copy = ap_retained_data_create(key, size);
    memcpy(copy, layout, size);
    return copy;
}

/* The values that ITEM holds, by name. */
static apr_hash_t *known_values(const item_t *item, apr_pool_t *pool)
{
    apr_hash_t *known = apr_hash_make(pool);
    atomic_llong *values = item->memory;
    char *names = item->layout ? apr_pstrdup(pool, item->layout) : NULL;
    char *rest, *name = names ? apr_strtok(names, "\n", &rest) : NULL;

    for (; name; name = apr_strtok(NULL, "\n", &rest))
        apr_hash_set(known, name, APR_HASH_KEY_STRING, values++);
    return known;
}

static void carry_over(const item_t *item, const char *const *names, int count,
                       atomic_llong *values, apr_pool_t *pool)
{
    apr_hash_t *known = known_values(item, pool);

    for (int i = 0; i < count; i++) {
        atomic_llong *before =
            apr_hash_get(known, names[i], APR_HASH_KEY_STRING);

        if (before)
            atomic_store(&values[i], atomic_load(before));
    }
}

idv_error_t *idv_retained_counters(const char *name, const char *const *names,
                                   int count, atomic_llong **values,
                                   apr_pool_t *pool)
{
    item_t *item = find_item(name, pool);
    const char *layout = layout_of(names, count, pool);
    apr_size_t length = (apr_size_t)count * sizeof(**values);
    void *mapped = NULL;

    if (!item->memory || !item->layout || strcmp(item->layout, layout) != 0) {
        IDV_TRY(map(length, &mapped, pool));
        carry_over(item, names, count, mapped, pool);
        replace_memory(item, mapped, length);
        item->layout = keep_layout(name, layout, pool);
    }
    *values = item->memory;
    return NULL;
}

/* --- descriptors and names --- */

idv_error_t *idv_retained_descriptor(const char *name,
                                     idv_retained_open_t *open,
                                     int *descriptor, apr_pool_t *pool)
{
    item_t *item = find_item(name, pool);

    if (item->descriptor < 0)
        IDV_TRY(open(&item->descriptor, pool));
    *descriptor = item->descriptor;
    return NULL;
}

const char *idv_retained_token(const char *name, apr_pool_t *pool)
{
    item_t *item = find_item(name, pool);

    if (!*item->token)
        apr_cpystrn(item->token, idv_random_token(TOKEN_BYTES, pool),
                    sizeof(item->token));
    return item->token;
}
