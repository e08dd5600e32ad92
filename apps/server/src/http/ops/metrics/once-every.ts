/** Asks at most once per `ms` and never twice at the same time. */
export function onceEvery<T>(ms: number, ask: () => Promise<T>): () => Promise<T> {
  let last: { readonly at: number; readonly answer: Promise<T> } | null = null
  let pending = false
  return () => {
    const now = performance.now()
    if (last === null || (!pending && now - last.at > ms)) {
      pending = true
      last = { at: now, answer: ask().finally(() => (pending = false)) }
    }
    return last.answer
  }
}
