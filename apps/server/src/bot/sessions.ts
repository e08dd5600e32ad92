import { avisarBotSemConexao } from '#modules/emails/index.ts'
import { listSemConexao, TOMADAS_POR_VEZ } from './bots-repository.ts'
import { avisarMarcasPerdidas } from './limite.ts'
import { createRelogioDosLeases } from './relogio-dos-leases.ts'
import { createRenovacao } from './renovar-leases.ts'
import type { BotDeps } from './runtime-deps.ts'
import type { Sessao } from './sessao.ts'
import { createSessoesAbertas, type SessoesAbertas } from './sessoes-abertas.ts'
import { createTomada, type Tomada, type TomadaOptions } from './tomar-leases.ts'

const RENOVAR_MS = 5_000
const PROCURAR_MS = 3_000
const AVISAR_MS = 60_000

export type SessionsOptions = Omit<TomadaOptions, 'abertas' | 'relogio'>

export interface Sessions {
  readonly get: (contaId: string) => Sessao | undefined
  readonly assumir: (contaId: string) => Promise<void>
  readonly soltar: SessoesAbertas['soltar']
  readonly desvincular: Tomada['desvincular']
  readonly conferir: (contaId: string) => Promise<void>
  readonly leasesVivos: () => boolean
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
}

export function createSessions(deps: BotDeps, options: SessionsOptions): Sessions {
  const { tempos, exclusivo } = deps
  const renovarMs = tempos?.renovarMs ?? RENOVAR_MS
  const relogio = createRelogioDosLeases(renovarMs)
  const abertas = createSessoesAbertas(deps, options.marcador)
  const { tomar, desvincular, parar } = createTomada(deps, { ...options, abertas, relogio })
  const { renovar, conferir, vigiar } = createRenovacao(deps, { abertas, relogio, tomar })
  const rondas = createRondas(deps.log)
  const { soltar } = abertas

  return {
    get: abertas.get,
    assumir: async (contaId) => {
      await tomar({ contaId, todas: false })
    },
    soltar,
    desvincular,
    conferir,
    leasesVivos: relogio.vivos,
    start: async () => {
      let tomadasAgora = await tomar({ todas: exclusivo })
      if (rondas.paradas()) return
      relogio.deuVolta()
      rondas.repetir(renovarMs, renovar)
      rondas.repetir(tempos?.procurarMs ?? PROCURAR_MS, async () => {
        await tomar({ todas: false })
      })
      rondas.repetir(1_000, vigiar)
      rondas.repetir(tempos?.avisarMs ?? AVISAR_MS, () => avisarDonos(deps))
      // A process that runs alone takes all remaining leases now. Otherwise they would look held until they expire.
      while (exclusivo && tomadasAgora === TOMADAS_POR_VEZ && !rondas.paradas()) {
        tomadasAgora = await tomar({ todas: true })
      }
    },
    stop: async () => {
      rondas.parar()
      await parar()
      await Promise.all(abertas.todas().map(({ contaId }) => soltar(contaId, 'fechar')))
    },
  }
}

/**
 * Queues e-mails about lost connections and daily limits. Each e-mail has a unique key, so several nodes queue it
 * once.
 */
async function avisarDonos(deps: BotDeps): Promise<void> {
  for (const { contaId, desde } of await deps.db.transaction('*', listSemConexao)) {
    await deps.db.transaction(contaId, (tx) => avisarBotSemConexao(tx, deps, contaId, desde))
  }
  await avisarMarcasPerdidas(deps)
}

/** Runs periodic tasks until stopped. A task never runs twice at the same time. */
function createRondas(log: BotDeps['log']) {
  const timers: NodeJS.Timeout[] = []
  let paradas = false
  return {
    paradas: () => paradas,
    repetir: (ms: number, tarefa: () => Promise<void> | void): void => {
      let ocupada = false
      const uma = (): void => {
        if (ocupada || paradas) return
        ocupada = true
        Promise.resolve(tarefa())
          .catch((error: unknown) => log.error({ err: error }, 'session upkeep failed, retrying'))
          .finally(() => (ocupada = false))
      }
      timers.push(setInterval(uma, ms))
    },
    parar: (): void => {
      paradas = true
      for (const timer of timers) clearInterval(timer)
    },
  }
}
