// SPDX-License-Identifier: Apache-2.0
package modverify;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Whether the service signed a webhook. */
public final class Webhook {
    private static final int LONGEST_HEADER = 1000;
    private static final Pattern OWN = Pattern.compile("t=([0-9]{1,12}),v1=([0-9a-f]{64})");
    private static final Pattern SECRET = Pattern.compile("whsec_([0-9A-Za-z+/]+=*)");

    private Webhook() {
    }

    /** As below, with a tolerance of five minutes. */
    public static Event verify(byte[] body, Function<String, String> header, String... secrets) {
        return verify(body, header, Arrays.asList(secrets), Duration.ofMinutes(5), Instant.now());
    }

    /**
     * Returns the event if the service signed the body within {@code tolerance} of
     * {@code now}.
     *
     * @param body as it arrived
     * @param header gives the value of a header, or null: {@code request::getHeader}
     * @param secrets several while you rotate them
     * @throws WebhookSignatureException if it did not
     */
    public static Event verify(byte[] body, Function<String, String> header, List<String> secrets,
            Duration tolerance, Instant now) {
        List<Matcher> keys = secrets.stream().map(secret -> SECRET.matcher(secret == null ? "" : secret)).toList();
        if (keys.isEmpty() || !keys.stream().allMatch(Matcher::matches))
            throw new IllegalArgumentException("The secret of a webhook endpoint begins with \"whsec_\".");
        Signed signed = signatureOf(header);
        if (Math.abs(now.getEpochSecond() - Long.parseLong(signed.timestamp)) > tolerance.toSeconds())
            throw new WebhookSignatureException("too_old", "The time of the signature is too far from now.");
        boolean isRight = false;
        for (Matcher key : keys) {
            byte[] expected = hmac(signed.isStandard ? Base64.getDecoder().decode(key.group(1))
                : bytes(key.group()), bytes(signed.prefix), body);
            for (byte[] signature : signed.signatures)
                isRight |= MessageDigest.isEqual(expected, signature);
        }
        if (!isRight)
            throw new WebhookSignatureException("mismatch", "No signature fits the body and the secret.");
        return Json.as(Event.class, Json.parse(new String(body, StandardCharsets.UTF_8)));
    }

    private record Signed(String timestamp, List<byte[]> signatures, String prefix, boolean isStandard) {
    }

    // The headers by Standard Webhooks, which during a rotation have a signature for each
    // secret, or Service-Signature.
    private static Signed signatureOf(Function<String, String> header) {
        String standard = header.apply("webhook-signature");
        String own = header.apply("Service-Signature");
        if (standard == null && own == null)
            throw new WebhookSignatureException("missing", "The webhook has no signature.");
        Signed signed = standard != null ? parseStandard(header, standard) : parseOwn(own);
        if (signed == null)
            throw new WebhookSignatureException("malformed", "The signature of the webhook is malformed.");
        return signed;
    }

    private static Signed parseStandard(Function<String, String> header, String value) {
        String id = header.apply("webhook-id");
        String timestamp = header.apply("webhook-timestamp");
        if (value.length() > LONGEST_HEADER || id == null || !id.matches("\\w{1,64}")
                || timestamp == null || !timestamp.matches("[0-9]{1,12}"))
            return null;
        List<byte[]> signatures = Stream.of(value.split(" "))
            .filter(part -> part.matches("v1,[0-9A-Za-z+/]{43}="))
            .map(part -> Base64.getDecoder().decode(part.substring("v1,".length()))).toList();
        return signatures.isEmpty() ? null
            : new Signed(timestamp, signatures, id + "." + timestamp + ".", true);
    }

    private static Signed parseOwn(String value) {
        Matcher match = OWN.matcher(value);
        return !match.matches() ? null : new Signed(match.group(1),
            List.of(HexFormat.of().parseHex(match.group(2))), match.group(1) + ".", false);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] hmac(byte[] key, byte[]... parts) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            for (byte[] part : parts)
                mac.update(part);
            return mac.doFinal();
        } catch (GeneralSecurityException failure) {
            throw new IllegalStateException(failure);
        }
    }
}
