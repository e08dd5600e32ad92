import type { ClienteWeb } from './biblioteca.ts'
import { ehPessoa } from './enderecos.ts'
import { conversaSchema, ehConversa, mensagemSchema } from './formas.ts'
import { comPrazo } from './prazo.ts'

const LISTA_MS = 60_000
const POR_CONVERSA = 100

/**
 * Messages that the page received while the server was down, oldest first. The page confirms them to the service,
 * so they are found only in its chats.
 */
async function lerDesde(cliente: Pick<ClienteWeb, 'getChats'>, desde: number): Promise<unknown[]> {
  const achadas: { readonly bruta: unknown; readonly em: number }[] = []
  for (const bruta of await comPrazo(cliente.getChats(), LISTA_MS)) {
    const { data: conversa } = conversaSchema.safeParse(bruta)
    if (conversa === undefined || !ehPessoa(conversa.id._serialized) || (conversa.timestamp ?? 0) < desde) continue
    if (!ehConversa(bruta)) continue
    for (const mensagem of await comPrazo(bruta.fetchMessages({ limit: POR_CONVERSA }), LISTA_MS)) {
      const em = mensagemSchema.safeParse(mensagem).data?.timestamp ?? 0
      if (em >= desde) achadas.push({ bruta: mensagem, em })
    }
  }
  return achadas.toSorted((a, b) => a.em - b.em).map(({ bruta }) => bruta)
}

export interface Recuperacao {
  /** Runs now, or after the recovery in progress. */
  readonly naVez: (fazer: () => void) => void
  /** Holds all events until the next `recuperar`. */
  readonly segurar: () => void
  readonly recuperar: (cliente: Pick<ClienteWeb, 'getChats'>, desde: number) => Promise<void>
}

/** Delivers recovered messages before live ones, so each customer is answered in the order written. */
export function createRecuperacao(entregar: (bruta: unknown) => void): Recuperacao {
  let presas: (() => void)[] | null = []
  const segurar = (): void => {
    presas ??= []
  }
  return {
    segurar,
    naVez: (fazer) => {
      if (presas === null) fazer()
      else presas.push(fazer)
    },
    recuperar: async (cliente, desde) => {
      segurar()
      try {
        for (const bruta of await lerDesde(cliente, desde)) entregar(bruta)
      } finally {
        const soltas = presas ?? []
        presas = null
        for (const fazer of soltas) fazer()
      }
    },
  }
}
