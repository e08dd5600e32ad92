import type { Deps } from '#deps.ts'
import { recolherArquivos } from '#modules/arquivos/index.ts'
import { apagarExcluidas } from './apagar-excluidas.ts'
import { apagarVencidos } from './apagar-vencidos.ts'

const INTERVALO_MS = 6 * 3_600_000
/** First run 10 minutes after the start, to keep the start fast. */
const PRIMEIRA_MS = 10 * 60_000

export interface Faxina {
  readonly start: () => void
  readonly stop: () => Promise<void>
}

export interface FaxinaDeps extends Pick<Deps, 'db' | 'clock' | 'ids' | 'log' | 'files'> {
  /** Deletes phone links without a conta. Returns how many it deleted. */
  readonly recolherVinculos: () => Promise<number>
}

/** Runs retention 10 minutes after the start and then every 6 hours, so that daily restarts do not prevent it. */
export function createFaxina(deps: FaxinaDeps): Faxina {
  let timer: NodeJS.Timeout | null = null
  let rodada: Promise<void> = Promise.resolve()

  const limpar = async (): Promise<void> => {
    try {
      const excluidas = await apagarExcluidas(deps)
      const apagadas = excluidas + (await apagarVencidos(deps))
      const arquivos = await recolherArquivos(deps)
      const vinculos = await deps.recolherVinculos()
      if (apagadas + arquivos + vinculos > 0)
        deps.log.info({ apagadas, arquivos, vinculos }, 'retention deleted old data')
    } catch (error) {
      deps.log.error({ err: error }, 'retention failed, retrying in six hours')
    }
  }
  const agendar = (ms: number): void => {
    timer = setTimeout(() => {
      rodada = limpar().finally(() => {
        if (timer !== null) agendar(INTERVALO_MS)
      })
    }, ms).unref()
  }
  return {
    start: () => agendar(PRIMEIRA_MS),
    stop: async () => {
      if (timer !== null) clearTimeout(timer)
      timer = null
      await rodada
    },
  }
}
