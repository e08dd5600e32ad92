/**
 * Keeps the opening event of a conversa first. Opening reads the whole conversa, and other events of it may occur
 * meanwhile; they wait.
 */
export interface Aberturas {
  readonly abrir: (conversaId: string, contar: () => Promise<void>) => void
  /** Runs immediately, or after the running opening in the order of the calls. */
  readonly depois: (conversaId: string, contar: () => void) => void
}

export function createAberturas(): Aberturas {
  const abrindo = new Map<string, (() => void)[]>()

  const abrirJa = async (conversaId: string, contar: () => Promise<void>): Promise<void> => {
    const fila: (() => void)[] = []
    abrindo.set(conversaId, fila)
    await contar()
    abrindo.delete(conversaId)
    // Each entry checks again, because the conversa may have been opened a second time.
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
