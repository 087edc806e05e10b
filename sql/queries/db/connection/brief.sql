-- For statements with one plan that have one second.
@bound_settings
       , set_config('statement_timeout', '1s', true)
