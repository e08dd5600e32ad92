import type { WebClient } from './browser/library.ts'
import { withTimeout } from './failures.ts'
import { isPerson, isWebChat, webChatSchema, webMessageSchema } from './shapes.ts'

const LIST_TIMEOUT_MS = 60_000
const PER_CHAT = 100

export interface Recovery {
  /** Runs now, or after the recovery in progress. */
  readonly inTurn: (run: () => void) => void
  /** Holds all events until the next `recover`. */
  readonly hold: () => void
  readonly recover: (client: Pick<WebClient, 'getChats'>, since: number) => Promise<void>
}

/** Delivers recovered messages before live ones, so each customer is answered in the order written. */
export function createRecovery(deliver: (raw: unknown) => void): Recovery {
  let held: (() => void)[] | null = []
  const hold = (): void => {
    held ??= []
  }
  return {
    hold,
    inTurn: (run) => {
      if (held === null) run()
      else held.push(run)
    },
    recover: async (client, since) => {
      hold()
      try {
        for (const raw of await readSince(client, since)) deliver(raw)
      } finally {
        const released = held ?? []
        held = null
        for (const run of released) run()
      }
    },
  }
}

/**
 * Messages that the page received while the server was down, oldest first. The page confirms them to the service,
 * so they are found only in its chats.
 */
async function readSince(client: Pick<WebClient, 'getChats'>, since: number): Promise<unknown[]> {
  const found: { readonly raw: unknown; readonly at: number }[] = []
  for (const chat of await withTimeout(client.getChats(), LIST_TIMEOUT_MS)) {
    const { data } = webChatSchema.safeParse(chat)
    if (data === undefined || !isPerson(data.id._serialized) || (data.timestamp ?? 0) < since) continue
    if (!isWebChat(chat)) continue
    for (const raw of await withTimeout(chat.fetchMessages({ limit: PER_CHAT }), LIST_TIMEOUT_MS)) {
      const at = webMessageSchema.safeParse(raw).data?.timestamp ?? 0
      if (at >= since) found.push({ raw, at })
    }
  }
  return found.toSorted((a, b) => a.at - b.at).map(({ raw }) => raw)
}
