/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/findings_reader.h"

#include <math.h>
#include <string.h>

#include <apr_encode.h>
#include <apr_strings.h>

#include "core/json.h"

#define DATE_MAX (IDV_DATE_TEXT_SIZE - 1)
#define CODE_MAX 64 /* bytes of a stable code */

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                             "abcdefghijklmnopqrstuvwxyz0123456789-_";

/* --- the walk --- */

idv_error_t *idv_findings_begin(idv_findings_reading_t *reading,
                                idv_bytes_t text, apr_size_t most,
                                apr_pool_t *pool)
{
    json_t *root;

    if (text.length > most)
        return idv_error_internal(
            pool, "findings: longer than %" APR_SIZE_T_FMT " bytes", most);
    if (idv_json_parse((const char *)text.data, text.length, &root, pool))
        return idv_error_internal(pool, "findings: not a JSON object");
    *reading = (idv_findings_reading_t){root, NULL, pool};
    return NULL;
}

idv_error_t *idv_findings_end(const idv_findings_reading_t *reading)
{
    return reading->fault ? idv_error_internal(
               reading->pool, "findings: %s does not have the agreed "
                              "form", reading->fault)
                          : NULL;
}

void idv_findings_fault(idv_findings_reading_t *reading, const char *place)
{
    if (!reading->fault)
        reading->fault = place;
}

int idv_findings_has_members(idv_findings_reading_t *reading,
                             const json_t *value, int count, const char *place)
{
    int good =
        json_is_object(value) && json_object_size(value) == (size_t)count;

    if (!good)
        idv_findings_fault(reading, place);
    return good;
}

/* --- structure --- */

const json_t *idv_findings_member(idv_findings_reading_t *reading,
                                  const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);

    if (!value)
        idv_findings_fault(reading, key);
    return value;
}

const json_t *idv_findings_array(idv_findings_reading_t *reading,
                                 const json_t *object, const char *key,
                                 size_t most)
{
    const json_t *value = idv_findings_member(reading, object, key);

    if (json_is_array(value) && json_array_size(value) <= most)
        return value;
    idv_findings_fault(reading, key);
    return idv_json_own(json_array(), reading->pool);
}

/* --- values --- */

int idv_findings_boolean(idv_findings_reading_t *reading, const json_t *object,
                         const char *key)
{
    const json_t *value = idv_findings_member(reading, object, key);

    if (!json_is_boolean(value))
        idv_findings_fault(reading, key);
    return json_is_true(value);
}

double idv_findings_number(idv_findings_reading_t *reading,
                           const json_t *object, const char *key, double most)
{
    const json_t *value = idv_findings_member(reading, object, key);
    double number = json_number_value(value);

    if (json_is_number(value) && isfinite(number) && number >= 0
        && number <= most)
        return number;
    idv_findings_fault(reading, key);
    return 0;
}

apr_int64_t idv_findings_integer(idv_findings_reading_t *reading,
                                 const json_t *object, const char *key,
                                 apr_int64_t least, apr_int64_t most)
{
    const json_t *value = idv_findings_member(reading, object, key);
    apr_int64_t number = json_integer_value(value);

    if (json_is_integer(value) && number >= least && number <= most)
        return number;
    idv_findings_fault(reading, key);
    return least > 0 ? least : 0;
}

/* The text of VALUE, of 1 to MOST bytes without control characters, or NULL. */
static const char *text_of(const json_t *value, size_t most, apr_pool_t *pool)
{
    const char *text = json_string_value(value);
    size_t length = json_string_length(value);

    if (!text || length == 0 || length > most)
        return NULL;
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] < ' ' || text[i] == 0x7f)
            return NULL;
    return apr_pstrmemdup(pool, text, length);
}

const char *idv_findings_text(idv_findings_reading_t *reading,
                              const json_t *object, const char *key,
                              size_t most)
{
    const json_t *value = idv_findings_member(reading, object, key);
    const char *text = text_of(value, most, reading->pool);

    if (!text && !json_is_null(value))
        idv_findings_fault(reading, key);
    return text;
}

const char *idv_findings_word(idv_findings_reading_t *reading,
                              const json_t *object, const char *key,
                              const idv_findings_word_t *word)
{
    const char *text = idv_findings_text(reading, object, key, word->most);

    if (!text
        || (strlen(text) >= word->least
            && text[strspn(text, word->set)] == '\0'))
        return text;
    idv_findings_fault(reading, key);
    return NULL;
}

int idv_findings_code(idv_findings_reading_t *reading, const json_t *object,
                      const char *key, int (*find)(const char *code))
{
    const char *code = idv_findings_text(reading, object, key, CODE_MAX);
    int found = code ? find(code) : -1;

    if (code && found < 0)
        idv_findings_fault(reading, key);
    return found;
}

idv_date_t idv_findings_date(idv_findings_reading_t *reading,
                             const json_t *object, const char *key,
                             int may_be_open)
{
    const char *text = idv_findings_text(reading, object, key, DATE_MAX);
    idv_date_t date = {0, 0, 0}, none = {0, 0, 0};

    if (!text
        || (!idv_date_parse(text, &date, reading->pool)
            && (may_be_open || idv_date_is_complete(date))))
        return date;
    idv_findings_fault(reading, key);
    return none;
}

/* Non-zero if LENGTH characters are base64url without padding (RFC 4648, 5).
 * The unused bits at the end must be zero, so that bytes have only one text. */
static int is_base64url(const char *text, size_t length)
{
    static const int behind[] = {0, 0, 0x0f, 0x03};
    size_t rest = length % 4;

    return length > 0 && rest != 1 && strspn(text, digits) == length
        && ((strchr(digits, text[length - 1]) - digits) & behind[rest]) == 0;
}

idv_bytes_t idv_findings_bytes_of(idv_findings_reading_t *reading,
                                  const json_t *value, const char *place,
                                  apr_size_t most)
{
    const char *text = json_string_value(value);
    apr_size_t length = json_string_length(value), decoded;
    unsigned char *data;

    if (json_is_null(value))
        return (idv_bytes_t){NULL, 0};
    if (text && length / 4 * 3 <= most && is_base64url(text, length)) {
        data = apr_palloc(reading->pool, length / 4 * 3 + 3);
        if (apr_decode_base64_binary(data, text, (apr_ssize_t)length,
                                     APR_ENCODE_NONE, &decoded)
                == APR_SUCCESS
            && decoded > 0 && decoded <= most) {
            idv_wipe_with_pool(data, decoded, reading->pool);
            return (idv_bytes_t){data, decoded};
        }
    }
    idv_findings_fault(reading, place);
    return (idv_bytes_t){NULL, 0};
}

idv_bytes_t idv_findings_bytes(idv_findings_reading_t *reading,
                               const json_t *object, const char *key,
                               apr_size_t most)
{
    const json_t *value = idv_findings_member(reading, object, key);

    return idv_findings_bytes_of(reading, value, key, most);
}

void idv_findings_texts(idv_findings_reading_t *reading, const json_t *object,
                        const char *key, size_t count, size_t most,
                        apr_array_header_t *texts)
{
    const json_t *array = idv_findings_array(reading, object, key, count);
    const json_t *value;
    size_t i;

    json_array_foreach (array, i, value) {
        const char *text = text_of(value, most, reading->pool);

        if (text)
            APR_ARRAY_PUSH(texts, const char *) = text;
        else
            idv_findings_fault(reading, key);
    }
}
