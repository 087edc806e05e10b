/* SPDX-License-Identifier: Apache-2.0 */
/*
 * verifyctl: what the operator does to the service from the shell.
 *
 * Prints one JSON value on standard output; errors go to standard error with
 * the exit status 1, wrong usage with 2.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <apr_general.h>
#include <apr_strings.h>

#include "cli/command.h"

#define EXIT_USAGE 2

static int print_usage(FILE *out)
{
    fprintf(out, "usage: verifyctl [--database CONNINFO] [--master-key FILE] "
                 "[--migrations DIR] COMMAND\n\n"
                 "The three default to VERIFY_DATABASE, VERIFY_MASTER_KEY_FILE "
                 "and VERIFY_MIGRATIONS\nof the environment, the DIR of "
                 "compliance rules to VERIFY_COMPLIANCE_RULES.\n\n"
                 "A change holds as soon as its command ends. The webhooks, "
                 "e-mails and recoveries\nthat follow from it are begun by a "
                 "running server within a second.\n\n");
    for (const idv_command_t *c = idv_commands; c->noun; c++) {
        fprintf(out, "  %s%s%s%s%s", c->noun, c->verb ? " " : "",
                c->verb ? c->verb : "", c->arguments ? " " : "",
                c->arguments ? c->arguments : "");
        for (int i = 0; i < IDV_COMMAND_MAX_OPTIONS && c->options[i]; i++) {
            int length = (int)strcspn(c->options[i], "!?");
            char kind = c->options[i][length];

            fprintf(out, kind == '!' ? " --%.*s X" : kind == '?' ? " [--%.*s]"
                                                                 : " [--%.*s X]",
                    length, c->options[i]);
        }
        fprintf(out, "\n      %s\n", c->help);
    }
    return EXIT_USAGE;
}

static int complain(const char *format, const char *what)
{
    fprintf(stderr, "verifyctl: ");
    fprintf(stderr, format, what);
    fputc('\n', stderr);
    return EXIT_USAGE;
}

static const char *find_option(const idv_command_t *command, const char *name)
{
    for (int i = 0; i < IDV_COMMAND_MAX_OPTIONS && command->options[i]; i++) {
        size_t length = strcspn(command->options[i], "!?");

        if (strlen(name) == length
            && strncmp(command->options[i], name, length) == 0)
            return command->options[i];
    }
    return NULL;
}

/* Reads one option at ARGS[*i], of the program or of the command. */
static int read_option(idv_call_t *call, char **args, int count, int *i)
{
    const char *name = args[*i] + 2;
    const char *known = NULL, **setting = NULL;

    if (strcmp(name, "database") == 0)
        setting = &call->database;
    else if (strcmp(name, "master-key") == 0)
        setting = &call->master_key_file;
    else if (strcmp(name, "migrations") == 0)
        setting = &call->migrations;
    else if (!call->command || !(known = find_option(call->command, name)))
        return complain("unknown option --%s", name);
    if (known && known[strlen(name)] == '?') {
        apr_table_setn(call->options, name, "");
        return 0;
    }
    if (*i + 1 >= count)
        return complain("--%s needs a value", name);
    ++*i;
    if (setting)
        *setting = args[*i];
    else
        apr_table_setn(call->options, name, args[*i]);
    return 0;
}

static int count_words(const char *words)
{
    int count = words && *words ? 1 : 0;

    for (; words && *words; words++)
        count += *words == ' ';
    return count;
}

/* Arguments that must be given. */
static int count_required(const char *words)
{
    int count = count_words(words);

    for (; words && *words; words++)
        count -= *words == '[';
    return count;
}

static int check_completeness(const idv_call_t *call, int arguments)
{
    const idv_command_t *command = call->command;

    if (arguments < count_required(command->arguments)
        || arguments > count_words(command->arguments))
        return complain(arguments ? "wrong arguments, expected: %s"
                                  : "missing argument: %s",
                        command->arguments ? command->arguments : "none");
    for (int i = 0; i < IDV_COMMAND_MAX_OPTIONS && command->options[i]; i++) {
        size_t length = strcspn(command->options[i], "!?");
        char *name = apr_pstrmemdup(call->pool, command->options[i], length);

        if (command->options[i][length] == '!'
            && !apr_table_get(call->options, name))
            return complain("--%s is required", name);
    }
    return 0;
}

static const idv_command_t *find_command(const char *noun, const char *verb)
{
    for (const idv_command_t *c = idv_commands; c->noun; c++)
        if (strcmp(c->noun, noun) == 0
            && (!c->verb || (verb && strcmp(c->verb, verb) == 0)))
            return c;
    return NULL;
}

static int read_command_line(idv_call_t *call, int count, char **args)
{
    int words = 0, fault;

    for (int i = 1; i < count; i++) {
        if (strncmp(args[i], "--", 2) == 0) {
            if ((fault = read_option(call, args, count, &i)))
                return fault;
        } else if (!call->command) {
            call->command =
                find_command(args[i], i + 1 < count ? args[i + 1] : NULL);
            if (!call->command)
                return complain("unknown command %s", args[i]);
            i += call->command->verb != NULL;
        } else if (words == IDV_COMMAND_MAX_ARGUMENTS) {
            return complain("too many arguments at %s", args[i]);
        } else {
            call->arguments[words++] = args[i];
        }
    }
    if (!call->command)
        return print_usage(stderr);
    return check_completeness(call, words);
}

static idv_error_t *run(idv_call_t *call, json_t **answer)
{
    if (call->command->offline)
        return call->command->run(call, answer);
    if (!call->database)
        return idv_error_param(call->pool, "database",
                               "No database: give --database or set "
                               "VERIFY_DATABASE.");
    if (call->command->needs_keyring) {
        if (!call->master_key_file)
            return idv_error_param(call->pool, "master-key",
                                   "No master key: give --master-key or set "
                                   "VERIFY_MASTER_KEY_FILE.");
        IDV_TRY(idv_keyring_load(call->master_key_file, &call->keyring,
                                 call->pool));
    }
    IDV_TRY(idv_db_connect(call->database, &call->db, call->pool));
    return call->command->run(call, answer);
}

/* The operator may read the detail: it never holds personal data. */
static int report(const idv_error_t *error)
{
    fprintf(stderr, "verifyctl: %s%s%s%s%s%s\n", error->message,
            error->param ? " (" : "", error->param ? error->param : "",
            error->param ? ")" : "", error->detail ? " " : "",
            error->detail ? error->detail : "");
    return EXIT_FAILURE;
}

int main(int count, char **args)
{
    idv_call_t call = {
        .database = getenv("VERIFY_DATABASE"),
        .master_key_file = getenv("VERIFY_MASTER_KEY_FILE"),
        .migrations = getenv("VERIFY_MIGRATIONS"),
        .compliance_rules = getenv("VERIFY_COMPLIANCE_RULES"),
    };
    json_t *answer = NULL;
    idv_error_t *error;
    int status;

    if (count > 1
        && (strcmp(args[1], "--help") == 0 || strcmp(args[1], "help") == 0)) {
        print_usage(stdout);
        return EXIT_SUCCESS;
    }
    if (count > 1 && strcmp(args[1], "--version") == 0) {
        puts("verifyctl " VERIFY_VERSION);
        return EXIT_SUCCESS;
    }
    apr_initialize();
    atexit(apr_terminate);
    apr_pool_create(&call.pool, NULL);
    call.options = apr_table_make(call.pool, 8);
    status = read_command_line(&call, count, args);
    if (status)
        return status;
    error = run(&call, &answer);
    if (error)
        return report(error);
    json_dumpf(answer, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(answer);
    return EXIT_SUCCESS;
}
