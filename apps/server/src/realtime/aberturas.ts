/**
 * Conversations whose opening is being told to people: it is read whole first, and meanwhile a message of it may leave, the
 * customer may write again, or somebody may take it. Nobody hears of a conversation before they hear that there is one.
 */
export interface Aberturas {
  /** `contar` tells the opening. It must not fail. */
  readonly abrir: (conversaId: string, contar: () => Promise<void>) => void
  /** At once, or behind the opening that is on its way, in the order of the calls. */
  readonly depois: (conversaId: string, contar: () => void) => void
}

export function createAberturas(): Aberturas {
  const abrindo = new Map<string, (() => void)[]>()

  const abrirJa = async (conversaId: string, contar: () => Promise<void>): Promise<void> => {
    const fila: (() => void)[] = []
    abrindo.set(conversaId, fila)
    await contar()
    abrindo.delete(conversaId)
    // Each asks again: the same conversation may have been opened once more, and what follows waits for that.
    for (const proximo of fila) proximo()
  }

  const aberturas: Aberturas = {
    abrir: (conversaId, contar) => {
      const fila = abrindo.get(conversaId)
      if (fila === undefined) void abrirJa(conversaId, contar)
      else fila.push(() => aberturas.abrir(conversaId, contar))
    },
    depois: (conversaId, contar) => {
      const fila = abrindo.get(conversaId)
      if (fila === undefined) contar()
      else fila.push(() => aberturas.depois(conversaId, contar))
    },
  }
  return aberturas
}
