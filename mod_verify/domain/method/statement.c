/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/method/statement.h"

#include <string.h>

#include <apr_strings.h>

#include "core/crypto.h"
#include "core/json.h"
#include "core/utf8.h"
#include "domain/value/jurisdiction.h"

/* For workflows that bring none. */
static const idv_statement_text_t own_texts[] = {
    {"en", "What I have stated and shown in this check is true, complete and "
           "about me."},
    {"de", "Was ich in dieser Pr\xc3\xbc"
           "fung angegeben und gezeigt habe, ist wahr, vollst\xc3\xa4ndig und "
           "betrifft mich selbst."},
};
static const idv_statement_t own = {
    .name = "truthful",
    .version = "1",
    .texts = own_texts,
    .text_count = (int)(sizeof(own_texts) / sizeof(*own_texts)),
};

/* --- reading --- */

typedef idv_statement_fault_t fault_t;

static const fault_t
    bad_list = {"statement_count", "Must be an array of 1 to 20 statements."},
    no_object = {"object", "Must be an object."},
    bad_key = {"unknown_key", "Unknown key."},
    bad_name = {"statement_name",
                "Must have 1 to 64 letters, digits, '_', '-' or '.'."},
    same_name = {"twice", "Is also the name of another statement."},
    bad_version = {"statement_version",
                   "Must be a string of 1 to 64 characters."},
    no_places = {"statement_jurisdictions",
                 "Must be a non-empty array of jurisdictions. Omit it for all "
                 "jurisdictions."},
    bad_place = {"unknown_jurisdiction",
                 "Must be ISO 3166 countries, optionally with a region."},
    no_texts = {"statement_texts",
                "Must be an object with a text for each language."},
    bad_text = {"statement_text",
                "Must have language tags such as en or pt-BR, each with a "
                "text of 1 to 2000 characters."};

#define ALNUM                                                                  \
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

static const char *member_of(const char *pointer, const char *key,
                             apr_pool_t *pool)
{
    return idv_json_pointer_member(pointer, key, pool);
}

/* The string under KEY of 1 to MOST characters, all of them in SET (NULL:
 * any). */
static const char *read_text(const json_t *object, const char *key, int most,
                             const char *set, apr_pool_t *pool)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text && *text && idv_utf8_length(text) <= (apr_size_t)most
                && (!set || !text[strspn(text, set)])
             ? apr_pstrdup(pool, text)
             : NULL;
}

static const fault_t *read_places(const json_t *value,
                                  idv_statement_t *statement,
                                  apr_pool_t *pool)
{
    size_t count = json_array_size(value);
    const char **places;

    if (!value)
        return NULL;
    if (count < 1 || count > IDV_STATEMENTS_MAX * IDV_STATEMENTS_MAX)
        return &no_places;
    places = apr_pcalloc(pool, count * sizeof(*places));
    for (size_t i = 0; i < count; i++) {
        const char *text = json_string_value(json_array_get(value, i));

        places[i] = text ? idv_jurisdiction_normalize(text, pool) : NULL;
        if (!places[i])
            return &bad_place;
    }
    statement->jurisdictions = places;
    statement->jurisdiction_count = (int)count;
    return NULL;
}

static int is_language(const char *tag)
{
    size_t primary = strspn(tag, "abcdefghijklmnopqrstuvwxyz");

    return primary >= 2 && primary <= 3 && strlen(tag) <= IDV_LANGUAGE_TAG_MAX
        && (!tag[primary] || tag[primary] == '-') && !tag[strspn(tag, ALNUM "-")];
}

static const fault_t *read_texts(json_t *value, idv_statement_t *statement,
                                 apr_pool_t *pool)
{
    size_t count = json_object_size(value);
    idv_statement_text_t *texts;
    const char *language;
    json_t *text;

    if (count < 1 || count > IDV_STATEMENT_LANGUAGES_MAX)
        return &no_texts;
    texts = apr_pcalloc(pool, count * sizeof(*texts));
    json_object_foreach (value, language, text) {
        idv_statement_text_t *one = &texts[statement->text_count++];

        one->language = apr_pstrdup(pool, language);
        one->text =
            read_text(value, language, IDV_STATEMENT_TEXT_MAX, NULL, pool);
        if (!is_language(language) || !one->text)
            return &bad_text;
    }
    statement->texts = texts;
    return NULL;
}

static const char *unknown_key(const json_t *object)
{
    static const char *const keys[] = {"name", "version", "jurisdictions",
                                       "texts"};
    const char *key;
    json_t *value;

    json_object_foreach ((json_t *)object, key, value) {
        size_t i = 0;

        while (i < sizeof(keys) / sizeof(*keys) && strcmp(keys[i], key))
            i++;
        if (i == sizeof(keys) / sizeof(*keys))
            return key;
    }
    return NULL;
}

/* Reads one statement; *KEY is the member that the fault is in. */
static const fault_t *read_one(const json_t *object, idv_statement_t *statement,
                               const char **key, apr_pool_t *pool)
{
    const fault_t *fault;

    *key = unknown_key(object);
    if (*key)
        return &bad_key;
    *key = "name";
    statement->name = read_text(object, "name", IDV_STATEMENT_NAME_MAX,
                              ALNUM "_-.", pool);
    if (!statement->name)
        return &bad_name;
    *key = "version";
    statement->version =
        read_text(object, "version", IDV_STATEMENT_VERSION_MAX, NULL, pool);
    if (!statement->version)
        return &bad_version;
    *key = "jurisdictions";
    fault = read_places(json_object_get(object, *key), statement, pool);
    if (fault)
        return fault;
    *key = "texts";
    return read_texts(json_object_get(object, *key), statement, pool);
}

static int is_twice(const idv_statement_t *statements, int index)
{
    for (int i = 0; i < index; i++)
        if (!strcmp(statements[i].name, statements[index].name))
            return 1;
    return 0;
}

const idv_statement_fault_t *
idv_statements_read(const json_t *value, idv_statement_list_t *list,
                    const char **pointer, apr_pool_t *pool)
{
    size_t count = json_array_size(value);
    idv_statement_t *items;

    *pointer = "";
    if (count < 1 || count > IDV_STATEMENTS_MAX)
        return &bad_list;
    items = apr_pcalloc(pool, count * sizeof(*items));
    for (size_t i = 0; i < count; i++) {
        const json_t *object = json_array_get(value, i);
        const char *at = idv_json_pointer_element("", i, pool), *key;
        const fault_t *fault;

        *pointer = at;
        if (!json_is_object(object))
            return &no_object;
        fault = read_one(object, &items[i], &key, pool);
        *pointer = member_of(at, fault ? key : "name", pool);
        if (fault)
            return fault;
        if (is_twice(items, (int)i))
            return &same_name;
    }
    *list = (idv_statement_list_t){items, (int)count};
    return NULL;
}

json_t *idv_statements_json(const idv_statement_list_t *list)
{
    json_t *array = json_array();

    for (int i = 0; i < list->count; i++) {
        const idv_statement_t *one = &list->items[i];
        json_t *object = json_pack("{s:s, s:s}", "name", one->name, "version",
                                   one->version);
        json_t *places = json_array(), *texts = json_object();

        for (int k = 0; k < one->jurisdiction_count; k++)
            json_array_append_new(places, json_string(one->jurisdictions[k]));
        for (int k = 0; k < one->text_count; k++)
            json_object_set_new(texts, one->texts[k].language,
                                json_string(one->texts[k].text));
        if (one->jurisdiction_count)
            json_object_set(object, "jurisdictions", places);
        json_decref(places);
        json_object_set_new(object, "texts", texts);
        json_array_append_new(array, object);
    }
    return array;
}

/* --- choosing and agreeing --- */

static int is_for(const idv_statement_t *statement, const char *jurisdiction)
{
    for (int i = 0; jurisdiction && i < statement->jurisdiction_count; i++)
        if (idv_jurisdiction_covers(statement->jurisdictions[i], jurisdiction))
            return 1;
    return statement->jurisdiction_count == 0;
}

const idv_statement_t *idv_statement_for(const idv_statement_list_t *list,
                                         const char *jurisdiction)
{
    for (int i = 0; i < list->count; i++)
        if (is_for(&list->items[i], jurisdiction))
            return &list->items[i];
    return list->count ? NULL : &own;
}

int idv_statement_agree(const idv_statement_t *statement, const char *language,
                        idv_attestation_t *agreed, apr_pool_t *pool)
{
    unsigned char digest[IDV_DIGEST_SIZE];
    int i = 0;

    while (language && i < statement->text_count
           && strcmp(statement->texts[i].language, language))
        i++;
    if (i == statement->text_count)
        return 0;
    idv_sha256(statement->texts[i].text, strlen(statement->texts[i].text),
               digest);
    *agreed = (idv_attestation_t){
        statement->name, statement->version, statement->texts[i].language,
        idv_hex(digest, sizeof(digest), pool)};
    return 1;
}

void idv_statement_write(idv_json_writer_t *writer, const char *key,
                         const idv_statement_t *statement)
{
    if (!statement) {
        idv_json_put_null(writer, key);
        return;
    }
    idv_json_open_object(writer, key);
    idv_json_put_text(writer, "name", statement->name);
    idv_json_put_text(writer, "version", statement->version);
    idv_json_open_object(writer, "texts");
    for (int i = 0; i < statement->text_count; i++)
        idv_json_put_text(writer, statement->texts[i].language,
                          statement->texts[i].text);
    idv_json_close_object(writer);
    idv_json_close_object(writer);
}
