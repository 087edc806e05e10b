/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CLI_COMMAND_H
#define IDV_CLI_COMMAND_H

/*
 * A command of verifyctl: `verifyctl NOUN VERB [ARGUMENT...] [--option VALUE]`.
 *
 * Every command stands once in the table of commands.c, with the options that
 * it knows. It answers with one JSON value, which main prints.
 *
 * Memory: everything lives in the program's pool.
 */
#include <apr_tables.h>

#include "store/db.h"

#define IDV_COMMAND_MAX_OPTIONS 8
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
    idv_db_t *db;           /* NULL for an offline command */
    idv_keyring_t *keyring; /* NULL unless the command needs it */
    /* Set by a command that checks something: its answer says what is wrong,
     * and the exit status is 1. */
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
    int offline; /* needs no database */
    idv_error_t *(*run)(idv_call_t *call, json_t **answer);
    const char *help;
};

/* The table; ends with a noun of NULL. */
extern const idv_command_t idv_commands[];

/* The value of an option, or NULL. */
const char *idv_call_option(const idv_call_t *call, const char *name);

/* The value of an option that has to be a whole number, within BOUNDS: the
 * least and the most. *VALUE is left alone when it was not given. */
idv_error_t *idv_call_number(const idv_call_t *call, const char *name,
                             const apr_int64_t bounds[2],
                             apr_int64_t *value) IDV_CHECKED;

/* The value of an option that has to be one of a list, ending with NULL;
 * *INDEX is left alone when the option was not given. */
idv_error_t *idv_call_choice(const idv_call_t *call, const char *name,
                             const char *const *choices,
                             int *index) IDV_CHECKED;

/* Characters of a name or a note; the domain knows more of some others. */
#define IDV_CALL_TEXT_MAX 500

/* What a person wrote, if anything, has 1 to MAX characters of UTF-8: it goes
 * into events and lists. */
idv_error_t *idv_call_text(const idv_call_t *call, const char *name,
                           apr_size_t max) IDV_CHECKED;

/* The organization of --org is there: an unknown one is not an empty list. */
idv_error_t *idv_call_organization(const idv_call_t *call) IDV_CHECKED;

#define IDV_COMMAND(name) idv_error_t *name(idv_call_t *call, json_t **answer)

IDV_COMMAND(idv_command_migrate);
IDV_COMMAND(idv_command_org_create);
IDV_COMMAND(idv_command_org_list);
IDV_COMMAND(idv_command_org_show);
IDV_COMMAND(idv_command_org_update);
IDV_COMMAND(idv_command_app_create);
IDV_COMMAND(idv_command_app_list);
IDV_COMMAND(idv_command_credits_add);
IDV_COMMAND(idv_command_credits);
IDV_COMMAND(idv_command_key_create);
IDV_COMMAND(idv_command_key_list);
IDV_COMMAND(idv_command_key_revoke);
IDV_COMMAND(idv_command_workflow_check);
IDV_COMMAND(idv_command_workflow_publish);
IDV_COMMAND(idv_command_workflow_list);
IDV_COMMAND(idv_command_workflow_show);
IDV_COMMAND(idv_command_compliance_check_data);
IDV_COMMAND(idv_command_person_show);
IDV_COMMAND(idv_command_person_erase);
IDV_COMMAND(idv_command_credential_list);
IDV_COMMAND(idv_command_credential_revoke);
IDV_COMMAND(idv_command_token_revoke);
IDV_COMMAND(idv_command_trust_reuse_asks);
IDV_COMMAND(idv_command_webhook_recover);
IDV_COMMAND(idv_command_webhook_recovery_status);
IDV_COMMAND(idv_command_webhook_recoveries);
IDV_COMMAND(idv_command_review_list);
IDV_COMMAND(idv_command_review_ended);
IDV_COMMAND(idv_command_review_show);
IDV_COMMAND(idv_command_review_decide);

#endif
