/** After a refusal the account's answers are dropped without asking the counter again, for a moment. */
const ESGOTADA_MS = 1_000

/** Accounts whose day is full, as far as this node was told a moment ago. */
export interface Esgotadas {
  /** How many answers may still leave, as far as is remembered. */
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
