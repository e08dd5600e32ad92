import type { OutboundMessage } from '#ports/messaging.ts'

export type Palavra =
  | { readonly tipo: 'saiu'; /** Meta's own name of it. */ readonly wamid: string | null }
  | { readonly tipo: 'recusada'; readonly codigo: number | null }

/**
 * What Meta's own news says about messages whose fate is not known. The Cloud API takes no id of ours that would make a second
 * attempt harmless, but it gives our mark back with every status: whoever waits a moment may learn that the first one arrived.
 */
export interface Confirmacoes {
  /** A request for it leaves now; until something is known of it, its fate is in doubt. */
  readonly tentando: (marca: string) => void
  /** It did not leave, and that is certain. */
  readonly naoSaiu: (marca: string) => void
  readonly saiu: (marca: string, wamid: string | null) => void
  /** False for old news: under another name it was sent again since. */
  readonly falhou: (marca: string, codigo: number | null, wamid: string | null) => boolean
  /**
   * Resolves with what is known, as soon as it is, or with null when `ms` have passed without. A refusal is said once: whoever asks
   * after that tries anew.
   */
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
  const duvidosas = new Set<string>()
  /** What Meta called the ones that it refused after all: of these, whatever else it says is old. */
  const recusadas = new Map<string, string>()

  const lembrar = (marca: string, palavra: Palavra, valeMs: number): void => {
    sabidas.delete(marca)
    sabidas.set(marca, { palavra, ate: performance.now() + valeMs })
    encurtar(sabidas)
    duvidosas.delete(marca)
    esperas.get(marca)?.(palavra)
  }

  const de = (marca: string): Palavra | null => {
    const sabida = sabidas.get(marca)
    return sabida === undefined || sabida.ate < performance.now() ? null : sabida.palavra
  }

  const esperar = async (marca: string, ms: number): Promise<Palavra | null> => {
    const sabida = de(marca)
    // What Meta refused, and nobody has tried since, did not leave.
    const acabou = recusadas.has(marca) && !duvidosas.has(marca)
    if (sabida !== null || ms <= 0 || acabou) return sabida
    const { promise, resolve } = Promise.withResolvers<Palavra | null>()
    const timer = setTimeout(() => resolve(null), ms)
    esperas.set(marca, resolve)
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      esperas.delete(marca)
    }
  }

  return {
    tentando: (marca) => {
      duvidosas.add(marca)
      encurtar(duvidosas)
    },
    naoSaiu: (marca) => void duvidosas.delete(marca),
    saiu: (marca, wamid) => {
      if (wamid !== null && recusadas.get(marca) === wamid) return
      lembrar(marca, { tipo: 'saiu', wamid: wamid ?? wamidDe(de(marca)) }, Infinity)
    },
    falhou: (marca, codigo, wamid) => {
      const atual = wamidDe(de(marca))
      if (wamid !== null && (recusadas.get(marca) === wamid || (atual !== null && atual !== wamid))) return false
      if (wamid !== null) {
        recusadas.delete(marca)
        recusadas.set(marca, wamid)
        encurtar(recusadas)
      }
      sabidas.delete(marca)
      // Of any other nobody waits for news: sent again, it is tried again.
      if (duvidosas.has(marca) || esperas.has(marca)) lembrar(marca, { tipo: 'recusada', codigo }, RECUSA_VALE_MS)
      return true
    },
    esperar: async (marca, ms) => {
      const palavra = await esperar(marca, ms)
      if (palavra?.tipo === 'recusada') sabidas.delete(marca)
      return palavra
    },
    desistir: () => {
      for (const resolver of esperas.values()) resolver(null)
    },
  }
}

function encurtar(lembradas: Pick<Map<string, unknown>, 'size' | 'keys' | 'delete'>): void {
  if (lembradas.size > LEMBRADAS) lembradas.delete(lembradas.keys().next().value ?? '')
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
