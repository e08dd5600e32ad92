import * as z from 'zod/mini'
import type { FastifyBaseLogger } from 'fastify'
import type { Server } from 'socket.io'
import {
  parseServerEvent,
  type ServerEvent,
  type ServerEventName,
  type ServerEventPayloads,
} from '@balcao/contract/realtime'
import type { Conversa } from '@balcao/contract/entities/conversa'
import type { Midia } from '@balcao/contract/entities/mensagem'
import type { Bus, Fleet } from '#ports/bus.ts'
import type { Clock } from '#ports/clock.ts'
import type { Realtime } from '#ports/realtime.ts'
import type { FileLinks } from '#ports/file-links.ts'
import { createEventThrottle, type PublishedEvent } from './event-throttle.ts'
import { isRoomEvent, room, roomsOfAudience, roomsOfEvent, STATUS_VIEWS, visibleStatus } from './rooms.ts'
import type { Windows } from './windows.ts'

interface Options {
  readonly io: Server
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  readonly signFile: FileLinks['sign']
  readonly bus: Bus
  readonly fleet: Fleet
  readonly windows: Windows
  readonly beforeSend: () => void
}

export interface Publishing extends Pick<
  Realtime,
  'publish' | 'publishConversa' | 'publishPerson' | 'watched' | 'hasRestricted'
> {
  /** Calls back after an event that may change the numbers of views, for a conta with windows on this node. */
  readonly onNumbersChange: (listener: (contaId: string) => void) => void
  readonly sendHere: (contaId: string, event: PublishedEvent) => void
  readonly close: () => void
}

const CHANNEL = 'eventos'
/** After these events a person may have other numbers of conversas in the views. */
const CHANGES_NUMBERS: ReadonlySet<string> = new Set<ServerEventName>([
  'novaConversaHumana',
  'mensagemConversaHumana',
  'conversaAssumida',
  'conversaFinalizada',
  'conversaTransferida',
  'conversaReaberta',
  'leituraMudou',
  'avisoNovo',
])
const audienceSchema = z.union([
  z.object({
    setores: z.array(z.nullable(z.string())),
    /** Absent: from a node of a version without lines. */
    linhaId: z._default(z.string(), ''),
    operadorId: z.nullable(z.string()),
  }),
  z.object({ usuarioId: z.string() }),
])
/** An event of another node. `quem`: the audience of an event of a conversa, or one person. */
const relayedSchema = z.object({
  no: z.string(),
  contaId: z.string(),
  evento: z.string(),
  dados: z.record(z.string(), z.unknown()),
  quem: z.optional(audienceSchema),
})
type RelayedEvent = z.output<typeof relayedSchema>
type OutgoingEvent = Omit<RelayedEvent, 'no' | 'dados'> & { readonly dados: object }

export function createPublishing(options: Options): Publishing {
  const { io, bus, fleet, windows } = options
  const prepare = createPreparing(options)
  const listeners: ((contaId: string) => void)[] = []
  const watchedHere = (contaId: string): boolean => io.sockets.adapter.rooms.has(room.conta(contaId))
  const emit = ({ contaId, evento, dados, quem }: OutgoingEvent): void => {
    if (!watchedHere(contaId)) return
    const parsed = prepare(contaId, evento, dados)
    if (parsed === null) return
    if (quem === undefined) return sendToConta(io, contaId, parsed)
    const rooms = 'usuarioId' in quem ? [room.usuario(quem.usuarioId)] : roomsOfAudience(contaId, quem)
    io.to(rooms).emit(parsed.evento, parsed.dados)
    if (CHANGES_NUMBERS.has(parsed.evento)) for (const listener of listeners) listener(contaId)
  }
  const relay = (event: OutgoingEvent): void => {
    if (windows.watchedElsewhere(event.contaId)) bus.publish(CHANNEL, JSON.stringify({ no: fleet.self, ...event }))
  }
  const send = (contaId: string, { name, payload }: PublishedEvent): void => {
    const event = { contaId, evento: name, dados: payload }
    emit(event)
    relay(event)
  }
  const throttle = createEventThrottle(send)
  const watched = (contaId: string): boolean => watchedHere(contaId) || windows.watchedElsewhere(contaId)
  const unsubscribe = bus.subscribe(CHANNEL, (data) => {
    const { data: event } = relayedSchema.safeParse(JSON.parse(data))
    if (event !== undefined && event.no !== fleet.self) emit(event)
  })

  return {
    watched,
    sendHere: (contaId, { name, payload }) => emit({ contaId, evento: name, dados: payload }),
    publish: (contaId, name, payload) => {
      if (watched(contaId) && !throttle.take(contaId, { name, payload })) send(contaId, { name, payload })
    },
    publishConversa: (contaId, name, payload, { setores, ...audience }) => {
      const event = { contaId, evento: name, dados: payload, quem: { setores: [...setores], ...audience } }
      emit(event)
      relay(event)
    },
    publishPerson: ({ contaId, usuarioId, here }, name, payload) => {
      const event = { contaId, evento: name, dados: payload, quem: { usuarioId } }
      emit(event)
      if (here !== true) relay(event)
    },
    onNumbersChange: (listener) => void listeners.push(listener),
    hasRestricted: (contaId) =>
      io.sockets.adapter.rooms.has(room.restritos(contaId)) || windows.restrictedElsewhere(contaId),
    close: () => {
      unsubscribe()
      throttle.close()
    },
  }
}

/** Numbers events, removes fields that are not in the contract and signs the addresses of files. */
function createPreparing({ clock, log, signFile, beforeSend }: Options) {
  // Starts at the clock in microseconds, so it also grows across restarts.
  let seq = clock.now().getTime() * 1000
  return (contaId: string, name: string, payload: object): ServerEvent | null => {
    seq += 1
    const parsed = parseServerEvent(name, { ...payload, userId: contaId, seq })
    if (parsed === null) {
      log.error({ evento: name, contaId }, 'event does not match the contract, dropped')
      return null
    }
    beforeSend()
    return withSignedFiles(parsed, (url) => signFile(contaId, url))
  }
}

function sendToConta(io: Server, contaId: string, event: ServerEvent): void {
  if (event.evento === 'botStatus') return sendStatus(io, contaId, event.dados)
  if (isRoomEvent(event.evento)) io.to(roomsOfEvent(contaId, event.evento)).emit(event.evento, event.dados)
}

function sendStatus(io: Server, contaId: string, status: ServerEventPayloads['botStatus']): void {
  for (const view of STATUS_VIEWS) {
    const viewRoom = room.visao(contaId, view)
    if (io.sockets.adapter.rooms.has(viewRoom)) io.to(viewRoom).emit('botStatus', visibleStatus(status, view))
  }
}

export const NO_REALTIME: Realtime = {
  publish: () => {},
  publishConversa: () => {},
  publishPerson: () => {},
  peopleHere: () => [],
  watched: () => false,
  hasRestricted: () => false,
  disconnect: () => Promise.resolve(),
}

type SignUrl = (url: string) => string

/** An event of another kind may carry files. The compiler requires a case for it. */
type EventWithoutFiles = Exclude<ServerEvent, { dados: { conversa: object } | { mensagem: object } }>

/** Signs the addresses of the files in an event, as the answers of the API do. */
function withSignedFiles(event: ServerEvent, sign: SignUrl): ServerEvent {
  if (event.evento === 'botMensagem') return { ...event, dados: withSignedMidia(event.dados, sign) }
  if (event.evento === 'mensagemConversaHumana') {
    const { dados } = event
    return { ...event, dados: { ...dados, mensagem: withSignedMidia(dados.mensagem, sign) } }
  }
  if (event.evento === 'novaConversaHumana') {
    return { ...event, dados: { ...event.dados, conversa: withSignedMensagens(event.dados.conversa, sign) } }
  }
  if (event.evento === 'conversaReaberta') {
    return { ...event, dados: { ...event.dados, conversa: withSignedMensagens(event.dados.conversa, sign) } }
  }
  const other: EventWithoutFiles = event
  return other
}

function withSignedMensagens(conversa: Conversa, sign: SignUrl): Conversa {
  return { ...conversa, mensagens: conversa.mensagens.map((mensagem) => withSignedMidia(mensagem, sign)) }
}

function withSignedMidia<M extends { readonly midia?: Midia | undefined }>(mensagem: M, sign: SignUrl): M {
  const { midia } = mensagem
  return midia?.url === undefined ? mensagem : { ...mensagem, midia: { ...midia, url: sign(midia.url) } }
}
