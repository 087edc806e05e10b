// SPDX-License-Identifier: Apache-2.0
package modverify;

import java.util.LinkedHashMap;
import java.util.Map;

/** The parameters of an operation. Null is sent as null. */
public abstract class Parameters {
    private final Map<String, Object> values = new LinkedHashMap<>();

    Parameters() {
    }

    final void put(String name, Object value) {
        values.put(name, value);
    }

    final Map<String, Object> values() {
        return values;
    }
}
