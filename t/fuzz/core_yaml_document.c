/* SPDX-License-Identifier: Apache-2.0 */
/* A file that an operator applies. What is accepted is an object within the
 * limits, each of its members has a line of the text, and what is written of it
 * is read as the same again. */
#include "fuzz/fuzz.h"

#include "core/yaml_document.h"
#include "core/yaml_writer.h"

static int lines_of(const uint8_t *data, size_t size)
{
    int lines = 1;

    for (size_t i = 0; i < size; i++)
        lines += data[i] == '\n' || data[i] == '\r' || data[i] == 0x85
              || data[i] == 0xa8 || data[i] == 0xa9; /* U+0085, 2028, 2029 */
    return lines;
}

typedef struct {
    const idv_yaml_document_t *document;
    int lines;
    int values;
    apr_pool_t *pool;
} walk_t;

static void visit(walk_t *walk, const json_t *value, const char *pointer,
                  int depth)
{
    const char *key;
    json_t *member;
    size_t i;

    promise(++walk->values <= IDV_YAML_VALUES_MAX);
    promise(depth <= IDV_JSON_MAX_DEPTH
            || (!json_is_object(value) && !json_is_array(value)));
    if (walk->values < 1000) {
        int line = idv_yaml_line(walk->document, pointer, walk->pool);

        promise(line >= 0 && line <= walk->lines);
    }
    if (json_is_object(value))
        json_object_foreach ((json_t *)value, key, member)
            visit(walk, member,
                  idv_json_pointer_member(pointer, key, walk->pool), depth + 1);
    else if (json_is_array(value))
        json_array_foreach ((json_t *)value, i, member)
            visit(walk, member,
                  idv_json_pointer_element(pointer, i, walk->pool), depth + 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    apr_pool_t *pool = fuzz_pool();
    idv_yaml_document_t document, again;
    walk_t walk = {&document, lines_of(data, size), 0, pool};
    const char *text;
    idv_error_t *error =
        idv_yaml_read((const char *)data, size, &document, pool);

    promise((error == NULL) == (document.root != NULL));
    if (error) {
        promise(document.line <= walk.lines);
    } else {
        promise(json_is_object(document.root));
        visit(&walk, document.root, "", 1);
        promise(!idv_yaml_write(document.root, &text, pool));
        promise(!idv_yaml_read(text, strlen(text), &again, pool));
        promise(json_equal(document.root, again.root));
    }
    apr_pool_destroy(pool);
    return 0;
}
