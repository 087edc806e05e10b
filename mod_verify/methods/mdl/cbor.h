/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_MDL_CBOR_H
#define IDV_METHODS_MDL_CBOR_H

/*
 * CBOR (RFC 8949) of strangers, read into a tree that keeps where each item
 * stood, and the few shapes of CBOR that this project writes itself.
 *
 * The libraries that Debian has were tried and left: what an issuer or a wallet
 * signed is the bytes as they came, so each item needs its exact encoding, and
 * libcbor keeps no offsets; others (TinyCBOR, QCBOR) are not packaged.
 *
 * - Everything that is well-formed by RFC 8949, section 5.3.1, is read: heads
 *   longer than necessary (wallets write map heads of three bytes) and
 *   indefinite lengths. A string of indefinite length is joined; its chunks
 *   must be definite strings of the same type.
 * - Refused: what is not well-formed, anything behind the item, text that is
 *   not UTF-8 or holds a NUL, the same key twice in a map whichever way it is
 *   encoded, keys that are neither integers nor text, and what exceeds a limit.
 * - Nothing is read again on the way out: an item's `encoded` bytes are those
 *   that came, its tag and its length included.
 * - Bytes inside of a byte string are not looked into. An "encoded CBOR data
 *   item" (tag 24) is opened by idv_cbor_open(), at the cost of the same budget.
 *
 * Memory: the tree lives in the given pool and points into the bytes, which
 * have to stay. Threads: trees are immutable. Failures: `parameter_invalid`
 * with a text that says what is wrong, and never holds any of the bytes.
 */
#include "core/crypto.h"

#define IDV_CBOR_MAX_LENGTH ((apr_size_t)1024 * 1024) /* bytes of one reading */
#define IDV_CBOR_MAX_DEPTH 16    /* arrays, maps and tags inside of each other */
#define IDV_CBOR_MAX_MEMBERS 512 /* of one map */
#define IDV_CBOR_MAX_ITEMS 16384 /* of a whole response */

/* What may be read still. One budget is for one submission and all that is
 * embedded in it. */
typedef struct {
    int items;
} idv_cbor_budget_t;

#define IDV_CBOR_BUDGET { IDV_CBOR_MAX_ITEMS }

typedef enum {
    IDV_CBOR_UNSIGNED, /* number */
    IDV_CBOR_NEGATIVE, /* -1 - number */
    IDV_CBOR_BYTES,    /* content */
    IDV_CBOR_TEXT,     /* content, UTF-8, a NUL stands behind it */
    IDV_CBOR_ARRAY,    /* count items from first on */
    IDV_CBOR_MAP,      /* count pairs: key, value, key, value */
    IDV_CBOR_TAG,      /* number; the tagged item is first */
    IDV_CBOR_SIMPLE,   /* number: IDV_CBOR_FALSE and so on */
    IDV_CBOR_FLOAT     /* of any width; the value is not kept */
} idv_cbor_type_t;

enum {
    IDV_CBOR_FALSE = 20,
    IDV_CBOR_TRUE = 21,
    IDV_CBOR_NULL = 22,
    IDV_CBOR_UNDEFINED = 23,
    IDV_CBOR_TAG_DATE_TIME = 0,    /* RFC 8949, 3.4.1 */
    IDV_CBOR_TAG_SIGN1 = 18,       /* RFC 9052 */
    IDV_CBOR_TAG_EMBEDDED = 24,    /* RFC 8949, 3.4.5.1 */
    IDV_CBOR_TAG_FULL_DATE = 1004  /* RFC 8943 */
};

typedef struct idv_cbor_t idv_cbor_t;
struct idv_cbor_t {
    idv_cbor_type_t type;
    int count;
    apr_uint64_t number;
    idv_bytes_t content;
    idv_bytes_t encoded; /* as it came */
    const idv_cbor_t *first;
    const idv_cbor_t *next; /* sibling; NULL for the last */
};

/* Reads BYTES, exactly one item. */
idv_error_t *idv_cbor_read(idv_bytes_t bytes, idv_cbor_budget_t *budget,
                           const idv_cbor_t **item,
                           apr_pool_t *pool) IDV_CHECKED;

/* Reads the item inside of ITEM, which must be tag 24 around a byte string. */
idv_error_t *idv_cbor_open(const idv_cbor_t *item, idv_cbor_budget_t *budget,
                           const idv_cbor_t **inner,
                           apr_pool_t *pool) IDV_CHECKED;

/* Non-zero when ITEM (may be NULL) is of TYPE. */
int idv_cbor_is(const idv_cbor_t *item, idv_cbor_type_t type);

/* Non-zero when ITEM (may be NULL) is this simple value. */
int idv_cbor_is_simple(const idv_cbor_t *item, int value);

/* The value under a key of MAP; NULL when MAP (may be NULL) is no map or has
 * no such key. */
const idv_cbor_t *idv_cbor_member(const idv_cbor_t *map, const char *key);
const idv_cbor_t *idv_cbor_member_bytes(const idv_cbor_t *map, idv_bytes_t key);
const idv_cbor_t *idv_cbor_member_number(const idv_cbor_t *map,
                                         apr_int64_t key);

/* The text of ITEM (may be NULL), NUL-terminated; NULL when it is none. */
const char *idv_cbor_text(const idv_cbor_t *item);

/* Non-zero, and the number in *NUMBER, when ITEM (may be NULL) is an integer
 * that fits. */
int idv_cbor_integer(const idv_cbor_t *item, apr_int64_t *number);

/* --- writing, in the deterministic encoding of RFC 8949, 4.2.1 --- */

/* What is written grows in the pool. Counts are those of the standard: whoever
 * announces an array of two has to write two items. */
typedef struct {
    unsigned char *data;
    apr_size_t length, size;
    apr_pool_t *pool;
} idv_cbor_writer_t;

void idv_cbor_writer_init(idv_cbor_writer_t *writer, apr_pool_t *pool);
idv_bytes_t idv_cbor_written(const idv_cbor_writer_t *writer);
void idv_cbor_put_array(idv_cbor_writer_t *writer, int count);
void idv_cbor_put_map(idv_cbor_writer_t *writer, int pairs);
void idv_cbor_put_tag(idv_cbor_writer_t *writer, apr_uint64_t tag);
void idv_cbor_put_integer(idv_cbor_writer_t *writer, apr_int64_t number);
void idv_cbor_put_text(idv_cbor_writer_t *writer, const char *text);
void idv_cbor_put_bytes(idv_cbor_writer_t *writer, idv_bytes_t bytes);
void idv_cbor_put_simple(idv_cbor_writer_t *writer, int value);
/* An item that is encoded already. */
void idv_cbor_put_encoded(idv_cbor_writer_t *writer, idv_bytes_t item);

#endif
