<?php
// SPDX-License-Identifier: Apache-2.0
// Loads the classes of this package where Composer is not used.

declare(strict_types=1);

spl_autoload_register(static function (string $class): void {
    if (preg_match('/\AModVerify\\\\(\w+)\z/', $class, $match)
        && is_file(__DIR__ . "/src/$match[1].php")) {
        require __DIR__ . "/src/$match[1].php";
    }
});
