/* SPDX-License-Identifier: Apache-2.0 */
#include "core/http_syntax.h"

#include <string.h>
#include <strings.h>

/* --- the head of a request --- */

static const char version_name[] = "HTTP/";

#define VERSION_LENGTH (sizeof(version_name) - 1)

/* Non-zero when the head has ended with this line. */
static int end_line(idv_request_head_t *head)
{
    int is_empty = head->line == 0;

    head->line = 0;
    if (is_empty)
        return head->lines > 0;
    return ++head->lines == 1 && head->version < VERSION_LENGTH;
}

static void look_at(idv_request_head_t *head, char byte)
{
    if (byte == '\n') {
        head->is_complete = end_line(head);
        return;
    }
    if (byte != '\r')
        head->line++;
    if (head->lines > 0 || head->version == VERSION_LENGTH)
        return;
    if (byte != version_name[head->version])
        head->version = 0;
    head->version += byte == version_name[head->version];
}

int idv_request_head_add(idv_request_head_t *head, const char *text,
                         apr_size_t length, apr_size_t line_max)
{
    for (apr_size_t i = 0; i < length && !head->is_complete; i++) {
        look_at(head, text[i]);
        head->length++;
    }
    if (head->length > IDV_REQUEST_HEAD_MAX
        || (head->lines == 0 && head->line > line_max))
        head->is_complete = 1;
    return head->is_complete;
}

/* --- the token of a caller --- */

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
