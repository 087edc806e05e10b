// SPDX-License-Identifier: Apache-2.0
package modverify;

/** The service did not answer, or not in time. */
public final class ApiConnectionException extends VerifyException {
    private static final long serialVersionUID = 1;

    ApiConnectionException(String message, Throwable cause) {
        super(message, cause);
    }
}
