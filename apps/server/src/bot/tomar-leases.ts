import { type Lease, naoDesejar, soltarLease, tomarLeases } from './bots-repository.ts'
import type { RelogioDosLeases } from './relogio-dos-leases.ts'
import type { BotDeps } from './runtime-deps.ts'
import { createSessao, type Sessao, type SessaoOptions } from './sessao.ts'
import type { SessoesAbertas } from './sessoes-abertas.ts'

/** Selects one conta or any. `todas` also takes unexpired leases of a dead process. */
export interface Filtro {
  readonly contaId?: string
  readonly todas: boolean
}

export interface Tomada {
  readonly tomar: (filtro: Filtro) => Promise<number>
  /** Unlinks a phone whose credentials no session holds. Does not reject when the phone cannot be reached. */
  readonly desvincular: (vinculo: Lease) => Promise<void>
  /** Stops taking leases. Resolves when sessions being opened are open or released. */
  readonly parar: () => Promise<void>
}

export interface TomadaOptions extends Omit<SessaoOptions, 'lease' | 'whatsapp' | 'leaseValida' | 'terminou'> {
  readonly abertas: SessoesAbertas
  readonly relogio: RelogioDosLeases
  readonly whatsappDe: (contaId: string) => Promise<SessaoOptions['whatsapp']>
  /** Called for each new lease, to take over the pending questions of a dead node. */
  readonly assumida: (contaId: string) => Promise<void>
}

export function createTomada(deps: BotDeps, options: TomadaOptions): Tomada {
  const { db, log, no } = deps
  const { abertas, relogio } = options
  /** Awaited on shutdown, so that this node keeps no lease without a session. */
  const tomadas = new Set<Promise<unknown>>()
  let parada = false

  /** Creates the session of a lease without starting it. Null when there is none to run. */
  const abrir = async (lease: Lease): Promise<Sessao | null> => {
    const { contaId } = lease
    const anterior = abertas.get(contaId)
    if (anterior !== undefined) abertas.terminou(anterior.lease)
    const whatsapp = await options.whatsappDe(contaId)
    if (parada) {
      // The node is stopping: the bot stays wanted and the lease is free for another node.
      await db.transaction(contaId, (tx) => soltarLease(tx, contaId, lease.epoca))
      return null
    }
    const { terminou } = abertas
    const sessao = createSessao(deps, { ...options, lease, whatsapp, terminou, leaseValida: relogio.validos })
    if (sessao === null) {
      log.warn({ contaId, conector: lease.conector }, 'no connector of this type')
      await db.transaction(contaId, (tx) => naoDesejar(tx, contaId, { esquecer: false }))
      return null
    }
    abertas.guardar(sessao)
    return sessao
  }

  const iniciar = async (sessao: Sessao): Promise<void> => {
    await options.assumida(sessao.contaId)
    if (abertas.get(sessao.contaId) === sessao) await sessao.iniciar()
  }

  const naoIniciou = (lease: Lease, error: unknown): null => {
    log.error({ err: error, contaId: lease.contaId }, 'bot not started')
    // A session that failed to start must not keep its lease. The next search retries it.
    abertas.terminou(lease)
    return null
  }

  const tomarEAbrir = async (filtro: Filtro): Promise<(Sessao | null)[]> => {
    const desde = performance.now()
    const leases = await db.transaction(filtro.contaId ?? '*', (tx) => tomarLeases(tx, no, filtro))
    // The first lease of an idle node starts the lease clock. Otherwise the last renewal counts.
    if (leases.length > 0 && abertas.todas().length === 0) relogio.marcar(desde)
    return Promise.all(leases.map((lease) => abrir(lease).catch((error: unknown) => naoIniciou(lease, error))))
  }

  return {
    tomar: async (filtro) => {
      const tomada = tomarEAbrir(filtro)
      tomadas.add(tomada)
      const novas = await tomada.finally(() => tomadas.delete(tomada))
      await Promise.all(
        novas
          .filter((sessao) => sessao !== null)
          .map((sessao) => iniciar(sessao).catch((error: unknown) => naoIniciou(sessao.lease, error))),
      )
      return novas.length
    },
    desvincular: async (lease) => {
      const whatsapp = await options.whatsappDe(lease.contaId)
      // A session without a lease: never started, sends nothing.
      const calada = { terminou: () => undefined, leaseValida: () => false }
      await createSessao(deps, { ...options, ...calada, lease, whatsapp })?.encerrar('esquecer')
    },
    parar: async () => {
      parada = true
      await Promise.allSettled(tomadas)
    },
  }
}
