import type { ClienteWeb } from './biblioteca.ts'
import { ehPessoa } from './enderecos.ts'
import { conversaSchema, ehConversa, mensagemSchema } from './formas.ts'
import { comPrazo } from './prazo.ts'

const LISTA_MS = 60_000
const POR_CONVERSA = 100

/**
 * What the page received while nobody listened: it confirms messages to the service by itself, so after a crash of ours they
 * are found only in its conversations. In the order in which they were said.
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
  /** Now, or after what the page received before. */
  readonly naVez: (fazer: () => void) => void
  /** From now on everything waits for the next `recuperar`. */
  readonly segurar: () => void
  readonly recuperar: (cliente: Pick<ClienteWeb, 'getChats'>, desde: number) => Promise<void>
}

/** What is found in the page goes before what it tells meanwhile: a customer is answered in the order in which they wrote. */
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
