import type { FastifyBaseLogger } from 'fastify'
import type { Server } from 'socket.io'
import { parseServerEvent } from '@balcao/contract/realtime'
import type { Clock } from '#ports/clock.ts'
import type { Realtime } from '#ports/realtime.ts'
import { createEventThrottle, type PublishedEvent } from './event-throttle.ts'
import { room, roomsOfEvent, STATUS_VIEWS, visibleStatus } from './rooms.ts'

interface Options {
  readonly io: Server
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  /** Called before each event is sent. */
  readonly beforeSend: () => void
}

export interface Publishing extends Pick<Realtime, 'publish' | 'openConversa'> {
  /** True when the conta has open sockets, so that callers can skip building unused payloads. */
  readonly watched: (contaId: string) => boolean
  /** Publishes without regard to conversas that are being opened. */
  readonly publishEvent: (contaId: string, event: PublishedEvent) => void
  readonly close: () => void
}

export function createPublishing({ io, clock, log, beforeSend }: Options): Publishing {
  // Starts at the clock in microseconds, so it also grows across restarts.
  let seq = clock.now().getTime() * 1000

  const send = (contaId: string, { name, payload }: PublishedEvent): void => {
    seq += 1
    // Removes fields that are not in the contract.
    const parsed = parseServerEvent(name, { ...payload, userId: contaId, seq })
    if (parsed === null) return log.error({ evento: name, contaId }, 'event does not match the contract, dropped')
    beforeSend()
    if (parsed.evento !== 'botStatus') return void io.to(roomsOfEvent(contaId, parsed.evento)).emit(name, parsed.dados)
    for (const view of STATUS_VIEWS) {
      const viewRoom = room.visao(contaId, view)
      if (io.sockets.adapter.rooms.has(viewRoom)) io.to(viewRoom).emit(name, visibleStatus(parsed.dados, view))
    }
  }
  const throttle = createEventThrottle(send)
  const openings = createOpeningOrder()
  const watched = (contaId: string): boolean => io.sockets.adapter.rooms.has(room.conta(contaId))
  const publishEvent = (contaId: string, event: PublishedEvent): void => {
    if (watched(contaId) && !throttle.take(contaId, event)) send(contaId, event)
  }

  return {
    watched,
    publishEvent,
    publish: (contaId, name, payload) => {
      const publish = (): void => publishEvent(contaId, { name, payload })
      if ('conversaId' in payload) openings.after(payload.conversaId, publish)
      else publish()
    },
    openConversa: openings.open,
    close: throttle.close,
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
function createOpeningOrder(): OpeningOrder {
  const running = new Map<string, (() => void)[]>()

  const start = async (conversaId: string, publish: () => Promise<void>): Promise<void> => {
    const waiting: (() => void)[] = []
    running.set(conversaId, waiting)
    await publish()
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
