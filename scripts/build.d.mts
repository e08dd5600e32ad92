/** Builds the panel if its sources changed since the last build. */
export function ensureBuilt(): Promise<void>
