import { setTimeout as dormir } from 'node:timers/promises'
import { Adiada } from './anfitriao.ts'

/**
 * Paces messages: a random pause between two messages, and a limit per person and minute. WhatsApp bans numbers
 * that send in bursts or at regular intervals.
 */
export interface Ritmo {
  /**
   * Milliseconds until the message may be sent; 0 means now. A waiting message keeps its slot under its id and asks
   * again. Over the limit of a person, a message gets no slot and only asks again later.
   */
  readonly esperaMs: (mensagem: { readonly idExterno: string; readonly endereco: string }) => number
}

export interface RitmoOptions {
  /** Shortest and longest pause between two messages of a session, in ms. */
  readonly entreMs?: readonly [number, number]
  readonly porMinuto?: number
  readonly agora?: () => number
  readonly sorteio?: () => number
}

const MINUTO_MS = 60_000
/** Slots older than this belong to cancelled messages and are deleted. */
const ABANDONO_MS = 10 * MINUTO_MS

export function createRitmo({
  entreMs: [curta, longa] = [500, 2_000],
  porMinuto = 20,
  agora = () => performance.now(),
  sorteio = Math.random,
}: RitmoOptions = {}): Ritmo {
  const lugares = new Map<string, number>()
  const saidas = new Map<string, number[]>()
  let livreEm = -Infinity
  const acaso = (): number => curta + sorteio() * (longa - curta)

  const recentes = (endereco: string, em: number): number[] =>
    (saidas.get(endereco) ?? []).filter((vez) => vez > em - MINUTO_MS)

  const limpar = (em: number): void => {
    for (const [id, vez] of lugares) if (vez < em - ABANDONO_MS) lugares.delete(id)
    for (const endereco of saidas.keys()) if (recentes(endereco, em).length === 0) saidas.delete(endereco)
  }

  const reservar = (endereco: string, em: number): { readonly vez: number; readonly doLimite: boolean } => {
    const dele = recentes(endereco, em)
    const [primeira = em] = dele.slice(-porMinuto)
    if (dele.length >= porMinuto) return { vez: primeira + MINUTO_MS + acaso(), doLimite: true }
    const vez = Math.max(em, livreEm)
    livreEm = vez + acaso()
    if (!saidas.has(endereco)) limpar(em)
    saidas.set(endereco, [...dele, vez])
    return { vez, doLimite: false }
  }

  return {
    esperaMs: ({ idExterno, endereco }) => {
      const em = agora()
      const guardado = lugares.get(idExterno)
      const { vez, doLimite } = guardado === undefined ? reservar(endereco, em) : { vez: guardado, doLimite: false }
      if (vez > em && !doLimite) lugares.set(idExterno, vez)
      else lugares.delete(idExterno)
      return Math.max(0, Math.ceil(vez - em))
    },
  }
}

const PACIENCIA_MS = 3_000

/**
 * Waits up to 3 s for the turn of the message. Throws `Adiada` for a longer wait, so the outbox schedules the
 * message.
 */
export async function esperarVez(
  ritmo: Ritmo,
  mensagem: Parameters<Ritmo['esperaMs']>[0],
  parada: () => boolean,
): Promise<void> {
  for (let espera = ritmo.esperaMs(mensagem); espera > 0 && !parada(); espera = ritmo.esperaMs(mensagem)) {
    if (espera > PACIENCIA_MS) throw new Adiada(espera)
    await dormir(espera, undefined, { ref: false })
  }
}

export const LIVRE: Ritmo = { esperaMs: () => 0 }
