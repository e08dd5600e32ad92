import type { StatusBot } from '@balcao/contract/entities/bot-status'
import { insertLog } from '#modules/logs/index.ts'
import type { LinkState, SessionHost } from '@balcao/connector/port'
import { updateLinkState, type StoredLinkState, type Lease } from '#modules/bot/repository.ts'
import type { BotDeps } from '#bot/deps.ts'
import { linkStateLog } from '#bot/texts.ts'

const RETRY_MS = 1_000
const ATTEMPTS = 3

/** Stores and publishes the link states of a session, one after the other, and stops the session when it ended. */
export interface LinkStateWriter {
  readonly changed: SessionHost['linkState']
  readonly connected: () => boolean
  /** Connected, and the rows of `saida` are queued. Sending earlier would let newer messages overtake older ones. */
  readonly ready: () => boolean
  readonly closed: () => boolean
  readonly close: () => void
}

export interface LinkStateOptions {
  readonly lease: Lease
  /** Another node has the lease, or the connector ended permanently. */
  readonly ended: (lease: Lease) => void
  readonly publishStatus: (contaId: string) => Promise<void>
  readonly recover: () => Promise<void>
  readonly ready: () => void
}

export function createLinkStateWriter(
  deps: Pick<BotDeps, 'db' | 'log' | 'realtime' | 'ids' | 'clock'>,
  { lease, ended, publishStatus, recover, ready }: LinkStateOptions,
): LinkStateWriter {
  const { contaId } = lease
  let conectada = false
  let recuperada = false
  let fechada = false
  let last: LinkState['tipo'] | null = null
  let ultimoMotivo: string | null = null
  let escrita: Promise<void> = Promise.resolve()
  let states = 0

  /**
   * Retries a failed task. Returns null when it gives up and never rejects, so that the next state is still
   * processed.
   */
  const retry = async <T>(task: () => Promise<T>, desiste: (times: number) => boolean): Promise<T | null> => {
    for (let vezes = 1; ; vezes += 1) {
      try {
        return await task()
      } catch (error) {
        deps.log.error({ err: error, contaId, vezes }, 'link state not stored or published')
      }
      if (fechada || desiste(vezes)) return null
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      if (fechada) return null
    }
  }
  /** For tasks that are repeated elsewhere: renewals read pending messages, and panels read the status. */
  const umasVezes = (times: number): boolean => times >= ATTEMPTS

  const write = async (state: LinkState, stored: StoredLinkState): Promise<boolean> => {
    try {
      return await deps.db.transaction(contaId, async (tx) => {
        if (!(await updateLinkState(tx, contaId, lease.epoca, stored))) return false
        if (state.tipo !== last) await insertLog(tx, deps, contaId, linkStateLog(state))
        // Set before the commit, so that a client that reads CONECTADO is not refused.
        conectada = state.tipo === 'conectado'
        return true
      })
    } catch (error) {
      conectada = false
      throw error
    }
  }

  const change = async (state: LinkState, ultima: () => boolean): Promise<void> => {
    if (fechada) return
    const stored = toStoredLinkState(state)
    if (state.tipo !== 'conectado') {
      conectada = false
      recuperada = false
    }
    // The service reports a state once, so the write is retried until a newer state arrives.
    const mine = await retry(
      () => write(state, stored),
      () => !ultima(),
    )
    if (mine === null) return
    if (!mine) return ended(lease)
    const news = state.tipo !== last
    const motivo = 'motivo' in state ? state.motivo : null
    const outroMotivo = motivo !== ultimoMotivo
    last = state.tipo
    ultimoMotivo = motivo
    publicar(state, stored.status, news)
    if (state.tipo === 'conectado') {
      await retry(recover, umasVezes)
      recuperada = true
      ready()
    }
    if (state.tipo === 'encerrado') ended(lease)
    if (news || outroMotivo) await retry(() => publishStatus(contaId), umasVezes)
  }

  const publicar = (state: LinkState, status: StatusBot, news: boolean): void => {
    const motivo = 'motivo' in state ? { motivo: state.motivo } : {}
    if (news) deps.realtime.publish(contaId, 'botStatusChange', { userId: contaId, status, ...motivo })
    if (state.tipo !== 'pareando') return
    deps.realtime.publish(contaId, 'botQrCode', {
      userId: contaId,
      qrCode: state.qrCode,
      qrExpiraEm: state.expiraEm.toISOString(),
    })
  }

  return {
    changed: (state) => {
      const vez = (states += 1)
      escrita = escrita.then(() => change(state, () => vez === states))
      return escrita
    },
    connected: () => conectada && !fechada,
    ready: () => conectada && recuperada && !fechada,
    closed: () => fechada,
    close: () => void (fechada = true),
  }
}

function toStoredLinkState(state: LinkState): StoredLinkState {
  switch (state.tipo) {
    case 'conectando':
      return { status: 'INICIALIZANDO' }
    case 'pareando':
      return { status: 'AGUARDANDO_QR', qrCode: state.qrCode, qrExpiraEm: state.expiraEm }
    case 'conectado':
      return { status: 'CONECTADO', conectadoComo: state.como }
    case 'reconectando':
      return { status: 'INICIALIZANDO', motivo: state.motivo }
    case 'encerrado':
      return {
        status: state.status,
        motivo: state.motivo,
        ended: true,
        forget: losesCredentials(state.motivo),
      }
    default:
      return state satisfies never
  }
}

function losesCredentials(motivo: string): boolean {
  return motivo === 'desconectadoNoCelular' || motivo === 'banido'
}
