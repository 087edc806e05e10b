/* SPDX-License-Identifier: Apache-2.0 */
/* Linked first into a module, it moves whatever follows, and makes the module
 * too large for the place of one without it. */
char idv_padding[32 << 20];

__asm__(".text\n\t.skip 65536, 0x90\n");
