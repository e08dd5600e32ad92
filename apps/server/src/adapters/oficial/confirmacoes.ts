import type { OutboundMessage } from '#ports/messaging.ts'

export type Palavra =
  | { readonly tipo: 'saiu'; readonly wamid: string | null }
  | { readonly tipo: 'recusada'; readonly codigo: number | null }

/**
 * Collects Meta's status webhooks for messages with an unknown result. The Cloud API has no idempotency key but
 * returns our mark with every status. Waiting a moment may show that the first attempt succeeded.
 */
export interface Confirmacoes {
  /** A request for this mark is about to be sent; its result is unknown until a status or answer arrives. */
  readonly tentando: (marca: string) => void
  readonly naoSaiu: (marca: string) => void
  readonly saiu: (marca: string, wamid: string | null) => void
  /** Returns false for an old status: the message was sent again under another wamid since. */
  readonly falhou: (marca: string, codigo: number | null, wamid: string | null) => boolean
  /**
   * Resolves with the known result, or with null after `ms`. A refusal is returned only once; the next attempt
   * starts fresh.
   */
  readonly esperar: (marca: string, ms: number) => Promise<Palavra | null>
  readonly desistir: () => void
}

const LEMBRADAS = 5_000
/** Longer than the queue's back-off; a later attempt was started by a person and is a new one. */
const RECUSA_VALE_MS = 90_000

interface Lembrada {
  readonly palavra: Palavra
  readonly ate: number
}

export function createConfirmacoes(): Confirmacoes {
  const sabidas = new Map<string, Lembrada>()
  const esperas = new Map<string, (palavra: Palavra | null) => void>()
  const duvidosas = new Set<string>()
  /** wamids that Meta refused. Any further status with such a wamid is outdated. */
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
    // Refused by Meta and not tried since, so it was not sent.
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
      // Kept only when an attempt waits for it; otherwise a resend may try again.
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

/**
 * The mark of each request of a message; the first is the message's own id. A reaction's mark also contains its
 * target and emoji.
 */
export function marcaDe({ idExterno, reacao }: Pick<OutboundMessage, 'idExterno' | 'reacao'>, parte: number): string {
  if (reacao !== undefined) return [idExterno, REACAO, reacao.emoji, reacao.alvo.id].join(':')
  return parte === 0 ? idExterno : `${idExterno}:${parte}`
}
const REACAO = 'reacao'

export function idDaMarca(marca: string): string {
  return marca.split(':')[0] ?? marca
}

export function reacaoDaMarca(marca: string): { readonly alvo: string; readonly emoji: string } | null {
  const [, tipo, emoji = '', ...alvo] = marca.split(':')
  return tipo === REACAO ? { alvo: alvo.join(':'), emoji } : null
}
