/** Login tables have no row-level security by conta, so transactions on them need access to no conta. */
export const NO_CONTA: readonly string[] = []
