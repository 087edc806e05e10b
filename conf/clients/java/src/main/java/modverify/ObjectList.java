// SPDX-License-Identifier: Apache-2.0
package modverify;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * The objects of a list, newest first. With {@code endingBefore} they come oldest first, as
 * to read the events since the last one that you have. A page has 100 objects unless
 * {@code limit} says otherwise.
 */
public final class ObjectList<T> implements Iterable<T> {
    private final Class<T> type;
    private final Function<Map<String, Object>, Map<?, ?>> load;
    private final Map<String, Object> query = new LinkedHashMap<>(Map.of("limit", 100));
    private final boolean isForward;

    ObjectList(Class<T> type, Function<Map<String, Object>, Map<?, ?>> load, Map<String, Object> query) {
        this.type = type;
        this.load = load;
        this.query.putAll(query);
        this.isForward = query.get("ending_before") == null;
    }

    /** Page by page, each as the service sends it. */
    public Iterable<List<T>> pages() {
        return PageIterator::new;
    }

    @Override
    public Iterator<T> iterator() {
        return stream().iterator();
    }

    public Stream<T> stream() {
        return StreamSupport.stream(pages().spliterator(), false).flatMap(page -> {
            List<T> items = new ArrayList<>(page);
            if (!isForward)
                Collections.reverse(items);
            return items.stream();
        });
    }

    private final class PageIterator implements Iterator<List<T>> {
        private Map<String, Object> next = new LinkedHashMap<>(query);

        @Override
        public boolean hasNext() {
            return next != null;
        }

        @Override
        public List<T> next() {
            if (next == null)
                throw new NoSuchElementException();
            Map<?, ?> page = load.apply(next);
            List<?> data = (List<?>) page.get("data");
            if (Boolean.TRUE.equals(page.get("has_more")) && !data.isEmpty()) {
                Map<?, ?> last = (Map<?, ?>) data.get(isForward ? data.size() - 1 : 0);
                next = new LinkedHashMap<>(next);
                next.put(isForward ? "starting_after" : "ending_before", last.get("id"));
            } else {
                next = null;
            }
            return data.stream().map(item -> Json.as(type, item)).toList();
        }
    }
}
