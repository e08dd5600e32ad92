import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { mergeDelivery } from '@balcao/contract/sync/mensagens'
import { QUERY_KEYS } from './chaves.ts'

/** The pages read of one chat, oldest first, each in the same order. Unchanged pages stay the same objects. */
export interface MensagemPages {
  readonly pages: readonly (readonly Mensagem[])[]
  /** Leads to the next older page; absent at the beginning of the chat. */
  readonly cursor?: string | undefined
}

export interface MensagemPage {
  readonly mensagens: readonly Mensagem[]
  readonly proximoCursor?: string | undefined
}

/** A page with this many messages is closed: live messages start a new page, so that one message redraws few. */
const FULL_PAGE = 80

export const mensagensKey = (conversaId: string) => [...QUERY_KEYS.mensagensHumanas, conversaId] as const

/** Adds or replaces one message. An unknown message that was only marked (edited, deleted, reacted to) is ignored. */
export function applyToPages(read: MensagemPages, mensagem: Mensagem, marked = false): MensagemPages {
  const pagina = read.pages.findLastIndex((uma) => uma.some(({ id }) => id === mensagem.id))
  if (pagina >= 0) {
    const trocar = (uma: readonly Mensagem[]) =>
      uma.map((outra) => (outra.id === mensagem.id ? mergeDelivery(outra, mensagem) : outra))
    return { ...read, pages: read.pages.map((uma, indice) => (indice === pagina ? trocar(uma) : uma)) }
  }
  if (marked) return read
  const ultima = read.pages.at(-1)
  if (ultima === undefined || ultima.length >= FULL_PAGE)
    return { ...read, pages: [...read.pages, [mensagem]] }
  return { ...read, pages: [...read.pages.slice(0, -1), [...ultima, mensagem]] }
}

/**
 * Merges the newest page. If it does not overlap the pages read, messages between them are missing and only the new
 * page stays.
 */
export function mergeLatestPage(before: MensagemPages | undefined, page: MensagemPage): MensagemPages {
  const so: MensagemPages = { pages: [page.mensagens], cursor: page.proximoCursor }
  if (before === undefined) return so
  const vistas = new Set(before.pages.flatMap((uma) => uma.map(({ id }) => id)))
  if (vistas.size > 0 && !page.mensagens.some(({ id }) => vistas.has(id))) return so
  const conhecidas = new Map(before.pages.flatMap((uma) => uma.map((mensagem) => [mensagem.id, mensagem])))
  const mudadas = page.mensagens.filter((nova) => JSON.stringify(nova) !== JSON.stringify(conhecidas.get(nova.id)))
  return inServerOrder(
    mudadas.reduce((lidas, mudada) => applyToPages(lidas, mudada), before),
    page.mensagens,
  )
}

/**
 * Restores the server's order: messages missed while offline are older than messages sent meanwhile, but arrive
 * later.
 */
function inServerOrder(read: MensagemPages, page: readonly Mensagem[]): MensagemPages {
  const daPagina = new Set(page.map(({ id }) => id))
  const desde = read.pages.findIndex((uma) => uma.some(({ id }) => daPagina.has(id)))
  if (desde < 0) return read
  const fim = read.pages.slice(desde).flat()
  const primeira = fim.findIndex(({ id }) => daPagina.has(id))
  const conhecidas = new Map(fim.map((mensagem) => [mensagem.id, mensagem]))
  const ordenadas = [
    ...fim.slice(0, primeira),
    ...page.map((mensagem) => conhecidas.get(mensagem.id) ?? mensagem),
    ...fim.slice(primeira).filter(({ id }) => !daPagina.has(id)),
  ]
  if (ordenadas.every((mensagem, indice) => mensagem === fim[indice])) return read
  return { ...read, pages: [...read.pages.slice(0, desde), ordenadas] }
}

export function prependOlderPage(read: MensagemPages, page: MensagemPage): MensagemPages {
  const vistas = new Set(read.pages.flatMap((uma) => uma.map(({ id }) => id)))
  const novas = page.mensagens.filter(({ id }) => !vistas.has(id))
  return { pages: novas.length === 0 ? read.pages : [novas, ...read.pages], cursor: page.proximoCursor }
}

/** Live messages that arrived during a page request; the page may not contain them. */
const arrivedDuringFetch = new Map<string, PageUpdate[]>()
type PageUpdate = (lidas: MensagemPages) => MensagemPages

/** Records a live message if a page request for the conversa is in flight. */
export function recordDuringFetch(conversaId: string, mensagem: Mensagem, marked = false): void {
  arrivedDuringFetch.get(conversaId)?.push((lidas) => applyToPages(lidas, mensagem, marked))
}

/** Fetches the newest page and merges it and the messages that arrived during the request. */
export async function fetchLatestPage(
  conversaId: string,
  fetchPage: () => Promise<MensagemPage>,
  current: () => MensagemPages | undefined,
): Promise<MensagemPages> {
  const chegadas: PageUpdate[] = []
  arrivedDuringFetch.set(conversaId, chegadas)
  try {
    const pagina = await fetchPage()
    return chegadas.reduce((lidas, ao) => ao(lidas), mergeLatestPage(current(), pagina))
  } finally {
    if (arrivedDuringFetch.get(conversaId) === chegadas) arrivedDuringFetch.delete(conversaId)
  }
}
