<?php
// SPDX-License-Identifier: Apache-2.0

declare(strict_types=1);

namespace ModVerify;

/** @internal The parts of a URL. */
final class Path
{
    /** Checks an id, so that no id of a stranger leads to another path. */
    public static function id(string $id): string
    {
        if (!preg_match('/\A[a-z]+_[0-9a-zA-Z]+\z/', $id)) {
            throw new \InvalidArgumentException("An id is missing or malformed; ids look like 'vks_…'.");
        }
        return $id;
    }

    /** @param array<string, mixed> $parameters */
    public static function query(array $parameters): string
    {
        $pairs = [];
        foreach ($parameters as $name => $value) {
            foreach (is_array($value) ? $value : [$value] as $item) {
                if ($item !== null) {
                    $pairs[] = $name . (is_array($value) ? '%5B%5D' : '') . '=' . rawurlencode((string)$item);
                }
            }
        }
        return $pairs ? '?' . implode('&', $pairs) : '';
    }
}
