import type { OutboundMessage } from '@balcao/connector/port'

export type SendResult =
  | { readonly tipo: 'saiu'; readonly wamid: string | null }
  | { readonly tipo: 'recusada'; readonly codigo: number | null }

/**
 * Collects Meta's status webhooks for messages with an unknown result. The Cloud API has no idempotency key but
 * returns our mark with every status. Waiting a moment may show that the first attempt succeeded.
 */
export interface Confirmations {
  /** A request for this mark is about to be sent; its result is unknown until a status or answer arrives. */
  readonly trying: (marca: string) => void
  readonly notSent: (marca: string) => void
  readonly sent: (marca: string, wamid: string | null) => void
  /** Returns false for an old status: the message was sent again under another wamid since. */
  readonly failed: (marca: string, code: number | null, wamid: string | null) => boolean
  /**
   * Resolves with the known result, or with null after `ms`. A refusal is returned only once; the next attempt
   * starts fresh.
   */
  readonly wait: (marca: string, ms: number) => Promise<SendResult | null>
  readonly cancel: () => void
}

const MAX_RESULTS = 5_000
/** Longer than the queue's back-off; a later attempt was started by a person and is a new one. */
const REFUSAL_MS = 90_000

interface StoredResult {
  readonly result: SendResult
  readonly until: number
}

export function createConfirmations(): Confirmations {
  const sabidas = new Map<string, StoredResult>()
  const waits = new Map<string, (word: SendResult | null) => void>()
  const duvidosas = new Set<string>()
  /** wamids that Meta refused. Any further status with such a wamid is outdated. */
  const refused = new Map<string, string>()

  const remember = (marca: string, word: SendResult, valeMs: number): void => {
    sabidas.delete(marca)
    sabidas.set(marca, { result: word, until: performance.now() + valeMs })
    evictOldest(sabidas)
    duvidosas.delete(marca)
    waits.get(marca)?.(word)
  }

  const de = (marca: string): SendResult | null => {
    const sabida = sabidas.get(marca)
    return sabida === undefined || sabida.until < performance.now() ? null : sabida.result
  }

  const esperar = async (marca: string, ms: number): Promise<SendResult | null> => {
    const sabida = de(marca)
    // Refused by Meta and not tried since, so it was not sent.
    const acabou = refused.has(marca) && !duvidosas.has(marca)
    if (sabida !== null || ms <= 0 || acabou) return sabida
    const { promise, resolve } = Promise.withResolvers<SendResult | null>()
    const timer = setTimeout(() => resolve(null), ms)
    waits.set(marca, resolve)
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      waits.delete(marca)
    }
  }

  return {
    trying: (marca) => {
      duvidosas.add(marca)
      evictOldest(duvidosas)
    },
    notSent: (marca) => void duvidosas.delete(marca),
    sent: (marca, wamid) => {
      if (wamid !== null && refused.get(marca) === wamid) return
      remember(marca, { tipo: 'saiu', wamid: wamid ?? wamidOf(de(marca)) }, Infinity)
    },
    failed: (marca, codigo, wamid) => {
      const current = wamidOf(de(marca))
      if (wamid !== null && (refused.get(marca) === wamid || (current !== null && current !== wamid))) return false
      if (wamid !== null) {
        refused.delete(marca)
        refused.set(marca, wamid)
        evictOldest(refused)
      }
      sabidas.delete(marca)
      // Kept only when an attempt waits for it; otherwise a resend may try again.
      if (duvidosas.has(marca) || waits.has(marca)) remember(marca, { tipo: 'recusada', codigo }, REFUSAL_MS)
      return true
    },
    wait: async (marca, ms) => {
      const word = await esperar(marca, ms)
      if (word?.tipo === 'recusada') sabidas.delete(marca)
      return word
    },
    cancel: () => {
      for (const resolver of waits.values()) resolver(null)
    },
  }
}

function evictOldest(remembered: Pick<Map<string, unknown>, 'size' | 'keys' | 'delete'>): void {
  if (remembered.size > MAX_RESULTS) remembered.delete(remembered.keys().next().value ?? '')
}

const wamidOf = (word: SendResult | null): string | null => (word?.tipo === 'saiu' ? word.wamid : null)

/**
 * The mark of each request of a message; the first is the message's own id. A reaction's mark also contains its
 * target and emoji.
 */
export function markFor({ idExterno, reacao }: Pick<OutboundMessage, 'idExterno' | 'reacao'>, part: number): string {
  if (reacao !== undefined) return [idExterno, REACTION_MARK, reacao.emoji, reacao.alvo.id].join(':')
  return part === 0 ? idExterno : `${idExterno}:${part}`
}
const REACTION_MARK = 'reacao'

export function markId(mark: string): string {
  return mark.split(':')[0] ?? mark
}

export function markReaction(mark: string): { readonly serviceId: string; readonly emoji: string } | null {
  const [, tipo, emoji = '', ...target] = mark.split(':')
  return tipo === REACTION_MARK ? { serviceId: target.join(':'), emoji } : null
}
