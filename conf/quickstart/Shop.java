// SPDX-License-Identifier: Apache-2.0
// A shop that asks for the age before it sells; README.md says how to start it
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import modverify.Event;
import modverify.RequestOptions;
import modverify.Types.VerificationSessionCreate;
import modverify.Types.VerificationSessionSnapshot;
import modverify.VerifyClient;
import modverify.Webhook;
import modverify.WebhookSignatureException;

public class Shop {
    static final Map<String, String> settings = System.getenv();
    static final VerifyClient client =
        new VerifyClient(settings.get("VERIFY_URL"), settings.get("VERIFY_SECRET_KEY"));
    static final Map<String, String> orders = new ConcurrentHashMap<>(); // a database
    static final Set<String> ENDS = Set.of("verified", "failed", "cancelled", "expired");

    // An event may come twice, and what came late changes no end.
    static void takeEvent(Event event) {
        String[] type = event.type().split("\\.");
        if (!type[0].equals("verification_session") || !ENDS.contains(type[1]))
            return;
        String order = event.objectAs(VerificationSessionSnapshot.class).clientReferenceId();
        if (order != null)
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
            String page = client.createVerificationSession(new VerificationSessionCreate()
                .type("age").workflowId(settings.get("VERIFY_WORKFLOW")).jurisdiction("US-CA")
                .clientReferenceId(created), RequestOptions.idempotencyKey(created)).url();
            orders.put(created, "waits");
            exchange.getResponseHeaders().set("Location", page);
            exchange.getResponseHeaders().set("X-Order", created);
            respond(exchange, 303, "");
        } else if (asked.equals("POST /webhooks")) {
            takeEvent(Webhook.verify(body, exchange.getRequestHeaders()::getFirst,
                settings.get("VERIFY_WEBHOOK_SECRET")));
            respond(exchange, 200, "");
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
            } catch (WebhookSignatureException refused) {
                respond(exchange, 400, "");
            } catch (Exception failure) {
                respond(exchange, 500, "");
            }
        });
        server.start();
    }
}
