import * as z from 'zod/mini'
import { SendRefused } from '@balcao/connector/errors'
import { createBoundedCache } from '#lib/bounded-cache.ts'
import { findBot } from '#modules/bot/index.ts'
import type { LineKey } from '#ports/bots.ts'
import type { BotDeps } from '#bot/deps.ts'
import type { SessionRegistry } from './registry.ts'
import type { BotSession } from './session.ts'

export const NODES_CHANNEL = 'nodes'
const TIMEOUT_MS = 10_000
/** A command without a reply is sent again: its packet or that of the reply was lost. */
const RESEND_MS = 2_000
const COMMANDS_CACHED = 1_000

const phoneOrderSchema = z.discriminatedUnion('act', [
  z.object({ act: z.enum(['check', 'scan', 'disconnect']) }),
  z.object({ act: z.literal('failSends'), count: z.number() }),
  z.object({ act: z.literal('type'), telefone: z.string() }),
])

/** A node of the version before sends no line and means the first one. */
const line = { contaId: z.string(), linhaId: z.optional(z.string()) }

export const lineOfPacket = ({ contaId, linhaId = contaId }: z.output<z.ZodMiniObject<typeof line>>): LineKey => ({
  contaId,
  linhaId,
})

/** For the node with the session of the line. */
const commandSchema = z.discriminatedUnion('tipo', [
  z.object({ tipo: z.literal('pairingCode'), telefone: z.string() }),
  z.object({ tipo: z.literal('phone'), order: phoneOrderSchema }),
])
export type OwnerCommand = z.output<typeof commandSchema>

const replySchema = z.object({
  done: z.boolean(),
  code: z.optional(z.object({ codigo: z.string(), expiraEm: z.string() })),
  /** Reason of a refusal, in Portuguese. */
  refusal: z.optional(z.string()),
})
export type OwnerReply = z.output<typeof replySchema>

/** For all nodes. */
const noticeSchema = z.discriminatedUnion('tipo', [
  z.object({ tipo: z.literal('botChanged'), ...line }),
  z.object({ tipo: z.literal('outboxAdded'), ...line, mensagemIds: z.array(z.string()) }),
  z.object({ tipo: z.literal('contextChanged'), contaId: z.string() }),
  z.object({
    tipo: z.literal('contatoErased'),
    contaId: z.string(),
    contatoId: z.string(),
    enderecos: z.array(z.string()),
  }),
  z.object({
    tipo: z.literal('questionAdded'),
    ...line,
    contatoId: z.string(),
    id: z.string(),
    askAt: z.iso.datetime(),
  }),
  z.object({ tipo: z.literal('typing'), ...line, endereco: z.string() }),
])
export type NodeNotice = z.output<typeof noticeSchema>

const packetSchema = z.discriminatedUnion('packet', [
  z.object({ packet: z.literal('notice'), notice: noticeSchema }),
  z.object({ packet: z.literal('command'), id: z.string(), ...line, command: commandSchema }),
  z.object({ packet: z.literal('reply'), id: z.string(), reply: replySchema }),
])
type Packet = z.output<typeof packetSchema>
type CommandPacket = Extract<Packet, { packet: 'command' }>

export interface NoticeReceiver {
  readonly apply: (notice: NodeNotice) => void
  /** Notices may have been lost. */
  readonly catchUp: () => void
}

export interface NodesOptions {
  readonly sessions: Pick<SessionRegistry, 'get'>
  readonly receiver: () => NoticeReceiver
}

type NodesDeps = Pick<BotDeps, 'bus' | 'db' | 'fleet' | 'ids' | 'log' | 'phones' | 'timings'>

/** Talks to the other nodes over the bus. The bus may lose packets. */
export class Nodes {
  readonly #deps: NodesDeps
  readonly #options: NodesOptions
  readonly #waiting = new Map<string, (reply: OwnerReply) => void>()
  /** Commands of other nodes by id. A repeated one gets the same reply and does not run twice. */
  readonly #replies = createBoundedCache<Promise<OwnerReply>>(COMMANDS_CACHED)
  readonly #endings: readonly (() => void)[]

  constructor(deps: NodesDeps, options: NodesOptions) {
    this.#deps = deps
    this.#options = options
    this.#endings = [
      deps.bus.subscribe(NODES_CHANNEL, (data) => this.#received(data)),
      deps.bus.onGap(() => options.receiver().catchUp()),
    ]
  }

  notifyNodes(notice: NodeNotice): void {
    this.#publish({ packet: 'notice', notice })
  }

  /**
   * Runs a command on the node with the session of the line, which may be this one. Returns null when no node has
   * the session, or when no reply arrives within 10 s.
   */
  readonly askOwner = async (line: LineKey, command: OwnerCommand): Promise<OwnerReply | null> => {
    const session = this.#options.sessions.get(line.linhaId)
    if (session !== undefined) return this.#run(session, command)
    const bot = await this.#deps.db.transaction(line.contaId, (tx) => findBot(tx, line))
    if (bot === null || !bot.vivo || bot.no === this.#deps.fleet.self) return null
    // The row is enough, also while the node with the session is dying: another one answers the message.
    if (command.tipo === 'phone' && command.order.act === 'check') return { done: bot.status === 'CONECTADO' }
    return this.#ask(line, command)
  }

  stop(): void {
    for (const end of this.#endings) end()
  }

  async #ask({ contaId, linhaId }: LineKey, command: OwnerCommand): Promise<OwnerReply | null> {
    const id = this.#deps.ids.uuid()
    const { promise, resolve } = Promise.withResolvers<OwnerReply | null>()
    this.#waiting.set(id, resolve)
    const deadline = setTimeout(() => resolve(null), TIMEOUT_MS)
    const send = (): void => this.#publish({ packet: 'command', id, contaId, linhaId, command })
    send()
    const resend = setInterval(send, this.#deps.timings?.resendMs ?? RESEND_MS)
    const reply = await promise
    clearTimeout(deadline)
    clearInterval(resend)
    this.#waiting.delete(id)
    return reply
  }

  async #run(session: BotSession, command: OwnerCommand): Promise<OwnerReply> {
    if (command.tipo === 'phone') return { done: await this.#deps.phones(session.lease, command.order) }
    try {
      const code = await session.pairingCode(command.telefone)
      if (code === null) return { done: false }
      return { done: true, code: { codigo: code.codigo, expiraEm: code.expiraEm.toISOString() } }
    } catch (error) {
      if (error instanceof SendRefused) return { done: false, refusal: error.message }
      throw error
    }
  }

  #publish(packet: Packet): void {
    this.#deps.bus.publish(NODES_CHANNEL, JSON.stringify(packet))
  }

  /** Returns null for a packet of another version. */
  #parse(data: string): Packet | null {
    try {
      return packetSchema.parse(JSON.parse(data))
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'packet of another node not readable')
      return null
    }
  }

  #received(data: string): void {
    const packet = this.#parse(data)
    if (packet === null) return
    if (packet.packet === 'notice') this.#options.receiver().apply(packet.notice)
    else if (packet.packet === 'reply') this.#waiting.get(packet.id)?.(packet.reply)
    else void this.#reply(packet)
  }

  async #reply(packet: CommandPacket): Promise<void> {
    const session = this.#options.sessions.get(lineOfPacket(packet).linhaId)
    if (session === undefined) return
    const running = this.#replies.get(packet.id) ?? this.#runForOther(session, packet)
    this.#replies.set(packet.id, running)
    this.#publish({ packet: 'reply', id: packet.id, reply: await running })
  }

  #runForOther(session: BotSession, { contaId, command }: CommandPacket): Promise<OwnerReply> {
    return this.#run(session, command).catch((error: unknown): OwnerReply => {
      this.#deps.log.error({ err: error, contaId, command: command.tipo }, 'command of another node failed')
      // The phone got the order; the status of the bot shows its result.
      return { done: command.tipo === 'phone' }
    })
  }
}
