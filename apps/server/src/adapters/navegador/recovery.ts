import type { WebClient } from './browser/library.ts'
import { isPerson } from './addresses.ts'
import { webChatSchema, isWebChat, webMessageSchema } from './shapes.ts'
import { withTimeout } from './deadline.ts'

const LIST_TIMEOUT_MS = 60_000
const PER_CHAT = 100

/**
 * Messages that the page received while the server was down, oldest first. The page confirms them to the service,
 * so they are found only in its chats.
 */
async function readSince(client: Pick<WebClient, 'getChats'>, since: number): Promise<unknown[]> {
  const found: { readonly bruta: unknown; readonly em: number }[] = []
  for (const raw of await withTimeout(client.getChats(), LIST_TIMEOUT_MS)) {
    const { data: conversa } = webChatSchema.safeParse(raw)
    if (conversa === undefined || !isPerson(conversa.id._serialized) || (conversa.timestamp ?? 0) < since) continue
    if (!isWebChat(raw)) continue
    for (const mensagem of await withTimeout(raw.fetchMessages({ limit: PER_CHAT }), LIST_TIMEOUT_MS)) {
      const em = webMessageSchema.safeParse(mensagem).data?.timestamp ?? 0
      if (em >= since) found.push({ bruta: mensagem, em })
    }
  }
  return found.toSorted((a, b) => a.em - b.em).map(({ bruta }) => bruta)
}

export interface Recovery {
  /** Runs now, or after the recovery in progress. */
  readonly inTurn: (run: () => void) => void
  /** Holds all events until the next `recuperar`. */
  readonly hold: () => void
  readonly recover: (cliente: Pick<WebClient, 'getChats'>, desde: number) => Promise<void>
}

/** Delivers recovered messages before live ones, so each customer is answered in the order written. */
export function createRecovery(deliver: (raw: unknown) => void): Recovery {
  let stuck: (() => void)[] | null = []
  const segurar = (): void => {
    stuck ??= []
  }
  return {
    hold: segurar,
    inTurn: (run) => {
      if (stuck === null) run()
      else stuck.push(run)
    },
    recover: async (cliente, desde) => {
      segurar()
      try {
        for (const raw of await readSince(cliente, desde)) deliver(raw)
      } finally {
        const soltas = stuck ?? []
        stuck = null
        for (const run of soltas) run()
      }
    },
  }
}
