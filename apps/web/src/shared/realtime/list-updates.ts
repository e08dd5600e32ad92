import type { Conversa } from '@balcao/contract/entities/conversa'

type ListUpdate = (conversas: readonly Conversa[]) => readonly Conversa[]

/** For each running fetch of the list of open conversas, the changes since it began. */
const duringFetch = new Set<ListUpdate[]>()

/** Call it for each change of the list by an event, also while no list is cached. */
export function recordListUpdate(update: ListUpdate): void {
  for (const updates of duringFetch) updates.push(update)
}

/** Fetches the list and applies the changes that arrived meanwhile, because the answer may be older than they are. */
export async function fetchWithUpdates<T extends { readonly conversas: readonly Conversa[] }>(
  fetchList: () => Promise<T>,
): Promise<T> {
  const updates: ListUpdate[] = []
  duringFetch.add(updates)
  try {
    const list = await fetchList()
    if (updates.length === 0) return list
    return { ...list, conversas: updates.reduce((conversas, update) => update(conversas), list.conversas) }
  } finally {
    duringFetch.delete(updates)
  }
}
