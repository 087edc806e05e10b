/* SPDX-License-Identifier: Apache-2.0 */
#include "core/json_pointer.h"

#include <string.h>

#include <apr_strings.h>

const char *idv_json_pointer_member(const char *pointer, const char *key,
                                    apr_pool_t *pool)
{
    apr_size_t length = strlen(pointer);
    char *member = apr_palloc(pool, length + 1 + 2 * strlen(key) + 1);
    char *end = member + length;

    memcpy(member, pointer, length);
    *end++ = '/';
    for (; *key; key++) {
        if (*key == '~' || *key == '/') {
            *end++ = '~';
            *end++ = *key == '~' ? '0' : '1';
        } else {
            *end++ = *key;
        }
    }
    *end = '\0';
    return member;
}

const char *idv_json_pointer_element(const char *pointer, apr_size_t index,
                                     apr_pool_t *pool)
{
    return apr_psprintf(pool, "%s/%" APR_SIZE_T_FMT, pointer, index);
}
