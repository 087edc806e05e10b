-- For statements with one plan.
@bound_settings
