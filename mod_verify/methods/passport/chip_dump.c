/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/passport/chip_dump.h"

#include <string.h>

#include <apr_encode.h>
#include <apr_strings.h>

#include "core/json.h"

#define SIGNATURE_MAX 1024 /* bytes: RSA keys of 8,192 bits */

static const struct {
    const char *member;
    apr_uint32_t tag;
    int data_group;
    apr_size_t most;
} files[] = {
#define X(name, member, tag, number, most) {member, tag, number, most},
    IDV_CHIP_FILES(X)
#undef X
};

int idv_chip_file_data_group(idv_chip_file_t file)
{
    return files[file].data_group;
}

const char *idv_chip_file_name(idv_chip_file_t file)
{
    return files[file].member;
}

apr_uint32_t idv_chip_file_tag(idv_chip_file_t file)
{
    return files[file].tag;
}

apr_size_t idv_chip_file_max(idv_chip_file_t file)
{
    return files[file].most;
}

/* Decodes the member KEY, of 1 to MOST bytes. */
static idv_error_t *read_bytes(const char *key, const json_t *value,
                               apr_size_t most, idv_bytes_t *bytes,
                               apr_pool_t *result)
{
    const char *text = json_string_value(value);
    size_t length = json_string_length(value);
    unsigned char *data;
    apr_size_t decoded;

    if (!text || length == 0 || length % 4 != 0 || length / 4 * 3 > most + 2
        || strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                        "0123456789+/=")
               != length)
        return idv_error_param(
            result, key, "Must be base64 of at most %" APR_SIZE_T_FMT " bytes.",
            most);
    data = apr_palloc(result, length / 4 * 3 + 1);
    if (apr_decode_base64_binary(data, text, (apr_ssize_t)length,
                                 APR_ENCODE_NONE, &decoded)
            != APR_SUCCESS
        || decoded < 1 || decoded > most)
        return idv_error_param(
            result, key, "Must be base64 of 1 to %" APR_SIZE_T_FMT " bytes.",
            most);
    idv_wipe_with_pool(data, decoded, result);
    *bytes = (idv_bytes_t){data, decoded};
    return NULL;
}

static idv_error_t *read_challenge(const json_t *value, idv_bytes_t *challenge,
                                   apr_pool_t *result)
{
    IDV_TRY(read_bytes("AAChallenge", value, IDV_CHIP_CHALLENGE_SIZE, challenge,
                       result));
    if (challenge->length != IDV_CHIP_CHALLENGE_SIZE)
        return idv_error_param(result, "AAChallenge",
                               "Must be base64 of %d bytes.",
                               IDV_CHIP_CHALLENGE_SIZE);
    return NULL;
}

static idv_error_t *read_reader(const json_t *value, const char **reader,
                                apr_pool_t *result)
{
    const char *text = json_string_value(value);
    size_t length = json_string_length(value);
    int good = text && length > 0 && length <= IDV_CHIP_READER_MAX;

    for (size_t i = 0; good && i < length; i++)
        good = text[i] >= ' ' && text[i] <= '~';
    if (!good)
        return idv_error_param(result, "reader",
                               "Must be 1 to %d printable characters.",
                               IDV_CHIP_READER_MAX);
    *reader = apr_pstrdup(result, text);
    return NULL;
}

/* Refuses a passport's other data groups (9303-10, 4.7) by name, since they are
 * not used here: the developer of an app that sends everything learns what to
 * omit. */
static idv_error_t *refuse_member(const char *key, apr_pool_t *result)
{
    static const char *const unused[] = {"DG5", "DG6",  "DG7",  "DG8",  "DG9",
                                         "DG10", "DG12", "DG13", "DG16"};
    const char *known = "";

    for (size_t i = 0; i < sizeof(unused) / sizeof(*unused); i++)
        if (strcmp(key, unused[i]) == 0)
            return idv_error_param(result, unused[i],
                                   "This data group is not used. Omit it from "
                                   "the dump.");
    for (int i = 0; i < IDV_CHIP_FILE_COUNT; i++)
        known = apr_pstrcat(result, known, files[i].member, ", ", NULL);
    return idv_error_param(result, NULL,
                           "The dump has an unknown member. The known ones are "
                           "%sAAChallenge, AASignature and reader.",
                           known);
}

static idv_error_t *read_member(const char *key, const json_t *value,
                                idv_chip_dump_t *dump, apr_pool_t *result)
{
    for (int i = 0; i < IDV_CHIP_FILE_COUNT; i++)
        if (strcmp(key, files[i].member) == 0)
            return read_bytes(files[i].member, value, files[i].most,
                              &dump->files[i], result);
    if (strcmp(key, "AAChallenge") == 0)
        return read_challenge(value, &dump->challenge, result);
    if (strcmp(key, "AASignature") == 0)
        return read_bytes("AASignature", value, SIGNATURE_MAX, &dump->signature,
                          result);
    if (strcmp(key, "reader") == 0)
        return read_reader(value, &dump->reader, result);
    return refuse_member(key, result);
}

idv_error_t *idv_chip_dump_read(const char *text, apr_size_t length,
                                idv_chip_dump_t **out, apr_pool_t *result)
{
    static const char *const refused[] = {"DG3", "DG4"};
    idv_chip_dump_t *dump = apr_pcalloc(result, sizeof(*dump));
    const char *key;
    json_t *root, *value;

    if (length > IDV_CHIP_DUMP_MAX)
        return idv_error_new(IDV_E_BODY_TOO_LARGE, result);
    IDV_TRY(idv_json_parse(text, length, &root, result));
    for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++)
        if (json_object_get(root, refused[i]))
            return idv_error_param(result, refused[i],
                                   "Fingerprints and irises are not accepted.");
    json_object_foreach (root, key, value)
        IDV_TRY(read_member(key, value, dump, result));
    *out = dump;
    return NULL;
}
