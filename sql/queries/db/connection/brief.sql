-- For statements with a single plan and a limit of one second.
@bound_settings
       , set_config('statement_timeout', '1s', true)
