<?php
// The steps of clients.t with the client for PHP.
declare(strict_types=1);

require __DIR__ . '/../../conf/clients/php/autoload.php';

use ModVerify\ApiConnectionError;
use ModVerify\ApiError;
use ModVerify\SignatureError;
use ModVerify\VerifyClient;
use ModVerify\Webhook;

ini_set('zend.exception_ignore_args', '0'); // what a trace shows must not be a secret
$given = json_decode(file_get_contents(getenv('VERIFY_CLIENT_TEST')), true);
$client = new VerifyClient($given['url'], $given['key']);
$behindProxy = new VerifyClient($given['proxy'], $given['key'], timeout: 5);
$run = (string)hrtime(true);

function ok(bool $isRight, string $name, mixed $got = null): void
{
    echo $isRight ? "ok - $name\n" : "not ok - $name\n" . print_r($got, true) . "\n";
}
function is(mixed $got, mixed $expected, string $name): void
{
    ok($got === $expected, $name, $got);
}
function error_of(callable $call): mixed
{
    try {
        return $call();
    } catch (Throwable $error) {
        return $error;
    }
}
function create(string $reference, ?VerifyClient $from = null, mixed ...$more): array
{
    global $client, $given;
    return ($from ?? $client)->createVerificationSession(['type' => 'age',
        'workflow_id' => $given['workflow'], 'client_reference_id' => $reference], ...$more);
}
function ids(iterable $list): array
{
    $found = [];
    foreach ($list as $item) {
        $found[] = $item['id'];
    }
    return $found;
}

function sessions(): void
{
    global $client, $given, $run;
    ok(array_filter($given['operations'], fn ($name) => !method_exists($client, $name)) === [],
        'every operation', $given['operations']);
    $session = create("php-first-$run");
    ok($session['client_secret'] && $session['url'], 'a session');
    $expanded = $client->retrieveVerificationSession($session['id'], ['expand' => ['results']]);
    ok(is_array($expanded['results']), 'its results', $expanded);
    is($client->setTestOutcome($session['id'], ['value' => 'passed'])['status'], 'verified', 'its outcome');
    $twice = array_map(fn () => create('php-key', idempotencyKey: "php-key-$run")['id'], [1, 2]);
    is($twice[0], $twice[1], 'one session for one idempotency key');
    $check = $client->checkCompliance(['use_cases' => 'alcohol_delivery', 'jurisdiction' => 'US-CA']);
    is($check['most_restrictive']['required_age_tier'], 'min_age_21', 'a compliance check');
    is($client->cancelVerificationSession(create("php-cancel-$run")['id'])['status'], 'cancelled',
        'a request without parameters');
}

function lists(): void
{
    global $client, $run;
    $filter = ['client_reference_id' => "php-list-$run", 'limit' => 2];
    $ids = array_reverse(array_map(fn () => create("php-list-$run")['id'], range(1, 5)));
    is(ids($client->listVerificationSessions($filter)), $ids, 'all of three pages');
    is(ids($client->listVerificationSessions($filter + ['ending_before' => $ids[4]])),
        array_reverse(array_slice($ids, 0, 4)), 'backwards, oldest first');
    $sizes = array_map(fn ($page) => count($page['data']),
        iterator_to_array($client->listVerificationSessions($filter)->pages()));
    is($sizes, [2, 2, 1], 'pages');
    is(ids($client->listVerificationSessions(['client_reference_id' => 'php-none'])), [], 'an empty list');
}

function errors(): void
{
    global $client, $given;
    $refused = error_of(fn () => $client->createVerificationSession(
        ['type' => 'ages', 'workflow_id' => $given['workflow']]));
    ok($refused instanceof ApiError && $refused->status === 400
        && $refused->errorCode === 'parameter_invalid' && $refused->param === 'type'
        && $refused->type === 'invalid_request_error' && str_starts_with($refused->requestId, 'req_')
        && str_contains($refused->getMessage(), $refused->requestId),
        'an error with its code, parameter and request id', $refused);
    $unknown = substr($given['key'], 0, -4) . 'AAAA';
    $other = new VerifyClient($given['url'], $unknown);
    $denied = error_of(fn () => create('php', $other));
    ok($denied->errorCode === 'api_key_invalid' && !str_contains((string)$denied, $unknown), 'a wrong key');
    $nobody = new VerifyClient('http://127.0.0.1:9', $given['key'], maxRetries: 0);
    $lost = error_of(fn () => create('php', $nobody));
    ok($lost instanceof ApiConnectionError && !str_contains((string)$lost, $given['key'])
        && str_contains($lost->getMessage(), 'refused'), 'no connection', $lost);
    ok(!str_contains(print_r($client, true), $given['key']), 'the client hides its key');
    foreach ([$given['key'] . "\n", ''] as $key) {
        $error = error_of(fn () => new VerifyClient($given['url'], $key));
        ok($error instanceof InvalidArgumentException && !str_contains($error->getMessage(), $given['key']),
            'a malformed key', $error);
    }
    $unfit = error_of(fn () => create('php', idempotencyKey: "a\nb"));
    ok($unfit instanceof InvalidArgumentException, 'an idempotency key that cannot be sent', $unfit);
    foreach (['../events', '', "vks_1\n", 'vks_1/cancel'] as $id) {
        $error = error_of(fn () => $client->retrieveVerificationSession($id));
        ok($error instanceof InvalidArgumentException, 'not an id: ' . trim($id), $error);
    }
}

function retries(): void
{
    global $client, $behindProxy, $given, $run;
    foreach (['drop', 'hang', 'busy', 'unavailable', 'page'] as $kind) {
        $reference = "fault-$kind-php$run";
        $session = create($reference, $behindProxy, timeout: $kind === 'hang' ? 1.0 : null);
        is(ids($client->listVerificationSessions(['client_reference_id' => $reference])),
            [$session['id']], "$kind: one session");
    }
    $started = microtime(true);
    $closed = error_of(fn () => create("fault-closed-php$run", $behindProxy));
    ok($closed->status === 429 && $closed->retryAfter === 900 && $closed->requestId === 'req_0proxy'
        && microtime(true) - $started < 5, 'a long Retry-After is left to the caller', $closed);
    $moved = error_of(fn () => create("fault-moved-php$run", $behindProxy));
    is($moved->status, 307, 'redirects are not followed');
    $once = new VerifyClient($given['proxy'], $given['key'], maxRetries: 0);
    $error = error_of(fn () => create("fault-drop-phponce$run", $once));
    ok($error instanceof ApiConnectionError, 'no retries', $error);
}

function webhooks(): void
{
    global $given;
    $variants = [
        'getallheaders' => fn (array $headers) => $headers,
        '_SERVER' => fn (array $headers) => array_combine(array_map(
            fn ($name) => 'HTTP_' . strtoupper(strtr($name, '-', '_')), array_keys($headers)), $headers),
        'PSR-7' => fn (array $headers) => array_map(fn ($value) => [$value], $headers),
    ];
    foreach ($given['webhooks'] as $case) {
        foreach ($variants as $variant => $headers) {
            $secrets = count($case['secrets']) > 1 ? $case['secrets'] : $case['secrets'][0];
            $got = error_of(fn () => Webhook::verify($case['body'], $headers($case['headers']), $secrets));
            is($got instanceof SignatureError ? $got->reason : (is_array($got) ? $got['id'] : $got),
                $case['expected'], "$case[name] ($variant)");
        }
    }
    $case = $given['webhooks'][0];
    foreach (['secret', '', []] as $secrets) {
        $error = error_of(fn () => Webhook::verify($case['body'], $case['headers'], $secrets));
        ok($error instanceof InvalidArgumentException, 'wrong arguments', $error);
    }
}

sessions();
lists();
errors();
retries();
webhooks();
