<?php
// SPDX-License-Identifier: Apache-2.0

declare(strict_types=1);

namespace ModVerify;

/**
 * The objects of a list, newest first. With `ending_before` they come oldest first, as to
 * read the events since the last one that you have. A page has 100 objects unless `limit`
 * says otherwise.
 *
 * @template T of array<string, mixed>
 * @implements \IteratorAggregate<int, T>
 */
final class ObjectList implements \IteratorAggregate
{
    /**
     * @param \Closure(array<string, mixed>): array<string, mixed> $load
     * @param array<string, mixed> $query
     */
    public function __construct(private \Closure $load, private array $query)
    {
        $this->query += ['limit' => 100];
    }

    /**
     * The pages as the service sends them, with `data` and `has_more`.
     *
     * @return \Generator<int, array{data: list<T>, has_more: bool}>
     */
    public function pages(): \Generator
    {
        $isForward = !isset($this->query['ending_before']);
        $query = $this->query;
        do {
            $page = ($this->load)($query);
            yield $page;
            $last = $page['data'][$isForward ? count($page['data']) - 1 : 0] ?? null;
            $query[$isForward ? 'starting_after' : 'ending_before'] = $last['id'] ?? null;
        } while ($page['has_more'] && $last !== null);
    }

    /** @return \Generator<int, T> */
    public function getIterator(): \Generator
    {
        foreach ($this->pages() as $page) {
            $isForward = !isset($this->query['ending_before']);
            foreach ($isForward ? $page['data'] : array_reverse($page['data']) as $item) {
                yield $item;
            }
        }
    }
}
