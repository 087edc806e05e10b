/* SPDX-License-Identifier: Apache-2.0 */
#include "httpd/process/key_cache.h"

#include <string.h>

#include <apr_strings.h>
#include <apr_thread_mutex.h>

#include "core/id.h"

#define PLACES 1024 /* a power of two */

typedef struct {
    unsigned char digest[IDV_DIGEST_SIZE];
    int used;
    idv_api_key_t key; /* its strings are the arrays below */
    char id[IDV_ID_SIZE], organization_id[IDV_ID_SIZE],
        application_id[IDV_ID_SIZE];
} place_t;

struct idv_key_cache_t {
    apr_thread_mutex_t *mutex;
    place_t places[PLACES];
};

idv_error_t *idv_key_cache_create(idv_key_cache_t **cache, apr_pool_t *pchild)
{
    idv_key_cache_t *self = apr_pcalloc(pchild, sizeof(*self));
    apr_status_t status = apr_thread_mutex_create(
        &self->mutex, APR_THREAD_MUTEX_DEFAULT, pchild);

    if (status != APR_SUCCESS)
        return idv_error_apr(pchild, status, "making a lock");
    *cache = self;
    return NULL;
}

static place_t *place_of(idv_key_cache_t *cache, const unsigned char *digest)
{
    return &cache->places[(digest[0] << 8 | digest[1]) & (PLACES - 1)];
}

idv_api_key_t *idv_key_cache_find(idv_key_cache_t *cache,
                                  const unsigned char *digest,
                                  apr_pool_t *pool)
{
    idv_api_key_t *key = NULL;
    place_t *place;

    if (!cache)
        return NULL;
    place = place_of(cache, digest);
    apr_thread_mutex_lock(cache->mutex);
    if (place->used && memcmp(place->digest, digest, IDV_DIGEST_SIZE) == 0) {
        key = apr_pmemdup(pool, &place->key, sizeof(*key));
        key->id = apr_pstrdup(pool, place->id);
        key->organization_id = apr_pstrdup(pool, place->organization_id);
        key->application_id = place->key.application_id
            ? apr_pstrdup(pool, place->application_id) : NULL;
    }
    apr_thread_mutex_unlock(cache->mutex);
    return key;
}

static int fits(const char *id)
{
    return !id || strlen(id) < IDV_ID_SIZE;
}

void idv_key_cache_put(idv_key_cache_t *cache, const unsigned char *digest,
                       const idv_api_key_t *key)
{
    place_t *place;

    if (!cache || !fits(key->id) || !fits(key->organization_id)
        || !fits(key->application_id))
        return;
    place = place_of(cache, digest);
    apr_thread_mutex_lock(cache->mutex);
    memcpy(place->digest, digest, IDV_DIGEST_SIZE);
    place->key = *key;
    apr_cpystrn(place->id, key->id, IDV_ID_SIZE);
    apr_cpystrn(place->organization_id, key->organization_id, IDV_ID_SIZE);
    apr_cpystrn(place->application_id,
                key->application_id ? key->application_id : "", IDV_ID_SIZE);
    place->key.id = place->id;
    place->key.organization_id = place->organization_id;
    if (key->application_id)
        place->key.application_id = place->application_id;
    place->used = 1;
    apr_thread_mutex_unlock(cache->mutex);
}
