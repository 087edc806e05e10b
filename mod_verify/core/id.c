/* SPDX-License-Identifier: Apache-2.0 */
#include "core/id.h"

#include <string.h>

#include <apr_strings.h>

#include "core/crypto.h"

static const char alphabet[] = "0123456789abcdefghjkmnpqrstvwxyz";

#define TIME_LENGTH 10

static const char *const prefixes[] = {
#define X(name, prefix) prefix,
    IDV_ID_PREFIXES(X)
#undef X
};

#define X(name, prefix)                                                        \
    _Static_assert(sizeof(prefix) + IDV_ID_BODY_LENGTH <= IDV_ID_SIZE,         \
                   "IDV_ID_SIZE is too small for " prefix);
IDV_ID_PREFIXES(X)
#undef X

const char *idv_id_prefix(idv_id_type_t type)
{
    return prefixes[type];
}

/* The first TIME_LENGTH characters of the body of an id: five bits each. */
static void write_time(idv_time_t time, char *body)
{
    apr_uint64_t rest = (apr_uint64_t)time;

    for (int i = TIME_LENGTH - 1; i >= 0; i--) {
        body[i] = alphabet[rest & 31];
        rest >>= 5;
    }
}

const char *idv_id_new(idv_id_type_t type, idv_time_t now, apr_pool_t *pool)
{
    unsigned char random[IDV_ID_BODY_LENGTH - TIME_LENGTH];
    size_t prefix_length = strlen(prefixes[type]);
    char *id = apr_palloc(pool, prefix_length + IDV_ID_BODY_LENGTH + 1);
    char *body = id + prefix_length;

    memcpy(id, prefixes[type], prefix_length);
    write_time(now, body);
    idv_random_bytes(random, sizeof(random));
    for (size_t i = 0; i < sizeof(random); i++)
        body[TIME_LENGTH + i] = alphabet[random[i] & 31];
    body[IDV_ID_BODY_LENGTH] = '\0';
    return id;
}

const char *idv_id_bound(idv_id_type_t type, idv_time_t time, apr_pool_t *pool)
{
    char body[TIME_LENGTH + 1] = "";

    write_time(time, body);
    return apr_pstrcat(pool, prefixes[type], body, NULL);
}

int idv_id_is(idv_id_type_t type, const char *text)
{
    size_t prefix_length = strlen(prefixes[type]);

    if (strncmp(text, prefixes[type], prefix_length) != 0)
        return 0;
    text += prefix_length;
    return strlen(text) == IDV_ID_BODY_LENGTH
        && strspn(text, alphabet) == IDV_ID_BODY_LENGTH;
}
