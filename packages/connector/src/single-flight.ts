/**
 * Runs one attempt at a time per message. The queue may give up before a slow service answers and call again: the
 * second call then joins the running attempt.
 */
export function singleFlight(): (idExterno: string, attempt: () => Promise<void>) => Promise<void> {
  const inFlight = new Map<string, Promise<void>>()
  return (idExterno, attempt) => {
    const current = inFlight.get(idExterno) ?? attempt().finally(() => inFlight.delete(idExterno))
    inFlight.set(idExterno, current)
    return current
  }
}
