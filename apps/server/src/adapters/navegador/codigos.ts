/** QR codes of one pairing, shown in turn until a scan or a timeout. */
export interface Codigos {
  /** Counts a new code and returns its lifetime in ms, or null when the maximum was reached. */
  readonly novo: () => number | null
  readonly esperar: (ms: number) => void
  readonly mostrando: () => boolean
  readonly parar: () => void
}

const PRIMEIRO_MS = 60_000
const OUTRO_MS = 20_000
const MAXIMO = 6
const FOLGA_MS = 15_000

export function createCodigos(expirou: () => void, duracaoMs?: number): Codigos {
  let mostrados = 0
  let fim: NodeJS.Timeout | undefined
  const esperar = (ms: number): void => {
    clearTimeout(fim)
    fim = setTimeout(expirou, ms)
  }
  return {
    novo: () => {
      mostrados += 1
      if (mostrados > MAXIMO) return null
      const ms = duracaoMs ?? (mostrados === 1 ? PRIMEIRO_MS : OUTRO_MS)
      esperar(ms + FOLGA_MS)
      return ms
    },
    esperar,
    mostrando: () => mostrados > 0,
    parar: () => {
      clearTimeout(fim)
      mostrados = 0
    },
  }
}
