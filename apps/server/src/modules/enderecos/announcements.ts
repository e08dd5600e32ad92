import * as z from 'zod/mini'

/**
 * `contatos.trocas`, by canonical address. `deixado`: the person gave the address up, so no reply goes there. `em`: in
 * ms.
 */
const announcementsSchema = z.record(z.string(), z.object({ em: z.number(), deixado: z.boolean() }))
export type Announcements = z.output<typeof announcementsSchema>

export function parseAnnouncements(json: unknown): Announcements {
  return json === null ? {} : (announcementsSchema.safeParse(json).data ?? {})
}

export function isLeftAddress(trocas: Announcements, canonical: string): boolean {
  return trocas[canonical]?.deixado === true
}

/** The newest announcement about each address wins, in any order of arrival. */
export function mergeAnnouncements(all: readonly Announcements[]): Announcements {
  const merged: Announcements = {}
  for (const [canonical, troca] of all.flatMap((trocas) => Object.entries(trocas))) {
    const known = merged[canonical]
    if (known === undefined || known.em < troca.em) merged[canonical] = troca
  }
  return merged
}

interface AddressMove {
  readonly left: readonly string[]
  readonly taken: readonly string[]
  readonly at: Date
}

/**
 * A late repetition has another message id and may have a newer time. Its person gave up the first address and has
 * moved on from the second, or the announcement is applied already.
 */
export function isRepeatedMove(trocas: Announcements, { left, taken }: Omit<AddressMove, 'at'>): boolean {
  const isLeft = (canonical: string): boolean => isLeftAddress(trocas, canonical)
  if (left.some(isLeft) && taken.some(isLeft)) return true
  return left.every(isLeft) && taken.every((canonical) => trocas[canonical] !== undefined)
}

/**
 * Times have whole seconds, so of two moves in one second the later arrival counts. Exception: an address that was
 * given up in this second is taken again only by a move that starts at a current address.
 */
export function applyMove(trocas: Announcements, { left, taken, at }: AddressMove): Announcements {
  const em = at.getTime()
  const startsAtCurrent = left.some((canonical) => trocas[canonical]?.deixado === false)
  const applied = { ...trocas }
  const announce = (canonical: string, deixado: boolean): void => {
    const known = trocas[canonical]
    const sameSecond = known?.em === em && (deixado || !known.deixado || startsAtCurrent)
    if (known === undefined || known.em < em || sameSecond) applied[canonical] = { em, deixado }
  }
  for (const canonical of left) announce(canonical, true)
  for (const canonical of taken) announce(canonical, false)
  return applied
}
