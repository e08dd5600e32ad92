export interface HealthCheck {
  readonly start: () => void
  readonly stop: () => void
}

export function createHealthCheck(ms: number, check: () => Promise<void>): HealthCheck {
  let timer: NodeJS.Timeout | undefined
  let busy = false
  const see = (): void => {
    if (busy) return
    busy = true
    void check().finally(() => (busy = false))
  }
  return {
    start: () => {
      timer ??= setInterval(see, ms)
    },
    stop: () => clearInterval(timer),
  }
}
