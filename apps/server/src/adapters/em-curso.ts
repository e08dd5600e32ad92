/**
 * Runs one attempt at a time per message. The queue may give up before a slow service answers and call again: the
 * second call then joins the running attempt.
 */
export function singleFlight(): (idExterno: string, tentar: () => Promise<void>) => Promise<void> {
  const emCurso = new Map<string, Promise<void>>()
  return (idExterno, tentar) => {
    const atual = emCurso.get(idExterno) ?? tentar().finally(() => emCurso.delete(idExterno))
    emCurso.set(idExterno, atual)
    return atual
  }
}
