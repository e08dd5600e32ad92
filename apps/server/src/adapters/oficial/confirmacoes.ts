import type { OutboundMessage } from '#ports/messaging.ts'

export type Palavra =
  | { readonly tipo: 'saiu'; /** Meta's own name of it. */ readonly wamid: string | null }
  | { readonly tipo: 'recusada'; readonly codigo: number | null }

/**
 * What Meta's own news says about messages whose fate is not known. The Cloud API takes no id of ours that would make a second
 * attempt harmless, but it gives our mark back with every status: whoever waits a moment may learn that the first one arrived.
 */
export interface Confirmacoes {
  readonly saiu: (marca: string, wamid: string | null) => void
  /** False for old news: under another name it was sent again since. */
  readonly falhou: (marca: string, codigo: number | null, wamid: string | null) => boolean
  /** Resolves with what is known, as soon as it is, or with null when `ms` have passed without. */
  readonly esperar: (marca: string, ms: number) => Promise<Palavra | null>
  readonly desistir: () => void
}

const LEMBRADAS = 5_000
/** Longer than the queue waits between two attempts; an attempt after that is a person's, and a new one. */
const RECUSA_VALE_MS = 90_000

interface Lembrada {
  readonly palavra: Palavra
  readonly ate: number
}

export function createConfirmacoes(): Confirmacoes {
  const sabidas = new Map<string, Lembrada>()
  const esperas = new Map<string, (palavra: Palavra | null) => void>()

  const lembrar = (marca: string, palavra: Palavra, valeMs: number): void => {
    sabidas.delete(marca)
    sabidas.set(marca, { palavra, ate: performance.now() + valeMs })
    if (sabidas.size > LEMBRADAS) sabidas.delete(sabidas.keys().next().value ?? '')
    esperas.get(marca)?.(palavra)
  }

  const de = (marca: string): Palavra | null => {
    const sabida = sabidas.get(marca)
    return sabida === undefined || sabida.ate < performance.now() ? null : sabida.palavra
  }

  return {
    saiu: (marca, wamid) => lembrar(marca, { tipo: 'saiu', wamid: wamid ?? wamidDe(de(marca)) }, Infinity),
    falhou: (marca, codigo, wamid) => {
      const sabida = de(marca)
      const atual = wamidDe(sabida)
      if (atual !== null && wamid !== null && atual !== wamid) return false
      // Of one that had left nobody waits for news: sent again, it is tried again.
      if (sabida?.tipo === 'saiu') sabidas.delete(marca)
      else lembrar(marca, { tipo: 'recusada', codigo }, RECUSA_VALE_MS)
      return true
    },
    esperar: async (marca, ms) => {
      const sabida = de(marca)
      if (sabida !== null || ms <= 0) return sabida
      const { promise, resolve } = Promise.withResolvers<Palavra | null>()
      const timer = setTimeout(() => resolve(null), ms)
      esperas.set(marca, resolve)
      try {
        return await promise
      } finally {
        clearTimeout(timer)
        esperas.delete(marca)
      }
    },
    desistir: () => {
      for (const resolver of esperas.values()) resolver(null)
    },
  }
}

const wamidDe = (palavra: Palavra | null): string | null => (palavra?.tipo === 'saiu' ? palavra.wamid : null)

/** Our mark on each request of a message; the first one is the message's own id. A reaction's says also what it marks. */
export function marcaDe({ idExterno, reacao }: Pick<OutboundMessage, 'idExterno' | 'reacao'>, parte: number): string {
  if (reacao !== undefined) return [idExterno, REACAO, reacao.emoji, reacao.alvo.id].join(':')
  return parte === 0 ? idExterno : `${idExterno}:${parte}`
}
const REACAO = 'reacao'

export function idDaMarca(marca: string): string {
  return marca.split(':')[0] ?? marca
}

/** The reaction that carried this mark; null when it was a message. */
export function reacaoDaMarca(marca: string): { readonly alvo: string; readonly emoji: string } | null {
  const [, tipo, emoji = '', ...alvo] = marca.split(':')
  return tipo === REACAO ? { alvo: alvo.join(':'), emoji } : null
}
