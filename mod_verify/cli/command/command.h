/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CLI_COMMAND_COMMAND_H
#define IDV_CLI_COMMAND_COMMAND_H

/*
 * A command of verifyctl: `verifyctl NOUN VERB [ARGUMENT...] [--option VALUE]`.
 *
 * Commands are grouped into chapters by subject. NAME_commands.c holds the
 * functions of a chapter and, at its end, a table with the words, arguments and
 * options of each command. The command line, its checks and the help are made
 * from that table. A command answers with one JSON value, which main prints; on
 * a terminal it is printed in the command's own form, if it has one
 * (cli/command/table.h). Output goes through core/terminal_text.h, in main; a
 * command that prints by itself also uses it.
 *
 * Personal data (a customer's reference and metadata, findings about a person)
 * is in an answer only if the operator passed --personal.
 *
 * cli/command/names.h checks that the named objects exist, by their names in
 * the table (WF_ID): the organization before the command runs, the others if it
 * lists nothing.
 *
 * Memory: everything lives in the program's pool. Threads: one. Failures: an
 * error ends the program with status 1; an invalid option is
 * `parameter_invalid` with the option's name as the parameter.
 */
#include <stdio.h>

#include <apr_tables.h>

#include "cli/command/private_file.h"
#include "cli/command/secret_files.h"
#include "core/keyring.h"
#include "store/db/db.h"

#define IDV_COMMAND_MAX_OPTIONS 16
#define IDV_COMMAND_MAX_ARGUMENTS 64

typedef struct idv_command_t idv_command_t;

/* A call of a command. */
typedef struct {
    const idv_command_t *command;
    const char *arguments[IDV_COMMAND_MAX_ARGUMENTS + 1]; /* ends with NULL */
    apr_table_t *options; /* without the dashes; flags have the value "" */
    const char *database;
    const char *master_key_file;
    const char *migrations;
    const char *compliance_rules;
    const char *compliance_overlay; /* NULL: none */
    /* Organization of the object that a command changes, for the audit record;
     * set by the command if neither --org nor its answer names it. */
    const char *organization_id;
    const char *reason; /* reason for the record; NULL: none was given */
    /* Personal data for a file, written once the action is recorded; NULL:
     * none. */
    idv_private_file_t *file;
    idv_bytes_t content;
    /* Files with new secrets, which remain if the transaction of the command
     * succeeds; NULL: none. */
    idv_secret_files_t *secret_files;
    int changed_nothing; /* flag: set by a command that only showed something */
    idv_db_t *db;           /* NULL for an offline command */
    idv_keyring_t *keyring; /* NULL unless the command needs it */
    /* Exit status of a command that checks something, set if its answer lists
     * faults; 1 except for `doctor`. */
    int found_faults;
    apr_pool_t *pool;
} idv_call_t;

struct idv_command_t {
    const char *noun;      /* one word, or two */
    const char *verb;      /* NULL for a command of one word */
    /* Names separated by spaces; a last "[NAME]" is optional, a last "NAME..."
     * may be repeated. */
    const char *arguments;
    /* "name! VALUE" is required, "name VALUE" is optional, "name?" is a flag;
     * VALUE is its name in the help. */
    const char *options[IDV_COMMAND_MAX_OPTIONS];
    int needs_keyring;
    int offline;            /* needs no database */
    int changes; /* flag: changes the service; runs in a transaction and is
                  * recorded */
    const char *told; /* a member of the answer, one of this program's own
                       * words, that is recorded; NULL: none */
    int tells_reviewer; /* flag: the person named by --by took part in a
                         * session, which is recorded for second reviews */
    int examines; /* flag: the exit status is the finding; a failure exits like
                   * a wrong command line */
    int accepts_any_schema; /* flag: the database may have another schema
                             * version */
    int any_organization; /* flag: may name an unknown organization; checks it
                           * by itself */
    idv_error_t *(*run)(idv_call_t *call, json_t **answer);
    int is_document; /* flag: the answer is meant for a file; JSON even on a
                      * terminal */
    /* Form of the answer on a terminal: the columns of a list as a table,
     * ending with NULL, or a function; if both are NULL, that of
     * cli/command/record_print.h. */
    const char *const *columns;
    void (*print)(const json_t *answer, FILE *out, apr_pool_t *pool);
    const char *help;
};

/* The chapters in the order of the help. Each table ends with a noun of
 * NULL. */
#define IDV_COMMAND_CHAPTERS(X)                                                \
    X(operation)                                                               \
    X(doctor)                                                                  \
    X(master_key)                                                              \
    X(setup)                                                                   \
    X(organization)                                                            \
    X(application)                                                             \
    X(billing)                                                                 \
    X(key)                                                                     \
    X(oidc)                                                                    \
    X(definition)                                                              \
    X(compliance)                                                              \
    X(draft)                                                                   \
    X(scenario)                                                                \
    X(simulation)                                                              \
    X(trust)                                                                   \
    X(revocation)                                                              \
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
    X(report)                                                                  \
    X(audit)                                                                   \
    X(service)                                                                 \
    X(developer)

#define X(name) extern const idv_command_t idv_##name##_commands[];
IDV_COMMAND_CHAPTERS(X)
#undef X

/* The head of a command's function. */
#define IDV_COMMAND(name)                                                      \
    static idv_error_t *name(idv_call_t *call, json_t **answer)

/* The command INDEX, counted from 0 through all chapters; NULL after the
 * last. */
const idv_command_t *idv_command_at(int index);

/* Connects to the database of CALL, whatever its schema version; closed with
 * the pool of CALL. */
idv_error_t *idv_call_connect(const idv_call_t *call,
                              idv_db_t **db) IDV_CHECKED;

/* The value of the option NAME (without its dashes); NULL if it was not given,
 * "" for a flag that was. */
const char *idv_call_option(const idv_call_t *call, const char *name);

/* The value of an option that must be a whole number within BOUNDS (minimum and
 * maximum). *VALUE is unchanged if the option was not given. */
idv_error_t *idv_call_number(const idv_call_t *call, const char *name,
                             const apr_int64_t bounds[2],
                             apr_int64_t *value) IDV_CHECKED;

/* The value of --limit, 1 to 10,000; 100 by default. */
idv_error_t *idv_call_limit(const idv_call_t *call, int *limit) IDV_CHECKED;

/* The index of an option's value in a list ending with NULL. *INDEX is
 * unchanged if the option was not given. */
idv_error_t *idv_call_choice(const idv_call_t *call, const char *name,
                             const char *const *choices,
                             int *index) IDV_CHECKED;

/* Maximum characters of a name or note; the domain has narrower rules for
 * some. */
#define IDV_CALL_TEXT_MAX 500

/* Checks the text of the option NAME, which goes into events and lists: 1 to
 * MAX characters of UTF-8, else `parameter_invalid`. An option that was not
 * given passes. */
idv_error_t *idv_call_text(const idv_call_t *call, const char *name,
                           apr_size_t max) IDV_CHECKED;

/* The next line of standard input, at most MAX bytes: for values that other
 * users of the machine must not see in command lines. NAME describes it in the
 * prompt and in `parameter_invalid`. Later calls return the same line, because
 * a transaction may be run again. */
idv_error_t *idv_call_read_line(const idv_call_t *call, const char *name,
                                apr_size_t max,
                                const char **line) IDV_CHECKED;

/* Checks that the organization of --org exists, else `parameter_invalid`, so
 * that an unknown one is not answered with an empty list. */
idv_error_t *idv_call_organization(const idv_call_t *call) IDV_CHECKED;

#endif
