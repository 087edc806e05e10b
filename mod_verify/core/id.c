/* SPDX-License-Identifier: Apache-2.0 */
#include "core/id.h"

#include <string.h>

#include <apr_strings.h>
#include <apr_time.h>

#include "core/crypto.h"

static const char alphabet[] = "0123456789abcdefghjkmnpqrstvwxyz";

#define TIME_LENGTH 10
#define MOMENT_LENGTH 2 /* of 5 bits each */
#define MOMENT_MAX ((1 << (5 * MOMENT_LENGTH)) - 1)

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

static void write_bits(apr_uint64_t bits, char *end, int length)
{
    for (int i = length - 1; i >= 0; i--) {
        end[i] = alphabet[bits & 31];
        bits >>= 5;
    }
}

/* The first TIME_LENGTH characters of the body of an id. */
static void write_time(idv_time_t time, char *body)
{
    write_bits((apr_uint64_t)time, body, TIME_LENGTH);
}

/* Microseconds since the millisecond NOW, as far as they fit. */
static apr_uint64_t moment_after(idv_time_t now)
{
    apr_time_t passed = apr_time_now() - apr_time_from_msec(now);

    return passed < 0 ? 0 : passed > MOMENT_MAX ? MOMENT_MAX
                                                : (apr_uint64_t)passed;
}

const char *idv_id_new(idv_id_type_t type, idv_time_t now, apr_pool_t *pool)
{
    enum { KNOWN = TIME_LENGTH + MOMENT_LENGTH };
    unsigned char random[IDV_ID_BODY_LENGTH - KNOWN];
    size_t prefix_length = strlen(prefixes[type]);
    char *id = apr_palloc(pool, prefix_length + IDV_ID_BODY_LENGTH + 1);
    char *body = id + prefix_length;

    memcpy(id, prefixes[type], prefix_length);
    write_time(now, body);
    write_bits(moment_after(now), body + TIME_LENGTH, MOMENT_LENGTH);
    idv_random_bytes(random, sizeof(random));
    for (size_t i = 0; i < sizeof(random); i++)
        body[KNOWN + i] = alphabet[random[i] & 31];
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
