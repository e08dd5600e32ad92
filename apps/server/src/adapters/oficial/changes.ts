import { LRUCache } from 'lru-cache'
import * as z from 'zod/mini'
import type { MessageChange, SessionHost } from '@balcao/connector/port'
import type { MetaFrame } from './content.ts'
import { metaPerson, metaPersonSchema, namedBy } from './identity.ts'
import { metaTimestampSchema } from './schemas.ts'

const commonShape = { ...metaPersonSchema.shape, timestamp: metaTimestampSchema }
const captionSchema = z.optional(z.object({ caption: z.optional(z.string()) }))
const originalIdSchema = z.string()

const changeSchema = z.discriminatedUnion('type', [
  z.object({
    ...commonShape,
    type: z.literal('reaction'),
    reaction: z.object({ message_id: z.string(), emoji: z.optional(z.string()) }),
  }),
  // Meta sends the next two only for numbers that are also used on a phone.
  z.object({ ...commonShape, type: z.literal('revoke'), revoke: z.object({ original_message_id: originalIdSchema }) }),
  z.object({
    ...commonShape,
    type: z.literal('edit'),
    edit: z.object({
      original_message_id: originalIdSchema,
      message: z.object({
        text: z.optional(z.object({ body: z.string() })),
        ...{ image: captionSchema, video: captionSchema, document: captionSchema },
      }),
    }),
  }),
])
type ParsedChange = z.output<typeof changeSchema>

export interface MetaChange {
  readonly change: MessageChange
  readonly at: Date
}

export function parseMetaChange(
  raw: unknown,
  { deMim, pessoa = [], arrivedAt }: Pick<MetaFrame, 'deMim' | 'pessoa' | 'arrivedAt'>,
): MetaChange | null {
  const parsed = changeSchema.safeParse(raw)
  const person = parsed.success ? metaPerson([...namedBy(parsed.data, deMim), ...pessoa]) : null
  if (!parsed.success || person === null) return null
  return { change: { ...person, ...changeOf(parsed.data), deMim }, at: parsed.data.timestamp ?? arrivedAt }
}

function changeOf(parsed: ParsedChange): Pick<MessageChange, 'alvo' | 'mudanca'> {
  switch (parsed.type) {
    case 'reaction': {
      const { message_id: alvo, emoji = '' } = parsed.reaction
      return { alvo, mudanca: { tipo: 'reacao', emoji } }
    }
    case 'revoke':
      return { alvo: parsed.revoke.original_message_id, mudanca: { tipo: 'apagada' } }
    case 'edit': {
      const { text, image, video, document } = parsed.edit.message
      const texto = text?.body ?? (image ?? video ?? document)?.caption ?? ''
      return { alvo: parsed.edit.original_message_id, mudanca: { tipo: 'edicao', texto } }
    }
    default:
      return parsed satisfies never
  }
}

/** Meta retries failed webhooks for seven days; after that the awaited message cannot arrive. */
export const TARGET_MAX_MS = 7 * 24 * 3_600_000
const MAX_CHANGES = 5_000

/**
 * Applies a change to an earlier message. Returns false while that message is missing and may still arrive. Of two
 * changes of the same kind the newer one wins, in any order of arrival.
 */
export function createApplyChange(
  host: Pick<SessionHost, 'change'>,
): (received: MetaChange, ageMs: number) => Promise<boolean> {
  const applied = new LRUCache<string, number>({ maxSize: MAX_CHANGES, sizeCalculation: () => 1 })
  return async ({ change, at }, ageMs) => {
    const { alvo, deMim, mudanca } = change
    const key = [mudanca.tipo, deMim, alvo].join(' ')
    if (at.getTime() < (applied.get(key) ?? 0)) return true
    if (!(await host.change(change))) return ageMs > TARGET_MAX_MS
    applied.set(key, at.getTime())
    return true
  }
}

const MAX_WAITING = 200
/** The wamid of our own message is known only a moment after the send. */
const MIN_WAIT_MS = 2_000
const MAX_WAIT_MS = 3_600_000

/**
 * Changes whose target message, and notices whose customer, has not arrived, because Meta's webhooks come in any
 * order. The entries stay in the journal; this list only postpones them.
 */
export class WaitingChanges {
  readonly #onDue: () => void
  readonly #entries = new Map<string, { readonly targets: readonly string[]; readonly until: number }>()
  #timer: NodeJS.Timeout | undefined

  constructor(onDue: () => void) {
    this.#onDue = onDue
  }

  ids(): readonly string[] {
    return [...this.#entries.keys()]
  }

  /**
   * Postpones an entry that arrived `ageMs` ago by the same time again, or until one of its targets arrives. Returns
   * the oldest waiting id when the list is full.
   */
  wait(id: string, targets: readonly string[], ageMs: number): string | null {
    const until = performance.now() + Math.min(MAX_WAIT_MS, Math.max(MIN_WAIT_MS, ageMs))
    this.#entries.set(id, { targets, until })
    const [oldest] = this.#entries.size > MAX_WAITING ? this.#entries.keys() : []
    if (oldest !== undefined) this.#entries.delete(oldest)
    this.#schedule()
    return oldest ?? null
  }

  arrived(targets: readonly string[]): boolean {
    return this.#release((entry) => entry.targets.some((target) => targets.includes(target)))
  }

  close(): void {
    this.#entries.clear()
    clearTimeout(this.#timer)
  }

  #release(isReady: (entry: { readonly targets: readonly string[]; readonly until: number }) => boolean): boolean {
    const before = this.#entries.size
    for (const [id, entry] of this.#entries) if (isReady(entry)) this.#entries.delete(id)
    return this.#entries.size < before
  }

  #schedule(): void {
    clearTimeout(this.#timer)
    if (this.#entries.size === 0) return
    const next = Math.min(...[...this.#entries.values()].map(({ until }) => until))
    this.#timer = setTimeout(() => this.#releaseDue(), Math.max(0, next - performance.now()))
    this.#timer.unref()
  }

  #releaseDue(): void {
    const now = performance.now()
    const isDue = this.#release(({ until }) => until <= now)
    this.#schedule()
    if (isDue) this.#onDue()
  }
}
