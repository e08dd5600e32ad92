import type { ServidorFalso } from '@balcao/whatsapp/rede-falsa'

/** Everything that goes wrong in a soak; a day on which one of them never happened proves nothing about it. */
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

/** Each fault now and then, by chance that can be repeated. */
export interface Faltas {
  /** Whether what happens one time in `cada` happens now, which is counted; never once they are over. */
  readonly agora: (qual: Falta, cada: number) => boolean
  /** From here on nothing goes wrong. */
  readonly acabar: () => void
  readonly contadas: ReadonlyMap<Falta, number>
}

/** Mulberry32: the same seed, the same bad day. */
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

/** The network's share: refusals, what is lost on the way, messages that overtake each other. */
export function estragar(servidor: ServidorFalso, faltas: Faltas): void {
  servidor.falhas.recusar = () => (faltas.agora('sends refused with 500', 15) ? '500' : undefined)
  servidor.falhas.calarAck = () => faltas.agora('acks dropped', 25)
  servidor.falhas.segurar = () => faltas.agora('messages overtaken', 12)
  // Messages of ours, receipts and acks for theirs: lost with the line they were on, as TCP loses things.
  servidor.falhas.engolir = ({ tag }) => {
    const perdida = tag !== 'iq' && faltas.agora('lines cut with a stanza on its way', 60)
    if (perdida) servidor.cortarTudo()
    return perdida
  }
}
