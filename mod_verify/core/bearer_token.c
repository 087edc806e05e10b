/* SPDX-License-Identifier: Apache-2.0 */
#include "core/bearer_token.h"

#include <string.h>
#include <strings.h>

#define SCHEME "Bearer "

/* b64token = 1*( ALPHA / DIGIT / "-" / "." / "_" / "~" / "+" / "/" ) *"=" */
static const char token_characters[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~+/";

const char *idv_bearer_token_parse(const char *value)
{
    size_t length;

    if (!value || strncasecmp(value, SCHEME, strlen(SCHEME)) != 0)
        return NULL;
    value += strlen(SCHEME);
    value += strspn(value, " ");
    length = strspn(value, token_characters);
    if (length == 0)
        return NULL;
    length += strspn(value + length, "=");
    return value[length] == '\0' && length <= IDV_BEARER_TOKEN_MAX ? value
                                                                   : NULL;
}
