// SPDX-License-Identifier: Apache-2.0
package modverify;

/** The class of all errors of this package. No message contains a secret. */
public abstract class VerifyException extends RuntimeException {
    private static final long serialVersionUID = 1;

    VerifyException(String message, Throwable cause) {
        super(message, cause);
    }
}
