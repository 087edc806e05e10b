/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_PASSPORT_TLV_H
#define IDV_METHODS_PASSPORT_TLV_H

/*
 * Parses tag-length-value encodings: the files of a passport's chip (ISO/IEC
 * 7816-4, 5.2.2) and the DER structures in them (X.690).
 *
 * A reader walks over one level; entering a constructed element gives a reader
 * of the next. All readers of one text share a fault flag: the first deviation
 * sets it, and from then on all of them are at their end and return empty
 * elements. So a parser is straight-line code that checks the fault once, at
 * its end.
 *
 * Lengths are definite, of at most four bytes, and never reach beyond the
 * surrounding element; tags have at most three bytes. A length may have more
 * bytes than necessary, because chips write such. For strict DER the caller
 * compares the bytes.
 *
 * Memory: elements point into the given bytes; nothing is copied or allocated.
 * The parser's own calls limit the depth. Threads: pure.
 */
#include "core/crypto.h"

/* Universal tags used by more than one parser. */
#define IDV_TLV_BOOLEAN 0x01
#define IDV_TLV_INTEGER 0x02
#define IDV_TLV_BIT_STRING 0x03
#define IDV_TLV_OCTET_STRING 0x04
#define IDV_TLV_OBJECT 0x06
#define IDV_TLV_SEQUENCE 0x30
#define IDV_TLV_SET 0x31
/* Context-specific, constructed. */
#define IDV_TLV_CONTEXT(number) (0xA0 | (number))

/* One element. */
typedef struct {
    apr_uint32_t tag;    /* its bytes as a number, 0x5F1F; 0: none */
    idv_bytes_t content; /* without tag and length */
    idv_bytes_t whole;   /* with them */
} idv_tlv_t;

typedef struct {
    const unsigned char *next;
    const unsigned char *end;
    int *fault; /* shared by all readers of one text */
} idv_tlv_reader_t;

/* A constant idv_bytes_t, for object identifiers: the content bytes. */
#define IDV_TLV_BYTES(literal)                                                 \
    ((idv_bytes_t){ (const unsigned char *)(literal), sizeof(literal) - 1 })

/* A reader of BYTES. FAULT must be zero at first; the first deviation sets it,
 * and it is never cleared. */
idv_tlv_reader_t idv_tlv_open(idv_bytes_t bytes, int *fault);

/* Non-zero if bytes are left and there was no fault. */
int idv_tlv_has_more(const idv_tlv_reader_t *reader);

/* The tag of the next element; 0 at the end and after a fault. */
apr_uint32_t idv_tlv_peek(const idv_tlv_reader_t *reader);

/* The next element, of any tag. */
idv_tlv_t idv_tlv_read(idv_tlv_reader_t *reader);

/* The next element, which must have the tag TAG. */
idv_tlv_t idv_tlv_expect(idv_tlv_reader_t *reader, apr_uint32_t tag);

/* A reader of the contents of the next element, which must have the tag TAG;
 * READER continues after it. */
idv_tlv_reader_t idv_tlv_enter(idv_tlv_reader_t *reader, apr_uint32_t tag);

/* Sets the fault if bytes are left. */
void idv_tlv_finish(const idv_tlv_reader_t *reader);

/* The next element, an INTEGER from 0 to 0x7fffffff. */
int idv_tlv_read_integer(idv_tlv_reader_t *reader);

/* The bits of the next element, a BIT STRING of whole bytes. */
idv_bytes_t idv_tlv_read_bits(idv_tlv_reader_t *reader);

/* Non-zero if A and B are the same bytes. */
int idv_bytes_equal(idv_bytes_t a, idv_bytes_t b);

#endif
