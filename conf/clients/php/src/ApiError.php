<?php
// SPDX-License-Identifier: Apache-2.0

declare(strict_types=1);

namespace ModVerify;

/** The service refused the request. Branch on `errorCode`. */
final class ApiError extends VerifyError
{
    public readonly ?string $type;
    public readonly ?string $errorCode;
    public readonly ?string $param;
    /** For questions to the operator. */
    public readonly ?string $requestId;
    /** Seconds to wait before the next attempt. */
    public readonly ?int $retryAfter;

    /** @param array<string, string> $headers by names in lower case */
    public function __construct(public readonly int $status, array $headers, mixed $body)
    {
        $error = is_array($body) && is_array($body['error'] ?? null) ? $body['error'] : [];
        $this->type = $error['type'] ?? null;
        $this->errorCode = $error['code'] ?? null;
        $this->param = $error['param'] ?? null;
        $this->requestId = $error['request_id'] ?? $headers['x-request-id'] ?? null;
        $seconds = $headers['retry-after'] ?? '';
        $this->retryAfter = preg_match('/\A[0-9]{1,9}\z/', $seconds) ? (int)$seconds : null;
        $details = implode(', ', array_filter([$this->errorCode, $this->param, $this->requestId]));
        parent::__construct(($error['message'] ?? "The service answered $status.")
            . ($details === '' ? '' : " ($details)"), $status);
    }
}
