/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CLI_SETUP_SETUP_KINDS_H
#define IDV_CLI_SETUP_SETUP_KINDS_H

/*
 * The kinds of objects in a set-up file, and the commands that list, create,
 * change and remove them. A set-up file has no rules of its own: each change is
 * a call of the command that an operator would use.
 *
 * Within its organization an object is identified by its name; a webhook
 * endpoint without a name by its URL.
 *
 * Memory: constant data. Threads: pure. Failures: none.
 */
#include "cli/command/command.h"

/* The type of a field, with the form of its value in the file and in an
 * option. */
typedef enum {
    IDV_SETUP_TEXT,        /* a text; null: "" */
    IDV_SETUP_URL,         /* a text, compared in its normal form */
    IDV_SETUP_NUMBER,      /* a whole number */
    IDV_SETUP_LIMIT,       /* a whole number; null: "server" */
    IDV_SETUP_SWITCH,      /* true: "on", false: "off" */
    IDV_SETUP_FLAG,        /* true: the option is given */
    IDV_SETUP_VERB,        /* true and false are two commands */
    IDV_SETUP_WORDS,       /* texts in any order, with commas between them */
    IDV_SETUP_ADDRESSES,   /* texts in any order, with spaces between them */
    IDV_SETUP_MAPPING,     /* an object: its JSON text */
    IDV_SETUP_DOCUMENT,    /* an object: a file with its JSON */
    IDV_SETUP_BRAND,       /* an object: see domain/account/brand.h */
    IDV_SETUP_CERTIFICATES, /* texts, DER in base 64: a file with them as PEM */
    IDV_SETUP_PATH,        /* a file, relative to the set-up file */
    IDV_SETUP_APPLICATION, /* the name of an application: its id */
    IDV_SETUP_WORKFLOW     /* the name of a workflow: its id */
} idv_setup_type_t;

enum {
    IDV_SETUP_CREATES = 1, /* given when the object is created */
    IDV_SETUP_FIXED = 2,   /* cannot be changed afterwards */
    IDV_SETUP_NULLABLE = 4,
    IDV_SETUP_SAID = 8, /* a statement of the file, neither listed nor
                         * compared */
    IDV_SETUP_OFF = 16 /* false or null in a new object */
};

typedef struct {
    const char *name;    /* its path in the file, as in limits.secret */
    const char *source;  /* its path in the answers that list it */
    idv_setup_type_t type;
    /* The command that changes it; for a VERB that of true. NULL: none. */
    const char *command;
    const char *option; /* for a VERB the command of false */
    unsigned flags;
} idv_setup_field_t;

typedef struct {
    const char *name;  /* the list in the file; NULL: the organization */
    const char *title; /* of one object, in the plan */
    const char *list, *create, *remove; /* commands */
    const char *name_option;            /* of `create` */
    const char *name_source;            /* in the answers of `list` */
    const char *argument; /* of `create`: the field that is its file */
    const char *secret;   /* member of the answer of `create`; NULL: none */
    const idv_setup_field_t *fields; /* ends with a name of NULL */
} idv_setup_kind_t;

/* The kinds of an organization's objects in the order of their creation; ends
 * with a name of NULL. */
extern const idv_setup_kind_t idv_setup_kinds[];
extern const idv_setup_kind_t idv_setup_organization;
/* Trust lists, also those for all organizations. */
extern const idv_setup_kind_t *const idv_setup_trust_lists;

/* All words that FIELD, which cannot be changed, may be or contain; NULL: any
 * text. */
const char *const *idv_setup_words(const idv_setup_field_t *field);

/* The command of these words. */
const idv_command_t *idv_setup_command(const char *words);

#endif
