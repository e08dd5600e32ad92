import { type Lease, naoDesejar, soltarLease, tomarLeases } from './bots-repository.ts'
import type { RelogioDosLeases } from './relogio-dos-leases.ts'
import type { BotDeps } from './runtime-deps.ts'
import { createSessao, type Sessao, type SessaoOptions } from './sessao.ts'
import type { SessoesAbertas } from './sessoes-abertas.ts'

/** Which leases to take: one account's, or any; with `todas` also those of a dead process that still look held. */
export interface Filtro {
  readonly contaId?: string
  readonly todas: boolean
}

/** Takes leases that nobody has and starts their sessions. */
export interface Tomada {
  /** How many leases were taken. */
  readonly tomar: (filtro: Filtro) => Promise<number>
  /** Takes a link back that no session holds. The phone hears of it where it can be reached; never rejects for that. */
  readonly desvincular: (vinculo: Lease) => Promise<void>
  /** Nothing begins from here on; resolves when what was being taken is open, or was given back. */
  readonly parar: () => Promise<void>
}

export interface TomadaOptions extends Omit<SessaoOptions, 'lease' | 'whatsapp' | 'leaseValida' | 'terminou'> {
  readonly abertas: SessoesAbertas
  readonly relogio: RelogioDosLeases
  readonly whatsappDe: (contaId: string) => Promise<SessaoOptions['whatsapp']>
  /** The account's lease is this node's now: other leftovers of a dead node are its business too. */
  readonly assumida: (contaId: string) => Promise<void>
}

export function createTomada(deps: BotDeps, options: TomadaOptions): Tomada {
  const { db, log, no } = deps
  const { abertas, relogio } = options
  /** A node that ends waits for these, so that it keeps no lease which nobody serves. */
  const tomadas = new Set<Promise<unknown>>()
  let parada = false

  /** The session of a lease, not yet started; null where there is none to run. */
  const abrir = async (lease: Lease): Promise<Sessao | null> => {
    const { contaId } = lease
    const anterior = abertas.get(contaId)
    if (anterior !== undefined) abertas.terminou(anterior.lease)
    const whatsapp = await options.whatsappDe(contaId)
    if (parada) {
      // This node ends: the bot stays wanted, and whoever looks next may take it at once.
      await db.transaction(contaId, (tx) => soltarLease(tx, contaId, lease.epoca))
      return null
    }
    const { terminou } = abertas
    const sessao = createSessao(deps, { ...options, lease, whatsapp, terminou, leaseValida: relogio.validos })
    if (sessao === null) {
      log.warn({ contaId, conector: lease.conector }, 'no connector of this kind')
      await db.transaction(contaId, (tx) => naoDesejar(tx, contaId, { esquecer: false }))
      return null
    }
    abertas.guardar(sessao)
    return sessao
  }

  const iniciar = async (sessao: Sessao): Promise<void> => {
    await options.assumida(sessao.contaId)
    // Given up meanwhile: what was closed must not open.
    if (abertas.get(sessao.contaId) === sessao) await sessao.iniciar()
  }

  const naoIniciou = (lease: Lease, error: unknown): null => {
    log.error({ err: error, contaId: lease.contaId }, 'a bot did not start')
    // A session that never began must not keep its lease alive: whoever looks next tries again.
    abertas.terminou(lease)
    return null
  }

  const tomarEAbrir = async (filtro: Filtro): Promise<(Sessao | null)[]> => {
    const desde = performance.now()
    const leases = await db.transaction(filtro.contaId ?? '*', (tx) => tomarLeases(tx, no, filtro))
    // The first lease of an idle node starts the clock; a busy node's clock is its last renewal.
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
      // Never started, and without a word to say: it holds no lease.
      const calada = { terminou: () => undefined, leaseValida: () => false }
      await createSessao(deps, { ...options, ...calada, lease, whatsapp })?.encerrar('esquecer')
    },
    parar: async () => {
      parada = true
      await Promise.allSettled(tomadas)
    },
  }
}
