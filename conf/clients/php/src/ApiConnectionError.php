<?php
// SPDX-License-Identifier: Apache-2.0

declare(strict_types=1);

namespace ModVerify;

/** The service did not answer, or not in time. */
final class ApiConnectionError extends VerifyError
{
}
