import type { Socket } from 'socket.io-client'
import { vi } from 'vitest'

/** Waits until the expectation holds. Only the test timeout ends it. */
export function eventually(assertion: () => void): Promise<void> {
  return vi.waitFor(assertion, { timeout: 50_000, interval: 60 })
}

/** Events received by a socket, in order: `[event, payload]`. */
export function record(socket: Socket): [string, Record<string, unknown>][] {
  const received: [string, Record<string, unknown>][] = []
  socket.onAny((evento: string, dados: Record<string, unknown>) => received.push([evento, dados]))
  return received
}

export function connected(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    if (socket.connected) return resolve()
    socket.once('connect', resolve)
    socket.once('connect_error', reject)
  })
}

export function refused(socket: Socket): Promise<Error & { data?: unknown }> {
  return new Promise((resolve, reject) => {
    socket.once('connect_error', resolve)
    socket.once('connect', () => reject(new Error('connected')))
  })
}

export function once(socket: Socket, event: string): Promise<Record<string, unknown>> {
  return new Promise((resolve) => {
    socket.once(event, resolve)
  })
}
