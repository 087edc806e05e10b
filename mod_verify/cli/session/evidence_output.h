/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CLI_SESSION_EVIDENCE_OUTPUT_H
#define IDV_CLI_SESSION_EVIDENCE_OUTPUT_H

/*
 * Writes pictures of persons for an operator without a browser: to a new file
 * named by --output that only its owner can read, never to a terminal, and only
 * after the look is recorded.
 *
 * Threads: one. Memory: the call's pool. Failures: those of
 * cli/command/private_file.h.
 */
#include "cli/command/command.h"
#include "store/method/evidence.h"

/* Creates the file, schedules PICTURE to be written into it when the
 * transaction of CALL has ended, and answers with its description. A
 * transaction that is run again calls it again. */
idv_error_t *idv_call_put_picture(idv_call_t *call,
                                  const idv_evidence_t *picture,
                                  json_t **answer) IDV_CHECKED;

#endif
