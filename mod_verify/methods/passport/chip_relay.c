/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/passport/chip_relay.h"

#include <string.h>

#include <apr_encode.h>

#include "core/json_writer.h"
#include "core/word_list.h"
#include "methods/findings_reader.h"

#define COUNT(table) ((int)(sizeof(table) / sizeof(*(table))))

/* Bytes of the longest command, which holds a key of 4,096 bits. */
#define COMMAND_MAX 1200

static const char *const status_codes[] = {
    [IDV_CHIP_RELAY_WAITS] = "waits",
    [IDV_CHIP_RELAY_PROVEN] = "proven",
    [IDV_CHIP_RELAY_DISPROVEN] = "disproven",
    [IDV_CHIP_RELAY_OTHER_DATA] = "other_data",
    [IDV_CHIP_RELAY_REFUSED] = "refused",
    [IDV_CHIP_RELAY_UNSUPPORTED] = "unsupported",
};

static int find_status(const char *code)
{
    return idv_word_find(status_codes, COUNT(status_codes), code);
}

static void put_bytes(idv_json_writer_t *writer, const char *key,
                      idv_bytes_t bytes)
{
    idv_json_put_text(writer, key,
                      bytes.length == 0
                          ? NULL
                          : apr_pencode_base64_binary(
                              writer->pool, bytes.data,
                              (apr_ssize_t)bytes.length,
                              APR_ENCODE_URL | APR_ENCODE_NOPADDING, NULL));
}

static idv_error_t *finish(idv_json_writer_t *writer, idv_bytes_t *text,
                           apr_size_t most)
{
    idv_json_close_object(writer);
    text->data =
        (const unsigned char *)idv_json_writer_text(writer, &text->length);
    return text->length <= most
             ? NULL
             : idv_error_internal(writer->pool, "the relay is too long");
}

/* --- the record --- */

idv_chip_relay_t *idv_chip_relay_create(apr_pool_t *pool)
{
    idv_chip_relay_t *relay = apr_pcalloc(pool, sizeof(*relay));
    unsigned char *seed = apr_palloc(pool, IDV_CHIP_RELAY_SEED_SIZE);

    idv_wipe_with_pool(seed, IDV_CHIP_RELAY_SEED_SIZE, pool);
    idv_random_bytes(seed, IDV_CHIP_RELAY_SEED_SIZE);
    relay->seed = seed;
    return relay;
}

idv_error_t *idv_chip_relay_write(const idv_chip_relay_t *relay,
                                  idv_bytes_t *text, apr_pool_t *pool)
{
    idv_json_writer_t writer;

    idv_json_writer_init(&writer, 1024, pool);
    idv_json_open_object(&writer, NULL);
    put_bytes(&writer, "seed",
              (idv_bytes_t){relay->seed, IDV_CHIP_RELAY_SEED_SIZE});
    idv_json_open_array(&writer, "answers");
    for (int i = 0; i < relay->answer_count; i++) {
        idv_json_open_array(&writer, NULL);
        for (int k = 0; k < relay->answers[i].count; k++)
            put_bytes(&writer, NULL, relay->answers[i].responses[k]);
        idv_json_close_array(&writer);
    }
    idv_json_close_array(&writer);
    return finish(&writer, text, IDV_CHIP_RELAY_RECORD_MAX);
}

static void read_answer(idv_findings_reading_t *reading, const json_t *value,
                        idv_chip_answer_t *answer)
{
    const json_t *item;
    size_t i;

    if (!json_is_array(value)
        || json_array_size(value) > IDV_CHIP_RELAY_COMMANDS_MAX) {
        idv_findings_fault(reading, "answers");
        return;
    }
    json_array_foreach (value, i, item)
        answer->responses[answer->count++] = idv_findings_bytes_of(
            reading, item, "answers", IDV_CHIP_RELAY_RESPONSE_MAX);
}

idv_error_t *idv_chip_relay_read(idv_bytes_t text, idv_chip_relay_t **out,
                                 apr_pool_t *pool)
{
    idv_chip_relay_t *relay = apr_pcalloc(pool, sizeof(*relay));
    idv_chip_answer_t *answers =
        apr_pcalloc(pool, IDV_CHIP_RELAY_ANSWERS_MAX * sizeof(*answers));
    idv_findings_reading_t reading;
    const json_t *list, *value;
    idv_bytes_t seed;
    size_t i;

    IDV_TRY(
        idv_findings_begin(&reading, text, IDV_CHIP_RELAY_RECORD_MAX, pool));
    idv_findings_has_members(&reading, reading.root, 2, "members");
    seed = idv_findings_bytes(&reading, reading.root, "seed",
                              IDV_CHIP_RELAY_SEED_SIZE);
    if (seed.length != IDV_CHIP_RELAY_SEED_SIZE)
        idv_findings_fault(&reading, "seed");
    list = idv_findings_array(&reading, reading.root, "answers",
                              IDV_CHIP_RELAY_ANSWERS_MAX);
    json_array_foreach (list, i, value)
        read_answer(&reading, value, &answers[relay->answer_count++]);
    IDV_TRY(idv_findings_end(&reading));
    relay->seed = seed.data;
    relay->answers = answers;
    *out = relay;
    return NULL;
}

idv_error_t *idv_chip_relay_add(idv_chip_relay_t *relay,
                                const idv_chip_answer_t *answer,
                                apr_pool_t *pool)
{
    idv_chip_answer_t *answers;

    if (relay->answer_count == IDV_CHIP_RELAY_ANSWERS_MAX)
        return idv_error_param(pool, "responses", "The relay has already "
                                                  "ended.");
    answers = apr_pcalloc(pool, IDV_CHIP_RELAY_ANSWERS_MAX * sizeof(*answers));
    if (relay->answer_count > 0)
        memcpy(answers, relay->answers,
               (size_t)relay->answer_count * sizeof(*answers));
    answers[relay->answer_count++] = *answer;
    relay->answers = answers;
    return NULL;
}

/* --- a step --- */

idv_error_t *idv_chip_relay_step_write(const idv_chip_relay_step_t *step,
                                       idv_bytes_t *text, apr_pool_t *pool)
{
    idv_json_writer_t writer;

    idv_json_writer_init(&writer, 2048, pool);
    idv_json_open_object(&writer, NULL);
    idv_json_put_text(&writer, "status", status_codes[step->status]);
    idv_json_open_array(&writer, "commands");
    for (int i = 0; i < step->command_count; i++) {
        idv_json_open_object(&writer, NULL);
        put_bytes(&writer, "apdu", step->commands[i].apdu);
        idv_json_put_boolean(&writer, "protected",
                             step->commands[i].is_protected);
        idv_json_close_object(&writer);
    }
    idv_json_close_array(&writer);
    return finish(&writer, text, IDV_CHIP_RELAY_STEP_MAX);
}

static void read_command(idv_findings_reading_t *reading, const json_t *value,
                         idv_chip_command_t *command)
{
    if (!idv_findings_has_members(reading, value, 2, "commands"))
        return;
    command->apdu = idv_findings_bytes(reading, value, "apdu", COMMAND_MAX);
    command->is_protected = idv_findings_boolean(reading, value, "protected");
    if (command->apdu.length < 4)
        idv_findings_fault(reading, "apdu");
}

idv_error_t *idv_chip_relay_step_read(idv_bytes_t text,
                                      idv_chip_relay_step_t **out,
                                      apr_pool_t *pool)
{
    idv_chip_relay_step_t *step = apr_pcalloc(pool, sizeof(*step));
    idv_findings_reading_t reading;
    const json_t *list, *value;
    int status;
    size_t i;

    IDV_TRY(idv_findings_begin(&reading, text, IDV_CHIP_RELAY_STEP_MAX, pool));
    idv_findings_has_members(&reading, reading.root, 2, "members");
    status = idv_findings_code(&reading, reading.root, "status", find_status);
    list = idv_findings_array(&reading, reading.root, "commands",
                              IDV_CHIP_RELAY_COMMANDS_MAX);
    json_array_foreach (list, i, value)
        read_command(&reading, value, &step->commands[step->command_count++]);
    if (status < 0
        || (status == IDV_CHIP_RELAY_WAITS) != (step->command_count > 0))
        idv_findings_fault(&reading, "status");
    else
        step->status = status;
    IDV_TRY(idv_findings_end(&reading));
    *out = step;
    return NULL;
}
