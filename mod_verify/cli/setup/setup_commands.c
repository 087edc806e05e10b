/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command/command.h"

#include <stdio.h>

#include <apr_strings.h>

#include "cli/setup/setup_apply.h"
#include "cli/setup/setup_export.h"
#include "core/yaml_writer.h"
#include "store/account/organization.h"

/* Declarative set-up: files that say what an installation has. */

/* --- apply --- */

static idv_error_t *apply_work(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    idv_setup_apply_t *apply = baton;
    apr_array_header_t *owners;

    (void)pool;
    IDV_TRY(idv_setup_read(apply->call->arguments, &owners, apply->call->pool));
    IDV_TRY(idv_organization_lock_setup(db, apply->call->pool));
    IDV_TRY(idv_setup_apply(apply, owners));
    apply->plan->is_complete = 1;
    /* A trial is undone, and so ends as if it had failed. */
    return apply->is_trial ? idv_error_new(IDV_E_INTERNAL,
                                           apply->call->pool)
                           : NULL;
}

/* Discards what an earlier run of the transaction has written. */
static idv_error_t *open_files(idv_call_t *call, idv_setup_apply_t *apply)
{
    apply->directory = idv_call_option(call, "secrets-dir");
    if (!apply->directory)
        return NULL;
    if (!call->secret_files)
        IDV_TRY(idv_secret_files_open(apply->directory, &call->secret_files,
                                      call->pool));
    idv_secret_files_discard(call->secret_files);
    apply->files = call->secret_files;
    return NULL;
}

IDV_COMMAND(setup_apply)
{
    idv_setup_plan_t plan;
    idv_setup_apply_t apply = {
        .call = call,
        .prunes = idv_call_option(call, "prune") != NULL,
        .is_trial = idv_call_option(call, "dry-run")
                 || idv_call_option(call, "plan"),
        .plan = &plan,
    };
    idv_error_t *error;

    idv_setup_plan_init(&plan, call->pool);
    IDV_TRY(open_files(call, &apply));
    error = idv_db_transaction(call->db, apply_work, &apply, call->pool);
    if (error && !(apply.is_trial && plan.is_complete))
        return error;
    call->changed_nothing = apply.is_trial || idv_setup_plan_is_empty(&plan);
    *answer = idv_setup_plan_json(&plan, !apply.is_trial);
    return NULL;
}

/* --- export --- */

static const char head[] =
    "# The set-up of an installation of mod_verify, for `verifyctl apply`.\n"
    "# It has no ids, keys and secrets: apply makes new ones where an object is\n"
    "# new. Age gates are in the configuration of httpd (VerifyGate).\n";

static idv_error_t *print_yaml(const json_t *root,
                               const apr_array_header_t *remarks,
                               apr_pool_t *pool)
{
    const char *text;

    IDV_TRY(idv_yaml_write(root, &text, pool));
    fputs(head, stdout);
    for (int i = 0; i < remarks->nelts; i++)
        printf("# %s\n", APR_ARRAY_IDX(remarks, i, const char *));
    fputs(text, stdout);
    return NULL;
}

IDV_COMMAND(setup_export)
{
    apr_array_header_t *remarks;
    json_t *root;

    IDV_TRY(idv_setup_export(call, idv_call_option(call, "org"), &root,
                             &remarks));
    for (int i = 0; i < remarks->nelts; i++)
        fprintf(stderr, "verifyctl: %s\n",
                APR_ARRAY_IDX(remarks, i, const char *));
    if (!idv_call_option(call, "json"))
        return print_yaml(root, remarks, call->pool);
    *answer = json_incref(root);
    return NULL;
}

const idv_command_t idv_setup_commands[] = {
    {.noun = "apply",
     .changes = 1,
     .needs_keyring = 1,
     .arguments = "FILE...",
     .options = {"dry-run?", "plan?", "prune?", "secrets-dir DIR"},
     .run = setup_apply,
     .told = "summary",
     .print = idv_setup_plan_print,
     .help = "bring organizations, applications, keys, webhook endpoints,\n"
             "      workflows, brands, limits, trust lists and login clients to\n"
             "      what YAML or JSON files say, in one transaction, and print\n"
             "      what changed. --dry-run (or --plan) only prints it. --prune\n"
             "      removes what a list of the file does not name. New secrets go\n"
             "      to files in --secrets-dir, or are printed once"},
    {.noun = "export",
     .options = {"org ORG", "json?"},
     .run = setup_export,
     .is_document = 1,
     .help = "print all organizations, or one, as a file for apply: YAML, or\n"
             "      JSON with --json. It has no secrets"},
    {0},
};
