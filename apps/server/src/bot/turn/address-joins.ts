import type { InboundMessage } from '@balcao/connector/port'
import { addressKey, canonicalAddress, mergeContatos } from '#modules/conversas/index.ts'
import { Lru } from '#lib/lru.ts'
import type { BotDeps } from '#bot/deps.ts'

const JOINS_CACHED = 50_000

export interface AddressJoins {
  /**
   * Resolves when all addresses of the sender lead to one contato, if there is one. Null when there is nothing to
   * do. Messages of one person await the same promise, so they keep their order.
   */
  readonly before: (contaId: string, mensagem: InboundMessage) => Promise<void> | null
  readonly after: (contaId: string, mensagem: InboundMessage) => void
  readonly forget: () => void
}

export interface AddressJoinsOptions {
  readonly forget: (key: string) => void
}

export function createAddressJoins(
  deps: Pick<BotDeps, 'db' | 'log' | 'realtime'>,
  { forget }: AddressJoinsOptions,
): AddressJoins {
  const { db, log, realtime } = deps
  const juntas = new Lru<true>(JOINS_CACHED)
  const inFlight = new Map<string, Promise<void>>()

  const merge = async (contaId: string, name: string, canonicos: readonly string[]): Promise<void> => {
    const telefone = canonicos[0]?.replace('tel:', '') ?? ''
    const encerradas = await db.transaction(contaId, (tx) => mergeContatos(tx, contaId, { canonicos, telefone }))
    if (encerradas === null) return
    for (const conversaId of encerradas) {
      realtime.publish(contaId, 'conversaFinalizada', { userId: contaId, conversaId })
    }
    for (const canonical of canonicos) forget(addressKey(contaId, canonical))
    juntas.set(name, true)
  }

  const comecar = (contaId: string, mensagem: InboundMessage): Promise<void> | null => {
    const canonicos = canonicalsOf(mensagem)
    if (canonicos.length < 2) return null
    const name = [contaId, ...canonicos].join('|')
    if (juntas.get(name) === true) return null
    const jaComecou = inFlight.get(name)
    if (jaComecou !== undefined) return jaComecou
    const done = merge(contaId, name, canonicos).finally(() => inFlight.delete(name))
    inFlight.set(name, done)
    return done
  }

  return {
    before: comecar,
    forget: () => juntas.clear(),
    after: (contaId, mensagem) => {
      comecar(contaId, mensagem)?.catch((error: unknown) =>
        log.warn({ err: error, contaId }, 'addresses not merged, retrying with the next message'),
      )
    },
  }
}

/**
 * Returns the canonical phone first, then the other addresses. Empty without a phone, because two hidden addresses
 * cannot be related.
 */
function canonicalsOf({ telefone, endereco, outrosEnderecos = [] }: InboundMessage): string[] {
  if (telefone === '') return []
  // Skips addresses that only repeat the phone number.
  const others = [endereco, ...outrosEnderecos].filter((other) => !other.includes(telefone))
  return [...new Set([canonicalAddress(telefone, endereco), ...others])]
}
