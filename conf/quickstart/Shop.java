// SPDX-License-Identifier: Apache-2.0
// A shop that asks for the age before it sells: java Shop.java
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Shop {
    static final Map<String, String> settings = System.getenv();
    static final Map<String, String> orders = new ConcurrentHashMap<>(); // a database
    static final HttpClient client = HttpClient.newHttpClient();
    static final Pattern SIGNATURE =
        Pattern.compile("t=([0-9]{1,12}),v1=([0-9a-f]{64})");
    static final Set<String> ENDS = Set.of("verified", "failed", "cancelled", "expired");

    // A reader of JSON, of what this shop needs; a real one has a library.
    static final class Json {
        static final Pattern TOKEN = Pattern.compile(
            "\\G\\s*([{}\\[\\]:,]|\"((?:[^\"\\\\]|\\\\.)*+)\"|[-+.0-9A-Za-z]+)");
        final Matcher matcher;

        Json(String text) {
            matcher = TOKEN.matcher(text);
        }

        String next() {
            if (!matcher.find())
                throw new IllegalArgumentException("no JSON");
            return matcher.group(1);
        }

        // Maps for objects, lists for arrays, texts (with their escapes) for all
        // others.
        Object value(String token, int depth) {
            if (depth > 16)
                throw new IllegalArgumentException("too deep");
            if (token.startsWith("\""))
                return matcher.group(2);
            if (!token.equals("{") && !token.equals("["))
                return token;
            String end = token.equals("{") ? "}" : "]";
            Map<String, Object> members = new HashMap<>();
            List<Object> items = new ArrayList<>();
            for (String at = next(); !at.equals(end); at = next()) {
                if (at.equals(","))
                    at = next();
                Object item = value(at, depth + 1);
                if (end.equals("}")) {
                    next(); // the colon
                    members.put((String) item, value(next(), depth + 1));
                } else {
                    items.add(item);
                }
            }
            return end.equals("}") ? members : items;
        }
    }

    // The text at the end of PATH in a JSON object; "" where there is none.
    static String member(String text, String... path) {
        Json json = new Json(text);
        Object value = json.value(json.next(), 0);
        for (String name : path)
            value = value instanceof Map<?, ?> members ? members.get(name) : null;
        return value instanceof String found ? found : "";
    }

    static String createSession(String order) throws Exception {
        String body = String.format(
            "{\"type\": \"age\", \"workflow_id\": \"%s\", \"jurisdiction\": \"US-CA\","
            + " \"client_reference_id\": \"%s\"}", settings.get("VERIFY_WORKFLOW"), order);
        HttpResponse<String> answer = client.send(
            HttpRequest.newBuilder(
                URI.create(settings.get("VERIFY_URL") + "/v1/verification_sessions"))
                .timeout(Duration.ofSeconds(10))
                .header("Authorization", "Bearer " + settings.get("VERIFY_SECRET_KEY"))
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", order)
                .POST(HttpRequest.BodyPublishers.ofString(body)).build(),
            HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 201)
            throw new IOException("the service answers " + answer.statusCode());
        return member(answer.body(), "url");
    }

    // Whether the service sent this body, in the last five minutes.
    static boolean isSigned(String header, byte[] body) throws Exception {
        Matcher match = SIGNATURE.matcher(header == null ? "" : header);
        if (!match.matches() || Math.abs(System.currentTimeMillis() / 1000
                - Long.parseLong(match.group(1))) > 300)
            return false;
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(settings.get("VERIFY_WEBHOOK_SECRET")
            .getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        mac.update((match.group(1) + ".").getBytes(StandardCharsets.UTF_8));
        return MessageDigest.isEqual(mac.doFinal(body),
            HexFormat.of().parseHex(match.group(2)));
    }

    // An event may come twice, and what came late changes no end.
    static void takeEvent(String event) {
        String[] type = member(event, "type").split("\\.");
        String order = member(event, "data", "object", "client_reference_id");
        if (type.length == 2 && type[0].equals("verification_session")
                && ENDS.contains(type[1]))
            orders.replace(order, "waits", type[1]); // "verified": send the goods
    }

    static void respond(HttpExchange exchange, int status, String text)
            throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "text/html; charset=utf-8");
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    static void handle(HttpExchange exchange) throws Exception {
        String path = exchange.getRequestURI().getPath();
        String order = orders.get(path.substring(path.lastIndexOf('/') + 1));
        String asked = exchange.getRequestMethod() + " " + path;
        byte[] body = exchange.getRequestBody().readNBytes(1000000);

        if (asked.equals("GET /")) {
            respond(exchange, 200, "<form method=\"post\" action=\"/orders\">"
                + "<button>Buy wine</button></form>");
        } else if (asked.startsWith("GET /orders/") && order != null) {
            respond(exchange, 200, order);
        } else if (asked.equals("POST /orders")) {
            byte[] bytes = new byte[8];
            new SecureRandom().nextBytes(bytes);
            String created = HexFormat.of().formatHex(bytes);
            String page = createSession(created);
            orders.put(created, "waits");
            exchange.getResponseHeaders().set("Location", page);
            exchange.getResponseHeaders().set("X-Order", created);
            respond(exchange, 303, "");
        } else if (asked.equals("POST /webhooks")) {
            boolean signed = isSigned(
                exchange.getRequestHeaders().getFirst("Service-Signature"), body);
            if (signed)
                takeEvent(new String(body, StandardCharsets.UTF_8));
            respond(exchange, signed ? 200 : 400, "");
        } else {
            respond(exchange, 404, "no such page");
        }
    }

    public static void main(String[] arguments) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1",
            Integer.parseInt(settings.getOrDefault("PORT", "3000"))), 0);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/", exchange -> {
            try {
                handle(exchange);
            } catch (Exception failure) {
                respond(exchange, 500, "");
            }
        });
        server.start();
    }
}
