import type { ServidorFalso } from '@balcao/whatsapp/rede-falsa'

/** Faults of a soak. A run proves nothing about a fault that never happened. */
export const FALTAS = [
  'lines cut',
  'lines ended with 503',
  'logins refused with 503',
  'sends refused with 500',
  'lines cut with a stanza on its way',
  'acks dropped',
  'messages twice',
  'messages overtaken',
  'slow store',
  'store failed on a read',
  'store failed on a write',
  'store failed on a message',
  'process started anew',
] as const
export type Falta = (typeof FALTAS)[number]

export interface Faltas {
  /** True, and counted, in one of `cada` calls on average. Always false after `acabar`. */
  readonly agora: (qual: Falta, cada: number) => boolean
  readonly acabar: () => void
  readonly contadas: ReadonlyMap<Falta, number>
}

/** Mulberry32 generator: the same seed gives the same sequence of faults. */
export function createFaltas(semente: number): Faltas {
  const contadas = new Map<Falta, number>(FALTAS.map((qual) => [qual, 0]))
  let estado = semente
  let acabaram = false
  const sorteio = (): number => {
    estado = (estado + 0x6d2b79f5) | 0
    let t = Math.imul(estado ^ (estado >>> 15), 1 | estado)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    agora: (qual, cada) => {
      const acontece = !acabaram && sorteio() < 1 / cada
      if (acontece) contadas.set(qual, (contadas.get(qual) ?? 0) + 1)
      return acontece
    },
    acabar: () => {
      acabaram = true
    },
    contadas,
  }
}

export function estragar(servidor: ServidorFalso, faltas: Faltas): void {
  servidor.falhas.recusar = () => (faltas.agora('sends refused with 500', 15) ? '500' : undefined)
  servidor.falhas.calarAck = () => faltas.agora('acks dropped', 25)
  servidor.falhas.segurar = () => faltas.agora('messages overtaken', 12)
  // A lost stanza takes its connection with it, because TCP does not lose single frames.
  servidor.falhas.engolir = ({ tag }) => {
    const perdida = tag !== 'iq' && faltas.agora('lines cut with a stanza on its way', 60)
    if (perdida) servidor.cortarTudo()
    return perdida
  }
}
