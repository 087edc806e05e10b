/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CLI_COMMAND_COMMAND_RECORD_H
#define IDV_CLI_COMMAND_COMMAND_RECORD_H

/*
 * Records commands that change something in the operator action log
 * (store/account/operator_action.h): the system user who called (behind sudo,
 * its caller); the command; the id of the changed object, from `id` of the
 * answer or the first argument; the names of its options, and the values that
 * are numbers or words of a fixed set.
 *
 * Threads: one. Memory: the call's pool. Failures: those of store/db/db.h.
 */
#include "cli/command/command.h"

/* Appends CALL, which changed something and answers ANSWER, to the chain of an
 * organization: that of --org, else the one that the command has set, else the
 * one that the answer names or is, else the server's chain. Call it in the
 * transaction of the change. */
idv_error_t *idv_call_record(const idv_call_t *call,
                             const json_t *answer) IDV_CHECKED;

/* The system user who called; behind sudo, the user who called sudo. */
const char *idv_call_actor(const idv_call_t *call);

#endif
