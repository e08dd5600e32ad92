import type { LRUCache } from 'lru-cache'
import type { PairingCode } from '@balcao/connector/port'
import type { BotStatus } from '@balcao/contract/entities/bot-status'
import { AppError } from '#errors.ts'
import { createBoundedCache } from '#lib/bounded-cache.ts'
import { recordAuditoria } from '#modules/auditoria/index.ts'
import { findBot, lockUnownedLink, unwantBot, wantBot } from '#modules/bot/index.ts'
import { addressKey } from '#modules/enderecos/index.ts'
import type { PendingQuestion } from '#modules/ia/index.ts'
import { sendExpiry } from '#modules/mensagens/index.ts'
import { CONNECTORS } from '@balcao/contract/connectors'
import { listLineFacts, readConnectionName } from '#modules/contas/index.ts'
import { insertLog } from '#modules/logs/index.ts'
import type {
  Bots,
  ErasedContato,
  FailedOutboxItem,
  LineKey,
  NewOutboxItem,
  Requester,
  SessionCount,
} from '#ports/bots.ts'
import type { BotDeps } from '#bot/deps.ts'
import { lineOfPacket, type NodeNotice, type Nodes } from './ask-owner.ts'
import { type LogText, withConnection } from './link-state.ts'
import type { SessionRegistry } from './registry.ts'
import type { BotStatuses, ContextSource, LineEvents } from './status.ts'

/** Phones show the indicator for some seconds, so a shorter interval shows nothing new. */
const TYPING_INTERVAL_MS = 2_500
const TYPING_CACHED = 10_000

interface QuestionScheduler {
  readonly schedule: (question: PendingQuestion) => void
  readonly forget: (contatoId: string) => void
}

export interface BotCommandParts {
  readonly sessions: SessionRegistry
  readonly statuses: BotStatuses
  readonly events: LineEvents
  readonly nodes: Nodes
  readonly contexts: ContextSource & { readonly changed: (contaId: string) => void; readonly clear: () => void }
  readonly questions: QuestionScheduler
  readonly contatos: { readonly forget: (key: string) => void; readonly clear: () => void }
  readonly addresses: { readonly forget: () => void }
  readonly fullContas: LRUCache<string, true>
}

interface StopRequest {
  readonly by: string | undefined
  readonly clearedBy?: Requester
}

export class BotCommands implements Bots {
  readonly #deps: BotDeps
  readonly #parts: BotCommandParts
  readonly #typedAt = createBoundedCache<number>(TYPING_CACHED)

  constructor(deps: BotDeps, parts: BotCommandParts) {
    this.#deps = deps
    this.#parts = parts
  }

  leasesAlive(): boolean {
    return this.#parts.sessions.leasesAlive()
  }

  sessions(): readonly SessionCount[] {
    return this.#parts.sessions.counts()
  }

  status(line: LineKey): Promise<BotStatus> {
    return this.#parts.statuses.get(line)
  }

  async start(line: LineKey): Promise<BotStatus> {
    const { contaId } = line
    const { contexts, sessions, statuses } = this.#parts
    const { whatsapp } = (await contexts.get(contaId)).config
    await this.#deps.db.transaction(contaId, async (tx) => {
      const linha = (await listLineFacts(tx, { contaId })).find(({ id }) => id === line.linhaId)
      if (linha?.ativa !== true) throw new AppError('naoEncontrado')
      const conector = linha.conector ?? whatsapp.conector
      // The name of the connection stands in the list of linked devices of a phone.
      if (whatsapp.clientId === '' && CONNECTORS[conector].pairing !== 'site') throw new AppError('clientIdObrigatorio')
      await wantBot(tx, { ...line, conector })
    })
    sessions
      .take(line)
      .catch((error: unknown) => this.#deps.log.error({ err: error, ...line }, 'bot not started, retrying'))
    statuses.forgetLists(contaId)
    return statuses.get(line)
  }

  stop(line: LineKey, by?: string): Promise<BotStatus> {
    return this.#stop(line, { by })
  }

  async clearSession(line: LineKey, requester: Requester): Promise<void> {
    await this.#stop(line, { by: requester.nome, clearedBy: requester })
  }

  async unlinkDeleted({ contaId, linhaId }: LineKey): Promise<void> {
    await this.#parts.sessions.unlinkDeleted(linhaId)
    await this.#deps.eraseOutside?.(linhaId)
    this.#parts.nodes.notifyNodes({ tipo: 'botChanged', contaId, linhaId })
  }

  linkRestarted(line: LineKey): void {
    const { sessions, nodes, statuses } = this.#parts
    sessions
      .check(line)
      .then(() => sessions.take(line))
      .catch((error: unknown) => this.#deps.log.error({ err: error, ...line }, 'link not restarted, left to a round'))
    nodes.notifyNodes({ tipo: 'botChanged', ...line })
    statuses.forgetLists(line.contaId)
  }

  async pairingCode(line: LineKey, telefone: string): Promise<PairingCode> {
    const reply = await this.#parts.nodes.askOwner(line, { tipo: 'pairingCode', telefone })
    if (reply?.refusal !== undefined) {
      throw new AppError('dadosInvalidos', { detalhes: [{ caminho: 'telefone', mensagem: reply.refusal }] })
    }
    if (reply?.code === undefined) throw new AppError('semQrCode')
    return { codigo: reply.code.codigo, expiraEm: new Date(reply.code.expiraEm) }
  }

  contextChanged(contaId: string): void {
    this.#forgetContext(contaId)
    this.#parts.nodes.notifyNodes({ tipo: 'contextChanged', contaId })
  }

  outboxAdded({ contaId, linhaId }: LineKey, added: readonly NewOutboxItem[]): void {
    const { statuses, sessions, nodes } = this.#parts
    statuses.listsChanged(contaId)
    const session = sessions.get(linhaId)
    if (session === undefined) {
      const mensagemIds = added.map(({ mensagemId }) => mensagemId)
      return nodes.notifyNodes({ tipo: 'outboxAdded', contaId, linhaId, mensagemIds })
    }
    const expiresAt = sendExpiry(this.#deps.clock.now(), 'person')
    session.send(added.map((item) => ({ ...item, contaId, typing: false, attempts: 0, attended: true, expiresAt })))
  }

  outboxFailed(failed: readonly FailedOutboxItem[]): void {
    for (const item of failed) this.#parts.sessions.dropFailed(item)
    this.#deps.metrics.countUnsent(failed.length)
  }

  forgetContato(contaId: string, contato: ErasedContato): void {
    this.#dropContato(contaId, contato)
    const { contatoId, enderecos } = contato
    this.#parts.nodes.notifyNodes({ tipo: 'contatoErased', contaId, contatoId, enderecos: [...enderecos] })
  }

  typing({ contaId, linhaId }: LineKey, endereco: string): void {
    if (this.#tooEarly(`>${addressKey(linhaId, endereco)}`)) return
    if (this.#showTyping(linhaId, endereco)) return
    this.#parts.nodes.notifyNodes({ tipo: 'typing', contaId, linhaId, endereco })
  }

  customerTyping({ contaId, linhaId }: LineKey, canonical: string): void {
    if (this.#tooEarly(`<${addressKey(linhaId, canonical)}`)) return
    this.#parts.events
      .typing({ contaId, linhaId }, canonical)
      .catch((error: unknown) => this.#deps.log.warn({ err: error, contaId }, 'typing indicator not published'))
  }

  apply(notice: NodeNotice): void {
    const line = lineOfPacket(notice)
    const { contaId, linhaId } = line
    const failed = (error: unknown): void => this.#deps.log.warn({ err: error, contaId }, 'bus event not applied')
    switch (notice.tipo) {
      case 'botChanged':
        this.#parts.sessions.check(line).catch(failed)
        return
      case 'outboxAdded':
        this.#parts.sessions.get(linhaId)?.read(notice.mensagemIds).catch(failed)
        return
      case 'contextChanged':
        this.#forgetContext(contaId)
        return
      case 'contatoErased':
        this.#dropContato(contaId, notice)
        return
      case 'questionAdded': {
        const { contatoId, id, askAt } = notice
        if (this.#parts.sessions.get(linhaId) === undefined) return
        this.#parts.questions.schedule({ contaId, linhaId, contatoId, id, askAt: new Date(askAt) })
        return
      }
      case 'typing':
        this.#showTyping(linhaId, notice.endereco)
        return
      default:
        notice satisfies never
    }
  }

  /** Notices may have been lost: forgets what they would have changed. Orders and stored work are read periodically. */
  catchUp(): void {
    const { contexts, fullContas, contatos, addresses } = this.#parts
    contexts.clear()
    fullContas.clear()
    contatos.clear()
    addresses.forget()
  }

  async #stop(line: LineKey, { by, clearedBy }: StopRequest): Promise<BotStatus> {
    const { db, eraseOutside } = this.#deps
    const { sessions, nodes, statuses, events } = this.#parts
    const { contaId, linhaId } = line
    const esquecer = clearedBy !== undefined
    const unowned = await db.transaction(contaId, async (tx) => {
      const link = esquecer ? await lockUnownedLink(tx, line) : null
      const before = await findBot(tx, line)
      await unwantBot(tx, line, { esquecer })
      // Deleting a stopped session is logged too; stopping it again is not.
      const changes = before?.desejado === true || (esquecer && before?.status !== undefined)
      if (changes) {
        const name = await readConnectionName(tx, line)
        await insertLog(tx, this.#deps, contaId, { ...withConnection(name, stopLog({ esquecer, por: by })), linhaId })
      }
      if (clearedBy !== undefined) await recordAuditoria(tx, this.#deps, { acao: 'sessaoLimpa', quem: clearedBy })
      return link
    })
    await sessions.release(linhaId, esquecer ? 'esquecer' : 'fechar')
    if (unowned !== null) await sessions.unlink(unowned)
    if (esquecer) await eraseOutside?.(linhaId)
    nodes.notifyNodes({ tipo: 'botChanged', contaId, linhaId })
    await events.statusChanged(line, { status: 'PARADO' })
    await events.publish(line)
    return statuses.get(line)
  }

  #forgetContext(contaId: string): void {
    this.#parts.contexts.changed(contaId)
    this.#parts.fullContas.delete(contaId)
  }

  #dropContato(contaId: string, { contatoId, enderecos }: ErasedContato): void {
    const { sessions, questions, contatos, addresses, events } = this.#parts
    for (const session of sessions.ofConta(contaId)) session.dropContato(contatoId)
    questions.forget(contatoId)
    for (const address of enderecos) contatos.forget(addressKey(contaId, address))
    addresses.forget()
    events
      .publishConta(contaId)
      .catch((error: unknown) =>
        this.#deps.log.warn({ err: error, contaId }, 'status not published after erasing a contato'),
      )
  }

  #tooEarly(key: string): boolean {
    const now = performance.now()
    if (now - (this.#typedAt.get(key) ?? Number.NEGATIVE_INFINITY) < TYPING_INTERVAL_MS) return true
    this.#typedAt.set(key, now)
    return false
  }

  /** Returns false when the session is on another node. */
  #showTyping(linhaId: string, address: string): boolean {
    const session = this.#parts.sessions.get(linhaId)
    if (session?.connected === true) session.typing(address)
    return session !== undefined
  }
}

const NO_REPLY_TEXT = 'Os clientes ficam sem resposta automática até ele ser iniciado de novo.'

function stopLog({ por, esquecer }: { readonly por: string | undefined; readonly esquecer: boolean }): LogText {
  if (por === undefined) return { tipo: 'info', mensagem: `Bot parado. ${NO_REPLY_TEXT}` }
  const mensagem = esquecer
    ? `${por} limpou a sessão. Inicie o bot e escaneie um novo QR Code para voltar a atender.`
    : `Bot parado por ${por}. ${NO_REPLY_TEXT}`
  return { tipo: 'user', mensagem }
}
