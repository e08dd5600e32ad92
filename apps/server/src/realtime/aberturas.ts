/**
 * Keeps the opening event of a conversa first. Opening reads the whole conversa, and other events of it may occur
 * meanwhile; they wait.
 */
export interface OpeningOrder {
  readonly open: (conversaId: string, contar: () => Promise<void>) => void
  /** Runs immediately, or after the running opening in the order of the calls. */
  readonly after: (conversaId: string, contar: () => void) => void
}

export function createOpeningOrder(): OpeningOrder {
  const abrindo = new Map<string, (() => void)[]>()

  const abrirJa = async (conversaId: string, contar: () => Promise<void>): Promise<void> => {
    const fila: (() => void)[] = []
    abrindo.set(conversaId, fila)
    await contar()
    abrindo.delete(conversaId)
    // Each entry checks again, because the conversa may have been opened a second time.
    for (const proximo of fila) proximo()
  }

  const aberturas: OpeningOrder = {
    open: (conversaId, contar) => {
      const fila = abrindo.get(conversaId)
      if (fila === undefined) void abrirJa(conversaId, contar)
      else fila.push(() => aberturas.open(conversaId, contar))
    },
    after: (conversaId, contar) => {
      const fila = abrindo.get(conversaId)
      if (fila === undefined) contar()
      else fila.push(() => aberturas.after(conversaId, contar))
    },
  }
  return aberturas
}
