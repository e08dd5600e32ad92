import type { StatusBot } from '@balcao/contract/entities/bot-status'
import { insertLog } from '#modules/logs/index.ts'
import type { EstadoConexao, SessionHost } from '#ports/messaging.ts'
import { gravarEstado, type EstadoGravado, type Lease } from './bots-repository.ts'
import type { BotDeps } from './runtime-deps.ts'
import { linhaDoEstado } from './textos.ts'

const RETENTAR_MS = 1_000
const VEZES = 3

/** What a session's service says of the link: written down under the lease, told, and obeyed, one after the other. */
export interface EstadoDaSessao {
  readonly mudou: SessionHost['estado']
  readonly conectada: () => boolean
  /** Connected, and what waited in the table is in the queue: the younger must not leave before it. */
  readonly pronta: () => boolean
  readonly fechada: () => boolean
  /** Nothing is written nor told from here on. */
  readonly fechar: () => void
}

export interface EstadoOptions {
  readonly lease: Lease
  /** The lease is another node's, or the connector ended for good. */
  readonly terminou: (lease: Lease) => void
  readonly publicarStatus: (contaId: string) => Promise<void>
  /** Brings what waits in the table into the queue. */
  readonly recuperar: () => Promise<void>
  /** It is all there: the queue may begin. */
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

  /** Tries again what the database refused; null when it was given up. Never rejects: the next state must find its way. */
  const insistir = async <T>(tarefa: () => Promise<T>, desiste: (vezes: number) => boolean): Promise<T | null> => {
    for (let vezes = 1; ; vezes += 1) {
      try {
        return await tarefa()
      } catch (error) {
        deps.log.error({ err: error, contaId, vezes }, 'a status could not be written or told')
      }
      if (fechada || desiste(vezes)) return null
      await new Promise((resolve) => setTimeout(resolve, RETENTAR_MS))
      if (fechada) return null
    }
  }
  /** What others make up for: the renewals look for what waits, and panels ask for the status. */
  const umasVezes = (vezes: number): boolean => vezes >= VEZES

  const escrever = async (estado: EstadoConexao, gravado: EstadoGravado): Promise<boolean> => {
    try {
      return await deps.db.transaction(contaId, async (tx) => {
        if (!(await gravarEstado(tx, contaId, lease.epoca, gravado))) return false
        // A code that only turned is no news.
        if (estado.tipo !== ultimo) await insertLog(tx, deps, contaId, linhaDoEstado(estado))
        // Before the commit, so that nobody reads CONECTADO and is then refused.
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
    // The service says it once: it is written until newer news come.
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
