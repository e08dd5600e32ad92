import type { StatusBot } from '@balcao/contract/entities/bot-status'
import { insertLog } from '#modules/logs/index.ts'
import type { LinkState, SessionHost } from '#ports/messaging.ts'
import { updateLinkState, type StoredLinkState, type Lease } from './bots-repository.ts'
import type { BotDeps } from './runtime-deps.ts'
import { linkStateLog } from './textos.ts'

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
  let ultimo: LinkState['tipo'] | null = null
  let ultimoMotivo: string | null = null
  let escrita: Promise<void> = Promise.resolve()
  let estados = 0

  /**
   * Retries a failed task. Returns null when it gives up and never rejects, so that the next state is still
   * processed.
   */
  const insistir = async <T>(tarefa: () => Promise<T>, desiste: (vezes: number) => boolean): Promise<T | null> => {
    for (let vezes = 1; ; vezes += 1) {
      try {
        return await tarefa()
      } catch (error) {
        deps.log.error({ err: error, contaId, vezes }, 'link state not stored or published')
      }
      if (fechada || desiste(vezes)) return null
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      if (fechada) return null
    }
  }
  /** For tasks that are repeated elsewhere: renewals read pending messages, and panels read the status. */
  const umasVezes = (vezes: number): boolean => vezes >= ATTEMPTS

  const escrever = async (estado: LinkState, gravado: StoredLinkState): Promise<boolean> => {
    try {
      return await deps.db.transaction(contaId, async (tx) => {
        if (!(await updateLinkState(tx, contaId, lease.epoca, gravado))) return false
        if (estado.tipo !== ultimo) await insertLog(tx, deps, contaId, linkStateLog(estado))
        // Set before the commit, so that a client that reads CONECTADO is not refused.
        conectada = estado.tipo === 'conectado'
        return true
      })
    } catch (error) {
      conectada = false
      throw error
    }
  }

  const mudar = async (estado: LinkState, ultima: () => boolean): Promise<void> => {
    if (fechada) return
    const gravado = toStoredLinkState(estado)
    if (estado.tipo !== 'conectado') {
      conectada = false
      recuperada = false
    }
    // The service reports a state once, so the write is retried until a newer state arrives.
    const minha = await insistir(
      () => escrever(estado, gravado),
      () => !ultima(),
    )
    if (minha === null) return
    if (!minha) return ended(lease)
    const novidade = estado.tipo !== ultimo
    const motivo = 'motivo' in estado ? estado.motivo : null
    const outroMotivo = motivo !== ultimoMotivo
    ultimo = estado.tipo
    ultimoMotivo = motivo
    publicar(estado, gravado.status, novidade)
    if (estado.tipo === 'conectado') {
      await insistir(recover, umasVezes)
      recuperada = true
      ready()
    }
    if (estado.tipo === 'encerrado') ended(lease)
    if (novidade || outroMotivo) await insistir(() => publishStatus(contaId), umasVezes)
  }

  const publicar = (estado: LinkState, status: StatusBot, novidade: boolean): void => {
    const motivo = 'motivo' in estado ? { motivo: estado.motivo } : {}
    if (novidade) deps.realtime.publish(contaId, 'botStatusChange', { userId: contaId, status, ...motivo })
    if (estado.tipo !== 'pareando') return
    deps.realtime.publish(contaId, 'botQrCode', {
      userId: contaId,
      qrCode: estado.qrCode,
      qrExpiraEm: estado.expiraEm.toISOString(),
    })
  }

  return {
    changed: (estado) => {
      const vez = (estados += 1)
      escrita = escrita.then(() => mudar(estado, () => vez === estados))
      return escrita
    },
    connected: () => conectada && !fechada,
    ready: () => conectada && recuperada && !fechada,
    closed: () => fechada,
    close: () => void (fechada = true),
  }
}

function toStoredLinkState(estado: LinkState): StoredLinkState {
  switch (estado.tipo) {
    case 'conectando':
      return { status: 'INICIALIZANDO' }
    case 'pareando':
      return { status: 'AGUARDANDO_QR', qrCode: estado.qrCode, qrExpiraEm: estado.expiraEm }
    case 'conectado':
      return { status: 'CONECTADO', conectadoComo: estado.como }
    case 'reconectando':
      return { status: 'INICIALIZANDO', motivo: estado.motivo }
    case 'encerrado':
      return {
        status: estado.status,
        motivo: estado.motivo,
        ended: true,
        forget: losesCredentials(estado.motivo),
      }
    default:
      return estado satisfies never
  }
}

function losesCredentials(motivo: string): boolean {
  return motivo === 'desconectadoNoCelular' || motivo === 'banido'
}
