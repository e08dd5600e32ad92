import type { StatusBot } from '@balcao/contract/entities/bot-status'
import { insertLog } from '#modules/logs/index.ts'
import type { EstadoConexao, SessionHost } from '#ports/messaging.ts'
import { gravarEstado, type EstadoGravado, type Lease } from './bots-repository.ts'
import type { BotDeps } from './runtime-deps.ts'
import { linhaDoEstado } from './textos.ts'

const RETENTAR_MS = 1_000
const VEZES = 3

/** Stores and publishes the link states of a session, one after the other, and stops the session when it ended. */
export interface EstadoDaSessao {
  readonly mudou: SessionHost['estado']
  readonly conectada: () => boolean
  /** Connected, and the rows of `saida` are queued. Sending earlier would let newer messages overtake older ones. */
  readonly pronta: () => boolean
  readonly fechada: () => boolean
  readonly fechar: () => void
}

export interface EstadoOptions {
  readonly lease: Lease
  /** Another node has the lease, or the connector ended permanently. */
  readonly terminou: (lease: Lease) => void
  readonly publicarStatus: (contaId: string) => Promise<void>
  readonly recuperar: () => Promise<void>
  readonly pronta: () => void
}

export function createEstadoDaSessao(
  deps: Pick<BotDeps, 'db' | 'log' | 'realtime' | 'ids' | 'clock'>,
  { lease, terminou, publicarStatus, recuperar, pronta }: EstadoOptions,
): EstadoDaSessao {
  const { contaId } = lease
  let conectada = false
  let recuperada = false
  let fechada = false
  let ultimo: EstadoConexao['tipo'] | null = null
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
      await new Promise((resolve) => setTimeout(resolve, RETENTAR_MS))
      if (fechada) return null
    }
  }
  /** For tasks that are repeated elsewhere: renewals read pending messages, and panels read the status. */
  const umasVezes = (vezes: number): boolean => vezes >= VEZES

  const escrever = async (estado: EstadoConexao, gravado: EstadoGravado): Promise<boolean> => {
    try {
      return await deps.db.transaction(contaId, async (tx) => {
        if (!(await gravarEstado(tx, contaId, lease.epoca, gravado))) return false
        if (estado.tipo !== ultimo) await insertLog(tx, deps, contaId, linhaDoEstado(estado))
        // Set before the commit, so that a client that reads CONECTADO is not refused.
        conectada = estado.tipo === 'conectado'
        return true
      })
    } catch (error) {
      conectada = false
      throw error
    }
  }

  const mudar = async (estado: EstadoConexao, ultima: () => boolean): Promise<void> => {
    if (fechada) return
    const gravado = toGravado(estado)
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
    if (!minha) return terminou(lease)
    const novidade = estado.tipo !== ultimo
    const motivo = 'motivo' in estado ? estado.motivo : null
    const outroMotivo = motivo !== ultimoMotivo
    ultimo = estado.tipo
    ultimoMotivo = motivo
    publicar(estado, gravado.status, novidade)
    if (estado.tipo === 'conectado') {
      await insistir(recuperar, umasVezes)
      recuperada = true
      pronta()
    }
    if (estado.tipo === 'encerrado') terminou(lease)
    if (novidade || outroMotivo) await insistir(() => publicarStatus(contaId), umasVezes)
  }

  const publicar = (estado: EstadoConexao, status: StatusBot, novidade: boolean): void => {
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
    mudou: (estado) => {
      const vez = (estados += 1)
      escrita = escrita.then(() => mudar(estado, () => vez === estados))
      return escrita
    },
    conectada: () => conectada && !fechada,
    pronta: () => conectada && recuperada && !fechada,
    fechada: () => fechada,
    fechar: () => void (fechada = true),
  }
}

function toGravado(estado: EstadoConexao): EstadoGravado {
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
        encerrado: true,
        esquecer: perdeuCredenciais(estado.motivo),
      }
    default:
      return estado satisfies never
  }
}

function perdeuCredenciais(motivo: string): boolean {
  return motivo === 'desconectadoNoCelular' || motivo === 'banido'
}
