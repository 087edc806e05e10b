<?php
// SPDX-License-Identifier: Apache-2.0

declare(strict_types=1);

namespace ModVerify;

/**
 * @phpstan-import-type Event from Types
 * @phpstan-type Signed array{timestamp: string, signatures: list<string>, prefix: string, isStandard: bool}
 */
final class Webhook
{
    private const LONGEST_HEADER = 1000;

    /**
     * Returns the event if the service signed the body in the last `tolerance` seconds.
     *
     * @param string $body as it arrived: file_get_contents('php://input')
     * @param array<string, string|list<string>> $headers of getallheaders(), $_SERVER or
     *   a PSR-7 request
     * @param string|list<string> $secrets several while you rotate them
     * @return Event
     * @throws SignatureError
     */
    public static function verify(string $body, array $headers,
        #[\SensitiveParameter] string|array $secrets, float $tolerance = 300, ?float $now = null): array
    {
        $secrets = (array)$secrets;
        self::check($secrets);
        $signed = self::signature($headers);
        if (abs(($now ?? microtime(true)) - (float)$signed['timestamp']) > $tolerance) {
            throw new SignatureError('too_old', 'The time of the signature is too far from now.');
        }
        $isRight = false;
        foreach ($secrets as $secret) {
            $key = $signed['isStandard'] ? base64_decode(substr($secret, strlen('whsec_'))) : $secret;
            $expected = hash_hmac('sha256', $signed['prefix'] . $body, $key, true);
            foreach ($signed['signatures'] as $signature) {
                $isRight = hash_equals($expected, $signature) || $isRight;
            }
        }
        if (!$isRight) {
            throw new SignatureError('mismatch', 'No signature fits the body and the secret.');
        }
        return json_decode($body, true, 64, JSON_THROW_ON_ERROR);
    }

    /** @param list<string> $secrets */
    private static function check(#[\SensitiveParameter] array $secrets): void
    {
        foreach ($secrets ?: [''] as $secret) {
            if (!preg_match('~\Awhsec_[0-9A-Za-z+/]+=*\z~', $secret)) {
                throw new \InvalidArgumentException("The secret of a webhook endpoint begins with 'whsec_'.");
            }
        }
    }

    /**
     * The headers by Standard Webhooks, which during a rotation have a signature for each
     * secret, or Service-Signature.
     *
     * @param array<string, string|list<string>> $headers
     * @return Signed
     */
    private static function signature(array $headers): array
    {
        $found = [];
        foreach ($headers as $name => $value) {
            $name = strtolower(strtr(preg_replace('/\AHTTP_/', '', (string)$name), '_', '-'));
            if (preg_match('/\A(?:webhook|service)-/', $name)) {
                $found[$name] = is_array($value) ? implode(',', $value) : (string)$value;
            }
        }
        if (!isset($found['webhook-signature']) && !isset($found['service-signature'])) {
            throw new SignatureError('missing', 'The webhook has no signature.');
        }
        return (isset($found['webhook-signature']) ? self::parseStandard($found) : self::parseOwn($found))
            ?? throw new SignatureError('malformed', 'The signature of the webhook is malformed.');
    }

    /**
     * @param array<string, string> $headers
     * @return ?Signed
     */
    private static function parseStandard(array $headers): ?array
    {
        $id = $headers['webhook-id'] ?? '';
        $timestamp = $headers['webhook-timestamp'] ?? '';
        $header = $headers['webhook-signature'];
        $parts = strlen($header) > self::LONGEST_HEADER ? []
            : preg_grep('~\Av1,[0-9A-Za-z+/]{43}=\z~', explode(' ', $header));
        if (!$parts || !preg_match('/\A\w{1,64}\z/', $id) || !preg_match('/\A[0-9]{1,12}\z/', $timestamp)) {
            return null;
        }
        return ['timestamp' => $timestamp, 'prefix' => "$id.$timestamp.", 'isStandard' => true,
            'signatures' => array_map(fn (string $part): string
                => base64_decode(substr($part, strlen('v1,'))), array_values($parts))];
    }

    /**
     * @param array<string, string> $headers
     * @return ?Signed
     */
    private static function parseOwn(array $headers): ?array
    {
        if (!preg_match('/\At=([0-9]{1,12}),v1=([0-9a-f]{64})\z/', $headers['service-signature'], $match)) {
            return null;
        }
        return ['timestamp' => $match[1], 'prefix' => "$match[1].", 'isStandard' => false,
            'signatures' => [(string)hex2bin($match[2])]];
    }
}
