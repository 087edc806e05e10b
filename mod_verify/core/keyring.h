/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CORE_KEYRING_H
#define IDV_CORE_KEYRING_H

/*
 * The keys of a server: the file of the master key, its versions, and what is
 * derived from them.
 *
 * A key file holds one master key, 64 hexadecimal digits, which is version 1;
 * or it holds several versions, a line each, and comment lines that begin with
 * "#":
 *
 *     digests <192 digits>
 *     2 <64 digits>
 *     3 <64 digits>
 *
 * Of each version HKDF-SHA256 (RFC 5869) makes a sealing key for each purpose.
 * What they seal carries the version in its first byte (core/crypto.h), so it
 * is opened by that version as long as the file has it. Which version seals is
 * not the file's to say, since a file arrives on one node after the other: the
 * database says it (store/db/master_key.h), and a ring that nobody told seals by
 * its oldest version.
 *
 * The keys of digests never change: an HMAC of an e-mail address cannot be made
 * anew without the address. They come from version 1, and once that is gone
 * from the file, from its line `digests`. Whoever has version 1 can derive
 * them; so a version 1 that leaked cannot be made harmless for digests.
 *
 * The fingerprint of a version tells it apart and says nothing about it. From
 * version 2 on it depends on the keys of digests, too, so that a file with
 * other digests is another file.
 *
 * Memory: rings and key files are wiped with their pool. Threads: a ring is
 * shared by all threads of a process; the version that it seals by is an atomic
 * number. Failures: internal, with the file and what is wrong in the detail,
 * never with a part of a key.
 */
#include <stdatomic.h>

#include "core/crypto.h"

#define IDV_KEY_VERSION_MAX 255 /* one byte of a seal */
#define IDV_KEY_VERSIONS_KEPT 8 /* in one file */

/* What a key seals: X(name, what HKDF is told). */
#define IDV_SEALINGS(X)                                                        \
    X(DATA_KEY, "mod_verify wrap v1")     /* keys of evidence and e-mails */   \
    X(SECRET, "mod_verify secret v1")     /* signing secrets, reader keys */   \
    X(RESPONSE, "mod_verify response v1") /* stored answers */                 \
    X(GATE, "mod_verify gate v1")         /* cookies of visitors */

typedef enum {
#define X(name, purpose) IDV_SEALING_##name,
    IDV_SEALINGS(X)
#undef X
        IDV_SEALING_COUNT
} idv_sealing_t;

/* One version of a master key, as what is derived from it. */
typedef struct {
    int version; /* 1 to IDV_KEY_VERSION_MAX */
    unsigned char sealing[IDV_SEALING_COUNT][IDV_KEY_SIZE];
    unsigned char fingerprint[IDV_KEY_SIZE];
} idv_key_version_t;

/* Create with idv_keyring_load(). */
typedef struct {
    unsigned char identifier[IDV_KEY_SIZE]; /* HMAC of e-mail, phone, ... */
    unsigned char document[IDV_KEY_SIZE];   /* HMAC of pictures, documents */
    unsigned char secret[IDV_KEY_SIZE];     /* HMAC of tokens, links, codes */
    idv_key_version_t versions[IDV_KEY_VERSIONS_KEPT]; /* ascending */
    int count;
    atomic_int *sealing_version; /* shared by all who have the ring */
} idv_keyring_t;

/* Reads the key file at PATH, which has to be private, and derives the ring. */
idv_error_t *idv_keyring_load(const char *path, idv_keyring_t **ring,
                              apr_pool_t *pool) IDV_CHECKED;

/* The version NUMBER of RING; NULL: the file has none. */
const idv_key_version_t *idv_keyring_version(const idv_keyring_t *ring,
                                             int number);

/* The newest version of RING. */
const idv_key_version_t *idv_keyring_newest(const idv_keyring_t *ring);

/* Tells versions apart without saying anything about them. Points into VERSION.
 */
idv_bytes_t idv_key_fingerprint(const idv_key_version_t *version);

/* From now on all threads of the process seal by VERSION, one of RING. */
void idv_keyring_seal_by(const idv_keyring_t *ring, int version);

/* What is sealed: for which purpose, and the text that binds it to its place.
 */
typedef struct {
    idv_sealing_t sealing;
    const char *context;
} idv_seal_place_t;

/* Seals PLAIN by the version that RING seals by. */
idv_error_t *idv_keyring_seal(const idv_keyring_t *ring, idv_seal_place_t place,
                              idv_bytes_t plain, idv_bytes_t *sealed,
                              apr_pool_t *pool) IDV_CHECKED;

/* Opens what idv_keyring_seal() made, by whichever version; one that the file
 * has no more is an error that names it. */
idv_error_t *idv_keyring_open(const idv_keyring_t *ring, idv_seal_place_t place,
                              idv_bytes_t sealed, idv_bytes_t *plain,
                              apr_pool_t *pool) IDV_CHECKED;

/* --- changing a key file --- */

/* Adds a new, random version to the file at PATH; *VERSION is its number. The
 * file is replaced as a whole: it is the old one or the new one, on the disk,
 * whatever happens, and keeps its owner and mode. */
idv_error_t *idv_key_file_add(const char *path, int *version,
                              apr_pool_t *pool) IDV_CHECKED;

/* Takes VERSION out of the file at PATH; *REMOVED is zero when it was not
 * there. The last version stays: taking that out is an error. */
idv_error_t *idv_key_file_remove(const char *path, int version, int *removed,
                                 apr_pool_t *pool) IDV_CHECKED;

#endif
