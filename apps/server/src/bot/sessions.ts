import type { Config } from '@balcao/contract/entities/config'
import { avisarBotSemConexao } from '#modules/emails/index.ts'
import type { Alteracao, InboundMessage, Recibo } from '#ports/messaging.ts'
import {
  type Lease,
  type LeaseARenovar,
  LEASE_S,
  listSemConexao,
  naoDesejar,
  type Renovada,
  renovarLeases,
  soltarLease,
  TOMADAS_POR_VEZ,
  tomarLeases,
} from './bots-repository.ts'
import { avisarMarcasPerdidas } from './limite.ts'
import { listContasAtrasadas, type Marcador } from './outbox.ts'
import type { BotDeps } from './runtime-deps.ts'
import { createSessao, type Sessao } from './sessao.ts'

const RENOVAR_MS = 5_000
/** So many rounds may be missed before the loop counts as stuck. */
const VOLTAS_PERDIDAS = 3
const PROCURAR_MS = 3_000
const AVISAR_MS = 60_000
/** This node stops speaking before the database lets another one begin. */
const MARGEM_MS = 3_000

export interface SessionsOptions {
  readonly marcador: Marcador
  readonly whatsappDe: (contaId: string) => Promise<Config['whatsapp']>
  readonly receber: (contaId: string, canal: string, mensagem: InboundMessage) => Promise<void>
  readonly alterar: (contaId: string, canal: string, alteracao: Alteracao) => Promise<boolean>
  readonly clienteDigitando: (contaId: string, canonico: string) => void
  readonly recibo: (contaId: string, idExterno: string, recibo: Recibo) => void
  readonly publicarStatus: (contaId: string) => Promise<void>
  readonly mensagemMudou: (contaId: string, mensagemId: string) => void
  readonly mensagemMarcada: (contaId: string, mensagemId: string) => void
  /** The account's lease is this node's now: other leftovers of a dead node are its business too. */
  readonly assumida: (contaId: string) => Promise<void>
}

/** Which leases to take: one account's, or any; with `todas` also those of a dead process that still look held. */
interface Filtro {
  readonly contaId?: string
  readonly todas: boolean
}

const aRenovar = ({ lease, silencioMs }: Sessao): LeaseARenovar => ({ ...lease, silencioMs: silencioMs() })

/** The sessions of this node: takes leases, renews them, and gives a session up the moment its lease is gone. */
export interface Sessions {
  readonly get: (contaId: string) => Sessao | undefined
  /** Takes the account's lease if it is free and starts its connector. */
  readonly assumir: (contaId: string) => Promise<void>
  /** Closes the local session, if there is one, and releases the lease. */
  readonly soltar: (contaId: string, modo: 'fechar' | 'esquecer') => Promise<void>
  /** Takes a link back that no session holds. The phone hears of it where it can be reached; never rejects for that. */
  readonly desvincular: (vinculo: Lease) => Promise<void>
  /** Looks at the account's row again: it was stopped, wiped or given work by somebody else. */
  readonly conferir: (contaId: string) => Promise<void>
  /** Whether the renewals have begun and the last good one is not long ago. */
  readonly leasesVivos: () => boolean
  readonly start: () => Promise<void>
  /** Closes every link and releases the leases, so that another node takes over at once. */
  readonly stop: () => Promise<void>
}

export function createSessions(deps: BotDeps, options: SessionsOptions): Sessions {
  const { db, log, no } = deps
  const sessoes = new Map<string, Sessao>()
  const timers: NodeJS.Timeout[] = []
  /** What is being taken: a node that ends waits for it, so that it keeps no lease which nobody serves. */
  const tomadas = new Set<Promise<unknown>>()
  const renovarMs = deps.tempos?.renovarMs ?? RENOVAR_MS
  let leaseAte = 0
  /** End of the last round of renewals that went well. */
  let voltaEm = -Infinity
  let parado = false

  const marcarLease = (desde: number): void => {
    leaseAte = desde + LEASE_S * 1_000 - MARGEM_MS
  }

  const fechar = async (sessao: Sessao, modo: 'fechar' | 'esquecer'): Promise<void> => {
    await sessao.encerrar(modo)
    await options.marcador.ocioso()
    await db.transaction(sessao.contaId, (tx) => soltarLease(tx, sessao.contaId, sessao.lease.epoca))
  }

  /** Of this lease, and not of a newer one of the same account. */
  const terminou = ({ contaId, epoca }: Pick<Lease, 'contaId' | 'epoca'>): void => {
    const sessao = sessoes.get(contaId)
    if (sessao?.lease.epoca !== epoca) return
    sessoes.delete(contaId)
    fechar(sessao, 'fechar').catch((error: unknown) =>
      log.warn({ err: error, contaId }, 'a lease was not released: it runs out by itself'),
    )
  }

  /** The session of a lease, not yet started; null where there is none to run. */
  const abrir = async (lease: Lease): Promise<Sessao | null> => {
    const { contaId } = lease
    const anterior = sessoes.get(contaId)
    if (anterior !== undefined) terminou(anterior.lease)
    const whatsapp = await options.whatsappDe(contaId)
    if (parado) {
      // This node ends: the bot stays wanted, and whoever looks next may take it at once.
      await db.transaction(contaId, (tx) => soltarLease(tx, contaId, lease.epoca))
      return null
    }
    const sessao = createSessao(deps, {
      ...options,
      lease,
      whatsapp,
      terminou,
      leaseValida: () => performance.now() < leaseAte,
    })
    if (sessao === null) {
      log.warn({ contaId, conector: lease.conector }, 'no connector of this kind')
      await db.transaction(contaId, (tx) => naoDesejar(tx, contaId, { esquecer: false }))
      return null
    }
    sessoes.set(contaId, sessao)
    return sessao
  }

  const iniciar = async (sessao: Sessao): Promise<void> => {
    await options.assumida(sessao.contaId)
    // Given up meanwhile: what was closed must not open.
    if (sessoes.get(sessao.contaId) === sessao) await sessao.iniciar()
  }

  const naoIniciou = (lease: Lease, error: unknown): null => {
    log.error({ err: error, contaId: lease.contaId }, 'a bot did not start')
    // A session that never began must not keep its lease alive: whoever looks next tries again.
    terminou(lease)
    return null
  }

  const tomarEAbrir = async (filtro: Filtro): Promise<(Sessao | null)[]> => {
    const desde = performance.now()
    const leases = await db.transaction(filtro.contaId ?? '*', (tx) => tomarLeases(tx, no, filtro))
    // The first lease of an idle node starts the clock; a busy node's clock is its last renewal.
    if (leases.length > 0 && sessoes.size === 0) marcarLease(desde)
    return Promise.all(leases.map((lease) => abrir(lease).catch((error: unknown) => naoIniciou(lease, error))))
  }

  /** How many leases were taken. */
  const tomar = async (filtro: Filtro): Promise<number> => {
    const tomada = tomarEAbrir(filtro)
    tomadas.add(tomada)
    const abertas = await tomada.finally(() => tomadas.delete(tomada))
    await Promise.all(
      abertas
        .filter((sessao) => sessao !== null)
        .map((sessao) => iniciar(sessao).catch((error: unknown) => naoIniciou(sessao.lease, error))),
    )
    return abertas.length
  }

  const renovar = async (): Promise<void> => {
    if (sessoes.size === 0) {
      voltaEm = performance.now()
      return
    }
    const desde = performance.now()
    const minhas = [...sessoes.values()].map(aRenovar)
    const renovadas = await db.transaction('*', (tx) => renovarLeases(tx, no, minhas))
    marcarLease(desde)
    const vivas = new Map(renovadas.map((renovada) => [renovada.contaId, renovada]))
    for (const minha of minhas) {
      const { contaId } = minha
      const renovada = vivas.get(contaId)
      if (renovada === undefined) {
        log.warn({ contaId }, "the lease is another node's: session closed")
        terminou(minha)
      } else if (renovada.parada) {
        // Not waited for: a link that closes slowly must not cost the others their leases.
        obedecer(minha, renovada).catch((error: unknown) => log.error({ err: error, contaId }, 'a bot did not stop'))
      }
    }
    const atrasadas = await db.transaction('*', (tx) => listContasAtrasadas(tx, [...sessoes.keys()]))
    for (const contaId of atrasadas) {
      const recuperada = sessoes.get(contaId)?.recuperar()
      // One account's trouble is not the node's.
      await recuperada?.catch((error: unknown) => log.error({ err: error, contaId }, 'what waits could not be read'))
    }
    voltaEm = performance.now()
  }

  const soltar: Sessions['soltar'] = async (contaId, modo) => {
    const sessao = sessoes.get(contaId)
    if (sessao === undefined) return
    sessoes.delete(contaId)
    await fechar(sessao, modo)
  }

  /** Somebody stopped this session; if it was started again since, it begins anew. */
  const obedecer = async (
    { epoca }: Pick<Lease, 'epoca'>,
    { contaId, desejado, esquecida }: Renovada,
  ): Promise<void> => {
    if (sessoes.get(contaId)?.lease.epoca !== epoca) return
    await soltar(contaId, esquecida ? 'esquecer' : 'fechar')
    if (desejado) await tomar({ contaId, todas: false })
  }

  /** Each outage, and each mark of the daily limit, is told once, whichever node sees it first. */
  const avisarDonos = async (): Promise<void> => {
    for (const { contaId, desde } of await db.transaction('*', listSemConexao)) {
      await db.transaction(contaId, (tx) => avisarBotSemConexao(tx, deps, contaId, desde))
    }
    await avisarMarcasPerdidas(deps)
  }

  /** A node that cannot reach the database must fall silent by itself. */
  const vigiar = (): void => {
    if (sessoes.size === 0 || performance.now() < leaseAte) return
    log.error({ sessoes: sessoes.size }, 'leases could not be renewed in time: every session closed')
    for (const { lease } of sessoes.values()) terminou(lease)
  }

  const repetir = (ms: number, tarefa: () => Promise<void> | void): void => {
    let ocupada = false
    timers.push(
      setInterval(() => {
        if (ocupada || parado) return
        ocupada = true
        Promise.resolve(tarefa())
          .catch((error: unknown) => log.error({ err: error }, 'session upkeep failed; trying again'))
          .finally(() => (ocupada = false))
      }, ms),
    )
  }

  return {
    get: (contaId) => sessoes.get(contaId),
    assumir: async (contaId) => {
      await tomar({ contaId, todas: false })
    },
    soltar,
    desvincular: async (lease) => {
      const whatsapp = await options.whatsappDe(lease.contaId)
      // Never started, and without a word to say: it holds no lease.
      const calada = { terminou: () => undefined, leaseValida: () => false }
      await createSessao(deps, { ...options, ...calada, lease, whatsapp })?.encerrar('esquecer')
    },
    conferir: async (contaId) => {
      const sessao = sessoes.get(contaId)
      if (sessao === undefined) return
      const [renovada] = await db.transaction(contaId, (tx) => renovarLeases(tx, no, [aRenovar(sessao)]))
      if (renovada === undefined) return terminou(sessao.lease)
      if (renovada.parada) await obedecer(sessao.lease, renovada)
      else await sessao.recuperar()
    },
    leasesVivos: () => performance.now() - voltaEm < VOLTAS_PERDIDAS * renovarMs,
    start: async () => {
      let tomadasAgora = await tomar({ todas: deps.exclusivo })
      if (parado) return
      voltaEm = performance.now()
      repetir(renovarMs, renovar)
      repetir(deps.tempos?.procurarMs ?? PROCURAR_MS, async () => {
        await tomar({ todas: false })
      })
      repetir(1_000, vigiar)
      repetir(deps.tempos?.avisarMs ?? AVISAR_MS, avisarDonos)
      // Alone, nobody else takes what the dead process held, and until its leases run out they would look held.
      while (deps.exclusivo && tomadasAgora === TOMADAS_POR_VEZ && !parado) tomadasAgora = await tomar({ todas: true })
    },
    stop: async () => {
      parado = true
      for (const timer of timers) clearInterval(timer)
      await Promise.allSettled(tomadas)
      await Promise.all([...sessoes.keys()].map((contaId) => soltar(contaId, 'fechar')))
    },
  }
}
