import { setTimeout as dormir } from 'node:timers/promises'
import { SendDeferred } from './anfitriao.ts'

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
  const lugares = new Map<string, number>()
  const saidas = new Map<string, number[]>()
  let livreEm = -Infinity
  const acaso = (): number => shortest + random() * (longest - shortest)

  const recentes = (endereco: string, em: number): number[] =>
    (saidas.get(endereco) ?? []).filter((vez) => vez > em - MINUTE_MS)

  const limpar = (em: number): void => {
    for (const [id, vez] of lugares) if (vez < em - ABANDONED_MS) lugares.delete(id)
    for (const endereco of saidas.keys()) if (recentes(endereco, em).length === 0) saidas.delete(endereco)
  }

  const reservar = (endereco: string, em: number): { readonly vez: number; readonly doLimite: boolean } => {
    const dele = recentes(endereco, em)
    const [primeira = em] = dele.slice(-perMinute)
    if (dele.length >= perMinute) return { vez: primeira + MINUTE_MS + acaso(), doLimite: true }
    const vez = Math.max(em, livreEm)
    livreEm = vez + acaso()
    if (!saidas.has(endereco)) limpar(em)
    saidas.set(endereco, [...dele, vez])
    return { vez, doLimite: false }
  }

  return {
    waitMs: ({ idExterno, endereco }) => {
      const em = now()
      const guardado = lugares.get(idExterno)
      const { vez, doLimite } = guardado === undefined ? reservar(endereco, em) : { vez: guardado, doLimite: false }
      if (vez > em && !doLimite) lugares.set(idExterno, vez)
      else lugares.delete(idExterno)
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
  for (let espera = pacer.waitMs(message); espera > 0 && !isStopped(); espera = pacer.waitMs(message)) {
    if (espera > PATIENCE_MS) throw new SendDeferred(espera)
    await dormir(espera, undefined, { ref: false })
  }
}

export const UNPACED: Pacer = { waitMs: () => 0 }
