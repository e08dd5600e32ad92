import type { Deps } from '#deps.ts'
import { recolherArquivos } from '#modules/arquivos/index.ts'
import { apagarExcluidas } from './apagar-excluidas.ts'
import { apagarVencidos } from './apagar-vencidos.ts'

const INTERVALO_MS = 6 * 3_600_000
/** Not while everything starts. */
const PRIMEIRA_MS = 10 * 60_000

export interface Faxina {
  readonly start: () => void
  readonly stop: () => Promise<void>
}

export interface FaxinaDeps extends Pick<Deps, 'db' | 'clock' | 'ids' | 'log' | 'files'> {
  /** Erases links of phones that no account has any more; how many. */
  readonly recolherVinculos: () => Promise<number>
}

/** Keeps the promised terms: looks four times a day, so that a restart every night does not keep data for ever. */
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
        deps.log.info({ apagadas, arquivos, vinculos }, 'deleted what was kept long enough')
    } catch (error) {
      deps.log.error({ err: error }, 'could not delete what was kept long enough; trying again in six hours')
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
