import { type Lease, type LeaseARenovar, type Renovada, renovarLeases } from './bots-repository.ts'
import { listContasAtrasadas } from './outbox.ts'
import type { RelogioDosLeases } from './relogio-dos-leases.ts'
import type { BotDeps } from './runtime-deps.ts'
import type { Sessao } from './sessao.ts'
import type { SessoesAbertas } from './sessoes-abertas.ts'
import type { Tomada } from './tomar-leases.ts'

export interface Renovacao {
  readonly renovar: () => Promise<void>
  /** Checks one conta after a bus event: stops its session, or loads new rows of `saida`. */
  readonly conferir: (contaId: string) => Promise<void>
  /** Closes all sessions when their leases may have expired, for example without a database. */
  readonly vigiar: () => void
}

interface RenovacaoOptions {
  readonly abertas: SessoesAbertas
  readonly relogio: RelogioDosLeases
  readonly tomar: Tomada['tomar']
}

const aRenovar = ({ lease, silencioMs }: Sessao): LeaseARenovar => ({ ...lease, silencioMs: silencioMs() })

export function createRenovacao(deps: BotDeps, { abertas, relogio, tomar }: RenovacaoOptions): Renovacao {
  const { db, log, no } = deps

  /** Closes a session that was asked to stop. Opens a new one if the bot has been started again since. */
  const obedecer = async (
    { epoca }: Pick<Lease, 'epoca'>,
    { contaId, desejado, esquecida }: Renovada,
  ): Promise<void> => {
    if (abertas.get(contaId)?.lease.epoca !== epoca) return
    await abertas.soltar(contaId, esquecida ? 'esquecer' : 'fechar')
    if (desejado) await tomar({ contaId, todas: false })
  }

  const seguir = (minha: LeaseARenovar, renovada: Renovada | undefined): void => {
    const { contaId } = minha
    if (renovada === undefined) {
      log.warn({ contaId }, 'lease lost, session closed')
      abertas.terminou(minha)
    } else if (renovada.parada) {
      // Not awaited, because a link that closes slowly must not delay the other renewals.
      obedecer(minha, renovada).catch((error: unknown) => log.error({ err: error, contaId }, 'bot not stopped'))
    }
  }

  const recuperarAtrasadas = async (): Promise<void> => {
    const contas = abertas.todas().map(({ contaId }) => contaId)
    for (const contaId of await db.transaction('*', (tx) => listContasAtrasadas(tx, contas))) {
      const recuperada = abertas.get(contaId)?.recuperar()
      // An error of one conta must not stop the others.
      await recuperada?.catch((error: unknown) => log.error({ err: error, contaId }, 'pending messages not read'))
    }
  }

  return {
    renovar: async () => {
      const minhas = abertas.todas().map(aRenovar)
      if (minhas.length > 0) {
        const desde = performance.now()
        const renovadas = await db.transaction('*', (tx) => renovarLeases(tx, no, minhas))
        relogio.marcar(desde)
        const vivas = new Map(renovadas.map((renovada) => [renovada.contaId, renovada]))
        for (const minha of minhas) seguir(minha, vivas.get(minha.contaId))
        await recuperarAtrasadas()
      }
      relogio.deuVolta()
    },
    conferir: async (contaId) => {
      const sessao = abertas.get(contaId)
      if (sessao === undefined) return
      const [renovada] = await db.transaction(contaId, (tx) => renovarLeases(tx, no, [aRenovar(sessao)]))
      if (renovada === undefined) return abertas.terminou(sessao.lease)
      if (renovada.parada) await obedecer(sessao.lease, renovada)
      else await sessao.recuperar()
    },
    vigiar: () => {
      const sessoes = abertas.todas()
      if (sessoes.length === 0 || relogio.validos()) return
      log.error({ sessoes: sessoes.length }, 'leases not renewed in time, all sessions closed')
      for (const { lease } of sessoes) abertas.terminou(lease)
    },
  }
}
