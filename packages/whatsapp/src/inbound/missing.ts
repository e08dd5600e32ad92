import { type BinaryNode, isLidUser, type WAMessage } from 'baileys'
import type { SessionHost, JournalEntry, InboundMessage } from '@balcao/connector/port'
import { deserialize, serialize } from '#socket/credentials.ts'
import { messageOfEnvelope, type Self, sentAt, type PhoneOfLid, personOf } from './message.ts'
import { NOT_ARRIVED_TEXT, VIEW_ONCE_TEXT } from './phone-only.ts'

/**
 * Messages without content: view-once messages (phone only), messages started by an advertisement (requested from
 * the phone) and messages that could not be decrypted (requested from the sender). Most contents arrive within
 * moments. Otherwise the operator gets a placeholder.
 */
export interface MissingMessages {
  /** Resolves once the stanza is in the journal. Only then may the server get its acknowledgement. */
  readonly sawStanza: (stanza: BinaryNode) => Promise<void>
  readonly sawUnreadable: (mensagem: WAMessage) => Promise<void>
  readonly isMissing: (mensagem: string) => boolean
  readonly contentArrived: (id: string) => void
  /**
   * True if the content of this journal entry may still arrive. For an entry of an earlier process the wait starts
   * now, because the server delivers the message again after a reconnect.
   */
  readonly waitFor: (arrival: JournalEntry) => boolean
  /** Sets whether a connection exists. Without one no content can arrive, so each connection starts the wait again. */
  readonly setConnected: (ha: boolean) => void
  readonly close: () => void
}

export interface MissingOptions {
  readonly keys: Pick<SessionHost['keys'], 'write' | 'completeEntry'>
  readonly onMissing: (arrival: JournalEntry) => void
  readonly waitMs?: number | undefined
}

const WAIT_MS = 2 * 60_000
const RETRY_MS = 2_000
const REMEMBERED = 2_000

interface MissingEntry {
  readonly envelope: BinaryNode['attrs']
  readonly umaVez: boolean
}

interface PendingContent {
  readonly entry: JournalEntry
  readonly viewOnce: boolean
  stored: boolean
  arrived: boolean
  timer?: NodeJS.Timeout
}

export function createMissing({ keys, onMissing, waitMs = WAIT_MS }: MissingOptions): MissingMessages {
  const waits = new Map<string, PendingContent>()
  /**
   * Ids of messages read recently. The server repeats a message whose confirmation was lost, and it cannot be
   * decrypted a second time.
   */
  const parsed = new Set<string>()
  let comLinha = false
  let closed = false

  const schedule = (wait: PendingContent, ms: number, run: () => void): void => {
    if (!closed) wait.timer = setTimeout(run, ms).unref()
  }

  const store = async (ausente: MissingEntry): Promise<void> => {
    const mensagem = ausente.envelope.id ?? ''
    const id = entryIdOf(mensagem)
    if (waits.has(id) || parsed.has(mensagem)) return
    const arrival = { id, valor: serialize({ ausente }) }
    const wait: PendingContent = { entry: arrival, viewOnce: ausente.umaVez, stored: false, arrived: false }
    waits.set(id, wait)
    try {
      await keys.write([], [arrival])
    } catch (error) {
      waits.delete(id)
      throw error
    }
    wait.stored = true
    aguardar(wait)
  }

  const aguardar = (wait: PendingContent): void => {
    const { entry, viewOnce } = wait
    if (wait.arrived) return forget(entry.id, wait)
    if (!viewOnce && !comLinha) return
    schedule(wait, viewOnce ? 0 : waitMs, () => {
      waits.delete(entry.id)
      onMissing(entry)
    })
  }

  const esperar = (arrival: JournalEntry): boolean => {
    const { ausente }: { ausente?: MissingEntry } = deserialize(arrival.valor)
    if (waits.has(arrival.id)) return true
    if (ausente === undefined || ausente.umaVez) return false
    const apareceu = parsed.has(ausente.envelope.id ?? '')
    const wait: PendingContent = { entry: arrival, viewOnce: false, stored: true, arrived: apareceu }
    waits.set(arrival.id, wait)
    aguardar(wait)
    return true
  }

  /** The entry stays in `esperas` until it is deleted from the journal, so it is never reported as missing. */
  const forget = (id: string, wait: PendingContent): void => {
    keys.completeEntry(id).then(
      () => waits.delete(id),
      () => schedule(wait, RETRY_MS, () => forget(id, wait)),
    )
  }

  return {
    sawStanza: async ({ attrs, content }) => {
      const filhas = Array.isArray(content) ? content : []
      const missing = filhas.find(({ tag }) => tag === 'unavailable')
      if (missing === undefined || filhas.some(({ tag }) => tag === 'enc')) return
      await store({ envelope: attrs, umaVez: missing.attrs.type?.startsWith('view_once') === true })
    },
    sawUnreadable: ({ key, pushName, messageTimestamp }) => {
      const from = key.remoteJid ?? ''
      const other = isLidUser(from) === true ? 'sender_pn' : 'sender_lid'
      const envelope = {
        ...{ from, id: key.id ?? '', t: String(messageTimestamp ?? ''), notify: pushName ?? '' },
        ...(key.remoteJidAlt ? { [other]: key.remoteJidAlt } : {}),
      }
      return store({ envelope, umaVez: false })
    },
    contentArrived: (mensagem) => {
      parsed.add(mensagem)
      if (parsed.size > REMEMBERED) parsed.delete(parsed.keys().next().value ?? '')
      const id = entryIdOf(mensagem)
      const wait = waits.get(id)
      if (wait === undefined || wait.arrived) return
      wait.arrived = true
      clearTimeout(wait.timer)
      if (wait.stored) forget(id, wait)
    },
    isMissing: (mensagem) => waits.has(entryIdOf(mensagem)),
    waitFor: esperar,
    setConnected: (ha) => {
      comLinha = ha
      for (const wait of waits.values()) {
        if (!wait.stored || wait.arrived || wait.viewOnce) continue
        clearTimeout(wait.timer)
        aguardar(wait)
      }
    },
    close: () => {
      closed = true
      for (const { timer } of waits.values()) clearTimeout(timer)
    },
  }
}

const entryIdOf = (messageId: string): string => `ausente ${messageId}`

const PLACEHOLDER_PREFIX = 'ausente:'

/** Id of the message that this placeholder stands for; null if it is no placeholder. */
export const missingIdOf = (id: string): string | null =>
  id.startsWith(PLACEHOLDER_PREFIX) ? id.slice(PLACEHOLDER_PREFIX.length) : null

/** The placeholder for a message without content; null if the entry is something else. */
export async function readMissing(
  { valor }: JournalEntry,
  self: Self,
  numeroDoLid: PhoneOfLid,
): Promise<InboundMessage | null> {
  const { ausente }: { ausente?: MissingEntry } = deserialize(valor)
  if (ausente === undefined) return null
  const mensagem = messageOfEnvelope(ausente.envelope, self)
  const { key, pushName } = mensagem
  const deMim = key.fromMe === true
  return {
    ...(await personOf(key, key.remoteJid ?? '', numeroDoLid)).pessoa,
    // A separate id, because the content may arrive later as a message.
    ...{ id: PLACEHOLDER_PREFIX + (key.id ?? ''), nome: deMim ? '' : (pushName ?? ''), deMim },
    ...{ texto: ausente.umaVez ? VIEW_ONCE_TEXT : NOT_ARRIVED_TEXT, midia: { tipo: 'outro' } },
    enviadaEm: sentAt(mensagem),
  }
}
