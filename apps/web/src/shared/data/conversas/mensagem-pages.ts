import type { Mensagem } from '@balcao/contract/entities/mensagem'
import type { ServerEventPayloads } from '@balcao/contract/realtime'
import { applyToConversas } from '@balcao/contract/sync/conversas'
import { mergeMensagem } from '@balcao/contract/sync/mensagens'
import { keepAddress } from '#shared/media/file-address.ts'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'
import type { QueryClient } from '@tanstack/react-query'
import { changeCache, changeKnown } from './known-conversas.ts'

/** The pages read of one chat, oldest first, each in the same order. Unchanged pages stay the same objects. */
export interface MensagemPages {
  readonly pages: readonly (readonly Mensagem[])[]
  readonly cursor?: string | undefined
}

export interface MensagemPage {
  readonly mensagens: readonly Mensagem[]
  readonly proximoCursor?: string | undefined
}

/** A page with this many messages is closed: live messages start a new page, so that one message redraws few. */
const FULL_PAGE = 80

export const mensagensKey = (conversaId: string) => [...QUERY_KEYS.mensagensHumanas, conversaId] as const

const idsOf = (mensagens: readonly Mensagem[]): ReadonlySet<string> => new Set(mensagens.map(({ id }) => id))

/** The known copy if the fresh one adds nothing. */
function merge(known: Mensagem | undefined, fresh: Mensagem): Mensagem {
  if (known === undefined) return fresh
  const merged = mergeMensagem(known, keepAddress(known, fresh))
  return JSON.stringify(merged) === JSON.stringify(known) ? known : merged
}

/** Adds or replaces one message. An unknown message that was only marked (edited, deleted, reacted to) is ignored. */
export function applyToPages(read: MensagemPages, mensagem: Mensagem, marked = false): MensagemPages {
  const { id } = mensagem
  const index = read.pages.findLastIndex((page) => page.some((one) => one.id === id))
  const page = read.pages[index]
  if (page !== undefined) {
    const replaced = page.map((one) => (one.id === id ? merge(one, mensagem) : one))
    return { ...read, pages: read.pages.with(index, replaced) }
  }
  if (marked) return read
  const last = read.pages.at(-1)
  if (last === undefined || last.length >= FULL_PAGE) return { ...read, pages: [...read.pages, [mensagem]] }
  return { ...read, pages: read.pages.with(-1, [...last, mensagem]) }
}

/**
 * Merges the newest page, in its order: messages missed while offline are older than messages sent meanwhile. If it does
 * not overlap the pages read, messages between them are missing and only the new page stays.
 */
export function mergeLatestPage(before: MensagemPages | undefined, page: MensagemPage): MensagemPages {
  const latest = idsOf(page.mensagens)
  const since = before?.pages.findIndex((one) => one.some(({ id }) => latest.has(id))) ?? -1
  if (before === undefined || since < 0) return { pages: [page.mensagens], cursor: page.proximoCursor }
  const end = before.pages.slice(since).flat()
  const known = new Map(end.map((mensagem) => [mensagem.id, mensagem]))
  const first = end.findIndex(({ id }) => latest.has(id))
  const merged = [
    ...end.slice(0, first),
    ...page.mensagens.map((mensagem) => merge(known.get(mensagem.id), mensagem)),
    ...end.slice(first).filter(({ id }) => !latest.has(id)),
  ]
  if (merged.length === end.length && merged.every((mensagem, index) => mensagem === end[index])) return before
  return { ...before, pages: [...before.pages.slice(0, since), merged] }
}

export function prependOlderPage(read: MensagemPages, page: MensagemPage): MensagemPages {
  const seen = idsOf(read.pages.flat())
  const older = page.mensagens.filter(({ id }) => !seen.has(id))
  return { pages: older.length === 0 ? read.pages : [older, ...read.pages], cursor: page.proximoCursor }
}

export function putMensagem(client: QueryClient, dados: ServerEventPayloads['mensagemConversaHumana']): void {
  const { userId, conversaId, mensagem, marcada } = dados
  changeCache(() => {
    changeKnown(client, (known) => applyToConversas(known, { evento: 'mensagemConversaHumana', dados }, userId))
    client.setQueryData<MensagemPages>(mensagensKey(conversaId), (read) =>
      read === undefined ? undefined : applyToPages(read, mensagem, marcada),
    )
  })
}
