import type { ServidorFalso } from '@balcao/whatsapp/rede-falsa'

/** Everything that goes wrong in a soak, each now and then, by chance that can be repeated. */
export interface Faltas {
  /** Whether what happens one time in `cada` happens now; never once they are over. */
  readonly agora: (cada: number) => boolean
  /** From here on nothing goes wrong. */
  readonly acabar: () => void
  readonly contadas: ReadonlyMap<string, number>
  readonly anotar: (qual: string) => void
}

/** Mulberry32: the same seed, the same bad day. */
export function createFaltas(semente: number): Faltas {
  const contadas = new Map<string, number>()
  let estado = semente
  let acabaram = false
  const sorteio = (): number => {
    estado = (estado + 0x6d2b79f5) | 0
    let t = Math.imul(estado ^ (estado >>> 15), 1 | estado)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    agora: (cada) => !acabaram && sorteio() < 1 / cada,
    acabar: () => {
      acabaram = true
    },
    contadas,
    anotar: (qual) => void contadas.set(qual, (contadas.get(qual) ?? 0) + 1),
  }
}

/** The network's share: refusals, acks that are lost, messages that overtake each other. */
export function estragar(servidor: ServidorFalso, faltas: Faltas): void {
  const sim = (qual: string, cada: number): boolean => {
    const agora = faltas.agora(cada)
    if (agora) faltas.anotar(qual)
    return agora
  }
  servidor.falhas.recusar = () => (sim('refused with 500', 15) ? '500' : undefined)
  servidor.falhas.calarAck = () => sim('acks lost', 25)
  servidor.falhas.segurar = () => sim('messages overtaken', 12)
}
