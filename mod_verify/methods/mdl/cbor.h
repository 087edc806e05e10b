/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_MDL_CBOR_H
#define IDV_METHODS_MDL_CBOR_H

/*
 * Parses untrusted CBOR (RFC 8949) into a tree that keeps each item's position,
 * and writes the few shapes of CBOR that this project needs.
 *
 * Existing libraries do not fit: signatures cover the received bytes, so each
 * item needs its exact encoding, and libcbor keeps no offsets; others
 * (TinyCBOR, QCBOR) are not packaged in Debian.
 *
 * - Everything that is well-formed by RFC 8949, section 5.3.1, is read: heads
 *   longer than necessary (wallets write map heads of three bytes) and
 *   indefinite lengths. A string of indefinite length is joined; its chunks
 *   must be definite strings of the same type.
 * - Refused: input that is not well-formed, anything after the item, text that
 *   is not UTF-8 or holds a NUL, the same key twice in a map in any encoding,
 *   keys that are neither integers nor text, and anything beyond a limit.
 * - Nothing is re-encoded: an item's `encoded` bytes are those received,
 *   including its tag and its length.
 * - The contents of byte strings are not parsed. An "encoded CBOR data item"
 *   (tag 24) is opened by idv_cbor_open(), at the cost of the same budget.
 *
 * Memory: the tree lives in the given pool and points into the bytes, which
 * must outlive it. Threads: trees are immutable. Failures: `parameter_invalid`
 * with a text that names the fault and never contains any of the bytes.
 */
#include "core/crypto.h"

#define IDV_CBOR_MAX_LENGTH ((apr_size_t)1024 * 1024) /* bytes of one reading */
#define IDV_CBOR_MAX_DEPTH 16    /* nested arrays, maps and tags */
#define IDV_CBOR_MAX_MEMBERS 512 /* of one map */
#define IDV_CBOR_MAX_ITEMS 16384 /* of a whole response */

/* What may still be read. One budget covers one submission and everything
 * embedded in it. */
typedef struct {
    int items;
} idv_cbor_budget_t;

#define IDV_CBOR_BUDGET { IDV_CBOR_MAX_ITEMS }

typedef enum {
    IDV_CBOR_UNSIGNED, /* number */
    IDV_CBOR_NEGATIVE, /* -1 - number */
    IDV_CBOR_BYTES,    /* content */
    IDV_CBOR_TEXT,     /* content, UTF-8, followed by a NUL */
    IDV_CBOR_ARRAY,    /* count items, starting with first */
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
    idv_bytes_t encoded; /* as received */
    const idv_cbor_t *first;
    const idv_cbor_t *next; /* sibling; NULL for the last */
};

/* Reads BYTES, exactly one item. */
idv_error_t *idv_cbor_read(idv_bytes_t bytes, idv_cbor_budget_t *budget,
                           const idv_cbor_t **item,
                           apr_pool_t *pool) IDV_CHECKED;

/* Reads the first item of BYTES, which are then those behind it. */
idv_error_t *idv_cbor_read_first(idv_bytes_t *bytes, idv_cbor_budget_t *budget,
                                 const idv_cbor_t **item,
                                 apr_pool_t *pool) IDV_CHECKED;

/* Reads the item inside ITEM, which must be tag 24 around a byte string. */
idv_error_t *idv_cbor_open(const idv_cbor_t *item, idv_cbor_budget_t *budget,
                           const idv_cbor_t **inner,
                           apr_pool_t *pool) IDV_CHECKED;

/* Non-zero if ITEM (may be NULL) is of TYPE. */
int idv_cbor_is(const idv_cbor_t *item, idv_cbor_type_t type);

/* Non-zero if ITEM (may be NULL) is this simple value. */
int idv_cbor_is_simple(const idv_cbor_t *item, int value);

/* The value under a key of MAP; NULL if MAP (may be NULL) is not a map or lacks
 * the key. */
const idv_cbor_t *idv_cbor_member(const idv_cbor_t *map, const char *key);
const idv_cbor_t *idv_cbor_member_bytes(const idv_cbor_t *map, idv_bytes_t key);
const idv_cbor_t *idv_cbor_member_number(const idv_cbor_t *map,
                                         apr_int64_t key);

/* The text of ITEM (may be NULL), NUL-terminated; NULL if it is not a text. */
const char *idv_cbor_text(const idv_cbor_t *item);

/* Non-zero, and the number in *NUMBER, if ITEM (may be NULL) is an integer that
 * fits. */
int idv_cbor_integer(const idv_cbor_t *item, apr_int64_t *number);

/* --- writing, in the deterministic encoding of RFC 8949, 4.2.1 --- */

/* The output grows in the pool. Counts are those of the standard: after
 * announcing an array of two, write two items. */
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
/* Writes an item that is already encoded. */
void idv_cbor_put_encoded(idv_cbor_writer_t *writer, idv_bytes_t item);

#endif
