import type { QueryClient } from '@tanstack/react-query'

/** Separate from the bot's actions, because the dashboard loads only this part at first. */

const pollings = new WeakMap<QueryClient, AbortController>()

export function stopStatusPolling(client: QueryClient): void {
  pollings.get(client)?.abort()
  pollings.delete(client)
}

/** Stops an earlier polling. The signal aborts when this one must stop. */
export function beginStatusPolling(client: QueryClient): AbortSignal {
  stopStatusPolling(client)
  const polling = new AbortController()
  pollings.set(client, polling)
  return polling.signal
}
