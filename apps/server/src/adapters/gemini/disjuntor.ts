/** Consecutive failures that open it, and how long it stays open before one question may try again. */
const FALHAS_PARA_ABRIR = 5
const ABERTO_MS = 30_000
const LEMBRADOS = 5_000

interface Circuito {
  falhas: number
  abertoAte: number
  /** One question is out to see whether the provider is back. */
  sondando: boolean
}

/**
 * Stops asking a provider that keeps failing, per key (account and model): open, nobody waits for it; after a while one question
 * goes through, and its outcome closes or opens it again.
 */
export interface Disjuntor {
  /** Whether to ask now. Whoever may must report one outcome. */
  readonly pode: (chave: string) => boolean
  /** Whether this closed it. */
  readonly deuCerto: (chave: string) => boolean
  /** Whether this opened it. */
  readonly falhou: (chave: string) => boolean
  /** The question ended without saying anything about the provider. */
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
      // The one nobody asked for the longest is forgotten first.
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
