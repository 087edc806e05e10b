// SPDX-License-Identifier: Apache-2.0
package modverify;

import java.net.http.HttpHeaders;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The service refused the request. Branch on {@link #code()}. */
public final class ApiException extends VerifyException {
    private static final long serialVersionUID = 1;
    private final int status;
    private final String type;
    private final String code;
    private final String param;
    private final String requestId;
    private final Integer retryAfter;

    ApiException(int status, HttpHeaders headers, Object body) {
        this(status, headers, body instanceof Map<?, ?> map && map.get("error") instanceof Map<?, ?> error
            ? error : Map.of());
    }

    private ApiException(int status, HttpHeaders headers, Map<?, ?> error) {
        this(status, headers, error, Objects.requireNonNullElseGet(text(error, "request_id"),
            () -> headers.firstValue("X-Request-Id").orElse("")));
    }

    private ApiException(int status, HttpHeaders headers, Map<?, ?> error, String requestId) {
        super(message(status, error, requestId), null);
        this.status = status;
        this.type = text(error, "type");
        this.code = text(error, "code");
        this.param = text(error, "param");
        this.requestId = requestId.isEmpty() ? null : requestId;
        this.retryAfter = headers.firstValue("Retry-After")
            .filter(seconds -> seconds.matches("[0-9]{1,9}")).map(Integer::valueOf).orElse(null);
    }

    private static String message(int status, Map<?, ?> error, String requestId) {
        String text = text(error, "message");
        String details = Stream.of(text(error, "code"), text(error, "param"), requestId)
            .filter(part -> part != null && !part.isEmpty()).collect(Collectors.joining(", "));
        return (text == null ? "The service answered " + status + "." : text)
            + (details.isEmpty() ? "" : " (" + details + ")");
    }

    private static String text(Map<?, ?> error, String name) {
        return error.get(name) instanceof String text ? text : null;
    }

    /** The status of HTTP. */
    public int status() {
        return status;
    }

    /** A value of {@link Types.ErrorType}, or null. */
    public String type() {
        return type;
    }

    /** A value of {@link Types.ErrorCode}, a later one, or null. */
    public String code() {
        return code;
    }

    /** The parameter that is wrong, or null. */
    public String param() {
        return param;
    }

    /** For questions to the operator, or null. */
    public String requestId() {
        return requestId;
    }

    /** Seconds to wait before the next attempt, or null. */
    public Integer retryAfter() {
        return retryAfter;
    }
}
