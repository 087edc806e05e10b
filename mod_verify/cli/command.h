/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CLI_COMMAND_H
#define IDV_CLI_COMMAND_H

/*
 * A command of verifyctl: `verifyctl NOUN VERB [ARGUMENT...] [--option VALUE]`.
 *
 * Commands stand in chapters, by what they are about: NAME_commands.c holds the
 * functions of a chapter and, at its end, the table with the words, arguments
 * and options of each, of which the command line, its checks and the help are
 * made. A command answers with one JSON value, which main prints,
 * unless it is to be read on a terminal and the command has a form for that
 * (cli/table.h). What is printed goes through core/terminal_text.h, in main; a
 * command that prints itself sends it through there.
 *
 * Personal data (a customer's reference and metadata, what was found of a
 * person) is in an answer only where the operator asked for it by --personal.
 *
 * What a call names is looked for by cli/names.h, which has to know what the table
 * calls it (WF_ID): the organization before the command runs, the rest where it
 * lists nothing.
 *
 * Memory: everything lives in the program's pool. Threads: one. Failures: an
 * error ends the program with status 1; what is wrong with an option is
 * `parameter_invalid` with the option's name as the parameter.
 */
#include <stdio.h>

#include <apr_tables.h>

#include "cli/private_file.h"
#include "core/keyring.h"
#include "store/db/db.h"

#define IDV_COMMAND_MAX_OPTIONS 10
#define IDV_COMMAND_MAX_ARGUMENTS 4

typedef struct idv_command_t idv_command_t;

/* A call of a command. */
typedef struct {
    const idv_command_t *command;
    const char *arguments[IDV_COMMAND_MAX_ARGUMENTS];
    apr_table_t *options; /* without the dashes; flags have the value "" */
    const char *database;
    const char *master_key_file;
    const char *migrations;
    const char *compliance_rules;
    const char *compliance_overlay; /* NULL: none */
    /* Whose the object is that a command changes, for the record of it: set by
     * the command where neither --org nor its answer says so. */
    const char *organization_id;
    const char *reason; /* why, for the record; NULL: none was given */
    /* What is personal and goes into a file, once what the command did is
     * recorded; NULL: nothing. */
    idv_private_file_t *file;
    idv_bytes_t content;
    int changed_nothing; /* set by a command that was only to show something */
    idv_db_t *db;           /* NULL for an offline command */
    idv_keyring_t *keyring; /* NULL unless the command needs it */
    /* Set by a command that checks something: its answer says what is wrong,
     * and the exit status is this, 1 but for `doctor`. */
    int found_faults;
    apr_pool_t *pool;
} idv_call_t;

struct idv_command_t {
    const char *noun;
    const char *verb;      /* NULL for a command of one word */
    const char *arguments; /* their names, separated by spaces; "[NAME]" may
                            * be left away, at the end */
    /* "name! VALUE" must be given, "name VALUE" may be, "name?" is a flag;
     * VALUE is what the help calls it. */
    const char *options[IDV_COMMAND_MAX_OPTIONS];
    int needs_keyring;
    int offline;            /* needs no database */
    int changes; /* the service: it runs in a transaction and is recorded */
    const char *told; /* the member of the answer, one of this program's own
                       * words, that the record tells; NULL: none */
    int tells_reviewer; /* who is named by --by had to do with a session, which
                         * the record tells for second reviews */
    int examines; /* its exit status tells what it found; a failure is as a
                   * wrong command line */
    int accepts_any_schema; /* the database may be of another version */
    int any_organization; /* may name one that is not there, and looks itself */
    idv_error_t *(*run)(idv_call_t *call, json_t **answer);
    int is_document; /* the answer is for a file: JSON, on a terminal, too */
    /* For whoever reads the answer on a terminal: the columns of a list as a
     * table, ending with NULL, or a function; both NULL: cli/record_print.h. */
    const char *const *columns;
    void (*print)(const json_t *answer, FILE *out, apr_pool_t *pool);
    const char *help;
};

/* The chapters, in the order of the help. Each ends with a noun of NULL. */
#define IDV_COMMAND_CHAPTERS(X)                                                \
    X(operation)                                                               \
    X(doctor)                                                                  \
    X(master_key)                                                              \
    X(organization)                                                            \
    X(key)                                                                     \
    X(definition)                                                              \
    X(compliance)                                                              \
    X(draft)                                                                   \
    X(simulation)                                                              \
    X(trust)                                                                   \
    X(reader)                                                                  \
    X(session)                                                                 \
    X(session_history)                                                         \
    X(webhook)                                                                 \
    X(delivery)                                                                \
    X(review)                                                                  \
    X(second_review)                                                           \
    X(risk)                                                                    \
    X(person)                                                                  \
    X(evaluation)                                                              \
    X(audit)                                                                   \
    X(service)                                                                 \
    X(developer)

#define X(name) extern const idv_command_t idv_##name##_commands[];
IDV_COMMAND_CHAPTERS(X)
#undef X

/* The head of a command's function. */
#define IDV_COMMAND(name)                                                      \
    static idv_error_t *name(idv_call_t *call, json_t **answer)

/* The command INDEX, from 0 through all chapters; NULL behind the last. */
const idv_command_t *idv_command_at(int index);

/* A connection to the database of CALL, whatever schema that has; closed with
 * the pool of CALL. */
idv_error_t *idv_call_connect(const idv_call_t *call,
                              idv_db_t **db) IDV_CHECKED;

/* The value of the option NAME, without its dashes; NULL when it was not given,
 * "" for a flag that was. */
const char *idv_call_option(const idv_call_t *call, const char *name);

/* The value of an option that has to be a whole number, within BOUNDS: the
 * least and the most. *VALUE is left alone when it was not given. */
idv_error_t *idv_call_number(const idv_call_t *call, const char *name,
                             const apr_int64_t bounds[2],
                             apr_int64_t *value) IDV_CHECKED;

/* The value of --limit, 1 to 10,000; 100 when it was not given. */
idv_error_t *idv_call_limit(const idv_call_t *call, int *limit) IDV_CHECKED;

/* The value of an option that has to be one of a list, ending with NULL;
 * *INDEX is left alone when the option was not given. */
idv_error_t *idv_call_choice(const idv_call_t *call, const char *name,
                             const char *const *choices,
                             int *index) IDV_CHECKED;

/* Characters of a name or a note; the domain knows more of some others. */
#define IDV_CALL_TEXT_MAX 500

/* Checks the text of the option NAME, which goes into events and lists: 1 to MAX
 * characters of UTF-8, else `parameter_invalid`. An option that was not given
 * passes. */
idv_error_t *idv_call_text(const idv_call_t *call, const char *name,
                           apr_size_t max) IDV_CHECKED;

/* The next line of standard input, of MAX bytes at most: for what other users of the
 * machine are not to see in command lines. NAME is what it is, for a person at a
 * terminal and for `parameter_invalid`; asked for again it is the same line, as a
 * transaction may begin anew. */
idv_error_t *idv_call_read_line(const idv_call_t *call, const char *name,
                                apr_size_t max,
                                const char **line) IDV_CHECKED;

/* Checks that the organization of --org exists, so that an unknown one is not
 * answered by an empty list: `parameter_invalid` otherwise. */
idv_error_t *idv_call_organization(const idv_call_t *call) IDV_CHECKED;

#endif
