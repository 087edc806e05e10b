-- Settings until the end of the transaction, for statements written such that
-- they have a single plan, independent of the contents and the age of
-- statistics; no time is spent on compilation or parallel workers.
SELECT set_config('plan_cache_mode', 'force_custom_plan', true),
       set_config('enable_seqscan', 'off', true),
       set_config('enable_sort', 'off', true),
       set_config('enable_incremental_sort', 'off', true),
       set_config('max_parallel_workers_per_gather', '0', true),
       set_config('jit', 'off', true)
