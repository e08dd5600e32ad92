import * as z from 'zod/mini'
import { contaId, sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows, oneRow } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import { serviceAddressKey } from './contatos.ts'
import { type AddressOwner, lockByAddress } from './locked-contatos.ts'
import { type MergedContato, mergeContatos } from './merge-contatos.ts'
import { type Announcements, applyMove, isLeftAddress, isRepeatedMove, parseAnnouncements } from './announcements.ts'

export interface SeenTogether {
  readonly canonicos: readonly string[]
  /** Empty when the service hides the number. */
  readonly telefone: string
  /** Null for a receipt: it may name an address that the person gave up since. */
  readonly seenAt: Date | null
}

/**
 * An address that its person gave up and that appears later with an unknown address has a new owner: it leaves the old
 * contato. Null when no address is known.
 */
export async function joinAddresses(tx: Tx, contaId: string, seen: SeenTogether): Promise<MergedContato | null> {
  const { canonicos, telefone, seenAt } = seen
  const owners = await lockByAddress(tx, contaId, canonicos)
  const [first] = owners
  if (first === undefined) return null
  const old = owners.flatMap(leftAmong)
  if (old.length === 0) {
    const complete = owners.length === 1 && isComplete(first, seen)
    return complete ? unchanged(first.id) : mergeContatos(tx, contaId, { canonicos, telefone })
  }
  return seenAt === null ? unchanged(first.id) : joinOld(tx, contaId, owners, { canonicos, telefone, seenAt })
}

interface WrittenFrom extends SeenTogether {
  readonly seenAt: Date
}

async function joinOld(
  tx: Tx,
  contaId: string,
  owners: readonly AddressOwner[],
  seen: WrittenFrom,
): Promise<MergedContato | null> {
  const { canonicos, telefone, seenAt } = seen
  const reused = owners.flatMap((owner) => reusedOf(owner, seen))
  await release(tx, contaId, reused)
  const isReused = owners.flatMap(leftAmong).every((one) => reused.includes(one))
  if (isReused) return mergeContatos(tx, contaId, { canonicos, telefone })
  const merged = await mergeContatos(tx, contaId, { canonicos, telefone: '' })
  if (merged === null) return null
  await settle(tx, contaId, merged.id, { change: (trocas) => applySeen(trocas, canonicos, seenAt), spellings: [] })
  return merged
}

function leftAmong({ trocas, achados }: AddressOwner): string[] {
  const parsed = parseAnnouncements(trocas)
  return achados.filter((one) => isLeftAddress(parsed, one))
}

function isComplete({ achados, telefone: known }: AddressOwner, { canonicos, telefone }: SeenTogether): boolean {
  return canonicos.every((one) => achados.includes(one)) && (telefone === '' || telefone === known)
}

const unchanged = (id: string): MergedContato => ({ id, finished: [], moved: [], apart: [], removed: [] })

/**
 * An address given up before `seenAt` that appears beside one of no contato or of another belongs to another person.
 */
function reusedOf(owner: AddressOwner, { canonicos, seenAt }: WrittenFrom): string[] {
  if (canonicos.every((one) => owner.achados.includes(one))) return []
  const trocas = parseAnnouncements(owner.trocas)
  return leftAmong(owner).filter((one) => (trocas[one]?.em ?? 0) < seenAt.getTime())
}

const deleteAddresses = noRows(
  'conversas: delete addresses',
  sql`delete from enderecos where conta_id = ${contaId} and endereco = any (${value('addresses', 'text[]')})`,
)

async function release(tx: Tx, contaId: string, addresses: readonly string[]): Promise<void> {
  if (addresses.length > 0) await deleteAddresses(tx, { contaId, addresses })
}

/**
 * If `seenAt` is newer than the latest give-up and one address is current, all are in use again. If it is older,
 * addresses without an announcement count as given up too.
 */
function applySeen(trocas: Announcements, canonicos: readonly string[], seenAt: Date): Announcements {
  const leftAt = Math.max(...canonicos.map((one) => (isLeftAddress(trocas, one) ? (trocas[one]?.em ?? 0) : 0)))
  if (leftAt === 0) return trocas
  if (leftAt < seenAt.getTime()) {
    const someCurrent = canonicos.some((one) => !isLeftAddress(trocas, one))
    return someCurrent ? applyMove(trocas, { left: [], taken: canonicos, at: seenAt }) : trocas
  }
  const left = canonicos.filter((one) => trocas[one] === undefined)
  return applyMove(trocas, { left, taken: [], at: new Date(leftAt) })
}

interface AnnouncedMove {
  readonly left: readonly string[]
  /** With the spelling of the service. The preferred reply address comes first. */
  readonly taken: readonly { readonly canonical: string; readonly address: string }[]
  readonly at: Date
}

/**
 * Repeated, late and reordered announcements are safe: per address the newest one counts. Null when no address is
 * known.
 */
export async function moveAddresses(tx: Tx, contaId: string, announced: AnnouncedMove): Promise<MergedContato | null> {
  const named = [...announced.left, ...announced.taken.map(({ canonical }) => canonical)]
  const owners = await lockByAddress(tx, contaId, named)
  const [first] = owners
  if (first === undefined) return null
  const canonical = { left: announced.left, taken: announced.taken.map((one) => one.canonical) }
  if (owners.some(({ trocas }) => isRepeatedMove(parseAnnouncements(trocas), canonical))) return unchanged(first.id)
  const move = withoutOutdated(announced, owners)
  const { taken, at } = move
  if (taken.length === 0 || move.left.length === 0) return unchanged(first.id)
  await release(tx, contaId, await phonesOfOthers(tx, contaId, move, owners))
  const canonicos = taken.map(({ canonical }) => canonical)
  const left = [...move.left, ...(await oldPhones(tx, contaId, move, owners))]
  const merged = await mergeContatos(tx, contaId, { canonicos: [...left, ...canonicos], telefone: '' })
  if (merged === null) return null
  const change = (trocas: Announcements): Announcements => applyMove(trocas, { left, taken: canonicos, at })
  await settle(tx, contaId, merged.id, { change, spellings: taken })
  return merged
}

/** Addresses that have had a newer announcement and lead to another person since. */
function withoutOutdated(move: AnnouncedMove, owners: readonly AddressOwner[]): AnnouncedMove {
  const isOutdated = (canonical: string): boolean =>
    owners.some(({ trocas, achados }) => {
      const known = parseAnnouncements(trocas)[canonical]
      return known !== undefined && known.em >= move.at.getTime() && !achados.includes(canonical)
    })
  return {
    left: move.left.filter((one) => !isOutdated(one)),
    taken: move.taken.filter(({ canonical }) => !isOutdated(canonical)),
    at: move.at,
  }
}

const isPhone = (canonical: string): boolean => canonical.startsWith('tel:')
/** Ids such as Meta's. Addresses with `@` belong to connectors that pair with a phone. */
const isUserId = (canonical: string): boolean => !isPhone(canonical) && !canonical.includes('@')

const listOwned = manyRows(
  'conversas: list addresses of contatos',
  z.object({ contatoId: z.string(), endereco: z.string(), criadoEm: z.date() }),
  sql`select contato_id, endereco, criado_em from enderecos
      where conta_id = ${contaId} and contato_id = any (${value('contatos', 'uuid[]')})`,
)

/** Messages from a new address may arrive before its announcement, which Meta repeats for at most 7 days. */
const EARLY_MS = 7 * 24 * 3_600_000

/** The service then names another user id for them, or they are known for longer than an announcement can be late. */
async function phonesOfOthers(
  tx: Tx,
  contaId: string,
  { left, taken, at }: AnnouncedMove,
  owners: readonly AddressOwner[],
): Promise<string[]> {
  const named = [...left, ...taken.map(({ canonical }) => canonical)]
  const strangers = owners.filter(({ achados }) => achados.every((one) => isPhone(one) && !left.includes(one)))
  const contatos = strangers.map(({ id }) => id)
  const owned = contatos.length === 0 ? [] : await listOwned(tx, { contaId, contatos })
  return strangers.flatMap(({ id, achados }) => {
    const theirs = owned.filter(({ contatoId }) => contatoId === id)
    const hasOtherId = named.some(isUserId) && theirs.some(({ endereco }) => isUserId(endereco))
    return achados.filter((phone) => {
      const since = theirs.find(({ endereco }) => endereco === phone)?.criadoEm ?? at
      return hasOtherId || at.getTime() - since.getTime() > EARLY_MS
    })
  })
}

/** Meta replaces a user id only with a new phone number, which it may hide. So the known phone is given up. */
async function oldPhones(
  tx: Tx,
  contaId: string,
  { left, taken }: AnnouncedMove,
  owners: readonly AddressOwner[],
): Promise<string[]> {
  const canonicos = taken.map(({ canonical }) => canonical)
  if ([...left, ...canonicos].some(isPhone)) return []
  const before = owners.filter(({ achados }) => !achados.some((one) => canonicos.includes(one)))
  const owned = await listOwned(tx, { contaId, contatos: before.map(({ id }) => id) })
  return owned.map(({ endereco }) => endereco).filter(isPhone)
}

const contatoId = value('contatoId', 'uuid')

const findSettled = oneRow(
  'conversas: find addresses of contato',
  z.object({ trocas: z.unknown(), telefone: z.string(), endereco: z.string(), enderecos: z.array(z.string()) }),
  sql`select c.trocas, c.telefone, c.endereco, array(
        select e.endereco from enderecos e where e.conta_id = c.conta_id and e.contato_id = c.id order by e.endereco
      ) as enderecos
      from contatos c where c.conta_id = ${contaId} and c.id = ${contatoId}`,
)

const updateAddresses = noRows(
  'conversas: update addresses of contato',
  sql`update contatos set trocas = ${value('trocas', 'jsonb')}, telefone = ${value('telefone', 'text')},
        endereco = ${value('endereco', 'text')}
      where conta_id = ${contaId} and id = ${contatoId}`,
)

interface Settlement {
  readonly change: (trocas: Announcements) => Announcements
  readonly spellings: AnnouncedMove['taken']
}

async function settle(tx: Tx, contaId: string, contatoId: string, { change, spellings }: Settlement): Promise<void> {
  const contato = await findSettled(tx, { contaId, contatoId })
  if (contato === null) throw new Error('merged contato without a row')
  const trocas = change(parseAnnouncements(contato.trocas))
  const current = contato.enderecos.filter((one) => !isLeftAddress(trocas, one)).toSorted(byNewest(trocas))
  const phone = current.find(isPhone)
  const isLeft = isLeftAddress(trocas, serviceAddressKey(contato.endereco))
  const reply = isLeft ? (phone ?? current.find(isUserId)) : undefined
  const spelled = spellings.find(({ canonical }) => canonical === reply)?.address ?? reply?.replace('tel:', '')
  const telefone = phone?.replace('tel:', '') ?? contato.telefone
  await updateAddresses(tx, { contaId, contatoId, trocas, telefone, endereco: spelled ?? contato.endereco })
}

function byNewest(trocas: Announcements): (a: string, b: string) => number {
  return (a, b) => (trocas[b]?.em ?? 0) - (trocas[a]?.em ?? 0)
}

const findOwner = oneRow(
  'conversas: find owner of address',
  z.object({ endereco: z.string(), trocas: z.unknown() }),
  sql`select c.endereco, c.trocas from enderecos e join contatos c on c.conta_id = e.conta_id and c.id = e.contato_id
      where e.conta_id = ${contaId} and e.endereco = ${value('key', 'text')}`,
)

/** The address itself, unless its person gave it up. */
export async function findReplyAddress(tx: Tx, contaId: string, address: string): Promise<string> {
  const key = serviceAddressKey(address)
  const owner = await findOwner(tx, { contaId, key })
  return owner !== null && isLeftAddress(parseAnnouncements(owner.trocas), key) ? owner.endereco : address
}
