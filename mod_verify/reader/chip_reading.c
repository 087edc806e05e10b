/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/chip_reading.h"

#include <string.h>

#include <apr_encode.h>
#include <apr_strings.h>

#include "core/json_writer.h"
#include "methods/passport/data_groups.h"
#include "methods/passport/tlv.h"

#define CHUNK 0xDF /* bytes per request, which fit into one response */
#define NEAR_MAX 0x7fff /* the largest offset of the even instruction */
#define HEADER_LENGTH 5 /* tag and length of the longest file read */

/* The numbers of the files (9303-10, 3.11). */
static int file_number(idv_chip_file_t file)
{
    if (file == IDV_CHIP_COM)
        return 0x011E;
    if (file == IDV_CHIP_SOD)
        return 0x011D;
    return 0x0100 | idv_chip_file_data_group(file);
}

static idv_error_t *select_file(idv_chip_link_t *link, int number, int *status,
                                apr_pool_t *pool)
{
    unsigned char name[2] = {(unsigned char)(number >> 8),
                             (unsigned char)(number & 0xff)};
    const idv_chip_apdu_t apdu = {.header = {0x00, 0xA4, 0x02, 0x0C},
                                  .data = {name, sizeof(name)}};
    idv_bytes_t data;

    return idv_chip_link_send(link, &apdu, &data, status, pool);
}

static idv_error_t *read_near(idv_chip_link_t *link, int offset, int length,
                              idv_bytes_t *data, int *status, apr_pool_t *pool)
{
    const idv_chip_apdu_t apdu = {.header = {0x00, 0xB0,
                                             (unsigned char)(offset >> 8),
                                             (unsigned char)(offset & 0xff)},
                                  .expected = length};

    return idv_chip_link_send(link, &apdu, data, status, pool);
}

/* The offset is sent, and the bytes are returned, as data objects: 54 and 53
 * with their lengths. The response needs room for the second. */
static idv_error_t *read_far(idv_chip_link_t *link, int offset, int length,
                             idv_bytes_t *data, int *status, apr_pool_t *pool)
{
    int overhead = length < 0x80 ? 2 : 3;
    const unsigned char object[] = {0x54, 3, (unsigned char)(offset >> 16),
                                    (unsigned char)(offset >> 8),
                                    (unsigned char)offset};
    const idv_chip_apdu_t apdu = {
        .header = {0x00, 0xB1, 0x00, 0x00},
        .data = {object, sizeof(object)},
        .expected =
            length + overhead < CHUNK ? length + overhead : CHUNK};
    idv_tlv_reader_t reader;
    int fault = 0;

    IDV_TRY(idv_chip_link_send(link, &apdu, data, status, pool));
    if (data->length == 0)
        return NULL;
    reader = idv_tlv_open(*data, &fault);
    *data = idv_tlv_expect(&reader, 0x53).content;
    return fault ? idv_error_internal(pool, "the document sent another part of "
                                            "a file than requested")
                 : NULL;
}

static idv_error_t *read_binary(idv_chip_link_t *link, int offset, int length,
                                idv_bytes_t *data, apr_pool_t *pool)
{
    int status;

    IDV_TRY((offset > NEAR_MAX ? read_far : read_near)(link, offset, length,
                                                       data, &status, pool));
    if ((status != IDV_CHIP_GOOD && status >> 8 != 0x62) || data->length == 0)
        return idv_error_internal(pool, "a file cannot be read (%04X)",
                                  (unsigned)status);
    return NULL;
}

/* The length, with its tag, of the file that starts with HEAD; 0: not a
 * file. */
static int length_of(idv_bytes_t head)
{
    int bytes, length = 0;

    if (head.length < HEADER_LENGTH)
        return 0;
    if (head.data[1] < 0x80)
        return 2 + head.data[1];
    bytes = head.data[1] & 0x7f;
    if (bytes < 1 || 2 + bytes > HEADER_LENGTH)
        return 0;
    for (int i = 0; i < bytes; i++)
        length = length << 8 | head.data[2 + i];
    return 2 + bytes + length;
}

/* Reads the selected file, which is FILE. */
static idv_error_t *read_file(idv_chip_link_t *link, idv_chip_file_t file,
                              idv_bytes_t *out, apr_pool_t *pool)
{
    const char *name = idv_chip_file_name(file);
    int most = (int)idv_chip_file_max(file);
    idv_bytes_t part;
    unsigned char *data;
    int length, have;

    IDV_TRY(read_binary(link, 0, HEADER_LENGTH, &part, pool));
    length = length_of(part);
    if (length == 0)
        return idv_error_internal(pool, "%s has no length", name);
    if (length > most)
        return idv_error_internal(
            pool, "%s has %d bytes. The service accepts at most "
                  "%d", name, length,
            most);
    data = apr_palloc(pool, (apr_size_t)length);
    idv_wipe_with_pool(data, (apr_size_t)length, pool);
    for (have = 0; have < length; have += (int)part.length) {
        int rest = length - have;

        IDV_TRY(
            read_binary(link, have, rest < CHUNK ? rest : CHUNK, &part, pool));
        if (part.length > (apr_size_t)rest)
            return idv_error_internal(pool, "%s is longer than its header "
                                            "says", name);
        memcpy(data + have, part.data, part.length);
    }
    *out = (idv_bytes_t){data, (apr_size_t)length};
    return NULL;
}

static int is_needed(idv_chip_file_t file)
{
    return file == IDV_CHIP_COM || file == IDV_CHIP_SOD || file == IDV_CHIP_DG1;
}

idv_error_t *idv_chip_files_read(idv_chip_link_t *link, idv_chip_dump_t *dump,
                                 apr_pool_t *pool)
{
    for (int i = 0; i < IDV_CHIP_FILE_COUNT; i++) {
        int status;

        IDV_TRY(select_file(link, file_number(i), &status, pool));
        if (status == IDV_CHIP_GOOD)
            IDV_TRY(read_file(link, i, &dump->files[i], pool));
        else if (is_needed(i))
            return idv_error_internal(pool, "the document has no %s (%04X)",
                                      idv_chip_file_name(i), (unsigned)status);
    }
    return NULL;
}

#define DATA_GROUP_MAX 16

const char *idv_chip_files_unread(const idv_chip_dump_t *dump, apr_pool_t *pool)
{
    idv_data_groups_t groups;
    const char *names = NULL;

    if (idv_ef_com_read(dump->files[IDV_CHIP_COM], &groups, pool))
        return NULL;
    for (int i = 0; i < IDV_CHIP_FILE_COUNT; i++)
        if (dump->files[i].length > 0)
            groups &= ~(1u << idv_chip_file_data_group(i));
    for (int group = 1; group <= DATA_GROUP_MAX; group++)
        if (groups & 1u << group)
            names = apr_psprintf(pool, "%s%sDG%d", names ? names : "",
                                 names ? ", " : "", group);
    return names;
}

idv_error_t *idv_chip_challenge_sign(idv_chip_link_t *link,
                                     idv_bytes_t challenge,
                                     idv_chip_dump_t *dump, apr_pool_t *pool)
{
    const idv_chip_apdu_t apdu = {
        .header = {0x00, 0x88, 0x00, 0x00}, .data = challenge, .expected = 256};
    idv_bytes_t signature;
    int status;

    if (dump->files[IDV_CHIP_DG15].length == 0)
        return NULL;
    IDV_TRY(idv_chip_link_send(link, &apdu, &signature, &status, pool));
    if (status != IDV_CHIP_GOOD)
        return idv_error_internal(
            pool, "the document does not sign the challenge (%04X)",
            (unsigned)status);
    dump->challenge = challenge;
    dump->signature = signature;
    return NULL;
}

/* The parts of APDU, a plain command with short lengths; zero if a channel
 * cannot carry it. */
static int take_apart(idv_bytes_t apdu, idv_chip_apdu_t *command)
{
    apr_size_t length = apdu.length > 5 ? apdu.data[4] : 0;

    if (apdu.length < 5 || (length == 0 && apdu.length > 5) || length > 224
        || apdu.length < 5 + length || apdu.length > 6 + length)
        return 0;
    memset(command, 0, sizeof(*command));
    memcpy(command->header, apdu.data, sizeof(command->header));
    command->data = (idv_bytes_t){apdu.data + 5, length};
    if (length == 0)
        command->expected = apdu.data[4] ? apdu.data[4] : 256;
    else if (apdu.length == 6 + length)
        command->expected = apdu.data[5 + length] ? apdu.data[5 + length] : 256;
    return 1;
}

idv_error_t *idv_chip_relay_send(idv_chip_link_t *link,
                                 const idv_chip_command_t *command,
                                 idv_bytes_t *response, apr_pool_t *pool)
{
    idv_chip_apdu_t apdu;
    idv_bytes_t data = {NULL, 0};
    unsigned char *whole;
    int status = 0x6700; /* too long for the channel */

    if (command->is_protected)
        return idv_chip_link_transmit(link, command->apdu, response, pool);
    if (take_apart(command->apdu, &apdu))
        IDV_TRY(idv_chip_link_send(link, &apdu, &data, &status, pool));
    whole = apr_palloc(pool, data.length + 2);
    if (data.length > 0)
        memcpy(whole, data.data, data.length);
    whole[data.length] = (unsigned char)(status >> 8);
    whole[data.length + 1] = (unsigned char)(status & 0xff);
    *response = (idv_bytes_t){whole, data.length + 2};
    return NULL;
}

static void put_bytes(idv_json_writer_t *object, const char *name,
                      idv_bytes_t bytes)
{
    if (bytes.length > 0)
        idv_json_put_text(object, name,
                          apr_pencode_base64_binary(object->pool, bytes.data,
                                                    (apr_ssize_t)bytes.length,
                                                    APR_ENCODE_NONE, NULL));
}

const char *idv_chip_dump_text(const idv_chip_dump_t *dump, apr_pool_t *pool)
{
    idv_json_writer_t object;

    idv_json_writer_init(&object, 65536, pool);
    idv_json_open_object(&object, NULL);
    for (int i = 0; i < IDV_CHIP_FILE_COUNT; i++)
        put_bytes(&object, idv_chip_file_name(i), dump->files[i]);
    put_bytes(&object, "AAChallenge", dump->challenge);
    put_bytes(&object, "AASignature", dump->signature);
    if (dump->reader)
        idv_json_put_text(&object, "reader", dump->reader);
    idv_json_close_object(&object);
    return idv_json_writer_text(&object, NULL);
}
