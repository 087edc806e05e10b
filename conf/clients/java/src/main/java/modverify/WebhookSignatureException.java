// SPDX-License-Identifier: Apache-2.0
package modverify;

/** The service did not sign this webhook, or not in the last minutes: respond with 400. */
public final class WebhookSignatureException extends VerifyException {
    private static final long serialVersionUID = 1;
    private final String reason;

    WebhookSignatureException(String reason, String message) {
        super(message, null);
        this.reason = reason;
    }

    /** {@code missing}, {@code malformed}, {@code too_old} or {@code mismatch}. */
    public String reason() {
        return reason;
    }
}
