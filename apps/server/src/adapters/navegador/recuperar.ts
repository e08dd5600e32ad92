import type { WebClient } from './biblioteca.ts'
import { isPerson } from './enderecos.ts'
import { webChatSchema, isWebChat, webMessageSchema } from './formas.ts'
import { withTimeout } from './prazo.ts'

const LIST_TIMEOUT_MS = 60_000
const PER_CHAT = 100

/**
 * Messages that the page received while the server was down, oldest first. The page confirms them to the service,
 * so they are found only in its chats.
 */
async function readSince(client: Pick<WebClient, 'getChats'>, since: number): Promise<unknown[]> {
  const achadas: { readonly bruta: unknown; readonly em: number }[] = []
  for (const bruta of await withTimeout(client.getChats(), LIST_TIMEOUT_MS)) {
    const { data: conversa } = webChatSchema.safeParse(bruta)
    if (conversa === undefined || !isPerson(conversa.id._serialized) || (conversa.timestamp ?? 0) < since) continue
    if (!isWebChat(bruta)) continue
    for (const mensagem of await withTimeout(bruta.fetchMessages({ limit: PER_CHAT }), LIST_TIMEOUT_MS)) {
      const em = webMessageSchema.safeParse(mensagem).data?.timestamp ?? 0
      if (em >= since) achadas.push({ bruta: mensagem, em })
    }
  }
  return achadas.toSorted((a, b) => a.em - b.em).map(({ bruta }) => bruta)
}

export interface Recovery {
  /** Runs now, or after the recovery in progress. */
  readonly inTurn: (fazer: () => void) => void
  /** Holds all events until the next `recuperar`. */
  readonly hold: () => void
  readonly recover: (cliente: Pick<WebClient, 'getChats'>, desde: number) => Promise<void>
}

/** Delivers recovered messages before live ones, so each customer is answered in the order written. */
export function createRecovery(deliver: (bruta: unknown) => void): Recovery {
  let presas: (() => void)[] | null = []
  const segurar = (): void => {
    presas ??= []
  }
  return {
    hold: segurar,
    inTurn: (fazer) => {
      if (presas === null) fazer()
      else presas.push(fazer)
    },
    recover: async (cliente, desde) => {
      segurar()
      try {
        for (const bruta of await readSince(cliente, desde)) deliver(bruta)
      } finally {
        const soltas = presas ?? []
        presas = null
        for (const fazer of soltas) fazer()
      }
    },
  }
}
