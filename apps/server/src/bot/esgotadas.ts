/** After a refusal, answers of this conta are marked `limite` for 1 s without reading the counter. */
const ESGOTADA_MS = 1_000

export interface Esgotadas {
  readonly vaga: (contaId: string) => number
  readonly lembrar: (contaId: string) => void
  readonly esquecer: (contaId: string) => void
}

export function createEsgotadas(): Esgotadas {
  const ateQuando = new Map<string, number>()
  return {
    vaga: (contaId) => {
      const ate = ateQuando.get(contaId)
      if (ate === undefined) return Infinity
      if (performance.now() < ate) return 0
      ateQuando.delete(contaId)
      return Infinity
    },
    lembrar: (contaId) => void ateQuando.set(contaId, performance.now() + ESGOTADA_MS),
    esquecer: (contaId) => void ateQuando.delete(contaId),
  }
}
