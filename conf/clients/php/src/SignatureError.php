<?php
// SPDX-License-Identifier: Apache-2.0

declare(strict_types=1);

namespace ModVerify;

/** The service did not sign this webhook, or not in the last minutes: respond with 400. */
final class SignatureError extends VerifyError
{
    /** @param 'missing'|'malformed'|'too_old'|'mismatch' $reason */
    public function __construct(public readonly string $reason, string $message)
    {
        parent::__construct($message);
    }
}
