-- Settings until the end of the transaction, for statements that are so written
-- that they have one plan: which one does not depend on what the statistics
-- say, or on how old they are, and no time is spent on compiling or dividing
-- it.
SELECT set_config('plan_cache_mode', 'force_custom_plan', true),
       set_config('enable_seqscan', 'off', true),
       set_config('enable_sort', 'off', true),
       set_config('enable_incremental_sort', 'off', true),
       set_config('max_parallel_workers_per_gather', '0', true),
       set_config('jit', 'off', true)
