/* SPDX-License-Identifier: Apache-2.0 */
/*
 * verifyctl: the operator's control of the service from the shell.
 *
 * Prints one JSON value on standard output, or the readable form of its command
 * on a terminal. Errors go to standard error with exit status 1, wrong usage
 * with 2.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <apr_general.h>
#include <apr_strings.h>

#include "cli/command/command.h"
#include "cli/command/command_record.h"
#include "cli/command/names.h"
#include "cli/command/record_print.h"
#include "cli/command/table.h"
#include "core/terminal_text.h"
#include "store/db/schema.h"

#define EXIT_USAGE 2

/* --- help --- */

static const char introduction[] =
    "usage: verifyctl [SETTING...] COMMAND\n"
    "       verifyctl COMMAND --help\n"
    "\n"
    "Prints one JSON value, or tables and lines on a terminal. Errors go to\n"
    "standard error, with exit status 1, or 2 for a wrong command line. A\n"
    "check that finds faults prints them as its value, also with status 1\n"
    "(doctor: 2 for errors). Settings, and what applies without them:\n"
    "\n"
    "  --database CONNINFO  environment variable VERIFY_DATABASE. The same\n"
    "                       string as in the directive VerifyDatabase\n"
    "  --master-key FILE    VERIFY_MASTER_KEY_FILE. Needed by commands that\n"
    "                       seal or open secrets and personal data\n"
    "  --migrations DIR     VERIFY_MIGRATIONS, or where make install puts\n"
    "                       them\n"
    "\n"
    "All users of a machine can see command lines. Put passwords into the\n"
    "environment or a file (passfile=FILE in CONNINFO).\n"
    "\n"
    "A change takes effect when its command ends. A running server starts\n"
    "the webhooks, e-mails and recoveries that follow from it within a\n"
    "second.\n"
    "\n";

/* The parts of an option in the table. */
typedef struct {
    size_t length;     /* of the name at the start of the text */
    char kind;         /* '!': required, '?': a flag, else optional */
    const char *value; /* the name of its value in the help */
} option_form_t;

/* Parses OPTION, one of a command's `options`. */
static option_form_t read_form(const char *option)
{
    option_form_t form = {.length = strcspn(option, "!? ")};

    form.kind = option[form.length];
    form.value = strchr(option, ' ');
    form.value = form.value ? form.value + 1 : "";
    return form;
}

/* Prints COMMAND in the form of the help. */
static void print_command(FILE *out, const idv_command_t *command)
{
    fprintf(out, "  %s%s%s%s%s", command->noun, command->verb ? " " : "",
            command->verb ? command->verb : "", command->arguments ? " " : "",
            command->arguments ? command->arguments : "");
    for (int i = 0; i < IDV_COMMAND_MAX_OPTIONS && command->options[i]; i++) {
        option_form_t form = read_form(command->options[i]);
        const char *format = form.kind == '!' ? " --%.*s %s"
                           : form.kind == '?' ? " [--%.*s%s]"
                                              : " [--%.*s %s]";

        fprintf(out, format, (int)form.length, command->options[i], form.value);
    }
    fprintf(out, "\n      %s\n", command->help);
}

/* The rest of NAME, words between spaces, after WORD; NULL: NAME does not begin
 * with it. */
static const char *rest_after(const char *name, const char *word)
{
    size_t length = strlen(word);

    if (strncmp(name, word, length) != 0
        || (name[length] && name[length] != ' '))
        return NULL;
    return name + length + (name[length] == ' ');
}

/* Whether the words of COMMAND begin with NOUN and VERB (NULL: any); a noun may
 * have two words. */
static int is_called(const idv_command_t *command, const char *noun,
                     const char *verb)
{
    const char *rest = rest_after(command->noun, noun);

    if (!rest || !verb)
        return rest != NULL;
    return *rest ? rest_after(rest, verb) != NULL
                 : strcmp(command->verb ? command->verb : "", verb) == 0;
}

/* Prints the commands with noun NOUN and verb VERB (NULL: any). Returns how
 * many there are. */
static int print_commands(FILE *out, const char *noun, const char *verb)
{
    const idv_command_t *c;
    int count = 0;

    for (int i = 0; (c = idv_command_at(i)) != NULL; i++) {
        if (noun && !is_called(c, noun, verb))
            continue;
        print_command(out, c);
        count++;
    }
    return count;
}

static void print_all(FILE *out)
{
    fputs(introduction, out);
    print_commands(out, NULL, NULL);
}

/* --- the command line --- */

static int complain(const char *format, const char *what)
{
    char *message = NULL;
    apr_pool_t *pool;

    apr_pool_create(&pool, NULL);
    if (asprintf(&message, format, what) >= 0)
        fprintf(stderr, "verifyctl: %s\n", idv_terminal_text(message, pool));
    free(message);
    apr_pool_destroy(pool);
    return EXIT_USAGE;
}

/* Like complain(), and also prints the usage of COMMAND. */
static int complain_of(const idv_command_t *command, const char *format,
                       const char *what)
{
    complain(format, what);
    print_commands(stderr, command->noun, command->verb);
    return EXIT_USAGE;
}

static const char *find_option(const idv_command_t *command, const char *name)
{
    for (int i = 0; i < IDV_COMMAND_MAX_OPTIONS && command->options[i]; i++) {
        size_t length = read_form(command->options[i]).length;

        if (strlen(name) == length
            && strncmp(command->options[i], name, length) == 0)
            return command->options[i];
    }
    return NULL;
}

static const char **find_setting(idv_call_t *call, const char *name)
{
    if (strcmp(name, "database") == 0)
        return &call->database;
    if (strcmp(name, "master-key") == 0)
        return &call->master_key_file;
    return strcmp(name, "migrations") == 0 ? &call->migrations : NULL;
}

/* Reads one option at ARGS[*i], of the program or of the command. */
static int read_option(idv_call_t *call, char **args, int count, int *i)
{
    size_t length = strcspn(args[*i] + 2, "=");
    const char *name = apr_pstrmemdup(call->pool, args[*i] + 2, length);
    const char *value = args[*i][2 + length] ? args[*i] + 3 + length : NULL;
    const char **setting = find_setting(call, name), *known = NULL;

    if (!setting && call->command)
        known = find_option(call->command, name);
    if (!setting && !known)
        return call->command
                 ? complain_of(call->command, "unknown option --%s", name)
                 : complain("unknown option --%s", name);
    if (known && read_form(known).kind == '?') {
        if (value)
            return complain_of(call->command, "--%s takes no value", name);
        value = "";
    }
    if (!value && *i + 1 >= count)
        return complain("--%s needs a value", name);
    if (!value)
        value = args[++*i];
    if (setting)
        *setting = value;
    else
        apr_table_setn(call->options, name, value);
    return 0;
}

static int count_words(const char *words)
{
    int count = words && *words ? 1 : 0;

    for (; words && *words; words++)
        count += *words == ' ';
    return count;
}

/* The number of allowed arguments. */
static int count_allowed(const char *words)
{
    return words && strstr(words, "...") ? IDV_COMMAND_MAX_ARGUMENTS
                                         : count_words(words);
}

/* The number of required arguments. */
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
        || arguments > count_allowed(command->arguments))
        return complain_of(command,
                           arguments ? "wrong arguments, expected: %s"
                                     : "missing argument: %s",
                           command->arguments ? command->arguments : "none");
    for (int i = 0; i < IDV_COMMAND_MAX_OPTIONS && command->options[i]; i++) {
        option_form_t form = read_form(command->options[i]);
        const char *name =
            apr_pstrmemdup(call->pool, command->options[i], form.length);

        if (form.kind == '!' && !apr_table_get(call->options, name))
            return complain_of(command, "--%s is required", name);
    }
    return 0;
}

/* The command that the COUNT words at ARGS begin with, and the number of its
 * words; NULL: none. */
static const idv_command_t *find_command(int count, char **args, int *words)
{
    const idv_command_t *c;

    for (int i = 0; (c = idv_command_at(i)) != NULL; i++) {
        const char *rest = c->noun;

        for (*words = 0; rest && *rest && *words < count; ++*words)
            rest = rest_after(rest, args[*words]);
        if (!rest || *rest)
            continue;
        if (!c->verb)
            return c;
        if (*words < count && strcmp(c->verb, args[*words]) == 0) {
            ++*words;
            return c;
        }
    }
    return NULL;
}

static int refuse_command(const char *noun)
{
    const idv_command_t *c;
    int known = 0;

    for (int i = 0; (c = idv_command_at(i)) != NULL; i++)
        known |= is_called(c, noun, NULL);
    if (!known)
        return complain("unknown command %s; see verifyctl --help", noun);
    complain("%s is one of these commands:", noun);
    print_commands(stderr, noun, NULL);
    return EXIT_USAGE;
}

/* Bytes that are not UTF-8 could not be stored, searched for, or printed. */
static int check_text(int count, char **args)
{
    for (int i = 1; i < count; i++) {
        json_t *text = json_string(args[i]);
        char number[sizeof("2147483647")];

        if (!text) {
            snprintf(number, sizeof(number), "%d", i);
            complain("argument %s is not valid UTF-8", number);
            return EXIT_FAILURE;
        }
        json_decref(text);
    }
    return 0;
}

static int read_command_line(idv_call_t *call, int count, char **args)
{
    int words = 0, name, fault = check_text(count, args);

    if (fault)
        return fault;
    for (int i = 1; i < count; i++) {
        if (strncmp(args[i], "--", 2) == 0) {
            if ((fault = read_option(call, args, count, &i)))
                return fault;
        } else if (!call->command) {
            call->command = find_command(count - i, args + i, &name);
            if (!call->command)
                return refuse_command(args[i]);
            i += name - 1;
        } else if (words == IDV_COMMAND_MAX_ARGUMENTS) {
            return complain("too many arguments at %s", args[i]);
        } else {
            call->arguments[words++] = args[i];
        }
    }
    if (!call->command) {
        print_all(stderr);
        return EXIT_USAGE;
    }
    return check_completeness(call, words);
}

/* --- the call --- */

static idv_error_t *check_database(idv_call_t *call)
{
    const char *fault;

    IDV_TRY(idv_database_check(call->db, call->keyring, &fault, call->pool));
    return fault ? idv_error_internal(call->pool, "%s", fault) : NULL;
}

static idv_error_t *connect_database(idv_call_t *call)
{
    IDV_TRY(idv_call_connect(call, &call->db));
    if (call->command->accepts_any_schema)
        return NULL;
    IDV_TRY(check_database(call));
    return idv_call_check_names(call);
}

typedef struct {
    idv_call_t *call;
    json_t *answer;
} change_t;

/* Runs a command and records it. */
static idv_error_t *change(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    change_t *work = baton;

    (void)db;
    (void)pool;
    json_decref(work->answer);
    work->answer = NULL;
    IDV_TRY(work->call->command->run(work->call, &work->answer));
    return work->call->changed_nothing
             ? NULL
             : idv_call_record(work->call, work->answer);
}

static idv_error_t *run_connected(idv_call_t *call, json_t **answer)
{
    change_t work = {call, NULL};
    idv_error_t *error;

    if (!call->command->changes) {
        IDV_TRY(call->command->run(call, answer));
        return json_is_array(*answer) && json_array_size(*answer) == 0
                 ? idv_call_check_empty(call)
                 : NULL;
    }
    error = idv_db_transaction(call->db, change, &work, call->pool);
    *answer = work.answer;
    if (!error && call->secret_files)
        idv_secret_files_keep(call->secret_files);
    if (!error && call->file)
        error = idv_private_file_write(call->file, call->content, call->pool);
    return error;
}

static idv_error_t *run(idv_call_t *call, json_t **answer)
{
    if (call->command->offline)
        return call->command->run(call, answer);
    if (!call->database)
        return idv_error_param(call->pool, "database",
                               "No database: pass --database or set "
                               "VERIFY_DATABASE.");
    if (call->command->needs_keyring) {
        if (!call->master_key_file)
            return idv_error_param(call->pool, "master-key",
                                   "No master key: pass --master-key or set "
                                   "VERIFY_MASTER_KEY_FILE.");
        IDV_TRY(idv_keyring_load(call->master_key_file, &call->keyring,
                                 call->pool));
    }
    IDV_TRY(connect_database(call));
    return run_connected(call, answer);
}

/* Prints the detail in place of the message that callers of the API get. It
 * never holds personal data. */
static int report(const idv_call_t *call, const idv_error_t *error)
{
    const char *about =
        error->param ? idv_call_name_param(call, error->param) : NULL;
    const char *cause = idv_error_cause(error), *text = cause;

    if (!about
        && (error->code == IDV_E_RESOURCE_MISSING
            || error->code == IDV_E_SESSION_NOT_FOUND))
        about = idv_call_names(call);
    about = about ? idv_terminal_text(about, call->pool) : NULL;
    if (about && !error->detail)
        text = idv_error_sentence(error, about, call->pool);
    if (text != cause)
        about = NULL;
    fprintf(stderr, "verifyctl: %s%s%s%s\n",
            idv_terminal_lines(text, call->pool), about ? " (" : "",
            about ? about : "", about ? ")" : "");
    return call->command->examines ? EXIT_USAGE : EXIT_FAILURE;
}

/* "verifyctl [NOUN [VERB]] --help" and "verifyctl help [NOUN [VERB]]". */
static int print_help(int count, char **args)
{
    const char *words[2] = {NULL, NULL};
    int first = strcmp(args[1], "help") == 0 ? 2 : 1;

    for (int i = first; i < count && i < first + 2 && args[i][0] != '-'; i++)
        words[i - first] = args[i];
    if (!words[0])
        print_all(stdout);
    else if (!print_commands(stdout, words[0], words[1]))
        return complain("unknown command %s; see verifyctl --help", words[0]);
    return EXIT_SUCCESS;
}

static int asks_for_help(int count, char **args)
{
    return count > 1
        && (strcmp(args[1], "help") == 0 || strcmp(args[count - 1], "-h") == 0
            || strcmp(args[count - 1], "--help") == 0);
}

static const char *from_environment(const char *name, const char *preset)
{
    const char *value = getenv(name);

    return value && *value ? value : preset;
}

/* Prints ANSWER in the terminal form of COMMAND. */
static void print_form(const idv_command_t *command, const json_t *answer,
                       FILE *out, apr_pool_t *pool)
{
    if (command->columns)
        idv_table_print(out, answer, command->columns, pool);
    else
        (command->print ? command->print : idv_record_print)(answer, out, pool);
}

/* All output passes one filter, because any of it may come from outside. JSON
 * is included, since it may be shown on a terminal later. */
static int print_answer(const idv_call_t *call, const json_t *answer)
{
    const idv_command_t *command = call->command;
    char *text = NULL;
    size_t length = 0;
    FILE *out;

    if (answer && isatty(STDOUT_FILENO) && !command->is_document) {
        out = open_memstream(&text, &length);
        if (!out)
            return EOF;
        print_form(command, answer, out, call->pool);
        fclose(out);
    } else if (answer) { /* else it has already printed its output */
        text = json_dumps(answer, JSON_INDENT(2));
        if (!text)
            return EOF;
    }
    if (text)
        fputs(idv_terminal_lines(text, call->pool), stdout);
    if (text && !length)
        putchar('\n');
    free(text);
    /* The lost output may be a secret that is printed only once, or the end of
     * a record. */
    return fflush(stdout) != 0 || ferror(stdout) ? EOF : 0;
}

int main(int count, char **args)
{
    idv_call_t call = {
        .database = getenv("VERIFY_DATABASE"),
        .master_key_file = getenv("VERIFY_MASTER_KEY_FILE"),
        .migrations = from_environment("VERIFY_MIGRATIONS", VERIFY_DATA "/sql"),
        .compliance_overlay =
            from_environment("VERIFY_COMPLIANCE_OVERLAY", NULL),
        .compliance_rules = from_environment("VERIFY_COMPLIANCE_RULES",
                                             VERIFY_DATA "/compliance"),
    };
    json_t *answer = NULL;
    idv_error_t *error;
    int status;

    apr_initialize();
    atexit(apr_terminate);
    if (asks_for_help(count, args))
        return print_help(count, args);
    if (count > 1 && strcmp(args[1], "--version") == 0) {
        puts("verifyctl " VERIFY_VERSION);
        return EXIT_SUCCESS;
    }
    apr_pool_create(&call.pool, NULL);
    call.options = apr_table_make(call.pool, 8);
    status = read_command_line(&call, count, args);
    if (status)
        return status;
    error = run(&call, &answer);
    if (error)
        return report(&call, error);
    status = print_answer(&call, answer);
    json_decref(answer);
    if (status) {
        fputs("verifyctl: the output could not be written; the command "
              "itself was completed\n", stderr);
        return EXIT_FAILURE;
    }
    return call.found_faults;
}
