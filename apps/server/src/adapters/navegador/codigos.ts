/** The codes that a phone may scan, one after the other, until somebody does or nobody did for too long. */
export interface Codigos {
  /** A new code; how long it is good for, in ms, or null when there were enough. */
  readonly novo: () => number | null
  /** More time for what is shown now. */
  readonly esperar: (ms: number) => void
  readonly mostrando: () => boolean
  readonly parar: () => void
}

const PRIMEIRO_MS = 60_000
const OUTRO_MS = 20_000
/** WhatsApp makes no more of them by itself. */
const MAXIMO = 6
/** The next code takes its time to be drawn. */
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
