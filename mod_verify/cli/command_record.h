/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CLI_COMMAND_RECORD_H
#define IDV_CLI_COMMAND_RECORD_H

/*
 * How commands that change something get into the record of actions
 * (store/account/operator_action.h): with the user of the system who called, behind
 * sudo the one who called that; the command; the id of what it changed, which
 * its answer has as `id` or its first argument is; the names of its options, and
 * the values of those that are a number or one of a few words.
 *
 * Threads: one. Memory: the call's pool. Failures: those of store/db/db.h.
 */
#include "cli/command.h"

/* Appends CALL, which has changed something and answers ANSWER, to the chain of
 * the organization of --org, else of the one that the command has set, that the
 * answer names or is, else of the server. Within the transaction of the
 * change. */
idv_error_t *idv_call_record(const idv_call_t *call,
                             const json_t *answer) IDV_CHECKED;

/* Who calls: the system's user, behind sudo the one who called that. */
const char *idv_call_actor(const idv_call_t *call);

#endif
