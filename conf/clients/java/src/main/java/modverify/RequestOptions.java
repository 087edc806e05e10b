// SPDX-License-Identifier: Apache-2.0
package modverify;

import java.time.Duration;

/** Options of one call. Null means that of the client. */
public record RequestOptions(String idempotencyKey, Duration timeout, Integer maxRetries) {
    /**
     * 1 to 255 printable characters. The same key and parameters within 24 hours get the
     * same answer. By default, each call has a key of its own, which its retries repeat.
     */
    public static RequestOptions idempotencyKey(String key) {
        return new RequestOptions(key, null, null);
    }

    /** For one attempt. */
    public static RequestOptions timeout(Duration timeout) {
        return new RequestOptions(null, timeout, null);
    }
}
