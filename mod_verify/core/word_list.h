/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CORE_WORD_LIST_H
#define IDV_CORE_WORD_LIST_H

/*
 * The place of a word in a list of words, such as the codes of an enumeration,
 * which stand in the order of its members. A member that has no code is NULL in
 * the list and is not found.
 *
 * Threads: a pure function. Memory: none. Nothing fails.
 */
#include <string.h>

/* The index of WORD among the COUNT WORDS; -1 when it is not there, or NULL. */
static inline int idv_word_find(const char *const *words, int count,
                                const char *word)
{
    for (int i = 0; word && i < count; i++)
        if (words[i] && strcmp(words[i], word) == 0)
            return i;
    return -1;
}

#endif
