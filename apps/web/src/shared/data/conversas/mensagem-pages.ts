import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { mergeMensagem } from '@balcao/contract/sync/mensagens'
import { keepAddress } from '#shared/media/file-address.ts'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'

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
      uma.map((other) => (other.id === mensagem.id ? mergeMensagem(other, keepAddress(other, mensagem)) : other))
    return { ...read, pages: read.pages.map((uma, index) => (index === pagina ? trocar(uma) : uma)) }
  }
  if (marked) return read
  const last = read.pages.at(-1)
  if (last === undefined || last.length >= FULL_PAGE) return { ...read, pages: [...read.pages, [mensagem]] }
  return { ...read, pages: [...read.pages.slice(0, -1), [...last, mensagem]] }
}

/**
 * Merges the newest page. If it does not overlap the pages read, messages between them are missing and only the new
 * page stays.
 */
export function mergeLatestPage(before: MensagemPages | undefined, page: MensagemPage): MensagemPages {
  const so: MensagemPages = { pages: [page.mensagens], cursor: page.proximoCursor }
  if (before === undefined) return so
  const seen = new Set(before.pages.flatMap((uma) => uma.map(({ id }) => id)))
  if (seen.size > 0 && !page.mensagens.some(({ id }) => seen.has(id))) return so
  const known = new Map(before.pages.flatMap((uma) => uma.map((mensagem) => [mensagem.id, mensagem])))
  const changed = page.mensagens
    .map((fresh) => keepAddress(known.get(fresh.id), fresh))
    .filter((fresh) => JSON.stringify(fresh) !== JSON.stringify(known.get(fresh.id)))
  return inServerOrder(
    changed.reduce((parsed, mudada) => applyToPages(parsed, mudada), before),
    page.mensagens,
  )
}

/**
 * Restores the server's order: messages missed while offline are older than messages sent meanwhile, but arrive
 * later.
 */
function inServerOrder(read: MensagemPages, page: readonly Mensagem[]): MensagemPages {
  const daPagina = new Set(page.map(({ id }) => id))
  const since = read.pages.findIndex((uma) => uma.some(({ id }) => daPagina.has(id)))
  if (since < 0) return read
  const fim = read.pages.slice(since).flat()
  const first = fim.findIndex(({ id }) => daPagina.has(id))
  const known = new Map(fim.map((mensagem) => [mensagem.id, mensagem]))
  const sorted = [
    ...fim.slice(0, first),
    ...page.map((mensagem) => known.get(mensagem.id) ?? mensagem),
    ...fim.slice(first).filter(({ id }) => !daPagina.has(id)),
  ]
  if (sorted.every((mensagem, index) => mensagem === fim[index])) return read
  return { ...read, pages: [...read.pages.slice(0, since), sorted] }
}

export function prependOlderPage(read: MensagemPages, page: MensagemPage): MensagemPages {
  const seen = new Set(read.pages.flatMap((uma) => uma.map(({ id }) => id)))
  const novas = page.mensagens.filter(({ id }) => !seen.has(id))
  return { pages: novas.length === 0 ? read.pages : [novas, ...read.pages], cursor: page.proximoCursor }
}
