/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CORE_KEYRING_H
#define IDV_CORE_KEYRING_H

/*
 * The keys of a server: the master key file, its versions, and the keys derived
 * from them.
 *
 * A key file contains one master key, 64 hexadecimal digits, which is version
 * 1. Or it contains several versions, one per line, and comment lines that
 * start with "#":
 *
 *     digests <192 digits>
 *     2 <64 digits>
 *     3 <64 digits>
 *
 * HKDF-SHA256 (RFC 5869) derives from each version one sealing key per purpose.
 * A seal carries the version in its first byte (core/crypto.h), so that version
 * opens it as long as the file contains it. The file does not determine which
 * version seals, because a new file reaches the nodes one after the other. The
 * database does (store/db/master_key.h); a ring that was not told seals with
 * its oldest version.
 *
 * The digest keys never change, because an HMAC of an e-mail address cannot be
 * recomputed without the address. They are derived from version 1, and after
 * its removal taken from the line `digests`. Anyone who has version 1 can
 * derive them, so a leaked version 1 remains a risk for digests.
 *
 * The fingerprint of a version identifies it without revealing anything about
 * it. From version 2 on it also depends on the digest keys, so that a file with
 * different digest keys counts as different.
 *
 * Memory: rings and key files are wiped with their pool. Threads: a ring is
 * shared by all threads of a process; the sealing version is an atomic number.
 * Failures: internal; the detail names the file and the problem, never any part
 * of a key.
 */
#include <stdatomic.h>

#include "core/crypto.h"

#define IDV_KEY_VERSION_MAX 255 /* one byte of a seal */
#define IDV_KEY_VERSIONS_KEPT 8 /* maximum in one file */

/* Uses of sealing keys: X(name, HKDF info). */
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

/* The keys derived from one version of a master key. */
typedef struct {
    int version; /* 1 to IDV_KEY_VERSION_MAX */
    unsigned char sealing[IDV_SEALING_COUNT][IDV_KEY_SIZE];
    unsigned char fingerprint[IDV_KEY_SIZE];
} idv_key_version_t;

/* Created by idv_keyring_load(). */
typedef struct {
    unsigned char identifier[IDV_KEY_SIZE]; /* HMAC of e-mail, phone, ... */
    unsigned char document[IDV_KEY_SIZE];   /* HMAC of pictures, documents */
    unsigned char secret[IDV_KEY_SIZE];     /* HMAC of tokens, links, codes */
    idv_key_version_t versions[IDV_KEY_VERSIONS_KEPT]; /* ascending */
    int count;
    atomic_int *sealing_version; /* shared by all users of the ring */
} idv_keyring_t;

/* Reads the key file at PATH, which must be private, and derives the ring. */
idv_error_t *idv_keyring_load(const char *path, idv_keyring_t **ring,
                              apr_pool_t *pool) IDV_CHECKED;

/* Version NUMBER of RING; NULL: not in the file. */
const idv_key_version_t *idv_keyring_version(const idv_keyring_t *ring,
                                             int number);

/* The newest version of RING. */
const idv_key_version_t *idv_keyring_newest(const idv_keyring_t *ring);

/* Identifies a version without revealing anything about it. Points into
 * VERSION. */
idv_bytes_t idv_key_fingerprint(const idv_key_version_t *version);

/* Sets the sealing VERSION, one of RING, for all threads of the process. */
void idv_keyring_seal_by(const idv_keyring_t *ring, int version);

/* What is sealed: its purpose, and the text that binds it to its location. */
typedef struct {
    idv_sealing_t sealing;
    const char *context;
} idv_seal_place_t;

/* Seals PLAIN with the ring's sealing version. */
idv_error_t *idv_keyring_seal(const idv_keyring_t *ring, idv_seal_place_t place,
                              idv_bytes_t plain, idv_bytes_t *sealed,
                              apr_pool_t *pool) IDV_CHECKED;

/* Opens the output of idv_keyring_seal(), of any version. If the file no longer
 * contains the version, the error names it. */
idv_error_t *idv_keyring_open(const idv_keyring_t *ring, idv_seal_place_t place,
                              idv_bytes_t sealed, idv_bytes_t *plain,
                              apr_pool_t *pool) IDV_CHECKED;

/* --- changing a key file --- */

/* Adds a new random version to the file at PATH; *VERSION is its number. The
 * file is replaced atomically and durably: after a crash it is the old or the
 * new one. It keeps its owner and mode. */
idv_error_t *idv_key_file_add(const char *path, int *version,
                              apr_pool_t *pool) IDV_CHECKED;

/* Removes VERSION from the file at PATH; *REMOVED is zero if it was not
 * present. Removing the last version is an error. */
idv_error_t *idv_key_file_remove(const char *path, int version, int *removed,
                                 apr_pool_t *pool) IDV_CHECKED;

#endif
