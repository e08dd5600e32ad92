import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { comOMaisNovo } from '@balcao/contract/sync/mensagens'
import { CHAVES } from './chaves.ts'

/** The pages read of one chat, oldest first, each in the same order. Unchanged pages stay the same objects. */
export interface MensagensLidas {
  readonly paginas: readonly (readonly Mensagem[])[]
  /** Leads to the next older page; absent at the beginning of the chat. */
  readonly cursor?: string | undefined
}

export interface PaginaDeMensagens {
  readonly mensagens: readonly Mensagem[]
  readonly proximoCursor?: string | undefined
}

/** A page with this many messages is closed: live messages start a new page, so that one message redraws few. */
const PAGINA_CHEIA = 80

export const chaveDasMensagens = (conversaId: string) => [...CHAVES.mensagensHumanas, conversaId] as const

/** Adds or replaces one message. An unknown message that was only marked (edited, deleted, reacted to) is ignored. */
export function aplicarNasLidas(lidas: MensagensLidas, mensagem: Mensagem, marcada = false): MensagensLidas {
  const pagina = lidas.paginas.findLastIndex((uma) => uma.some(({ id }) => id === mensagem.id))
  if (pagina >= 0) {
    const trocar = (uma: readonly Mensagem[]) =>
      uma.map((outra) => (outra.id === mensagem.id ? comOMaisNovo(outra, mensagem) : outra))
    return { ...lidas, paginas: lidas.paginas.map((uma, indice) => (indice === pagina ? trocar(uma) : uma)) }
  }
  if (marcada) return lidas
  const ultima = lidas.paginas.at(-1)
  if (ultima === undefined || ultima.length >= PAGINA_CHEIA)
    return { ...lidas, paginas: [...lidas.paginas, [mensagem]] }
  return { ...lidas, paginas: [...lidas.paginas.slice(0, -1), [...ultima, mensagem]] }
}

/**
 * Merges the newest page. If it does not overlap the pages read, messages between them are missing and only the new
 * page stays.
 */
export function juntarUltimaPagina(antes: MensagensLidas | undefined, pagina: PaginaDeMensagens): MensagensLidas {
  const so: MensagensLidas = { paginas: [pagina.mensagens], cursor: pagina.proximoCursor }
  if (antes === undefined) return so
  const vistas = new Set(antes.paginas.flatMap((uma) => uma.map(({ id }) => id)))
  if (vistas.size > 0 && !pagina.mensagens.some(({ id }) => vistas.has(id))) return so
  const conhecidas = new Map(antes.paginas.flatMap((uma) => uma.map((mensagem) => [mensagem.id, mensagem])))
  const mudadas = pagina.mensagens.filter((nova) => JSON.stringify(nova) !== JSON.stringify(conhecidas.get(nova.id)))
  return naOrdem(
    mudadas.reduce((lidas, mudada) => aplicarNasLidas(lidas, mudada), antes),
    pagina.mensagens,
  )
}

/**
 * Restores the server's order: messages missed while offline are older than messages sent meanwhile, but arrive
 * later.
 */
function naOrdem(lidas: MensagensLidas, pagina: readonly Mensagem[]): MensagensLidas {
  const daPagina = new Set(pagina.map(({ id }) => id))
  const desde = lidas.paginas.findIndex((uma) => uma.some(({ id }) => daPagina.has(id)))
  if (desde < 0) return lidas
  const fim = lidas.paginas.slice(desde).flat()
  const primeira = fim.findIndex(({ id }) => daPagina.has(id))
  const conhecidas = new Map(fim.map((mensagem) => [mensagem.id, mensagem]))
  const ordenadas = [
    ...fim.slice(0, primeira),
    ...pagina.map((mensagem) => conhecidas.get(mensagem.id) ?? mensagem),
    ...fim.slice(primeira).filter(({ id }) => !daPagina.has(id)),
  ]
  if (ordenadas.every((mensagem, indice) => mensagem === fim[indice])) return lidas
  return { ...lidas, paginas: [...lidas.paginas.slice(0, desde), ordenadas] }
}

export function juntarPaginaAntiga(lidas: MensagensLidas, pagina: PaginaDeMensagens): MensagensLidas {
  const vistas = new Set(lidas.paginas.flatMap((uma) => uma.map(({ id }) => id)))
  const novas = pagina.mensagens.filter(({ id }) => !vistas.has(id))
  return { paginas: novas.length === 0 ? lidas.paginas : [novas, ...lidas.paginas], cursor: pagina.proximoCursor }
}

/** Live messages that arrived during a page request; the page may not contain them. */
const duranteABusca = new Map<string, Ao[]>()
type Ao = (lidas: MensagensLidas) => MensagensLidas

/** Records a live message if a page request for the conversa is in flight. */
export function anotarDuranteABusca(conversaId: string, mensagem: Mensagem, marcada = false): void {
  duranteABusca.get(conversaId)?.push((lidas) => aplicarNasLidas(lidas, mensagem, marcada))
}

/** Fetches the newest page and merges it and the messages that arrived during the request. */
export async function buscarUltimaPagina(
  conversaId: string,
  buscar: () => Promise<PaginaDeMensagens>,
  atual: () => MensagensLidas | undefined,
): Promise<MensagensLidas> {
  const chegadas: Ao[] = []
  duranteABusca.set(conversaId, chegadas)
  try {
    const pagina = await buscar()
    return chegadas.reduce((lidas, ao) => ao(lidas), juntarUltimaPagina(atual(), pagina))
  } finally {
    if (duranteABusca.get(conversaId) === chegadas) duranteABusca.delete(conversaId)
  }
}
