import type { Conversa } from '@balcao/contract/entities/conversa'
import { openConversas } from '@balcao/contract/sync/known-conversas'
import type { ResponseOf } from '@balcao/contract/define-route'
import { revisoesRoute } from '@balcao/contract/routes/atendimento-revisoes'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '#shared/api-client.ts'
import { knownConversas } from '#shared/data/conversas/known-conversas.ts'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'
import { socketState } from '#shared/realtime/socket.ts'
import type { ConversaIds } from '#features/atendimento/lista/conversa-cache.ts'

/**
 * The events of a server that dies right after a commit reach no panel of another server. A visible window compares its
 * list with the server once a minute, and reads it again only after a difference.
 */

const EVERY_MS = 60_000
/** Windows that opened together ask at different times. */
const SPREAD_MS = 15_000
/** The rows of an incomplete list that a refetch reads at least. */
const FIRST_PAGE = 100

type Revisoes = ResponseOf<typeof revisoesRoute>

/**
 * The oldest activity that is compared. Undefined: the list is complete. An incomplete list begins with all conversas
 * without an answer, and continues with the others by latest activity. Null: its page ends before the others, so nothing
 * can be compared.
 */
function boundOf({ conversas, ids, proximoCursor }: HeldList): string | undefined | null {
  if (proximoCursor === undefined) return undefined
  const firstPage = new Set(ids.slice(0, FIRST_PAGE))
  const answered = conversas.filter(
    ({ id, semRespostaDesde, minha }) => firstPage.has(id) && semRespostaDesde === undefined && minha?.fixada !== true,
  )
  return answered.map(({ ultimaAtividade }) => ultimaAtividade).toSorted()[0] ?? null
}

function countRevisoes({ conversas }: HeldList, since = ''): Revisoes {
  const compared = conversas.filter(({ ultimaAtividade }) => ultimaAtividade >= since)
  return { total: compared.length, revisoes: compared.reduce((sum, { revisao = 0 }) => sum + revisao, 0) }
}

const isSame = (one: Revisoes | null, other: Revisoes): boolean =>
  one?.total === other.total && one.revisoes === other.revisoes

interface HeldList {
  readonly conversas: readonly Conversa[]
  readonly ids: readonly string[]
  readonly proximoCursor: string | undefined
}

function readList(client: QueryClient): HeldList | undefined {
  const list = client.getQueryData<ConversaIds>(QUERY_KEYS.conversas)
  if (list === undefined) return undefined
  return { ...list, conversas: openConversas(knownConversas(client)), proximoCursor: list.proximoCursor }
}

/** Returns the numbers of the server if the list differs from them, now and when they were asked for. */
async function findDifference(client: QueryClient, before: HeldList, desde?: string): Promise<Revisoes | null> {
  const server = await call(revisoesRoute, { query: { desde } })
  const held = [before, readList(client) ?? before]
  return held.some((list) => isSame(countRevisoes(list, desde), server)) ? null : server
}

export function useMissedEvents(): void {
  const client = useQueryClient()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let checkedAt = performance.now()
    let known: Revisoes | null = null
    const check = async (): Promise<void> => {
      checkedAt = performance.now()
      const list = readList(client)
      if (list === undefined) return client.invalidateQueries({ queryKey: QUERY_KEYS.atendimento })
      const bound = boundOf(list)
      if (bound === null) return client.invalidateQueries({ queryKey: QUERY_KEYS.conversas })
      const difference = await findDifference(client, list, bound)
      // The list was read after the last difference, so the same one again is none of missed events.
      if (difference !== null && !isSame(known, difference)) {
        void client.invalidateQueries({ queryKey: [QUERY_KEYS.conversas[0]] })
      }
      known = difference
    }
    const checkVisible = (): void => {
      if (document.visibilityState === 'visible' && socketState().tipo === 'online') void check().catch(() => undefined)
    }
    const wait = (): void => {
      timer = setTimeout(
        () => {
          checkVisible()
          wait()
        },
        EVERY_MS + Math.random() * SPREAD_MS,
      )
    }
    const onShown = (): void => {
      if (performance.now() - checkedAt >= EVERY_MS) checkVisible()
    }
    wait()
    document.addEventListener('visibilitychange', onShown)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', onShown)
    }
  }, [client])
}
