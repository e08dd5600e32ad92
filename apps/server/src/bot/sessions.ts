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

/** The sessions of this node: takes leases, renews them, and gives a session up the moment its lease is gone. */
export interface Sessions {
  readonly get: (contaId: string) => Sessao | undefined
  /** Takes the account's lease if it is free and starts its connector. */
  readonly assumir: (contaId: string) => Promise<void>
  readonly soltar: SessoesAbertas['soltar']
  readonly desvincular: Tomada['desvincular']
  /** Looks at the account's row again: it was stopped, wiped or given work by somebody else. */
  readonly conferir: (contaId: string) => Promise<void>
  /** Whether the renewals have begun and the last good one is not long ago. */
  readonly leasesVivos: () => boolean
  readonly start: () => Promise<void>
  /** Closes every link and releases the leases, so that another node takes over at once. */
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
      // Alone, nobody else takes what the dead process held, and until its leases run out they would look held.
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

/** Each outage, and each mark of the daily limit, is told once, whichever node sees it first. */
async function avisarDonos(deps: BotDeps): Promise<void> {
  for (const { contaId, desde } of await deps.db.transaction('*', listSemConexao)) {
    await deps.db.transaction(contaId, (tx) => avisarBotSemConexao(tx, deps, contaId, desde))
  }
  await avisarMarcasPerdidas(deps)
}

/** What is done again and again, each never beside itself, until it is stopped. */
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
          .catch((error: unknown) => log.error({ err: error }, 'session upkeep failed; trying again'))
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
