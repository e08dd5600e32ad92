import type { FastifyBaseLogger } from 'fastify'
import type { Server } from 'socket.io'
import {
  parseServerEvent,
  type ServerEvent,
  type ServerEventName,
  type ServerEventPayloads,
} from '@balcao/contract/realtime'
import type { Clock } from '#ports/clock.ts'
import type { Realtime } from '#ports/realtime.ts'
import type { FileLinks } from '#ports/file-links.ts'
import { createEventThrottle, type PublishedEvent } from './event-throttle.ts'
import { withSignedFiles } from './signed-events.ts'
import { room, roomsOfAudience, roomsOfEvent, STATUS_VIEWS, visibleStatus } from './rooms.ts'

interface Options {
  readonly io: Server
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  readonly signFile: FileLinks['sign']
  /** Called before each event is sent. */
  readonly beforeSend: () => void
}

export interface Publishing extends Pick<
  Realtime,
  'publish' | 'publishConversa' | 'openConversa' | 'watched' | 'hasRestricted'
> {
  readonly publishEvent: (contaId: string, event: PublishedEvent) => void
  readonly close: () => void
}

export function createPublishing({ io, clock, log, signFile, beforeSend }: Options): Publishing {
  // Starts at the clock in microseconds, so it also grows across restarts.
  let seq = clock.now().getTime() * 1000

  /** Numbers the event, removes fields that are not in the contract and signs the addresses of files. */
  const prepare = (contaId: string, name: ServerEventName, payload: object): ServerEvent | null => {
    seq += 1
    const parsed = parseServerEvent(name, { ...payload, userId: contaId, seq })
    if (parsed === null) {
      log.error({ evento: name, contaId }, 'event does not match the contract, dropped')
      return null
    }
    beforeSend()
    return withSignedFiles(parsed, (url) => signFile(contaId, url))
  }
  const send = (contaId: string, { name, payload }: PublishedEvent): void => {
    const parsed = prepare(contaId, name, payload)
    if (parsed === null) return
    if (parsed.evento === 'botStatus') sendStatus(io, contaId, parsed.dados)
    else if (name !== 'botStatus') io.to(roomsOfEvent(contaId, name)).emit(name, parsed.dados)
  }
  const throttle = createEventThrottle(send)
  const openings = createOpeningOrder(log)
  const watched = (contaId: string): boolean => io.sockets.adapter.rooms.has(room.conta(contaId))
  const publishEvent = (contaId: string, event: PublishedEvent): void => {
    if (watched(contaId) && !throttle.take(contaId, event)) send(contaId, event)
  }

  return {
    watched,
    publishEvent,
    publish: (contaId, name, payload) => publishEvent(contaId, { name, payload }),
    publishConversa: (contaId, name, payload, audience) => {
      const publish = (): void => {
        if (!watched(contaId)) return
        const parsed = prepare(contaId, name, payload)
        if (parsed !== null) io.to(roomsOfAudience(contaId, audience)).emit(name, parsed.dados)
      }
      if ('conversaId' in payload) openings.after(payload.conversaId, publish)
      else publish()
    },
    hasRestricted: (contaId) => io.sockets.adapter.rooms.has(room.restritos(contaId)),
    openConversa: openings.open,
    close: throttle.close,
  }
}

function sendStatus(io: Server, contaId: string, status: ServerEventPayloads['botStatus']): void {
  for (const view of STATUS_VIEWS) {
    const viewRoom = room.visao(contaId, view)
    if (io.sockets.adapter.rooms.has(viewRoom)) io.to(viewRoom).emit('botStatus', visibleStatus(status, view))
  }
}

interface OpeningOrder {
  readonly open: Realtime['openConversa']
  /** Runs immediately, or after the running opening in the order of the calls. */
  readonly after: (conversaId: string, publish: () => void) => void
}

/**
 * Keeps the opening event of a conversa first. Opening reads the whole conversa, and other events of it may occur
 * meanwhile; they wait.
 */
function createOpeningOrder(log: Pick<FastifyBaseLogger, 'error'>): OpeningOrder {
  const running = new Map<string, (() => void)[]>()

  const start = async (conversaId: string, publish: () => Promise<void>): Promise<void> => {
    const waiting: (() => void)[] = []
    running.set(conversaId, waiting)
    try {
      await publish()
    } catch (error) {
      log.error({ err: error, conversaId }, 'opening of a conversa not published')
    }
    running.delete(conversaId)
    // Each entry checks again, because the conversa may have been opened a second time.
    for (const next of waiting) next()
  }
  const open: OpeningOrder['open'] = (conversaId, publish) => {
    const waiting = running.get(conversaId)
    if (waiting === undefined) void start(conversaId, publish)
    else waiting.push(() => open(conversaId, publish))
  }
  const after: OpeningOrder['after'] = (conversaId, publish) => {
    const waiting = running.get(conversaId)
    if (waiting === undefined) publish()
    else waiting.push(() => after(conversaId, publish))
  }
  return { open, after }
}
