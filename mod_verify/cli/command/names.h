/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CLI_COMMAND_NAMES_H
#define IDV_CLI_COMMAND_NAMES_H

/*
 * Checks the ids on a command line, by their names in the command's table (ORG,
 * WF_ID). A missing object is the same error everywhere, with its kind and the
 * id as given, instead of an empty list or an unrelated error.
 *
 * Memory: the pool of the call. Threads: one.
 */
#include "cli/command/command.h"

/* Looks up the organization of CALL (--org, or an argument ORG);
 * `parameter_invalid` if it does not exist. A cursor (--starting-after) is only
 * checked for its type, since its object may be gone. */
idv_error_t *idv_call_check_names(const idv_call_t *call) IDV_CHECKED;

/* The same for all objects named by the options of CALL. Call it only if the
 * answer is an empty list, because objects that are gone may still have
 * entries, such as deliveries of a deleted endpoint. */
idv_error_t *idv_call_check_empty(const idv_call_t *call) IDV_CHECKED;

/* The objects that CALL names, for an error that does not say what is missing:
 * "workflow wf_… or application app_…"; NULL: none. */
const char *idv_call_names(const idv_call_t *call);

/* The text for the parameter PARAM of an error: the option with the id given
 * for it, or PARAM. */
const char *idv_call_name_param(const idv_call_t *call, const char *param);

#endif
