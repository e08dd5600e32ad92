/**
 * The accounts that work on identities sees: none. People, sessions and attempts stand outside the wall of
 * business data, and nothing behind it is needed to let somebody in.
 */
export const SEM_CONTA: readonly string[] = []
