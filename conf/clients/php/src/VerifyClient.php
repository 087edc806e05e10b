<?php
// SPDX-License-Identifier: Apache-2.0

declare(strict_types=1);

namespace ModVerify;

/**
 * Calls the service. Network errors, 429 and 5xx are retried, with the same idempotency
 * key, after the time in Retry-After or with exponential backoff.
 */
final class VerifyClient extends Operations
{
    public const VERSION = '0.9.0';
    private const LONGEST_BACKOFF = 30.0; // seconds
    private const LONGEST_RETRY_AFTER = 60; // the window of the rate limit
    private string $url;
    private string $secretKey;

    /**
     * @param string $url the address of the service: https://verify.example.com
     * @param string $secretKey svc_sk_…, which belongs only on servers
     * @param float $timeout seconds for one attempt
     * @param int $maxRetries how often a request is repeated
     * @param array<string, mixed> $ssl options of PHP's SSL context, such as `cafile`
     */
    public function __construct(
        string $url,
        #[\SensitiveParameter] string $secretKey,
        private float $timeout = 30.0,
        private int $maxRetries = 2,
        private array $ssl = [],
    ) {
        if (!preg_match('~\Ahttps?://[^/?#\s]+/?\z~', $url)) {
            throw new \InvalidArgumentException(
                '`url` must be the address of the service, such as https://verify.example.com.');
        }
        if (!preg_match('/\A[\w-]+\z/', $secretKey)) {
            throw new \InvalidArgumentException(
                '`secretKey` is missing, or contains characters that no key has.');
        }
        $this->url = rtrim($url, '/');
        $this->secretKey = $secretKey;
    }

    /** @return array<string, mixed> */
    public function __debugInfo(): array
    {
        return ['url' => $this->url];
    }

    /** You need it only for operations that this version does not have. */
    public function request(string $method, string $path, array $query = [],
        ?array $body = null, ?string $idempotencyKey = null, ?float $timeout = null): array
    {
        $key = $method === 'POST' ? $idempotencyKey ?? bin2hex(random_bytes(16)) : null;
        if ($key !== null && !preg_match('/\A[ -~]{1,255}\z/', $key)) {
            throw new \InvalidArgumentException('`idempotencyKey` must be 1 to 255 printable characters.');
        }
        $content = $body === null ? null : json_encode($body ?: new \stdClass, JSON_THROW_ON_ERROR);
        for ($retries = 0; ; $retries++) {
            try {
                return $this->attempt($method, $path, Path::query($query), $content, $key,
                    $timeout ?? $this->timeout);
            } catch (VerifyError $error) {
                $seconds = $retries < $this->maxRetries ? self::secondsUntilRetry($error, $retries) : null;
                if ($seconds === null) {
                    throw $error;
                }
                usleep((int)($seconds * 1e6));
            }
        }
    }

    public function list(string $path, array $query = [], ?float $timeout = null): ObjectList
    {
        return new ObjectList(fn (array $page): array
            => $this->request('GET', $path, query: $page, timeout: $timeout), $query);
    }

    /** @return array<string, mixed> */
    private function attempt(string $method, string $path, string $query, ?string $content,
        ?string $key, float $timeout): array
    {
        // The service redirects no request, and the key must not go elsewhere.
        $context = stream_context_create(['ssl' => $this->ssl, 'http' => [
            'method' => $method, 'content' => $content ?? '', 'timeout' => $timeout,
            'ignore_errors' => true, 'follow_location' => 0, 'protocol_version' => 1.1,
            'header' => $this->headers($content, $key)]]);
        $deadline = microtime(true) + $timeout;
        $stream = @fopen($this->url . $path . $query, 'rb', false, $context);
        if ($stream === false) {
            $reason = preg_replace('/.*: /s', '', error_get_last()['message'] ?? 'no answer');
            throw new ApiConnectionError("$method $path: $reason");
        }
        [$status, $headers] = self::head(stream_get_meta_data($stream)['wrapper_data']);
        $length = isset($headers['content-length']) ? (int)$headers['content-length'] : null;
        $text = self::read($stream, $length, $deadline);
        fclose($stream);
        if ($text === null) {
            throw new ApiConnectionError("$method $path: the answer is incomplete");
        }
        $answer = json_decode($text, true);
        if ($status >= 200 && $status < 300 && is_array($answer)) {
            return $answer;
        }
        throw new ApiError($status, $headers, $answer);
    }

    /** @return list<string> */
    private function headers(?string $content, ?string $key): array
    {
        return array_merge([
            'Accept: application/json',
            'Authorization: Bearer ' . $this->secretKey,
            'User-Agent: mod-verify-client/' . self::VERSION . ' php/' . PHP_VERSION,
        ], $content === null ? [] : ['Content-Type: application/json'],
            $key === null ? [] : ["Idempotency-Key: $key"]);
    }

    /**
     * Null if it ends too early, or not in time.
     *
     * @param resource $stream
     */
    private static function read($stream, ?int $length, float $deadline): ?string
    {
        $text = '';
        while (strlen($text) < ($length ?? PHP_INT_MAX) && !feof($stream)) {
            $left = $deadline - microtime(true);
            if ($left <= 0) {
                return null;
            }
            stream_set_timeout($stream, (int)$left, (int)(fmod($left, 1) * 1e6));
            $part = fread($stream, 65536);
            if ($part === false || stream_get_meta_data($stream)['timed_out']) {
                return null;
            }
            $text .= $part;
        }
        return strlen($text) < ($length ?? 0) ? null : $text;
    }

    /**
     * Of the last answer, because 1xx may come before it.
     *
     * @param list<string> $lines
     * @return array{int, array<string, string>} names in lower case
     */
    private static function head(array $lines): array
    {
        [$status, $headers] = [0, []];
        foreach ($lines as $line) {
            if (preg_match('~\AHTTP/[0-9.]+ ([0-9]{3})~', $line, $match)) {
                [$status, $headers] = [(int)$match[1], []];
            } elseif (str_contains($line, ':')) {
                [$name, $value] = explode(':', $line, 2);
                $headers[strtolower($name)] = trim($value);
            }
        }
        return [$status, $headers];
    }

    /**
     * Null if the request must not be repeated. Waits up to a quarter longer than
     * required, so that clients do not return all at once.
     */
    private static function secondsUntilRetry(VerifyError $error, int $retries): ?float
    {
        $required = $error instanceof ApiError ? $error->retryAfter ?? 0 : 0;
        $isTemporary = $error instanceof ApiConnectionError || ($error instanceof ApiError
            && ($error->status === 429 || $error->status >= 500
                || $error->errorCode === 'idempotency_in_progress'));
        if (!$isTemporary || $required > self::LONGEST_RETRY_AFTER) {
            return null;
        }
        $backoff = min(self::LONGEST_BACKOFF, 0.5 * 2 ** $retries);
        return max($required, $backoff) * (1 + random_int(0, 1000) / 4000);
    }
}
