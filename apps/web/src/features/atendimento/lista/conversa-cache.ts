import type { Conversa } from '@balcao/contract/entities/conversa'
import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { readCopy, storeCopy } from '#shared/storage.ts'
import type { QueryClient } from '@tanstack/react-query'
import { changeCache, changeKnown } from '#shared/data/conversas/known-conversas.ts'
import { forgetConversas, updateContato } from '@balcao/contract/sync/known-conversas'

export const FINISHED_KEY = ['atendimento', 'finalizadas'] as const

/** A list of conversas in the order of the server. The conversas themselves are in the store. */
export interface ConversaIds {
  readonly ids: readonly string[]
  readonly proximoCursor?: string | undefined
}

/** Refetches in progress. `again`: another change arrived since it started. */
const refetches = new WeakMap<QueryClient, { again: boolean }>()

/** Refetches the finished conversas: one refetch at a time, repeated if a change arrived meanwhile. */
export async function refetchFinished(client: QueryClient): Promise<void> {
  const inFlight = refetches.get(client)
  if (inFlight !== undefined) {
    inFlight.again = true
    return
  }
  const filters = { queryKey: FINISHED_KEY }
  const round = { again: true }
  refetches.set(client, round)
  while (round.again) {
    // An initial fetch in flight is awaited, not restarted. Its answer may be outdated, so another round follows.
    round.again = client.isFetching(filters) > 0
    // oxlint-disable-next-line no-await-in-loop -- the reads must run in sequence
    await client.invalidateQueries(filters, { cancelRefetch: false })
  }
  refetches.delete(client)
}

export function removeConversas(client: QueryClient, ids: readonly string[]): void {
  changeCache(() => changeKnown(client, (known) => forgetConversas(known, ids)))
  void refetchFinished(client)
}

export function removeConversa(client: QueryClient, id: string): void {
  removeConversas(client, [id])
}

export function showEtiquetas(client: QueryClient, contatoId: string, etiquetas: readonly string[]): void {
  changeKnown(client, (known) =>
    updateContato(known, contatoId, (conversa) => ({ ...conversa, etiquetas: [...etiquetas] })),
  )
}

const COPY_CONVERSAS_MAX = 50

/** Addresses of files expire within minutes, and files are not copied. */
function withoutAddress(mensagem: Mensagem): object {
  return mensagem.midia === undefined ? mensagem : { ...mensagem, midia: { ...mensagem.midia, url: undefined } }
}

export function storeConversasCopy(contaId: string, conversas: readonly Conversa[]): void {
  const copied = conversas.slice(0, COPY_CONVERSAS_MAX)
  storeCopy(
    'conversas',
    contaId,
    copied.map(({ mensagens, ...conversa }) => ({ ...conversa, mensagens: mensagens.map(withoutAddress) })),
  )
}

export function readConversasCopy(contaId: string): readonly Conversa[] | null {
  const copy = readCopy('conversas', contaId)
  return Array.isArray(copy) && copy.every(isConversa) ? copy : null
}

function isConversa(value: unknown): value is Conversa {
  if (typeof value !== 'object' || value === null) return false
  return ['id', 'setor', 'status', 'cliente', 'mensagens', 'ultimaAtividade', 'aguardandoDesde'].every(
    (part) => part in value,
  )
}
