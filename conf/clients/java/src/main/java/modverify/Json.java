// SPDX-License-Identifier: Apache-2.0
package modverify;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Reads and writes JSON: maps, lists, strings, longs, doubles, booleans and null. */
final class Json {
    private static final int DEEPEST = 64;
    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    // --- reading ---

    static Object parse(String text) {
        Json json = new Json(text);
        Object value = json.value(0);
        json.space();
        if (json.at < text.length())
            throw json.fault();
        return value;
    }

    private IllegalArgumentException fault() {
        return new IllegalArgumentException("not JSON at character " + at);
    }

    private void space() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0)
            at++;
    }

    private char next() {
        space();
        if (at >= text.length())
            throw fault();
        return text.charAt(at);
    }

    private boolean take(char wanted) {
        if (next() != wanted)
            return false;
        at++;
        return true;
    }

    private Object value(int depth) {
        if (depth > DEEPEST)
            throw fault();
        return switch (next()) {
            case '{' -> object(depth);
            case '[' -> array(depth);
            case '"' -> string();
            default -> word();
        };
    }

    private Map<String, Object> object(int depth) {
        Map<String, Object> members = new LinkedHashMap<>();
        at++;
        if (take('}'))
            return members;
        do {
            if (next() != '"')
                throw fault();
            String name = string();
            if (!take(':'))
                throw fault();
            members.put(name, value(depth + 1));
        } while (take(','));
        if (!take('}'))
            throw fault();
        return Collections.unmodifiableMap(members);
    }

    private List<Object> array(int depth) {
        List<Object> items = new ArrayList<>();
        at++;
        if (take(']'))
            return items;
        do {
            items.add(value(depth + 1));
        } while (take(','));
        if (!take(']'))
            throw fault();
        return Collections.unmodifiableList(items);
    }

    private String string() {
        StringBuilder found = new StringBuilder();
        for (at++; at < text.length(); at++) {
            char letter = text.charAt(at);
            if (letter == '"') {
                at++;
                return found.toString();
            }
            if (letter < ' ')
                break;
            found.append(letter == '\\' ? escaped() : letter);
        }
        throw fault();
    }

    // Stays at the last character of the escape.
    private char escaped() {
        char letter = ++at < text.length() ? text.charAt(at) : 0;
        int simple = "\"\\/bfnrt".indexOf(letter);
        if (letter != 0 && simple >= 0)
            return "\"\\/\b\f\n\r\t".charAt(simple);
        String digits = letter == 'u' && at + 4 < text.length() ? text.substring(at + 1, at + 5) : "";
        if (!digits.matches("[0-9a-fA-F]{4}"))
            throw fault();
        at += 4;
        return (char) Integer.parseInt(digits, 16);
    }

    private Object word() {
        int end = at;
        while (end < text.length() && ",]} \t\r\n".indexOf(text.charAt(end)) < 0)
            end++;
        String word = text.substring(at, end);
        if (!word.matches("true|false|null|-?(?:0|[1-9][0-9]{0,99})(?:\\.[0-9]{1,99})?(?:[eE][-+]?[0-9]{1,3})?"))
            throw fault();
        at = end;
        if (word.matches("-?[0-9]{1,18}"))
            return Long.valueOf(word);
        return switch (word) {
            case "true" -> true;
            case "false" -> false;
            case "null" -> null;
            default -> Double.valueOf(word);
        };
    }

    // --- writing ---

    static String write(Object value) {
        StringBuilder out = new StringBuilder();
        write(out, value);
        return out.toString();
    }

    private static void write(StringBuilder out, Object value) {
        if (value instanceof Map<?, ?> members) {
            String separator = "{";
            for (Map.Entry<?, ?> member : members.entrySet()) {
                quote(out.append(separator), member.getKey().toString());
                write(out.append(':'), member.getValue());
                separator = ",";
            }
            out.append(members.isEmpty() ? "{}" : "}");
        } else if (value instanceof List<?> items) {
            String separator = "[";
            for (Object item : items) {
                write(out.append(separator), item);
                separator = ",";
            }
            out.append(items.isEmpty() ? "[]" : "]");
        } else if (value == null || value instanceof Number || value instanceof Boolean) {
            out.append(value);
        } else {
            quote(out, value.toString());
        }
    }

    private static void quote(StringBuilder out, String text) {
        out.append('"');
        for (char letter : text.toCharArray()) {
            if (letter == '"' || letter == '\\')
                out.append('\\').append(letter);
            else if (letter < ' ')
                out.append(String.format("\\u%04x", (int) letter));
            else
                out.append(letter);
        }
        out.append('"');
    }

    // --- records ---

    /** A value as a record, whose members have the names of Java. */
    static <T> T as(Class<T> type, Object value) {
        return type.cast(convert(type, value));
    }

    private static Object convert(Type type, Object value) {
        if (type instanceof ParameterizedType generic) {
            Type item = generic.getActualTypeArguments()[generic.getActualTypeArguments().length - 1];
            if (value instanceof List<?> items)
                return items.stream().map(each -> convert(item, each)).toList();
            Map<Object, Object> members = new LinkedHashMap<>();
            if (value instanceof Map<?, ?> map)
                map.forEach((name, each) -> members.put(name, convert(item, each)));
            return value == null ? null : Collections.unmodifiableMap(members);
        }
        if (type == boolean.class || type == Boolean.class)
            return value == null && type == boolean.class ? Boolean.FALSE : value;
        if (type == long.class || type == Long.class)
            return value instanceof Number number ? Long.valueOf(number.longValue()) : type == long.class ? 0L : null;
        if (type == double.class || type == Double.class)
            return value instanceof Number number ? Double.valueOf(number.doubleValue())
                : type == double.class ? 0.0 : null;
        return value instanceof Map<?, ?> map && type instanceof Class<?> record && record.isRecord()
            ? record(record, map) : value;
    }

    private static Object record(Class<?> type, Map<?, ?> members) {
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types = Stream.of(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        Object[] values = Stream.of(components)
            .map(component -> convert(component.getGenericType(), members.get(nameOf(component)))).toArray();
        try {
            return type.getDeclaredConstructor(types).newInstance(values);
        } catch (InstantiationException | IllegalAccessException | NoSuchMethodException
                | InvocationTargetException | IllegalArgumentException failure) {
            throw new IllegalArgumentException("The service sent another " + type.getSimpleName() + ".", failure);
        }
    }

    private static String nameOf(RecordComponent component) {
        return component.getName().replaceAll("_$", "").replaceAll("([A-Z])", "_$1").toLowerCase(java.util.Locale.ROOT);
    }
}
