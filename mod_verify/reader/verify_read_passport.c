/* SPDX-License-Identifier: Apache-2.0 */
/*
 * verify-read-passport: reads the chip of a passport on a PC/SC reader, then
 * prints the data or sends them to a session of the service. It is for service
 * desks and for tests; an app on a phone does the same.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <apr_encode.h>
#include <apr_general.h>
#include <apr_strings.h>

#include "core/terminal_text.h"
#include "reader/chip_access.h"
#include "reader/chip_reading.h"
#include "reader/session_client.h"

#define ZONE_MAX 512
#define WAIT_SECONDS 60
#define EXIT_REFUSED 3

typedef struct {
    const char *reader;
    const char *zone_file;
    const char *challenge; /* base64 */
    const char *session;
    const char *ca_file;
    int wait;
    int is_refused; /* set at the end */
} options_t;

static const char usage[] =
    "Usage: verify-read-passport --zone FILE [--reader NAME] [--wait SECONDS]\n"
    "                            [--challenge BASE64]\n"
    "       verify-read-passport --zone FILE --session URL [--ca FILE] [...]\n"
    "\n"
    "  --zone FILE       the machine-readable zone, or the six digits of the\n"
    "                    card access number; -: standard input\n"
    "  --reader NAME     the reader (default: the first with a document)\n"
    "  --wait SECONDS    for a document (default 60)\n"
    "  --challenge TEXT  eight bytes for the chip to sign, in base64\n"
    "  --session URL     https://HOST/v1/widget/sessions/ID: gets a challenge\n"
    "                    from the service, sends the dump, relays, submits,\n"
    "                    waits for the result and prints the session. Set\n"
    "                    VERIFY_CLIENT_SECRET to its client secret. Open the\n"
    "                    session first, and consent if it requires that\n"
    "  --ca FILE         PEM of the authorities that the service may use\n"
    "\n"
    "Without --session, prints the dump as JSON. It contains personal data.\n"
    "Exit status: 0: success, 1: failure, 2: wrong command line, 3: the chip\n"
    "was not accepted, or the session failed, was cancelled or expired.\n";

static idv_error_t *
read_password(const char *path, idv_chip_password_t *password, apr_pool_t *pool)
{
    char *text = apr_pcalloc(pool, ZONE_MAX);
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
    size_t length;

    if (!file)
        return idv_error_apr(pool, errno, "cannot open %s", path);
    idv_wipe_with_pool((unsigned char *)text, ZONE_MAX, pool);
    length = fread(text, 1, ZONE_MAX - 1, file);
    if (file != stdin)
        fclose(file);
    while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == '\r'))
        text[--length] = '\0';
    if (length == 6 && strspn(text, "0123456789") == 6) {
        *password = (idv_chip_password_t){.access_number = text};
        return NULL;
    }
    return idv_chip_password_of_zone(text, password, pool);
}

/* The challenge of the command line; length 0 without one. */
static idv_error_t *read_challenge(const char *text, idv_bytes_t *challenge,
                                   apr_pool_t *pool)
{
    unsigned char *data = apr_palloc(pool, IDV_CHIP_CHALLENGE_SIZE + 4);

    *challenge = (idv_bytes_t){data, 0};
    if (!text)
        return NULL;
    if (strlen(text) > 12
        || apr_decode_base64_binary(data, text, APR_ENCODE_STRING,
                                    APR_ENCODE_NONE, &challenge->length)
               != APR_SUCCESS
        || challenge->length != IDV_CHIP_CHALLENGE_SIZE)
        return idv_error_internal(pool,
                                  "the challenge must be base64 of %d "
                                  "bytes",
                                  IDV_CHIP_CHALLENGE_SIZE);
    return NULL;
}

/* Reads the chip's files, and the signature of CHALLENGE if there is one. */
static idv_error_t *read_chip(const options_t *options,
                              const idv_chip_password_t *password,
                              idv_bytes_t challenge, idv_chip_link_t **link,
                              idv_chip_dump_t *dump, apr_pool_t *pool)
{
    const char *how, *unread;

    IDV_TRY(idv_chip_link_open(options->reader, options->wait, link, pool));
    IDV_TRY(idv_chip_access(*link, password, &how, pool));
    fprintf(stderr, "access by %s\n", how);
    IDV_TRY(idv_chip_files_read(*link, dump, pool));
    unread = idv_chip_files_unread(dump, pool);
    if (unread)
        fprintf(stderr, "not read, because the service does not use it: %s\n",
                unread);
    dump->reader = "verify-read-passport " VERIFY_VERSION;
    return challenge.length > 0
             ? idv_chip_challenge_sign(*link, challenge, dump, pool)
             : NULL;
}

/* Sends each step's commands to the chip and the responses back, until a step
 * fails. */
static idv_error_t *relay(idv_session_client_t *client, idv_chip_link_t *link,
                          apr_pool_t *pool)
{
    idv_chip_relay_step_t step;

    IDV_TRY(idv_session_client_relay(client, NULL, &step));
    while (step.status == IDV_CHIP_RELAY_WAITS) {
        idv_chip_answer_t answer = {.count = 0};

        for (int i = 0; i < step.command_count; i++) {
            idv_bytes_t *response = &answer.responses[answer.count++];

            IDV_TRY(
                idv_chip_relay_send(link, &step.commands[i], response, pool));
            if (response->data[response->length - 2] != 0x90)
                break;
        }
        IDV_TRY(idv_session_client_relay(client, &answer, &step));
    }
    return NULL;
}

static idv_error_t *serve_session(options_t *options,
                                  const idv_chip_password_t *password,
                                  apr_pool_t *pool)
{
    const char *secret = getenv("VERIFY_CLIENT_SECRET");
    idv_chip_dump_t dump = {.reader = NULL};
    idv_session_outcome_t outcome;
    idv_session_client_t client;
    idv_chip_link_t *link;
    idv_bytes_t challenge;

    if (!secret)
        return idv_error_internal(pool, "VERIFY_CLIENT_SECRET is not set");
    IDV_TRY(idv_session_client_open(&client, options->session, secret,
                                    options->ca_file, pool));
    IDV_TRY(idv_session_client_challenge(&client, &challenge));
    IDV_TRY(read_chip(options, password, challenge, &link, &dump, pool));
    IDV_TRY(idv_session_client_put(&client, idv_chip_dump_text(&dump, pool)));
    if (dump.files[IDV_CHIP_DG14].length > 0)
        IDV_TRY(relay(&client, link, pool));
    IDV_TRY(idv_session_client_submit(&client, &outcome));
    puts(idv_terminal_lines(outcome.view, pool));
    options->is_refused = outcome.is_refused;
    return NULL;
}

static idv_error_t *run(options_t *options, apr_pool_t *pool)
{
    idv_chip_dump_t dump = {.reader = NULL};
    idv_chip_password_t password;
    idv_chip_link_t *link;
    idv_bytes_t challenge;

    IDV_TRY(read_password(options->zone_file, &password, pool));
    if (options->session)
        return serve_session(options, &password, pool);
    IDV_TRY(read_challenge(options->challenge, &challenge, pool));
    IDV_TRY(read_chip(options, &password, challenge, &link, &dump, pool));
    puts(idv_chip_dump_text(&dump, pool));
    return NULL;
}

/* Non-zero if the command line is valid. */
static int parse_options(int count, char **arguments, options_t *options)
{
    static const struct option known[] = {
        {"zone", required_argument, NULL, 'z'},
        {"reader", required_argument, NULL, 'r'},
        {"wait", required_argument, NULL, 'w'},
        {"challenge", required_argument, NULL, 'c'},
        {"session", required_argument, NULL, 's'},
        {"ca", required_argument, NULL, 'a'},
        {NULL, 0, NULL, 0}};
    int option;

    options->wait = WAIT_SECONDS;
    while ((option = getopt_long(count, arguments, "", known, NULL)) != -1) {
        if (option == 'z')
            options->zone_file = optarg;
        else if (option == 'r')
            options->reader = optarg;
        else if (option == 'w')
            options->wait = atoi(optarg);
        else if (option == 'c')
            options->challenge = optarg;
        else if (option == 's')
            options->session = optarg;
        else if (option == 'a')
            options->ca_file = optarg;
        else
            return 0;
    }
    return optind == count && options->zone_file && options->wait >= 0
        && !(options->challenge && options->session);
}

int main(int count, char **arguments)
{
    options_t options = {0};
    idv_error_t *error;
    apr_pool_t *pool;

    if (apr_initialize() != APR_SUCCESS
        || apr_pool_create(&pool, NULL) != APR_SUCCESS)
        return EXIT_FAILURE;
    if (!parse_options(count, arguments, &options)) {
        fputs(usage, stderr);
        return 2;
    }
    error = run(&options, pool);
    if (error)
        fprintf(stderr, "verify-read-passport: %s\n",
                idv_terminal_lines(idv_error_cause(error), pool));
    apr_pool_destroy(pool);
    apr_terminate();
    if (error)
        return EXIT_FAILURE;
    return options.is_refused ? EXIT_REFUSED : EXIT_SUCCESS;
}
