// SPDX-License-Identifier: Apache-2.0
package modverify;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Calls the service. Network errors, 429 and 5xx are retried, with the same idempotency
 * key, after the time in Retry-After or with exponential backoff. Threads may share a
 * client.
 */
public final class VerifyClient extends Operations {
    public static final String VERSION = "0.9.0";
    private static final double LONGEST_BACKOFF = 30; // seconds
    private static final int LONGEST_RETRY_AFTER = 60; // the window of the rate limit
    private static final RequestOptions NO_OPTIONS = new RequestOptions(null, null, null);
    private final String url;
    private final String secretKey;
    private final Duration timeout;
    private final int maxRetries;
    private final HttpClient http;

    /** With a timeout of 30 seconds and two retries. */
    public VerifyClient(String url, String secretKey) {
        this(url, secretKey, Duration.ofSeconds(30), 2);
    }

    /** With an HTTP client that follows no redirects, so that the key goes nowhere else. */
    public VerifyClient(String url, String secretKey, Duration timeout, int maxRetries) {
        this(url, secretKey, timeout, maxRetries, HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1).followRedirects(HttpClient.Redirect.NEVER).build());
    }

    /**
     * @param url the address of the service: https://verify.example.com
     * @param secretKey svc_sk_…, which belongs only on servers
     * @param timeout for one attempt
     * @param maxRetries how often a request is repeated
     * @param http for proxies and private authorities
     */
    public VerifyClient(String url, String secretKey, Duration timeout, int maxRetries, HttpClient http) {
        if (url == null || !url.matches("https?://[^/?#\\s]+/?"))
            throw new IllegalArgumentException(
                "url must be the address of the service, such as https://verify.example.com");
        if (secretKey == null || !secretKey.matches("[A-Za-z0-9_-]+"))
            throw new IllegalArgumentException("secretKey is missing, or contains characters that no key has");
        this.url = url.replaceAll("/$", "");
        this.secretKey = secretKey;
        this.timeout = Objects.requireNonNull(timeout);
        this.maxRetries = maxRetries;
        this.http = Objects.requireNonNull(http);
    }

    /**
     * Calls an operation that this version does not have, and returns its JSON as maps,
     * lists, strings, numbers and booleans.
     */
    public Object request(String method, String path, Map<String, Object> query, Map<String, Object> body,
            RequestOptions options) {
        RequestOptions given = Objects.requireNonNullElse(options, NO_OPTIONS);
        HttpRequest request = prepare(method, path + Path.query(query == null ? Map.of() : query), body, given);
        Duration limit = Objects.requireNonNullElse(given.timeout(), timeout);
        int most = Objects.requireNonNullElse(given.maxRetries(), maxRetries);
        for (int retries = 0; ; retries++) {
            try {
                return attempt(request, method + " " + path, limit);
            } catch (VerifyException error) {
                if (retries >= most || !isTemporary(error))
                    throw error;
                pause(error, retries);
            }
        }
    }

    @Override
    <T> T request(Class<T> type, String method, String path, Parameters query, Parameters body,
            RequestOptions options) {
        return Json.as(type, request(method, path, query == null ? null : query.values(),
            body == null ? null : body.values(), options));
    }

    @Override
    <T> ObjectList<T> list(Class<T> type, String path, Parameters query, RequestOptions options) {
        return new ObjectList<>(type, page -> (Map<?, ?>) request("GET", path, page, null, options),
            query == null ? Map.of() : query.values());
    }

    // The same for each attempt, with the same idempotency key.
    private HttpRequest prepare(String method, String path, Map<String, Object> body, RequestOptions options) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path))
            .header("Accept", "application/json")
            .header("Authorization", "Bearer " + secretKey)
            .header("User-Agent", "mod-verify-client/" + VERSION + " java/" + Runtime.version().feature())
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(Json.write(body)));
        if (body != null)
            request.header("Content-Type", "application/json");
        if (method.equals("POST")) {
            String key = Objects.requireNonNullElseGet(options.idempotencyKey(), () -> UUID.randomUUID().toString());
            if (!key.matches("[ -~]{1,255}"))
                throw new IllegalArgumentException("idempotencyKey must be 1 to 255 printable characters");
            request.header("Idempotency-Key", key);
        }
        return request.build();
    }

    private Object attempt(HttpRequest request, String name, Duration limit) {
        CompletableFuture<HttpResponse<String>> sent = http.sendAsync(request, BodyHandlers.ofString());
        HttpResponse<String> response;
        try {
            response = sent.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            sent.cancel(true);
            throw new ApiConnectionException(name + ": no answer within " + limit.toMillis() + " ms", late);
        } catch (InterruptedException interrupted) {
            sent.cancel(true);
            Thread.currentThread().interrupt();
            throw new ApiConnectionException(name + ": interrupted", interrupted);
        } catch (ExecutionException failure) {
            if (!(failure.getCause() instanceof IOException cause))
                throw new IllegalStateException(name, failure.getCause());
            throw new ApiConnectionException(name + ": " + Objects.requireNonNullElse(cause.getMessage(),
                cause.getClass().getSimpleName()), cause);
        }
        Object answer = parsed(response.body());
        if (response.statusCode() / 100 == 2 && answer != null)
            return answer;
        throw new ApiException(response.statusCode(), response.headers(), answer);
    }

    private static Object parsed(String text) {
        try {
            return Json.parse(text);
        } catch (IllegalArgumentException failure) {
            return null;
        }
    }

    private static boolean isTemporary(VerifyException error) {
        if (!(error instanceof ApiException refusal))
            return !Thread.currentThread().isInterrupted();
        boolean isTemporary = refusal.status() == 429 || refusal.status() >= 500
            || Types.ErrorCode.IDEMPOTENCY_IN_PROGRESS.equals(refusal.code());
        return isTemporary && required(error) <= LONGEST_RETRY_AFTER;
    }

    private static int required(VerifyException error) {
        return error instanceof ApiException refusal && refusal.retryAfter() != null ? refusal.retryAfter() : 0;
    }

    // Up to a quarter longer than required, so that clients do not return all at once.
    private static void pause(VerifyException error, int retries) {
        double backoff = Math.min(LONGEST_BACKOFF, 0.5 * Math.pow(2, retries));
        double seconds = Math.max(required(error), backoff)
            * (1 + ThreadLocalRandom.current().nextDouble() / 4);
        try {
            Thread.sleep((long) (seconds * 1000));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw error;
        }
    }
}
