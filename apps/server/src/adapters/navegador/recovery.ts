import type { WebClient } from './browser/library.ts'
import { withTimeout } from './failures.ts'
import type { WebChange, WebInbound } from './inbound.ts'
import { createFindPerson, type FindPerson, isPerson, isWebChat, webChatSchema, webMessageSchema } from './shapes.ts'

const LIST_TIMEOUT_MS = 60_000
const PER_CHAT = 100

/** Delivers recovered messages before live ones, so each customer is answered in the order written. */
export class Recovery {
  readonly #inbound: WebInbound
  /** Live events that wait for the recovery; null when none is needed. */
  #held: (() => void)[] | null = []
  #findPerson: FindPerson | null = null

  constructor(inbound: WebInbound) {
    this.#inbound = inbound
  }

  opened(client: Pick<WebClient, 'getContactLidAndPhone'>): void {
    this.#findPerson = createFindPerson(client)
  }

  closed(): void {
    this.#hold()
    this.#findPerson = null
  }

  arrived(raw: unknown): void {
    this.#inTurn((findPerson) => this.#inbound.arrived(raw, findPerson))
  }

  changed(change: WebChange): void {
    this.#inTurn((findPerson) => this.#inbound.changed(change, findPerson))
  }

  /** Delivers the page's messages from this second on, then the held events. */
  async recover(client: Pick<WebClient, 'getChats'>, since: number): Promise<void> {
    this.#hold()
    try {
      for (const raw of await readSince(client, since))
        if (this.#findPerson !== null) this.#inbound.arrived(raw, this.#findPerson, { recovered: true })
    } finally {
      const released = this.#held ?? []
      this.#held = null
      for (const run of released) run()
    }
  }

  #hold(): void {
    this.#held ??= []
  }

  #inTurn(deliver: (findPerson: FindPerson) => void): void {
    const run = (): void => {
      if (this.#findPerson !== null) deliver(this.#findPerson)
    }
    if (this.#held === null) run()
    else this.#held.push(run)
  }
}

/**
 * Messages that the page received while the server was down, oldest first. The page confirms them to the service,
 * so they are found only in its chats.
 */
async function readSince(client: Pick<WebClient, 'getChats'>, since: number): Promise<unknown[]> {
  const found: { readonly raw: unknown; readonly at: number }[] = []
  for (const chat of await withTimeout(client.getChats(), LIST_TIMEOUT_MS)) {
    const { data } = webChatSchema.safeParse(chat)
    if (data === undefined || !isPerson(data.id._serialized) || (data.timestamp ?? 0) < since) continue
    if (!isWebChat(chat)) continue
    for (const raw of await withTimeout(chat.fetchMessages({ limit: PER_CHAT }), LIST_TIMEOUT_MS)) {
      const at = webMessageSchema.safeParse(raw).data?.timestamp ?? 0
      if (at >= since) found.push({ raw, at })
    }
  }
  return found.toSorted((a, b) => a.at - b.at).map(({ raw }) => raw)
}
