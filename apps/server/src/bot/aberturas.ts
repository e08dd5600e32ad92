/**
 * Conversations whose opening is being told to people: it is read whole first, and a message of it may leave, or the customer
 * may write again, meanwhile. Nobody hears of a conversation before they hear that there is one.
 */
export interface Aberturas {
  /** `contar` tells the opening. It must not fail. */
  readonly abrir: (conversaId: string, contar: () => Promise<void>) => void
  /** At once, or behind the opening that is on its way, in the order of the calls. */
  readonly depois: (conversaId: string, contar: () => void) => void
}

export function createAberturas(): Aberturas {
  const abrindo = new Map<string, Promise<void>>()
  return {
    abrir: (conversaId, contar) => {
      const aberta = contar().finally(() => abrindo.delete(conversaId))
      abrindo.set(conversaId, aberta)
    },
    depois: (conversaId, contar) => {
      const aberta = abrindo.get(conversaId)
      if (aberta === undefined) contar()
      else void aberta.then(contar)
    },
  }
}
