import type { WebClient } from './browser/library.ts'
import { webAddressesSchema } from './shapes.ts'
import { withTimeout } from './deadline.ts'

/**
 * The page writes a number as `…@c.us`, the protocol as `…@s.whatsapp.net`. Contatos are stored in the protocol's
 * form, so both connectors find the same contato.
 */

const PERSON_ADDRESS = /^\d+(:\d+)?@(c\.us|s\.whatsapp\.net|lid)$/
const SYSTEM_ADDRESS = '0@c.us'
const LOOKUP_MS = 5_000
const MAX_PERSONS = 5_000

export function isPerson(idWeb: string): boolean {
  return idWeb !== SYSTEM_ADDRESS && PERSON_ADDRESS.test(idWeb)
}

export function fromWebAddress(idWeb: string): string {
  return idWeb.replace(/:\d+(?=@)/, '').replace(/@c\.us$/, '@s.whatsapp.net')
}

/** Also accepts a bare number, as the simulator and imported contatos have. */
export function toWebAddress(address: string): string {
  if (!address.includes('@')) return `${address.replaceAll(/\D/g, '')}@c.us`
  return address.replace(/@s\.whatsapp\.net$/, '@c.us')
}

/** The digits of a phone address; empty for one that hides the number. */
export function telefoneOf(address: string): string {
  return /^(\d+)@s\.whatsapp\.net$/.exec(address)?.[1] ?? ''
}

export interface WebPerson {
  readonly endereco: string
  readonly outrosEnderecos: readonly string[]
  readonly telefone: string
}

export type FindPerson = (idWeb: string) => Promise<WebPerson>

export function createFindPerson(client: Pick<WebClient, 'getContactLidAndPhone'>): FindPerson {
  const known = new Map<string, WebPerson>()
  return async (idWeb) => {
    const conhecida = known.get(idWeb)
    if (conhecida !== undefined) return conhecida
    const endereco = fromWebAddress(idWeb)
    const found = await lookUpAddresses(client, idWeb)
    const outrosEnderecos = found.filter((other) => other !== endereco)
    const telefone = [endereco, ...outrosEnderecos].map(telefoneOf).find((digits) => digits !== '') ?? ''
    const pessoa = { endereco, outrosEnderecos, telefone }
    // Cached only with a second address, because the page may learn it later.
    if (outrosEnderecos.length > 0) known.set(idWeb, pessoa)
    if (known.size > MAX_PERSONS) known.delete(known.keys().next().value ?? '')
    return pessoa
  }
}

/** A failed lookup must not delay the message. */
async function lookUpAddresses(client: Pick<WebClient, 'getContactLidAndPhone'>, idWeb: string): Promise<string[]> {
  try {
    const [reply] = await withTimeout(client.getContactLidAndPhone([idWeb]), LOOKUP_MS)
    const { lid, pn } = webAddressesSchema.parse(reply)
    return [pn, lid].flatMap((other) => (other ? [fromWebAddress(other)] : [])).filter((other) => isPerson(other))
  } catch {
    return []
  }
}
