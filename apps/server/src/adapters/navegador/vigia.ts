export interface Vigia {
  readonly iniciar: () => void
  readonly parar: () => void
}

export function createVigia(ms: number, olhar: () => Promise<void>): Vigia {
  let timer: NodeJS.Timeout | undefined
  let ocupado = false
  const ver = (): void => {
    if (ocupado) return
    ocupado = true
    void olhar().finally(() => (ocupado = false))
  }
  return {
    iniciar: () => {
      timer ??= setInterval(ver, ms)
    },
    parar: () => clearInterval(timer),
  }
}
