import type { IncomingMessage } from 'node:http'
import type { Server, Socket } from 'socket.io'
import { createTokenBuckets } from '#http/limits/token-buckets.ts'

type EngineConnection = Socket['conn']

/** A panel sends one packet, its token, and few more after refusals. */
const PACKETS_PER_CONNECTION = 50

/**
 * Closes a connection after 50 packets. Each packet with a token builds a socket and an answer, and one request may
 * hold thousands. Pings and pongs do not count.
 */
export function limitPackets(engine: Server['engine']): void {
  engine.on('connection', (connection: EngineConnection) => {
    let packets = 0
    connection.on('packet', ({ type }) => {
      if (type !== 'message') return
      packets += 1
      if (packets <= PACKETS_PER_CONNECTION) return
      // The other packets of the same request are already parsed and still follow.
      connection.removeAllListeners('data')
      connection.close(true)
    })
  })
}

/** The windows of a whole office that reconnect together. */
const NEWCOMERS_PER_ADDRESS = 200
/** A panel opens one connection and, after a failure, another one some seconds later. */
const CONNECTIONS = { perSecond: 50, burst: 500 }

export interface Newcomers {
  readonly hasRoom: (request: IncomingMessage) => boolean
  readonly admitted: (connection: EngineConnection) => void
}

/** Counts new connections by address, and those that are open without an accepted token. */
export function countNewcomers(engine: Server['engine'], keyOf: (request: IncomingMessage) => string): Newcomers {
  const byAddress = new Map<string, Set<EngineConnection>>()
  const keys = new WeakMap<EngineConnection, string>()
  const takeConnection = createTokenBuckets(CONNECTIONS)

  const leave = (connection: EngineConnection): void => {
    const key = keys.get(connection) ?? ''
    const newcomers = byAddress.get(key)
    newcomers?.delete(connection)
    if (newcomers?.size === 0) byAddress.delete(key)
  }
  engine.on('connection', (connection: EngineConnection) => {
    const key = keyOf(connection.request)
    const newcomers = byAddress.get(key) ?? new Set()
    byAddress.set(key, newcomers.add(connection))
    keys.set(connection, key)
    connection.once('close', () => leave(connection))
  })
  return {
    hasRoom: (request) => {
      const key = keyOf(request)
      return (byAddress.get(key)?.size ?? 0) < NEWCOMERS_PER_ADDRESS && takeConnection(key)
    },
    admitted: leave,
  }
}
