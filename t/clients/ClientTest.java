// The steps of clients.t with the client for Java.
package modverify;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import modverify.Types.CheckComplianceParams;
import modverify.Types.ListVerificationSessionsParams;
import modverify.Types.RetrieveVerificationSessionParams;
import modverify.Types.TestOutcome;
import modverify.Types.VerificationSession;
import modverify.Types.VerificationSessionCreate;
import modverify.Types.VerificationSessionSnapshot;

public final class ClientTest {
    private static final Duration LIMIT = Duration.ofSeconds(5);
    private final Map<?, ?> given;
    private final String key;
    private final VerifyClient client;
    private final VerifyClient behindProxy;
    private final String run = Long.toString(System.nanoTime());

    private ClientTest(Map<?, ?> given) {
        this.given = given;
        key = text("key");
        client = new VerifyClient(text("url"), key);
        behindProxy = new VerifyClient(text("proxy"), key, LIMIT, 2);
    }

    private String text(String name) {
        return (String) given.get(name);
    }

    private static void ok(boolean isRight, String name, Object got) {
        System.out.println(isRight ? "ok - " + name : "not ok - " + name + "\n" + got);
    }

    private static void is(Object got, Object expected, String name) {
        ok(Objects.equals(got, expected), name, got);
    }

    private static Exception errorOf(Callable<?> call) {
        try {
            return new Exception("no error, but " + call.call());
        } catch (Exception error) {
            return error;
        }
    }

    private static String whole(Throwable error) {
        return error == null ? "" : error + whole(error.getCause());
    }

    private VerificationSessionCreate about(String reference) {
        return new VerificationSessionCreate().type("age").workflowId(text("workflow"))
            .clientReferenceId(reference);
    }

    private VerificationSession create(String reference, VerifyClient from, RequestOptions options) {
        return from.createVerificationSession(about(reference), options);
    }

    private void sessions() {
        List<String> methods = Stream.of(VerifyClient.class.getMethods()).map(method -> method.getName()).toList();
        ok(methods.containsAll((List<?>) given.get("operations")), "every operation", methods);
        VerificationSession session = create("java-first-" + run, client, null);
        ok(session.clientSecret() != null && session.url() != null && session.created() > 0, "a session", session);
        ok(!session.toString().contains(session.clientSecret()), "whose text has no secret", null);
        VerificationSession expanded = client.retrieveVerificationSession(session.id(),
            new RetrieveVerificationSessionParams().expand(List.of("results")));
        is(expanded.results(), List.of(), "its results");
        is(client.setTestOutcome(session.id(), new TestOutcome().value("passed").final_(true)).status(),
            "verified", "its outcome");
        RequestOptions once = RequestOptions.idempotencyKey("java-key-" + run);
        is(create("java-key", client, once).id(), create("java-key", client, once).id(),
            "one session for one idempotency key");
        is(client.checkCompliance(new CheckComplianceParams().useCases("alcohol_delivery").jurisdiction("US-CA"))
            .mostRestrictive().requiredAgeTier(), "min_age_21", "a compliance check");
        is(client.cancelVerificationSession(create("java-cancel", client, null).id()).status(),
            Types.SessionStatus.CANCELLED, "a request without parameters");
        ok(client.listEvents().iterator().next().objectAs(VerificationSessionSnapshot.class).id()
            .startsWith("vks_"), "an event", null);
    }

    private ListVerificationSessionsParams listed(String reference) {
        return new ListVerificationSessionsParams().clientReferenceId(reference).limit(2L);
    }

    private List<String> ids(ListVerificationSessionsParams parameters) {
        return client.listVerificationSessions(parameters).stream().map(VerificationSession::id).toList();
    }

    private void lists() {
        String reference = "java-list-" + run;
        List<String> oldest = IntStream.range(0, 5).mapToObj(count -> create(reference, client, null).id()).toList();
        List<String> ids = new ArrayList<>(oldest);
        Collections.reverse(ids);
        is(ids(listed(reference)), ids, "all of three pages");
        is(ids(listed(reference).endingBefore(ids.get(4))), oldest.subList(1, 5), "backwards, oldest first");
        is(StreamSupport.stream(client.listVerificationSessions(listed(reference)).pages().spliterator(), false)
            .map(List::size).toList(), List.of(2, 2, 1), "pages");
        is(ids(listed("java-none")), List.of(), "an empty list");
    }

    private void errors() {
        Exception error = errorOf(() -> client.createVerificationSession(about("java").type("ages")));
        ok(error instanceof ApiException refused && refused.status() == 400
            && Types.ErrorCode.PARAMETER_INVALID.equals(refused.code()) && refused.param().equals("type")
            && refused.type().equals("invalid_request_error") && refused.requestId().startsWith("req_")
            && refused.getMessage().contains(refused.requestId()),
            "an error with its code, parameter and request id", error);
        String unknown = key.substring(0, key.length() - 4) + "AAAA";
        error = errorOf(() -> create("java", new VerifyClient(text("url"), unknown), null));
        ok(error instanceof ApiException denied && denied.code().equals("api_key_invalid")
            && !whole(error).contains(unknown), "a wrong key", error);
        error = errorOf(() -> create("java", new VerifyClient("http://127.0.0.1:9", key, LIMIT, 0), null));
        ok(error instanceof ApiConnectionException && !whole(error).contains(key), "no connection", error);
        ok(!client.toString().contains(key), "the client hides its key", null);
        for (String wrong : new String[] {key + "\n", "", null}) {
            error = errorOf(() -> new VerifyClient(text("url"), wrong));
            ok(error instanceof IllegalArgumentException && !whole(error).contains(key), "a malformed key", error);
        }
        error = errorOf(() -> create("java", client, RequestOptions.idempotencyKey("a\nb")));
        ok(error instanceof IllegalArgumentException, "an idempotency key that cannot be sent", error);
        for (String id : new String[] {"../events", "", null, "vks_1/cancel"}) {
            error = errorOf(() -> client.retrieveVerificationSession(id));
            ok(error instanceof IllegalArgumentException, "not an id: " + id, error);
        }
    }

    private void retries() {
        for (String kind : List.of("drop", "hang", "busy", "unavailable", "page")) {
            String reference = "fault-" + kind + "-java" + run;
            VerificationSession session = create(reference, behindProxy,
                kind.equals("hang") ? RequestOptions.timeout(Duration.ofSeconds(1)) : null);
            is(ids(listed(reference)), List.of(session.id()), kind + ": one session");
        }
        long started = System.nanoTime();
        Exception error = errorOf(() -> create("fault-closed-java" + run, behindProxy, null));
        ok(error instanceof ApiException closed && closed.status() == 429 && closed.retryAfter() == 900
            && closed.requestId().equals("req_0proxy") && System.nanoTime() - started < LIMIT.toNanos(),
            "a long Retry-After is left to the caller", error);
        error = errorOf(() -> create("fault-moved-java" + run, behindProxy, null));
        ok(error instanceof ApiException moved && moved.status() == 307, "redirects are not followed", error);
        error = errorOf(() -> create("fault-drop-javaonce" + run, behindProxy, new RequestOptions(null, null, 0)));
        ok(error instanceof ApiConnectionException, "no retries", error);
        Thread.currentThread().interrupt();
        error = errorOf(() -> create("fault-hang-javastop" + run, behindProxy, null));
        ok(error instanceof ApiConnectionException && Thread.interrupted(), "an interrupted thread", error);
    }

    private static String verified(String body, Map<?, ?> headers, String... secrets) {
        Map<String, String> named = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.forEach((name, value) -> named.put((String) name, (String) value));
        try {
            return Webhook.verify(body.getBytes(StandardCharsets.UTF_8), named::get, secrets).id();
        } catch (WebhookSignatureException refused) {
            return refused.reason();
        }
    }

    private void webhooks() {
        for (Object each : (List<?>) given.get("webhooks")) {
            Map<?, ?> hook = (Map<?, ?>) each;
            String[] secrets = ((List<?>) hook.get("secrets")).toArray(String[]::new);
            is(verified((String) hook.get("body"), (Map<?, ?>) hook.get("headers"), secrets),
                hook.get("expected"), (String) hook.get("name"));
        }
        for (String[] secrets : new String[][] {{"secret"}, {null}, {}}) {
            Exception error = errorOf(() -> verified("{}", Map.of(), secrets));
            ok(error instanceof IllegalArgumentException, "wrong arguments", error);
        }
    }

    private static void json() {
        String text = "{\"a\":[1,-2.5,1e3,true,false,null,\"\\\"\\\\\\u00e9\\n\"],\"b\":{},\"c\":[]}";
        Object value = Json.parse(" " + text.replace(",", " , ") + "\n");
        is(Json.write(value), "{\"a\":[1,-2.5,1000.0,true,false,null,\"\\\"\\\\é\\u000a\"],\"b\":{},\"c\":[]}",
            "JSON is read and written");
        for (String wrong : new String[] {"", "{", "[1", "[1,]", "{\"a\"}", "{a:1}", "\"a", "\"\\x\"", "\"\\u12\"",
                "01", "+1", "1.", "nul", "1 2", "[".repeat(100) + "]".repeat(100), "\"\n\"", "{\"a\":1,}"}) {
            Exception error = errorOf(() -> Json.parse(wrong));
            ok(error instanceof IllegalArgumentException, "not JSON", wrong + error);
        }
    }

    public static void main(String[] arguments) throws Exception {
        String input = Files.readString(java.nio.file.Path.of(System.getenv("VERIFY_CLIENT_TEST")));
        ClientTest test = new ClientTest((Map<?, ?>) Json.parse(input));
        json();
        test.sessions();
        test.lists();
        test.errors();
        test.retries();
        test.webhooks();
    }
}
