import * as z from 'zod/mini'
import { isRestricted } from '@balcao/contract/conversa-access'
import { hasComponente } from '#http/authentication.ts'
import { createBoundedCache } from '#lib/bounded-cache.ts'
import type { Bus, Fleet } from '#ports/bus.ts'
import type { SocketConnections } from './connections.ts'

interface Options {
  readonly connections: SocketConnections
  readonly bus: Bus
  readonly fleet: Fleet
  /** Called when a person opened the first window or closed the last one, wherever it was. */
  readonly presenceChanged: (contaId: string, usuario: PresentUsuario, status: 'online' | 'offline') => void
  readonly peopleHere: (contaId: string, people: readonly string[]) => void
}

export interface PresentUsuario {
  readonly usuarioId: string
  readonly nome: string
}

const CHANNEL = 'janelas'
/** A person who opens a window on one node and closes one on another is not announced as offline in between. */
const OFFLINE_GRACE_MS = 300
/** Ended nodes that are remembered. Their last packets arrive within seconds. */
const LEFT_CACHED = 1_000
/** Nodes answer within milliseconds. A node that did not answer by then is dying. */
const UNSURE_MS = 2_000
/** After a restart of the database all nodes ask at once. One answer of a node serves all of them. */
const ANSWERS_JOINED_MS = 100

/** Windows of one conta on one node. `pessoas`: id and name of the usuarios who serve. */
const windowsSchema = z.object({ restritos: z.boolean(), pessoas: z.array(z.tuple([z.string(), z.string()])) })
type ContaWindows = z.output<typeof windowsSchema>

const packetSchema = z.discriminatedUnion('tipo', [
  /** Null: the last window of the conta closed. */
  z.object({ tipo: z.literal('mudou'), no: z.string(), contaId: z.string(), janelas: z.nullable(windowsSchema) }),
  z.object({ tipo: z.literal('todas'), no: z.string(), contas: z.array(z.tuple([z.string(), windowsSchema])) }),
  z.object({ tipo: z.literal('pergunta'), no: z.string() }),
])
type WindowsPacket = z.output<typeof packetSchema>

/**
 * Which contas have open windows on any node, and which usuarios serve in them. Each node announces its own windows;
 * presence is the union of all.
 */
export class Windows {
  readonly #options: Options
  readonly #elsewhere = new Map<string, Map<string, ContaWindows>>()
  /** Nodes that ended. A condemned one may still announce its windows, and none of them is used again. */
  readonly #left = createBoundedCache<true>(LEFT_CACHED)
  readonly #present = new Map<string, ReadonlyMap<string, string>>()
  readonly #settling = new Map<string, NodeJS.Timeout>()
  readonly #endings: readonly (() => void)[]
  #asked = new Set<string>()
  #unsureUntil = 0
  #answer: NodeJS.Timeout | undefined

  constructor(options: Options) {
    const { bus, fleet } = options
    this.#options = options
    this.#endings = [
      bus.subscribe(CHANNEL, (data) => {
        const { data: packet } = packetSchema.safeParse(JSON.parse(data))
        if (packet !== undefined && packet.no !== fleet.self && !this.#left.has(packet.no)) this.#received(packet)
      }),
      bus.onGap(() => this.refresh()),
      fleet.onLeft((node) => {
        this.#left.set(node, true)
        this.#replace(node, new Map())
      }),
    ]
  }

  changed(contaId: string): void {
    this.#updatePresence(contaId)
    const here = this.#here(contaId)
    this.#publish({ tipo: 'mudou', no: this.#options.fleet.self, contaId, janelas: here })
    this.#options.peopleHere(contaId, here?.pessoas.map(([id]) => id) ?? [])
  }

  watchedElsewhere(contaId: string): boolean {
    return this.#isUnsure() || this.#othersOf(contaId).length > 0
  }

  /** True while a usuario with a list of setores has a window on another node. */
  restrictedElsewhere(contaId: string): boolean {
    return this.#isUnsure() || this.#othersOf(contaId).some(({ restritos }) => restritos)
  }

  present(contaId: string): PresentUsuario[] {
    return [...(this.#present.get(contaId) ?? [])].map(([usuarioId, nome]) => ({ usuarioId, nome }))
  }

  close(): void {
    for (const end of this.#endings) end()
    for (const timer of this.#settling.values()) clearTimeout(timer)
    clearTimeout(this.#answer)
  }

  /**
   * Asks all nodes for their windows, after the start and after a gap. Until they answered, every conta counts as
   * watched.
   */
  refresh(): void {
    this.#asked = new Set(this.#options.fleet.others())
    this.#unsureUntil = performance.now() + UNSURE_MS
    this.#publish({ tipo: 'pergunta', no: this.#options.fleet.self })
    this.#announceAll()
  }

  #isUnsure(): boolean {
    return this.#asked.size > 0 && performance.now() < this.#unsureUntil
  }

  #received(packet: WindowsPacket): void {
    switch (packet.tipo) {
      case 'pergunta':
        this.#answer ??= setTimeout(() => this.#announceAll(), ANSWERS_JOINED_MS)
        return
      case 'todas':
        this.#asked.delete(packet.no)
        return this.#replace(packet.no, new Map(packet.contas))
      case 'mudou': {
        const { no, contaId, janelas } = packet
        const contas = this.#elsewhere.get(no) ?? new Map<string, ContaWindows>()
        this.#elsewhere.set(no, contas)
        if (janelas === null) contas.delete(contaId)
        else contas.set(contaId, janelas)
        return this.#updatePresence(contaId)
      }
      default:
        packet satisfies never
    }
  }

  #announceAll(): void {
    clearTimeout(this.#answer)
    this.#answer = undefined
    const contas = [...this.#options.connections.contas()].flatMap((contaId): [string, ContaWindows][] => {
      const windows = this.#here(contaId)
      return windows === null ? [] : [[contaId, windows]]
    })
    this.#publish({ tipo: 'todas', no: this.#options.fleet.self, contas })
  }

  #replace(node: string, contas: Map<string, ContaWindows>): void {
    const before = this.#elsewhere.get(node) ?? new Map<string, ContaWindows>()
    if (contas.size === 0) this.#elsewhere.delete(node)
    else this.#elsewhere.set(node, contas)
    for (const contaId of new Set([...before.keys(), ...contas.keys()])) this.#updatePresence(contaId)
  }

  /** Announces new people and, if `settled`, the missing ones. With other nodes a missing person may return soon. */
  #updatePresence(contaId: string, settled = this.#options.fleet.others().length === 0): void {
    const { presenceChanged } = this.#options
    const shown = this.#present.get(contaId) ?? new Map<string, string>()
    const here = this.#here(contaId)
    const now = new Map(
      [...this.#othersOf(contaId), ...(here === null ? [] : [here])].flatMap(({ pessoas }) => pessoas),
    )
    const came = [...now].filter(([id]) => !shown.has(id))
    const left = [...shown].filter(([id]) => !now.has(id))
    this.#show(contaId, settled ? now : new Map([...left, ...now]))
    for (const [usuarioId, nome] of came) presenceChanged(contaId, { usuarioId, nome }, 'online')
    if (settled) for (const [usuarioId, nome] of left) presenceChanged(contaId, { usuarioId, nome }, 'offline')
    else if (left.length > 0) this.#settleLater(contaId)
  }

  #show(contaId: string, people: ReadonlyMap<string, string>): void {
    if (people.size === 0) this.#present.delete(contaId)
    else this.#present.set(contaId, people)
  }

  #settleLater(contaId: string): void {
    if (this.#settling.has(contaId)) return
    const timer = setTimeout(() => {
      this.#settling.delete(contaId)
      this.#updatePresence(contaId, true)
    }, OFFLINE_GRACE_MS)
    this.#settling.set(contaId, timer)
  }

  #othersOf(contaId: string): ContaWindows[] {
    return [...this.#elsewhere.values()].flatMap((contas) => contas.get(contaId) ?? [])
  }

  /** Null: no window of the conta is open on this node. */
  #here(contaId: string): ContaWindows | null {
    const sessions = [...this.#options.connections.ofConta(contaId)].map(({ session }) => session)
    if (sessions.length === 0) return null
    const serving = sessions.filter((session) => hasComponente(session, 'atendimentoHumano'))
    return {
      restritos: serving.some(isRestricted),
      pessoas: [...new Map(serving.map(({ usuarioId, nome }) => [usuarioId, nome]))],
    }
  }

  #publish(packet: WindowsPacket): void {
    this.#options.bus.publish(CHANNEL, JSON.stringify(packet))
  }
}
