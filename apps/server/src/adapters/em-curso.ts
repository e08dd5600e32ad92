/**
 * One attempt at a time for each message. The queue gives up waiting before a slow service does, and asks again: then it waits
 * for the attempt that is still under way, and does not begin a second one beside it.
 */
export function createEmCurso(): (idExterno: string, tentar: () => Promise<void>) => Promise<void> {
  const emCurso = new Map<string, Promise<void>>()
  return (idExterno, tentar) => {
    const atual = emCurso.get(idExterno) ?? tentar().finally(() => emCurso.delete(idExterno))
    emCurso.set(idExterno, atual)
    return atual
  }
}
