/* What the compiler calls in each basic block where nobody counts them (count_steps.c). */
void __sanitizer_cov_trace_pc(void);

__attribute__((weak, no_sanitize_coverage)) void
__sanitizer_cov_trace_pc(void)
{
}
