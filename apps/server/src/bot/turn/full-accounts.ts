/** After a refusal, answers of this conta are marked `limite` for 1 s without reading the counter. */
const FULL_MS = 1_000

export interface FullAccounts {
  readonly remaining: (contaId: string) => number
  readonly add: (contaId: string) => void
  readonly forget: (contaId: string) => void
}

export function createFullAccounts(): FullAccounts {
  const ateQuando = new Map<string, number>()
  return {
    remaining: (contaId) => {
      const until = ateQuando.get(contaId)
      if (until === undefined) return Infinity
      if (performance.now() < until) return 0
      ateQuando.delete(contaId)
      return Infinity
    },
    add: (contaId) => void ateQuando.set(contaId, performance.now() + FULL_MS),
    forget: (contaId) => void ateQuando.delete(contaId),
  }
}
