/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CORE_WORD_LIST_H
#define IDV_CORE_WORD_LIST_H

/*
 * The index of a word in a list, for example of an enumeration's codes in the
 * order of its members. A member without a code is NULL in the list and is not
 * found.
 *
 * Threads: pure. Memory: none. Failures: none.
 */
#include <string.h>

/* The index of WORD among the COUNT WORDS; -1 if absent or NULL. */
static inline int idv_word_find(const char *const *words, int count,
                                const char *word)
{
    for (int i = 0; word && i < count; i++)
        if (words[i] && strcmp(words[i], word) == 0)
            return i;
    return -1;
}

#endif
