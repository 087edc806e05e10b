/* SPDX-License-Identifier: Apache-2.0 */
#include "core/json_record.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

#include <apr_strings.h>

#include "core/json.h"

void idv_json_put_record(idv_json_writer_t *writer, const char *key,
                         const idv_json_member_t *members, const void *record)
{
    idv_json_open_object(writer, key);
    for (; members->name; members++) {
        const void *value = (const char *)record + members->offset;

        switch (members->kind) {
        case IDV_JSON_MEMBER_TEXT:
            idv_json_put_text(writer, members->name,
                              *(const char *const *)value);
            break;
        case IDV_JSON_MEMBER_RAW:
            idv_json_put_raw(writer, members->name,
                             *(const char *const *)value);
            break;
        case IDV_JSON_MEMBER_INTEGER:
            idv_json_put_integer(writer, members->name, *(const int *)value);
            break;
        case IDV_JSON_MEMBER_TIME:
            idv_json_put_integer(writer, members->name,
                                 *(const apr_int64_t *)value);
            break;
        case IDV_JSON_MEMBER_BOOLEAN:
            idv_json_put_boolean(writer, members->name, *(const int *)value);
            break;
        case IDV_JSON_MEMBER_CUSTOM:
            members->write(writer, members->name, value);
            break;
        }
    }
    idv_json_close_object(writer);
}

/* --- reading --- */

static int is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static const char *skip_space(const char *text)
{
    while (is_space(*text))
        text++;
    return text;
}

/* Behind a number, true, false or null. */
static const char *skip_word(const char *text)
{
    while (*text && *text != ',' && *text != '}' && *text != ']'
           && !is_space(*text))
        text++;
    return text;
}

/* Behind the string that begins at TEXT; NULL when it has no end. */
static const char *skip_string(const char *text)
{
    for (text++; *text && *text != '"'; text++) {
        if (*text == '\\' && text[1])
            text++;
    }
    return *text ? text + 1 : NULL;
}

/* Behind the value that begins at TEXT; NULL when it has no end. */
static const char *skip_value(const char *text)
{
    int depth = 0;

    do {
        if (*text == '"') {
            text = skip_string(text);
            if (!text)
                return NULL;
        } else if (*text == '{' || *text == '[') {
            depth++;
            text++;
        } else if (*text == '}' || *text == ']') {
            depth--;
            text++;
        } else if (depth) {
            text += strcspn(text, "\"{}[]");
        } else {
            text = skip_word(text);
        }
    } while (depth && *text);
    return depth ? NULL : text;
}

/* A part of a text. */
typedef struct {
    const char *begin;
    apr_size_t length;
} slice_t;

static int slice_is(const slice_t *slice, const char *text)
{
    return strncmp(slice->begin, text, slice->length) == 0
        && !text[slice->length];
}

/* The value that begins at *TEXT, which is then behind the comma after it, or
 * at the bracket. Zero when there is none. */
static int take_value(const char **text, slice_t *value)
{
    const char *end = skip_value(*text);

    if (!end || end == *text)
        return 0;
    *value = (slice_t){*text, (apr_size_t)(end - *text)};
    *text = skip_space(end);
    if (**text == ',')
        *text = skip_space(*text + 1);
    return 1;
}

static int take_name(const char **text, slice_t *name)
{
    const char *end = **text == '"' ? skip_string(*text) : NULL;

    if (!end)
        return 0;
    *name = (slice_t){*text + 1, (apr_size_t)(end - *text - 2)};
    *text = skip_space(end);
    if (**text != ':')
        return 0;
    *text = skip_space(*text + 1);
    return 1;
}

/* The value when it is a string, else NULL. Strings with escapes are rare:
 * jansson reads those. */
static const char *text_of(const slice_t *value, apr_pool_t *pool)
{
    json_t *json;

    if (*value->begin != '"')
        return NULL;
    if (!memchr(value->begin, '\\', value->length))
        return apr_pstrmemdup(pool, value->begin + 1, value->length - 2);
    json = json_loadb(value->begin, value->length, JSON_DECODE_ANY, NULL);
    return json ? json_string_value(idv_json_own(json, pool)) : NULL;
}

static int is_null(const slice_t *value)
{
    return slice_is(value, "null");
}

static idv_error_t *malformed(const char *name, apr_pool_t *pool)
{
    return idv_error_internal(pool, "stored JSON is malformed at %s", name);
}

static idv_error_t *read_member(const idv_json_member_t *member,
                                const slice_t *json, void *record,
                                apr_pool_t *pool)
{
    void *value = (char *)record + member->offset;
    int is_number = *json->begin == '-' || isdigit((unsigned char)*json->begin);

    switch (member->kind) {
    case IDV_JSON_MEMBER_TEXT:
        *(const char **)value = text_of(json, pool);
        return *(const char **)value || is_null(json)
                 ? NULL
                 : malformed(member->name, pool);
    case IDV_JSON_MEMBER_RAW:
        *(const char **)value =
            is_null(json) ? NULL
                          : apr_pstrmemdup(pool, json->begin, json->length);
        return NULL;
    case IDV_JSON_MEMBER_INTEGER:
        *(int *)value = (int)apr_atoi64(json->begin);
        return is_number ? NULL : malformed(member->name, pool);
    case IDV_JSON_MEMBER_TIME:
        *(apr_int64_t *)value = apr_atoi64(json->begin);
        return is_number ? NULL : malformed(member->name, pool);
    case IDV_JSON_MEMBER_BOOLEAN:
        *(int *)value = slice_is(json, "true");
        return *(int *)value || slice_is(json, "false")
                 ? NULL
                 : malformed(member->name, pool);
    default:
        return member->read(apr_pstrmemdup(pool, json->begin, json->length),
                            value, pool);
    }
}

static const idv_json_member_t *find_member(const idv_json_member_t *members,
                                            const slice_t *name)
{
    while (members->name && !slice_is(name, members->name))
        members++;
    return members->name ? members : NULL;
}

idv_error_t *idv_json_read_record(const char *json,
                                  const idv_json_member_t *members,
                                  void *record, apr_pool_t *pool)
{
    const idv_json_member_t *next = members;
    uint64_t seen = 0; /* a bit for each of MEMBERS */

    json = skip_space(json);
    if (*json != '{')
        return malformed("its beginning", pool);
    json = skip_space(json + 1);
    while (*json && *json != '}') {
        const idv_json_member_t *member;
        slice_t name, value;

        if (!take_name(&json, &name) || !take_value(&json, &value))
            return malformed(members->name, pool);
        /* Mostly in the order in which it was written. */
        member = next->name && slice_is(&name, next->name)
                   ? next
                   : find_member(members, &name);
        if (!member)
            continue;
        next = member + 1;
        seen |= UINT64_C(1) << (member - members);
        IDV_TRY(read_member(member, &value, record, pool));
    }
    for (const idv_json_member_t *member = members; member->name; member++) {
        if (!member->optional && !(seen & UINT64_C(1) << (member - members)))
            return malformed(member->name, pool);
    }
    return *json ? NULL : malformed("its end", pool);
}

const char *idv_json_read_text(const char *json, apr_pool_t *pool)
{
    const char *end = *json == '"' ? skip_string(json) : NULL;
    slice_t value = {json, end ? (apr_size_t)(end - json) : 0};

    return end && !*end ? text_of(&value, pool) : NULL;
}

idv_error_t *idv_json_read_array(const char *json,
                                 idv_error_t *(*each)(const char *json,
                                                      void *baton,
                                                      apr_pool_t *pool),
                                 void *baton, apr_pool_t *pool)
{
    json = skip_space(json);
    if (*json != '[')
        return malformed("an array", pool);
    json = skip_space(json + 1);
    while (*json && *json != ']') {
        slice_t value;

        if (!take_value(&json, &value))
            return malformed("an element", pool);
        IDV_TRY(
            each(apr_pstrmemdup(pool, value.begin, value.length), baton, pool));
    }
    return *json ? NULL : malformed("an array's end", pool);
}
