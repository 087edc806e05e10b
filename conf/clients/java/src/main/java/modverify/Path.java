// SPDX-License-Identifier: Apache-2.0
package modverify;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The parts of a URL. */
final class Path {
    private static final Pattern ID = Pattern.compile("[a-z]+_[0-9a-zA-Z]+");

    private Path() {
    }

    // So that no id of a stranger leads to another path.
    static String id(String id) {
        if (id == null || !ID.matcher(id).matches())
            throw new IllegalArgumentException(
                "an id is missing or malformed; ids look like \"vks_…\"");
        return id;
    }

    static String query(Map<String, Object> parameters) {
        List<String> pairs = new ArrayList<>();
        parameters.forEach((name, value) -> {
            if (value instanceof List<?> items)
                items.forEach(item -> pairs.add(name + "%5B%5D=" + encoded(item)));
            else if (value != null)
                pairs.add(name + "=" + encoded(value));
        });
        return pairs.isEmpty() ? "" : "?" + String.join("&", pairs);
    }

    private static String encoded(Object value) {
        return URLEncoder.encode(value.toString(), StandardCharsets.UTF_8);
    }
}
