import type { CustomerAddress, IdentityNotice, InboundMessage } from '@balcao/connector/port'
import { createBoundedCache } from '#lib/bounded-cache.ts'
import { findOpenAttended } from '#modules/conversas/index.ts'
import {
  addressKey,
  canonicalAddress,
  joinAddresses,
  type MergedContato,
  moveAddresses,
  type SeenTogether,
  serviceAddressKey,
} from '#modules/enderecos/index.ts'
import { audienceOfView, audienceOfEnded } from '#modules/leitores/index.ts'
import { insertLog } from '#modules/logs/index.ts'
import type { Tx } from '#db/transaction.ts'
import type { BotDeps } from '#bot/deps.ts'
import type { MensagemAnnouncer } from '#bot/outbox/announce.ts'

const JOINS_CACHED = 50_000

type JoinDeps = Pick<BotDeps, 'db' | 'log' | 'realtime' | 'ids' | 'clock' | 'crashPoint'>

export interface AddressJoinParts {
  readonly contatos: { readonly forget: (key: string) => void }
  readonly announcer: Pick<MensagemAnnouncer, 'changed'>
}

export class AddressJoins {
  readonly #deps: JoinDeps
  readonly #parts: AddressJoinParts
  readonly #joined = createBoundedCache<true>(JOINS_CACHED)
  readonly #inFlight = new Map<string, Promise<void>>()

  constructor(deps: JoinDeps, parts: AddressJoinParts) {
    this.#deps = deps
    this.#parts = parts
  }

  /**
   * Resolves when all addresses of the sender lead to one contato, if there is one. Null when there is nothing to
   * do. Messages of one person await the same promise, so they keep their order. Call it again when the message is
   * stored, because its contato may not have existed before.
   */
  join(contaId: string, message: InboundMessage): Promise<void> | null {
    const canonicos = canonicalsOf(message)
    return this.#join(contaId, { canonicos, telefone: message.telefone, seenAt: message.enviadaEm })
  }

  /** Follows an announcement of the service. Resolves with false when it concerns no known customer. */
  async announced(contaId: string, { atuais, deixados, em }: IdentityNotice): Promise<boolean> {
    if (deixados.length === 0) {
      const telefone = atuais.find((address) => address.telefone !== '')?.telefone ?? ''
      await this.#join(contaId, { canonicos: [...new Set(atuais.map(canonicalOf))], telefone, seenAt: null })
      return true
    }
    const taken = atuais.map((address) => ({ canonical: canonicalOf(address), address: address.endereco }))
    const left = deixados.map(canonicalOf).filter((one) => taken.every(({ canonical }) => canonical !== one))
    const merged = await this.#transaction(contaId, (tx) => moveAddresses(tx, contaId, { left, taken, at: em }))
    if (merged === null) return false
    this.#joined.clear()
    this.#forgetAddresses(contaId, [...left, ...taken.map(({ canonical }) => canonical)])
    await this.#publish(contaId, merged)
    return true
  }

  forget(): void {
    this.#joined.clear()
  }

  #join(contaId: string, named: SeenTogether): Promise<void> | null {
    if (named.canonicos.length < 2) return null
    const key = [contaId, ...named.canonicos].join('|')
    if (this.#joined.get(key) === true) return null
    const running = this.#inFlight.get(key)
    if (running !== undefined) return running
    const joining = this.#merge(contaId, key, named).finally(() => this.#inFlight.delete(key))
    this.#inFlight.set(key, joining)
    return joining
  }

  async #merge(contaId: string, key: string, named: SeenTogether): Promise<void> {
    const merged = await this.#transaction(contaId, (tx) => joinAddresses(tx, contaId, named))
    // Also without a contato: an address with a new owner has left its old one.
    this.#forgetAddresses(contaId, named.canonicos)
    if (merged === null) return
    this.#joined.set(key, true)
    if (merged.removed.length > 0) await this.#publish(contaId, merged)
  }

  async #transaction(contaId: string, work: (tx: Tx) => Promise<MergedContato | null>): Promise<MergedContato | null> {
    const { db, crashPoint } = this.#deps
    const merged = await db.transaction(contaId, async (tx) => {
      const done = await work(tx)
      for (const protocolo of done?.apart ?? []) {
        const mensagem = `Um cliente com dois contatos falava com dois setores. A conversa ${protocolo} terminou: veja se falta responder.`
        await insertLog(tx, this.#deps, contaId, { tipo: 'warning', mensagem })
      }
      if (done !== null) crashPoint('juncao.antes-commit')
      return done
    })
    if (merged !== null) crashPoint('juncao.apos-commit')
    return merged
  }

  #forgetAddresses(contaId: string, canonicos: readonly string[]): void {
    for (const canonical of canonicos) this.#parts.contatos.forget(addressKey(contaId, canonical))
  }

  async #publish(contaId: string, { id, finished, moved, removed }: MergedContato): Promise<void> {
    const { db, log, realtime } = this.#deps
    for (const ended of finished) {
      const event = { userId: contaId, conversaId: ended.id, revisao: ended.revisao }
      realtime.publishConversa(contaId, 'conversaFinalizada', event, audienceOfEnded(ended))
    }
    for (const contato of removed) {
      realtime.publish(contaId, 'botConversaAtiva', { userId: contaId, ...contato, ativa: false })
    }
    for (const mensagemId of moved) this.#parts.announcer.changed(contaId, mensagemId)
    try {
      const conversa = await db.read(contaId, (tx) => findOpenAttended(tx, contaId, id))
      if (conversa === null) return
      const event = { userId: contaId, conversa, atualizada: true }
      realtime.publishConversa(contaId, 'novaConversaHumana', event, audienceOfView(conversa))
    } catch (error) {
      log.warn({ err: error, contaId }, 'joined conversa not published, the panel refetches it')
    }
  }
}

const canonicalOf = ({ telefone, endereco }: CustomerAddress): string => canonicalAddress(telefone, endereco)

/** Returns the address that finds the contato first, then the others, without repetitions. */
export function canonicalsOf({ telefone, endereco, outrosEnderecos = [] }: InboundMessage): string[] {
  const first = canonicalAddress(telefone, endereco)
  // An address such as `5511987654321@s.whatsapp.net` only repeats the phone.
  const others = [endereco, ...outrosEnderecos].filter((other) => serviceAddressKey(other) !== first)
  return [...new Set([first, ...others])]
}
