import { setTimeout as dormir } from 'node:timers/promises'
import { SendDeferred } from '@balcao/connector/errors'

/**
 * Paces messages: a random pause between two messages, and a limit per person and minute. WhatsApp bans numbers
 * that send in bursts or at regular intervals.
 */
export interface Pacer {
  /**
   * Milliseconds until the message may be sent; 0 means now. A waiting message keeps its slot under its id and asks
   * again. Over the limit of a person, a message gets no slot and only asks again later.
   */
  readonly waitMs: (mensagem: { readonly idExterno: string; readonly endereco: string }) => number
}

export interface PacerOptions {
  /** Shortest and longest pause between two messages of a session, in ms. */
  readonly pauseMs?: readonly [number, number]
  readonly perMinute?: number
  readonly now?: () => number
  readonly random?: () => number
}

const MINUTE_MS = 60_000
/** Slots older than this belong to cancelled messages and are deleted. */
const ABANDONED_MS = 10 * MINUTE_MS

export function createPacer({
  pauseMs: [shortest, longest] = [500, 2_000],
  perMinute = 20,
  now = () => performance.now(),
  random = Math.random,
}: PacerOptions = {}): Pacer {
  const places = new Map<string, number>()
  const saidas = new Map<string, number[]>()
  let livreEm = -Infinity
  const chance = (): number => shortest + random() * (longest - shortest)

  const recent = (address: string, em: number): number[] =>
    (saidas.get(address) ?? []).filter((vez) => vez > em - MINUTE_MS)

  const clear = (em: number): void => {
    for (const [id, vez] of places) if (vez < em - ABANDONED_MS) places.delete(id)
    for (const address of saidas.keys()) if (recent(address, em).length === 0) saidas.delete(address)
  }

  const reservar = (address: string, em: number): { readonly vez: number; readonly doLimite: boolean } => {
    const dele = recent(address, em)
    const [first = em] = dele.slice(-perMinute)
    if (dele.length >= perMinute) return { vez: first + MINUTE_MS + chance(), doLimite: true }
    const vez = Math.max(em, livreEm)
    livreEm = vez + chance()
    if (!saidas.has(address)) clear(em)
    saidas.set(address, [...dele, vez])
    return { vez, doLimite: false }
  }

  return {
    waitMs: ({ idExterno, endereco }) => {
      const em = now()
      const stored = places.get(idExterno)
      const { vez, doLimite } = stored === undefined ? reservar(endereco, em) : { vez: stored, doLimite: false }
      if (vez > em && !doLimite) places.set(idExterno, vez)
      else places.delete(idExterno)
      return Math.max(0, Math.ceil(vez - em))
    },
  }
}

const PATIENCE_MS = 3_000

/**
 * Waits up to 3 s for the turn of the message. Throws `Adiada` for a longer wait, so the outbox schedules the
 * message.
 */
export async function waitForTurn(
  pacer: Pacer,
  message: Parameters<Pacer['waitMs']>[0],
  isStopped: () => boolean,
): Promise<void> {
  for (let wait = pacer.waitMs(message); wait > 0 && !isStopped(); wait = pacer.waitMs(message)) {
    if (wait > PATIENCE_MS) throw new SendDeferred('as mensagens saem no ritmo de uma pessoa', wait)
    await dormir(wait, undefined, { ref: false })
  }
}

export const UNPACED: Pacer = { waitMs: () => 0 }
