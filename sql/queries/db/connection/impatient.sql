-- Until the end of the transaction: do not keep other transactions waiting.
SELECT set_config('lock_timeout', '200ms', true)
