type Change = () => void

/** For each running request, the changes since it began. */
const running = new Set<Change[]>()

/** Changes cached data, by an event or by an answer. A change may run twice. */
export function changeCache(change: Change): void {
  for (const changes of running) changes.push(change)
  change()
}

/**
 * Stores the answer of a request and applies again the changes that arrived meanwhile, because the answer may be older
 * than they are.
 */
export async function storeAnswer<T>(request: () => Promise<T>, store: (answer: T) => void): Promise<T> {
  const changes: Change[] = []
  running.add(changes)
  try {
    const answer = await request()
    running.delete(changes)
    store(answer)
    for (const change of changes) change()
    return answer
  } finally {
    running.delete(changes)
  }
}
