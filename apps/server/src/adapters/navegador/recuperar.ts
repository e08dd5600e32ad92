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
export async function lerDesde(cliente: Pick<ClienteWeb, 'getChats'>, desde: number): Promise<unknown[]> {
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
