import { setTimeout as dormir } from 'node:timers/promises'
import { Adiada } from './anfitriao.ts'

/**
 * A person's pace: between two messages a moment that is never quite the same, and to nobody more than a few in a minute.
 * The bursts and the regularity of a machine get numbers banned.
 */
export interface Ritmo {
  /**
   * How long a message has to wait until it may leave, in ms; 0: now. A message that waits keeps its place under its id, and
   * asks again when the time has come. One for somebody who was written to too often gets none yet: it asks again.
   */
  readonly esperaMs: (mensagem: { readonly idExterno: string; readonly endereco: string }) => number
}

export interface RitmoOptions {
  /** Shortest and longest time between two messages of a session, in ms. */
  readonly entreMs?: readonly [number, number]
  /** To the same person. */
  readonly porMinuto?: number
  /** Milliseconds of a clock that never goes back. */
  readonly agora?: () => number
  /** From 0 to 1. */
  readonly sorteio?: () => number
}

const MINUTO_MS = 60_000
/** A place that nobody took by then is for a message that was called back. */
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

  /** What left for this person, or is about to, within the last minute. */
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

/** A short wait is waited here; a longer one, told as `Adiada`, is for whoever keeps what has to leave. */
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

/** For a network of this machine, where nobody bans anybody. */
export const LIVRE: Ritmo = { esperaMs: () => 0 }
