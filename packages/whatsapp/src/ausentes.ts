import { type BinaryNode, isLidUser, type WAMessage } from 'baileys'
import type { SessionHost, JournalEntry, InboundMessage } from './anfitriao.ts'
import { deserialize, serialize } from './credenciais.ts'
import { messageOfEnvelope, type Self, sentAt, type PhoneOfLid, personOf } from './mensagem.ts'
import { NOT_ARRIVED_TEXT, VIEW_ONCE_TEXT } from './so-no-celular.ts'

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
  readonly waitFor: (chegada: JournalEntry) => boolean
  /** Sets whether a connection exists. Without one no content can arrive, so each connection starts the wait again. */
  readonly setConnected: (ha: boolean) => void
  readonly close: () => void
}

export interface MissingOptions {
  readonly keys: Pick<SessionHost['keys'], 'write' | 'completeEntry'>
  readonly onMissing: (chegada: JournalEntry) => void
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
  const esperas = new Map<string, PendingContent>()
  /**
   * Ids of messages read recently. The server repeats a message whose confirmation was lost, and it cannot be
   * decrypted a second time.
   */
  const lidas = new Set<string>()
  let comLinha = false
  let fechada = false

  const agendar = (espera: PendingContent, ms: number, fazer: () => void): void => {
    if (!fechada) espera.timer = setTimeout(fazer, ms).unref()
  }

  const guardar = async (ausente: MissingEntry): Promise<void> => {
    const mensagem = ausente.envelope.id ?? ''
    const id = entryIdOf(mensagem)
    if (esperas.has(id) || lidas.has(mensagem)) return
    const chegada = { id, valor: serialize({ ausente }) }
    const espera: PendingContent = { entry: chegada, viewOnce: ausente.umaVez, stored: false, arrived: false }
    esperas.set(id, espera)
    try {
      await keys.write([], [chegada])
    } catch (erro) {
      esperas.delete(id)
      throw erro
    }
    espera.stored = true
    aguardar(espera)
  }

  const aguardar = (espera: PendingContent): void => {
    const { entry, viewOnce } = espera
    if (espera.arrived) return esquecer(entry.id, espera)
    if (!viewOnce && !comLinha) return
    agendar(espera, viewOnce ? 0 : waitMs, () => {
      esperas.delete(entry.id)
      onMissing(entry)
    })
  }

  const esperar = (chegada: JournalEntry): boolean => {
    const { ausente }: { ausente?: MissingEntry } = deserialize(chegada.valor)
    if (esperas.has(chegada.id)) return true
    if (ausente === undefined || ausente.umaVez) return false
    const apareceu = lidas.has(ausente.envelope.id ?? '')
    const espera: PendingContent = { entry: chegada, viewOnce: false, stored: true, arrived: apareceu }
    esperas.set(chegada.id, espera)
    aguardar(espera)
    return true
  }

  /** The entry stays in `esperas` until it is deleted from the journal, so it is never reported as missing. */
  const esquecer = (id: string, espera: PendingContent): void => {
    keys.completeEntry(id).then(
      () => esperas.delete(id),
      () => agendar(espera, RETRY_MS, () => esquecer(id, espera)),
    )
  }

  return {
    sawStanza: async ({ attrs, content }) => {
      const filhas = Array.isArray(content) ? content : []
      const falta = filhas.find(({ tag }) => tag === 'unavailable')
      if (falta === undefined || filhas.some(({ tag }) => tag === 'enc')) return
      await guardar({ envelope: attrs, umaVez: falta.attrs.type?.startsWith('view_once') === true })
    },
    sawUnreadable: ({ key, pushName, messageTimestamp }) => {
      const from = key.remoteJid ?? ''
      const outro = isLidUser(from) === true ? 'sender_pn' : 'sender_lid'
      const envelope = {
        ...{ from, id: key.id ?? '', t: String(messageTimestamp ?? ''), notify: pushName ?? '' },
        ...(key.remoteJidAlt ? { [outro]: key.remoteJidAlt } : {}),
      }
      return guardar({ envelope, umaVez: false })
    },
    contentArrived: (mensagem) => {
      lidas.add(mensagem)
      if (lidas.size > REMEMBERED) lidas.delete(lidas.keys().next().value ?? '')
      const id = entryIdOf(mensagem)
      const espera = esperas.get(id)
      if (espera === undefined || espera.arrived) return
      espera.arrived = true
      clearTimeout(espera.timer)
      if (espera.stored) esquecer(id, espera)
    },
    isMissing: (mensagem) => esperas.has(entryIdOf(mensagem)),
    waitFor: esperar,
    setConnected: (ha) => {
      comLinha = ha
      for (const espera of esperas.values()) {
        if (!espera.stored || espera.arrived || espera.viewOnce) continue
        clearTimeout(espera.timer)
        aguardar(espera)
      }
    },
    close: () => {
      fechada = true
      for (const { timer } of esperas.values()) clearTimeout(timer)
    },
  }
}

const entryIdOf = (messageId: string): string => `ausente ${messageId}`

const PLACEHOLDER_PREFIX = 'ausente:'

/** Id of the message that this placeholder stands for; null if it is no placeholder. */
export const missingIdOf = (id: string): string | null =>
  id.startsWith(PLACEHOLDER_PREFIX) ? id.slice(PLACEHOLDER_PREFIX.length) : null

/** The placeholder for a message without content; null if the entry is something else. */
export async function readMissing({ valor }: JournalEntry, self: Self, numeroDoLid: PhoneOfLid): Promise<InboundMessage | null> {
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
