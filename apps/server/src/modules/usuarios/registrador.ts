import type { Deps } from '#deps.ts'
import { recordNumeros } from './numeros.ts'

const INTERVALO_MS = 10 * 60_000

export interface Registrador {
  readonly start: () => void
  readonly stop: () => Promise<void>
}

/** Records the hourly numbers. Runs every 10 minutes, so a restart does not skip an hour. */
export function createRegistrador(deps: Pick<Deps, 'db' | 'clock' | 'log'>): Registrador {
  let timer: NodeJS.Timeout | null = null
  let rodada: Promise<void> = Promise.resolve()

  const record = async (): Promise<void> => {
    try {
      await deps.db.transaction('*', (tx) => recordNumeros(tx, deps.clock.now()))
    } catch (error) {
      deps.log.error({ err: error }, 'hourly numbers not recorded')
    }
  }
  const round = (): void => {
    rodada = record()
  }
  return {
    start: () => {
      round()
      timer ??= setInterval(round, INTERVALO_MS).unref()
    },
    stop: async () => {
      if (timer !== null) clearInterval(timer)
      await rodada
    },
  }
}
