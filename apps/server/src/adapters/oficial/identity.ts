import * as z from 'zod/mini'
import type { CustomerAddress, IdentityNotice, InboundMessage } from '@balcao/connector/port'
import { metaTimestampSchema, optionalPart } from './schemas.ts'

/**
 * How Meta names a person. Sources: Meta's pages "Business-scoped user IDs", "System messages" and
 * "smb_message_echoes" and its changelog of 11 August 2026. `user_id` is an id that is valid for one business
 * portfolio (BSUID): country code, dot, up to 128 letters and digits, `BR.1502576394655843`. `parent_user_id` is the
 * same for linked portfolios, `BR.ENT.…`. Meta leaves the phone out when the person has a user name. Integrators also
 * report a BSUID in the fields of the phone, so the form decides, not the field.
 */

const PHONE = /^\+?\d{5,15}$/
/** Wider than Meta's form, but never a phone and never an address of another connector. */
const USER_ID = /^(?=[^@:]*[A-Za-z])[^\s@:]{3,200}$/

const textSchema = optionalPart(z.string())

/** Sender of a message, or its recipient when it was typed on the phone. */
export const metaPersonSchema = z.object({
  from: textSchema,
  from_user_id: textSchema,
  from_parent_user_id: textSchema,
  to: textSchema,
  to_user_id: textSchema,
  to_parent_user_id: textSchema,
  /** Recipient of a message that Meta's agent sent. */
  recipient: textSchema,
})

export const metaContactSchema = z.object({
  wa_id: textSchema,
  user_id: textSchema,
  parent_user_id: textSchema,
  profile: optionalPart(z.object({ name: textSchema, username: textSchema })),
})
export type MetaContact = z.output<typeof metaContactSchema>

export type MetaPerson = Pick<InboundMessage, 'endereco' | 'outrosEnderecos' | 'telefone'>

/** Phone first, because Meta prefers it as recipient. Null when no value names a person. */
export function metaPerson(values: readonly (string | undefined)[]): MetaPerson | null {
  const addresses = metaAddresses(values)
  const [first, ...others] = addresses
  if (first === undefined) return null
  return {
    endereco: first.endereco,
    telefone: first.telefone,
    ...(others.length === 0 ? {} : { outrosEnderecos: others.map(({ endereco }) => endereco) }),
  }
}

export function metaAddresses(values: readonly (string | undefined)[]): CustomerAddress[] {
  const given = [...new Set(values.filter((value) => value !== undefined))]
  const phone = given.find((value) => PHONE.test(value))
  const ids = given.filter((value) => USER_ID.test(value)).map((endereco) => ({ endereco, telefone: '' }))
  return phone === undefined ? ids : [{ endereco: phone, telefone: phone.replace(/\D/g, '') }, ...ids]
}

export function namedBy(message: z.output<typeof metaPersonSchema>, deMim: boolean): readonly (string | undefined)[] {
  return deMim
    ? [message.to, message.recipient, message.to_user_id, message.to_parent_user_id]
    : [message.from, message.from_user_id, message.from_parent_user_id]
}

export function findMetaContact(
  named: readonly (string | undefined)[],
  contacts: readonly MetaContact[],
): MetaContact | undefined {
  const [number, id] = [
    named.find((value) => PHONE.test(value ?? '')),
    named.find((value) => USER_ID.test(value ?? '')),
  ]
  const shared = contacts.find((contact) => contactValues(contact).some((value) => named.includes(value)))
  if (shared !== undefined) return shared
  const [only] = contacts.length === 1 ? contacts : []
  const contradicts =
    (number !== undefined && only?.wa_id !== undefined) || (id !== undefined && only?.user_id !== undefined)
  return contradicts ? undefined : only
}

export function contactValues({ wa_id: number, user_id: id, parent_user_id: parent }: MetaContact): string[] {
  return [number, id, parent].filter((value) => value !== undefined)
}

/** Meta writes user names with and without `@`. Letters are lower case. An unknown form is not stored. */
export function metaUserName(contact: MetaContact | undefined): string | undefined {
  const name = contact?.profile?.username?.trim().replace(/^@/, '').toLowerCase() ?? ''
  return /^[\w.]{1,60}$/.test(name) ? name : undefined
}

/**
 * Notice that a person changed phone or id. `from` is the old phone, `wa_id` (earlier `new_wa_id`) the new one.
 * Until August 2026 the page had neither `previous_user_id` nor a notice without a phone; both forms are read.
 */
const systemSchema = z.extend(metaPersonSchema, {
  type: z.literal('system'),
  timestamp: metaTimestampSchema,
  system: z.object({
    type: z.enum(['user_changed_number', 'user_changed_user_id', 'customer_changed_number']),
    wa_id: textSchema,
    new_wa_id: textSchema,
    user_id: textSchema,
    parent_user_id: textSchema,
    customer: textSchema,
    previous_wa_id: textSchema,
    previous_user_id: textSchema,
    previous_parent_user_id: textSchema,
  }),
})

export function parseMetaMove(raw: unknown, { arrivedAt }: { readonly arrivedAt: Date }): IdentityNotice | null {
  const parsed = systemSchema.safeParse(raw)
  if (!parsed.success) return null
  const { system, from, from_user_id: fromId, timestamp } = parsed.data
  const atuais = metaAddresses([system.wa_id ?? system.new_wa_id, system.user_id, system.parent_user_id])
  const before = [system.previous_wa_id ?? system.customer ?? from]
  // `from_user_id` may be the old or the new id.
  const ids = [system.previous_user_id ?? fromId, system.previous_parent_user_id]
  const deixados = metaAddresses([...before, ...ids]).filter(({ endereco }) =>
    atuais.every((current) => current.endereco !== endereco),
  )
  if (atuais.length === 0 || deixados.length === 0) return null
  return { atuais, deixados, em: timestamp ?? arrivedAt }
}
