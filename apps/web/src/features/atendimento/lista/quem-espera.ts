import type { ConversaPages } from './paginas.ts'

/** At 200 per page: beyond 2,000 waiting conversas the order is right only for the loaded ones. */
const WAITING_PAGES_MAX = 10

type FetchWaiting = (cursor: string | undefined) => Promise<ConversaPages>

/** The server sorts by activity, so the longest waiting conversa may be on a later page: adds all waiting conversas. */
export async function mergeWaiting(list: ConversaPages, fetchPage: FetchWaiting): Promise<ConversaPages> {
  const all = new Map(list.conversas.map((conversa) => [conversa.id, conversa]))
  let cursor: string | undefined
  for (let page = 0; page < WAITING_PAGES_MAX; page += 1) {
    // oxlint-disable-next-line no-await-in-loop -- each page begins where the one before ended
    const esperam = await fetchPage(cursor)
    for (const conversa of esperam.conversas) if (!all.has(conversa.id)) all.set(conversa.id, conversa)
    cursor = esperam.proximoCursor
    if (cursor === undefined) break
  }
  return { ...list, conversas: [...all.values()] }
}
