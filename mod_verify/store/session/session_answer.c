/* SPDX-License-Identifier: Apache-2.0 */
#include "store/session/session_answer.h"

#include <string.h>

/* The first characters of parts; no part is searched for at others. */
#define PART_BEGINNINGS "\",{}]"

#define PART_CODES 0x20 /* characters below this one may stand for a part */

typedef struct {
    const char *text;
    apr_size_t length;
} part_t;

/* By the character; no text: it stands for itself. */
static const part_t parts[PART_CODES] = {
#define IDV_ANSWER_PART(code, text) [code] = {text, sizeof(text) - 1},
#include "store/session/session_answer.def"
#undef IDV_ANSWER_PART
};

/* The character of the part that TEXT begins with; 0 for none. */
static char part_at(const char *text)
{
    for (int code = 1; code < PART_CODES; code++) {
        const part_t *part = &parts[code];

        if (part->text && part->text[1] == text[1]
            && strncmp(text, part->text, part->length) == 0)
            return (char)code;
    }
    return 0;
}

const char *idv_session_answer_pack(const char *text, apr_pool_t *pool)
{
    char *packed = apr_palloc(pool, strlen(text) + 1);
    char *end = packed;

    while (*text) {
        apr_size_t plain = strcspn(text, PART_BEGINNINGS);
        char code;

        memcpy(end, text, plain);
        end += plain;
        text += plain;
        if (!*text)
            break;
        code = part_at(text);
        *end++ = code ? code : *text;
        text += code ? parts[(int)code].length : 1;
    }
    *end = '\0';
    return packed;
}

/* The part that C stands for; NULL: it stands for itself. */
static const part_t *part_of(char c)
{
    unsigned char code = (unsigned char)c;

    return code < PART_CODES && parts[code].text ? &parts[code] : NULL;
}

static apr_size_t unpacked_length(const char *packed)
{
    apr_size_t length = 0;

    for (; *packed; packed++) {
        const part_t *part = part_of(*packed);

        length += part ? part->length : 1;
    }
    return length;
}

const char *idv_session_answer_unpack(const char *packed, apr_pool_t *pool)
{
    char *text, *end;

    if (!packed)
        return NULL;
    text = end = apr_palloc(pool, unpacked_length(packed) + 1);
    for (; *packed; packed++) {
        const part_t *part = part_of(*packed);

        if (part) {
            memcpy(end, part->text, part->length);
            end += part->length;
        } else {
            *end++ = *packed;
        }
    }
    *end = '\0';
    return text;
}
