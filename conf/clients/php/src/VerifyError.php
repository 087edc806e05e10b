<?php
// SPDX-License-Identifier: Apache-2.0

declare(strict_types=1);

namespace ModVerify;

/** The class of all errors of this package. No message contains a secret. */
class VerifyError extends \RuntimeException
{
}
