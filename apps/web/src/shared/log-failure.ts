/**
 * Writes a failure that no screen shows to the console: what failed and the name of the error. Never its message, which
 * may quote a stored value.
 */
export function logFailure(event: string, error: unknown): void {
  // oxlint-disable-next-line no-console -- the only module of the panel that writes to the console
  console.error(event, error instanceof Error ? error.name : typeof error)
}
