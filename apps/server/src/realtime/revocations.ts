import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import type { Bus, Fleet } from '#ports/bus.ts'
import type { RevokedSessions } from '#ports/realtime.ts'

const CHANNEL = 'revogar'
/** A node that does not answer by then has no cache either: it checks each login while packets are missing. */
const BARRIER_MS = 500

const targetSchema = z.union([
  z.object({ tokenHash: z.string() }),
  z.object({ usuarioId: z.string(), exceto: z.optional(z.string()) }),
  z.object({ contaId: z.string() }),
])
const packetSchema = z.discriminatedUnion('tipo', [
  /** Null: only the cached logins are out of date. */
  z.object({ tipo: z.literal('ordem'), id: z.string(), no: z.string(), quem: z.nullable(targetSchema) }),
  z.object({ tipo: z.literal('feito'), id: z.string(), no: z.string() }),
])
type RevocationPacket = z.output<typeof packetSchema>

export interface Revocations {
  /**
   * Clears the cached logins and closes the sockets of the target, here and on every other node. Null: only the cached
   * logins are out of date. Resolves when all nodes did it, or after 500 ms.
   */
  readonly revoke: (target: RevokedSessions | null) => Promise<void>
  readonly close: () => void
}

interface Options {
  readonly bus: Bus
  readonly fleet: Fleet
  readonly forgetSessions: () => void
  readonly closeSockets: (target: RevokedSessions) => void
}

/** Ends revoked logins on every node before the request that revoked them is answered. */
export function createRevocations({ bus, fleet, forgetSessions, closeSockets }: Options): Revocations {
  const waiting = new Map<string, { readonly missing: Set<string>; readonly done: () => void }>()
  const publish = (packet: RevocationPacket): void => bus.publish(CHANNEL, JSON.stringify(packet))
  const revokeHere = (target: RevokedSessions | null): void => {
    forgetSessions()
    if (target !== null) closeSockets(target)
  }

  const endGaps = bus.onGap(forgetSessions)
  const unsubscribe = bus.subscribe(CHANNEL, (data) => {
    const { data: packet } = packetSchema.safeParse(JSON.parse(data))
    if (packet === undefined || packet.no === fleet.self) return
    const { id, no } = packet
    if (packet.tipo === 'ordem') {
      revokeHere(packet.quem)
      publish({ tipo: 'feito', id, no: fleet.self })
      return
    }
    const order = waiting.get(id)
    if (order?.missing.delete(no) === true && order.missing.size === 0) order.done()
  })

  return {
    revoke: async (target) => {
      revokeHere(target)
      const missing = new Set(fleet.others())
      const id = randomUUID()
      // A node that started in the last seconds is not in `others` yet and follows the order too.
      if (missing.size === 0) return publish({ tipo: 'ordem', id, no: fleet.self, quem: target })
      const { promise, resolve: done } = Promise.withResolvers<void>()
      const deadline = setTimeout(done, BARRIER_MS)
      waiting.set(id, { missing, done })
      publish({ tipo: 'ordem', id, no: fleet.self, quem: target })
      await promise
      clearTimeout(deadline)
      waiting.delete(id)
    },
    close: () => {
      endGaps()
      unsubscribe()
    },
  }
}
