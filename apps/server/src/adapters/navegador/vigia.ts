export interface HealthCheck {
  readonly start: () => void
  readonly stop: () => void
}

export function createHealthCheck(ms: number, check: () => Promise<void>): HealthCheck {
  let timer: NodeJS.Timeout | undefined
  let ocupado = false
  const ver = (): void => {
    if (ocupado) return
    ocupado = true
    void check().finally(() => (ocupado = false))
  }
  return {
    start: () => {
      timer ??= setInterval(ver, ms)
    },
    stop: () => clearInterval(timer),
  }
}
