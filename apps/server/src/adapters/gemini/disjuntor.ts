/** Consecutive failures that open the circuit, and how long it stays open before one probe is allowed. */
const FALHAS_PARA_ABRIR = 5
const ABERTO_MS = 30_000
const LEMBRADOS = 5_000

interface Circuito {
  falhas: number
  abertoAte: number
  sondando: boolean
}

/**
 * Circuit breaker per key (account and model). While open it refuses questions; after a pause it lets one probe
 * through, whose outcome closes or opens it again.
 */
export interface Disjuntor {
  /** True when a question may be sent. The caller must then report exactly one outcome. */
  readonly pode: (chave: string) => boolean
  /** Records a success; true when it closed the circuit. */
  readonly deuCerto: (chave: string) => boolean
  /** Records a failure; true when it opened the circuit. */
  readonly falhou: (chave: string) => boolean
  readonly nadaDisse: (chave: string) => void
}

export function createDisjuntor(agora: () => number): Disjuntor {
  const circuitos = new Map<string, Circuito>()
  return {
    pode: (chave) => {
      const circuito = circuitos.get(chave)
      if (circuito === undefined || circuito.falhas < FALHAS_PARA_ABRIR) return true
      if (circuito.sondando || agora() < circuito.abertoAte) return false
      circuito.sondando = true
      return true
    },
    deuCerto: (chave) => {
      const { falhas = 0 } = circuitos.get(chave) ?? {}
      circuitos.delete(chave)
      return falhas >= FALHAS_PARA_ABRIR
    },
    falhou: (chave) => {
      const { falhas = 0 } = circuitos.get(chave) ?? {}
      circuitos.delete(chave)
      const [antigo] = circuitos.size < LEMBRADOS ? [] : circuitos.keys()
      if (antigo !== undefined) circuitos.delete(antigo)
      circuitos.set(chave, { falhas: falhas + 1, abertoAte: agora() + ABERTO_MS, sondando: false })
      return falhas + 1 === FALHAS_PARA_ABRIR
    },
    nadaDisse: (chave) => {
      const circuito = circuitos.get(chave)
      if (circuito !== undefined) circuito.sondando = false
    },
  }
}
