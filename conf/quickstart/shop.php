<?php
// SPDX-License-Identifier: Apache-2.0
// A shop that asks for the age before it sells: php -S 127.0.0.1:3000 shop.php

// A real shop has a database.
function order_file(string $order): string
{
    return (getenv('SHOP_ORDERS') ?: sys_get_temp_dir()) . "/order-$order";
}

function create_session(string $order): array
{
    $context = stream_context_create(['http' => [
        'method' => 'POST',
        'header' => 'Authorization: Bearer ' . getenv('VERIFY_SECRET_KEY')
            . "\r\nContent-Type: application/json\r\nIdempotency-Key: $order",
        'content' => json_encode([
            'type' => 'age', 'workflow_id' => getenv('VERIFY_WORKFLOW'),
            'jurisdiction' => 'US-CA', 'client_reference_id' => $order]),
        'timeout' => 10,
    ]]);
    $answer = file_get_contents(getenv('VERIFY_URL') . '/v1/verification_sessions',
        false, $context);
    if ($answer === false) {
        throw new RuntimeException('the service refuses');
    }
    return json_decode($answer, true, 16, JSON_THROW_ON_ERROR);
}

// Whether the service sent this body, in the last five minutes.
function is_signed(string $header, string $body): bool
{
    if (!preg_match('/\At=([0-9]{1,12}),v1=([0-9a-f]{64})\z/', $header, $match)
        || abs(time() - (int)$match[1]) > 300) {
        return false;
    }
    return hash_equals(
        hash_hmac('sha256', "$match[1].$body", getenv('VERIFY_WEBHOOK_SECRET')),
        $match[2]);
}

// An event may come twice, and what came late changes no end.
function take_event(array $event): void
{
    [$kind, $what] = explode('.', $event['type']);
    $order = $event['data']['object']['client_reference_id'] ?? '';
    if ($kind === 'verification_session' && preg_match('/\A[0-9a-f]{16}\z/', $order)
        && in_array($what, ['verified', 'failed', 'cancelled', 'expired'], true)
        && @file_get_contents(order_file($order)) === 'waits') {
        file_put_contents(order_file($order), $what, LOCK_EX); // "verified": send it
    }
}

header('Content-Type: text/html; charset=utf-8');
$path = $_SERVER['REQUEST_METHOD'] . ' ' . strtok($_SERVER['REQUEST_URI'], '?');
if ($path === 'GET /') {
    echo '<form method="post" action="/orders"><button>Buy wine</button></form>';
} elseif (preg_match('~\AGET /orders/([0-9a-f]{16})\z~', $path, $match)
    && is_file(order_file($match[1]))) {
    echo file_get_contents(order_file($match[1]));
} elseif ($path === 'POST /orders') {
    $order = bin2hex(random_bytes(8));
    $session = create_session($order);
    file_put_contents(order_file($order), 'waits', LOCK_EX);
    header("X-Order: $order");
    header("Location: $session[url]", true, 303);
} elseif ($path === 'POST /webhooks') {
    $body = file_get_contents('php://input', false, null, 0, 1000000);
    if (is_signed($_SERVER['HTTP_SERVICE_SIGNATURE'] ?? '', $body)) {
        take_event(json_decode($body, true, 32, JSON_THROW_ON_ERROR));
    } else {
        http_response_code(400);
    }
} else {
    http_response_code(404);
}
