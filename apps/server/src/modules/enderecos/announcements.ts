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

export function applyMove(trocas: Announcements, { left, taken, at }: AddressMove): Announcements {
  const em = at.getTime()
  const news = [...left.map((one) => [one, true] as const), ...taken.map((one) => [one, false] as const)]
  return mergeAnnouncements([trocas, Object.fromEntries(news.map(([one, deixado]) => [one, { em, deixado }]))])
}
