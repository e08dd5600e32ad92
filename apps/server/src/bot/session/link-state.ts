import PQueue from 'p-queue'
import type { LinkState } from '@balcao/connector/port'
import type { MotivoBot } from '@balcao/contract/entities/bot-status'
import type { TipoLog } from '@balcao/contract/entities/log'
import { TEXTO_DO_MOTIVO } from '@balcao/contract/errors'
import type { Tx } from '#db/transaction.ts'
import {
  countRefused,
  isNumberConnected,
  type Lease,
  lockNumber,
  type StoredLinkState,
  updateLinkState,
} from '#modules/bot/index.ts'
import { readConnectionName } from '#modules/contas/index.ts'
import { insertLog } from '#modules/logs/index.ts'
import type { BotDeps } from '#bot/deps.ts'
import type { LineEvents } from './status.ts'

const RETRY_MS = 1_000
const ATTEMPTS = 3

export interface LinkStateOptions {
  readonly lease: Lease
  /** Another node has the lease, or the connector ended permanently. */
  readonly ended: (lease: Lease) => void
  readonly events: LineEvents
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

  async #change(reported: LinkState): Promise<void> {
    if (this.#closed) return
    const { lease, ended } = this.#options
    if (reported.tipo !== 'conectado') {
      this.#connected = false
      this.#recovered = false
    }
    // The service reports a state once, so the write is retried until a newer state arrives.
    const state = await this.#retry(
      () => this.#write(reported),
      () => this.#queue.size > 0,
    )
    if (state === null) return
    if (state === 'lost') return ended(lease)
    await this.#stored(state)
  }

  async #stored(state: LinkState): Promise<void> {
    const { lease, ended, events } = this.#options
    const isNew = state.tipo !== this.#last
    const motivo = motivoOf(state)
    const changed = isNew || motivo !== this.#lastMotivo
    this.#last = state.tipo
    this.#lastMotivo = motivo
    // A connected line shows and drops its reason without another state.
    const isShown = isNew || (changed && state.tipo === 'conectado')
    await this.#retry(() => this.#publish(state, isShown), afterAttempts)
    if (state.tipo === 'conectado') {
      this.#observeTakeover()
      this.#deps.crashPoint('linha.aberta')
      if (isNew || !this.#recovered) await this.#recover()
    }
    if (state.tipo === 'encerrado') ended(lease)
    if (changed) await this.#retry(() => events.publish(lease), afterAttempts)
  }

  #observeTakeover(): void {
    if (this.#takenAt === null) return
    this.#deps.metrics.observeTakeover(this.#options.lease.conector, (performance.now() - this.#takenAt) / 1_000)
    this.#takenAt = null
  }

  /** Stores the state and returns it. A connection with the number of another line is stored as its end. */
  async #write(reported: LinkState): Promise<LinkState | 'lost'> {
    const { lease } = this.#options
    const { contaId, linhaId } = lease
    const number = numberOf(reported)
    try {
      // A number connects once in the installation, so its other line may be of any conta.
      return await this.#deps.db.transaction(number === '' ? contaId : '*', async (tx) => {
        const state = number !== '' && (await isTaken(tx, lease, number)) ? NUMBER_IN_USE : reported
        if (!(await updateLinkState(tx, lease, toStoredLinkState(state)))) {
          await countRefused(tx, this.#deps, { kind: 'estado', leases: [lease] })
          return 'lost'
        }
        const log = this.#logOf(state)
        if (log !== null) {
          const name = await readConnectionName(tx, { contaId, linhaId })
          await insertLog(tx, this.#deps, contaId, { ...withConnection(name, log), linhaId })
        }
        // Set before the commit, so that a client that reads CONECTADO is not refused.
        this.#connected = state.tipo === 'conectado'
        return state
      })
    } catch (error) {
      this.#connected = false
      throw error
    }
  }

  #logOf(state: LinkState): LogText | null {
    if (state.tipo !== this.#last) return linkStateLog(state)
    const motivo = motivoOf(state)
    return state.tipo === 'conectado' && motivo !== this.#lastMotivo ? alertLog(motivo) : null
  }

  async #recover(): Promise<void> {
    await this.#retry(this.#options.recover, afterAttempts)
    this.#recovered = true
    this.#options.ready()
  }

  async #publish(state: LinkState, isShown: boolean): Promise<void> {
    const { lease, events } = this.#options
    const { status } = toStoredLinkState(state)
    const reason = motivoOf(state)
    const motivo = reason === null ? {} : { motivo: reason }
    if (isShown) await events.statusChanged(lease, { status, ...motivo })
    if (state.tipo === 'pareando') await events.qrCode(lease, state)
  }

  async #retry<T>(task: () => Promise<T>, givesUp: (attempts: number) => boolean): Promise<T | null> {
    for (let attempts = 1; ; attempts += 1) {
      try {
        return await task()
      } catch (error) {
        const { contaId, linhaId } = this.#options.lease
        this.#deps.log.error({ err: error, contaId, linhaId, attempts }, 'link state not stored or published')
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

function motivoOf(state: LinkState): MotivoBot | null {
  return 'motivo' in state ? (state.motivo ?? null) : null
}

const NUMBER_IN_USE = { tipo: 'encerrado', status: 'ERRO', motivo: 'numeroEmUso' } as const

/** The digits of the number that a session reports as connected. Empty: unknown. */
function numberOf(state: LinkState): string {
  return state.tipo === 'conectado' ? (state.numero ?? '').replaceAll(/\D/g, '') : ''
}

/** The lock is a separate statement, so that the check reads the rows that its last holder committed. */
async function isTaken(tx: Tx, { linhaId }: Lease, digits: string): Promise<boolean> {
  await lockNumber(tx, { digits })
  return isNumberConnected(tx, { linhaId, digits })
}

function toStoredLinkState(state: LinkState): StoredLinkState {
  switch (state.tipo) {
    case 'conectando':
      return { status: 'INICIALIZANDO' }
    case 'pareando':
      return { status: 'AGUARDANDO_QR', qrCode: state.qrCode, qrExpiraEm: state.expiraEm }
    case 'conectado':
      return {
        ...{ status: 'CONECTADO', conectadoComo: state.como, numero: numberOf(state) },
        ...(state.motivo === undefined ? {} : { alerta: state.motivo }),
      }
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

/** A connected line shows a reason, or null when it works again. */
function alertLog(motivo: MotivoBot | null): LogText {
  if (motivo !== null) return { tipo: 'error', mensagem: motivoText(motivo) }
  return { tipo: 'success', mensagem: 'O WhatsApp voltou a aceitar as mensagens. O bot responde de novo.' }
}

/** Advice for a motivo whose own text has none. The panel shows the advice beside its buttons. */
const ADVICE: Readonly<Partial<Record<MotivoBot, string>>> = {
  substituido: 'Feche a outra sessão do WhatsApp e inicie o bot de novo.',
  banido: 'Veja no celular por quê e peça a revisão antes de iniciar o bot de novo.',
  banidoPorUmTempo: 'Veja no celular até quando e depois inicie o bot: não é preciso escanear de novo.',
  chaveDeAcesso: 'Conecte outro número ou escolha o conector da API oficial na aba Geral.',
  numeroEmUso: 'Conecte outro número ou desconecte a outra linha e inicie o bot de novo.',
  semPagamentoMeta: 'Confira a forma de pagamento no Gerenciador do WhatsApp e responda a um cliente.',
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
