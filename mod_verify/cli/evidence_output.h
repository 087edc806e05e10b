/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CLI_EVIDENCE_OUTPUT_H
#define IDV_CLI_EVIDENCE_OUTPUT_H

/*
 * Pictures of persons for an operator without a browser: into a new file that
 * the option --output names and only its owner can read, never to a terminal,
 * and not before the look is recorded.
 *
 * Threads: one. Memory: the call's pool. Failures: those of cli/private_file.h.
 */
#include "cli/command.h"
#include "store/method/evidence.h"

/* Makes the file, has CALL write PICTURE into it once the call's transaction
 * has ended, and answers what is there. A transaction that is begun anew calls
 * it again. */
idv_error_t *idv_call_put_picture(idv_call_t *call,
                                  const idv_evidence_t *picture,
                                  json_t **answer) IDV_CHECKED;

#endif
