import PQueue from 'p-queue'
import type { LinkState } from '@balcao/connector/port'
import type { MotivoBot, StatusBot } from '@balcao/contract/entities/bot-status'
import type { TipoLog } from '@balcao/contract/entities/log'
import { TEXTO_DO_MOTIVO } from '@balcao/contract/errors'
import { countRefused, type Lease, type StoredLinkState, updateLinkState } from '#modules/bot/index.ts'
import { readConnectionName } from '#modules/contas/index.ts'
import { insertLog } from '#modules/logs/index.ts'
import type { BotDeps } from '#bot/deps.ts'

const RETRY_MS = 1_000
const ATTEMPTS = 3

export interface LinkStateOptions {
  readonly lease: Lease
  /** Another node has the lease, or the connector ended permanently. */
  readonly ended: (lease: Lease) => void
  readonly publishStatus: (contaId: string) => Promise<void>
  readonly recover: () => Promise<void>
  readonly ready: () => void
}

/** Stores and publishes the link states of a session, one after the other, and stops the session when it ended. */
export class LinkStateWriter {
  readonly #deps: Pick<BotDeps, 'db' | 'log' | 'realtime' | 'ids' | 'clock' | 'crashPoint' | 'metrics'>
  readonly #options: LinkStateOptions
  readonly #queue = new PQueue({ concurrency: 1 })
  #connected = false
  #recovered = false
  #closed = false
  #last: LinkState['tipo'] | null = null
  #lastMotivo: string | null = null
  /** When the bot was taken, by the monotonic clock. Null after its first connection. */
  #takenAt: number | null = performance.now()

  constructor(
    deps: Pick<BotDeps, 'db' | 'log' | 'realtime' | 'ids' | 'clock' | 'crashPoint' | 'metrics'>,
    options: LinkStateOptions,
  ) {
    this.#deps = deps
    this.#options = options
  }

  async changed(state: LinkState): Promise<void> {
    await this.#queue.add(() => this.#change(state))
  }

  get connected(): boolean {
    return this.#connected && !this.#closed
  }

  /** Connected, and the rows of `saida` are queued. Sending earlier would let newer messages overtake older ones. */
  get ready(): boolean {
    return this.connected && this.#recovered
  }

  get state(): LinkState['tipo'] {
    return this.#last ?? 'conectando'
  }

  get closed(): boolean {
    return this.#closed
  }

  close(): void {
    this.#closed = true
  }

  async #change(state: LinkState): Promise<void> {
    if (this.#closed) return
    const { lease, ended, publishStatus } = this.#options
    if (state.tipo !== 'conectado') {
      this.#connected = false
      this.#recovered = false
    }
    const stored = toStoredLinkState(state)
    // The service reports a state once, so the write is retried until a newer state arrives.
    const mine = await this.#retry(
      () => this.#write(state, stored),
      () => this.#queue.size > 0,
    )
    if (mine === null) return
    if (!mine) return ended(lease)
    const isNew = state.tipo !== this.#last
    const motivo = 'motivo' in state ? state.motivo : null
    const changed = isNew || motivo !== this.#lastMotivo
    this.#last = state.tipo
    this.#lastMotivo = motivo
    this.#publish(state, stored.status, isNew)
    if (state.tipo === 'conectado') {
      this.#observeTakeover()
      this.#deps.crashPoint('linha.aberta')
      await this.#recover()
    }
    if (state.tipo === 'encerrado') ended(lease)
    if (changed) await this.#retry(() => publishStatus(lease.contaId), afterAttempts)
  }

  #observeTakeover(): void {
    if (this.#takenAt === null) return
    this.#deps.metrics.observeTakeover(this.#options.lease.conector, (performance.now() - this.#takenAt) / 1_000)
    this.#takenAt = null
  }

  async #write(state: LinkState, stored: StoredLinkState): Promise<boolean> {
    const { lease } = this.#options
    const { contaId } = lease
    try {
      return await this.#deps.db.transaction(contaId, async (tx) => {
        if (!(await updateLinkState(tx, lease, stored))) {
          await countRefused(tx, this.#deps, { kind: 'estado', leases: [lease] })
          return false
        }
        if (state.tipo !== this.#last) {
          const name = await readConnectionName(tx, { contaId })
          await insertLog(tx, this.#deps, contaId, withConnection(name, linkStateLog(state)))
        }
        // Set before the commit, so that a client that reads CONECTADO is not refused.
        this.#connected = state.tipo === 'conectado'
        return true
      })
    } catch (error) {
      this.#connected = false
      throw error
    }
  }

  async #recover(): Promise<void> {
    await this.#retry(this.#options.recover, afterAttempts)
    this.#recovered = true
    this.#options.ready()
  }

  #publish(state: LinkState, status: StatusBot, isNew: boolean): void {
    const { realtime } = this.#deps
    const { contaId } = this.#options.lease
    const motivo = 'motivo' in state ? { motivo: state.motivo } : {}
    if (isNew) realtime.publish(contaId, 'botStatusChange', { userId: contaId, status, ...motivo })
    if (state.tipo !== 'pareando') return
    const { qrCode, expiraEm } = state
    realtime.publish(contaId, 'botQrCode', { userId: contaId, qrCode, qrExpiraEm: expiraEm.toISOString() })
  }

  async #retry<T>(task: () => Promise<T>, givesUp: (attempts: number) => boolean): Promise<T | null> {
    for (let attempts = 1; ; attempts += 1) {
      try {
        return await task()
      } catch (error) {
        const { contaId } = this.#options.lease
        this.#deps.log.error({ err: error, contaId, attempts }, 'link state not stored or published')
      }
      if (this.#closed || givesUp(attempts)) return null
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      if (this.#closed) return null
    }
  }
}

/** For tasks that are repeated elsewhere: the poll reads pending messages, and panels read the status. */
function afterAttempts(attempts: number): boolean {
  return attempts >= ATTEMPTS
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

export interface LogText {
  readonly tipo: TipoLog
  readonly mensagem: string
}

export function withConnection(name: string, { tipo, mensagem }: LogText): LogText {
  return { tipo, mensagem: name === '' ? mensagem : `Conexão ${name}: ${mensagem}` }
}

function linkStateLog(state: LinkState): LogText {
  switch (state.tipo) {
    case 'conectando':
      return { tipo: 'info', mensagem: 'Bot iniciando. Em instantes ele se conecta ou mostra o QR Code na aba Geral.' }
    case 'pareando':
      return {
        tipo: 'info',
        mensagem: 'Aguardando QR Code. Abra a aba Geral e escaneie o código com o celular da empresa.',
      }
    case 'conectado':
      return {
        tipo: 'success',
        mensagem: state.como === '' ? 'Bot conectado!' : `Bot conectado! Celular: ${state.como}.`,
      }
    case 'reconectando':
      return { tipo: 'warning', mensagem: motivoText(state.motivo) }
    case 'encerrado':
      return { tipo: state.status === 'PARADO' ? 'warning' : 'error', mensagem: motivoText(state.motivo) }
    default:
      return state satisfies never
  }
}

/** Advice for a motivo whose own text has none. The panel shows the advice beside its buttons. */
const ADVICE: Readonly<Partial<Record<MotivoBot, string>>> = {
  substituido: 'Feche a outra sessão do WhatsApp e inicie o bot de novo.',
  banido: 'Veja no celular por quê e peça a revisão antes de iniciar o bot de novo.',
  banidoPorUmTempo: 'Veja no celular até quando e depois inicie o bot: não é preciso escanear de novo.',
  chaveDeAcesso: 'Conecte outro número ou escolha o conector da API oficial na aba Geral.',
  navegadorNaoEncontrado: 'Confira o caminho do navegador na aba Geral.',
  navegadorNaoPermitido: 'Fale com o administrador.',
  navegadorInutilizavel: 'Instale o Chrome ou o Chromium no servidor e confira o caminho na aba Geral.',
  navegadorSemProtecao: 'Peça a quem cuida do servidor para permitir o isolamento do navegador.',
  conectorAusente: 'Escolha outro conector na aba Geral ou peça a quem cuida do servidor para instalar este.',
  navegadorSemMemoria: 'Escolha o conector “WhatsApp” na aba Geral ou aumente a memória do servidor.',
}

function motivoText(motivo: MotivoBot): string {
  const advice = ADVICE[motivo]
  return advice === undefined ? TEXTO_DO_MOTIVO[motivo] : `${TEXTO_DO_MOTIVO[motivo]} ${advice}`
}
