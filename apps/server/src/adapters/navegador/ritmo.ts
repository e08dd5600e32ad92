import { EnvioAdiado } from '#ports/messaging.ts'

/**
 * Imitates a person's pace: a random pause between messages and a limit per contato and minute. WhatsApp bans
 * numbers that send in bursts or at regular intervals.
 */
export interface Ritmo {
  /** Resolves when the message may be sent. Throws `EnvioAdiado` when the wait is too long. */
  readonly vez: (endereco: string) => Promise<void>
}

export const LIVRE: Ritmo = { vez: () => Promise.resolve() }

const CURTA_MS = 500
const LONGA_MS = 2_000
const POR_MINUTO = 20
const MINUTO_MS = 60_000
const PACIENCIA_MS = 10_000

export function createRitmo(agora = () => performance.now(), sorteio = Math.random): Ritmo {
  const saidas = new Map<string, readonly number[]>()
  let livreEm = -Infinity
  const acaso = (): number => CURTA_MS + sorteio() * (LONGA_MS - CURTA_MS)

  const recentes = (endereco: string, em: number): readonly number[] =>
    (saidas.get(endereco) ?? []).filter((saida) => saida > em - MINUTO_MS)

  return {
    vez: async (endereco) => {
      const em = agora()
      const dela = recentes(endereco, em)
      const [primeira = em] = dela.slice(-POR_MINUTO)
      const vez = Math.max(em, livreEm, dela.length < POR_MINUTO ? em : primeira + MINUTO_MS)
      if (vez - em > PACIENCIA_MS) throw new EnvioAdiado('o número está escrevendo depressa demais', vez - em)
      livreEm = vez + acaso()
      for (const outro of saidas.keys()) if (recentes(outro, em).length === 0) saidas.delete(outro)
      saidas.set(endereco, [...dela, vez])
      if (vez > em) await new Promise((resolve) => setTimeout(resolve, vez - em))
    },
  }
}
