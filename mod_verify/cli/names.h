/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CLI_NAMES_H
#define IDV_CLI_NAMES_H

/*
 * The ids that a command line names, by what the command's table calls them
 * (ORG, WF_ID): one that there is not is the same error everywhere, with what it
 * is and as it was given, instead of an empty list or of an error about
 * something else.
 *
 * Memory: the pool of the call. Threads: one.
 */
#include "cli/command.h"

/* Looks for the organization of CALL (--org, or an argument ORG):
 * `parameter_invalid` when it is not there. A cursor (--starting-after) has to be
 * of the right type only, as what it names may be gone. */
idv_error_t *idv_call_check_names(const idv_call_t *call) IDV_CHECKED;

/* The same for all that the options of CALL name, whose answer is an empty list:
 * of what there is not nothing can be listed. Not before the answer, as there may
 * be deliveries of an endpoint that is gone. */
idv_error_t *idv_call_check_empty(const idv_call_t *call) IDV_CHECKED;

/* What CALL names, for an error that does not say what is missing: "workflow
 * wf_… or application app_…"; NULL: nothing. */
const char *idv_call_names(const idv_call_t *call);

/* What is said of the parameter PARAM of an error: the option with the id that
 * was given for it, or PARAM. */
const char *idv_call_name_param(const idv_call_t *call, const char *param);

#endif
