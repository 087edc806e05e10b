<?php
// SPDX-License-Identifier: Apache-2.0
// A shop that asks for the age before it sells: php -S 127.0.0.1:3000 shop.php

require __DIR__ . '/../clients/php/autoload.php'; // in your project: vendor/autoload.php

use ModVerify\SignatureError;
use ModVerify\VerifyClient;
use ModVerify\Webhook;

// A real shop has a database.
function order_file(string $order): string
{
    return (getenv('SHOP_ORDERS') ?: sys_get_temp_dir()) . "/order-$order";
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
    $client = new VerifyClient(getenv('VERIFY_URL'), getenv('VERIFY_SECRET_KEY'));
    $session = $client->createVerificationSession(['type' => 'age',
        'workflow_id' => getenv('VERIFY_WORKFLOW'), 'jurisdiction' => 'US-CA',
        'client_reference_id' => $order], idempotencyKey: $order);
    file_put_contents(order_file($order), 'waits', LOCK_EX);
    header("X-Order: $order");
    header("Location: $session[url]", true, 303);
} elseif ($path === 'POST /webhooks') {
    $body = file_get_contents('php://input', false, null, 0, 1000000);
    try {
        take_event(Webhook::verify($body, getallheaders(), getenv('VERIFY_WEBHOOK_SECRET')));
    } catch (SignatureError $error) {
        http_response_code(400);
    }
} else {
    http_response_code(404);
}
