-- Until the end of the transaction: who else works is not kept waiting.
SELECT set_config('lock_timeout', '200ms', true)
