/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CLI_ACCOUNT_BILLING_COMMANDS_H
#define IDV_CLI_ACCOUNT_BILLING_COMMANDS_H

/*
 * What the commands about billing share with those about organizations.
 *
 * Threads: pure. Nothing fails.
 */
#include "cli/command/command.h"
#include "store/account/ledger.h"

/* The verifications of MONTH (YYYYMM). New reference. */
json_t *idv_call_usage_json(int month, const idv_usage_t *usage);

#endif
