import type { OutboundMessage, SessionHost } from '@balcao/connector/port'
import { isPerson, toWebAddress } from './addresses.ts'
import { webKeyId, type WebMessage } from './shapes.ts'

/**
 * Finds our own messages in the page. The page assigns its ids only after sending; before that, and for messages of
 * an earlier session, text and time identify them.
 */
export interface OwnMessages {
  /** Marks a send in progress, whose page id is unknown, until the returned function is called. */
  readonly sending: () => () => void
  /** Resolves when the ids of all sends in progress are known. */
  readonly allKnown: () => Promise<void>
  readonly remember: (idWeb: string, idExterno: string) => void
  /** True when this session sent it and the service has not refused it since. */
  readonly alreadySent: (idExterno: string) => boolean
  /** The service refused it after all, so it may be sent again. */
  readonly refused: (idExterno: string) => void
  readonly isKnown: (idWeb: string) => boolean
  readonly idExternoOf: (mensagem: WebMessage) => Promise<string | null>
}

/** Prefix of message ids created by browsers; phones use other ids. */
const BROWSER_ID = /^3EB0/
const MAX_MESSAGES = 5_000
/** Longest time in the queue, and tolerance between the clocks of page and server. */
const QUEUE_MAX_MS = 15 * 60_000
const CLOCK_TOLERANCE_MS = 2_000

export function createOwnMessages(host: Pick<SessionHost, 'listSent'>): OwnMessages {
  const porIdWeb = new Map<string, string>()
  const used = new Set<string>()
  const saidas = new Set<string>()
  const inFlight = new Set<Promise<void>>()

  const lembrar = (idWeb: string, idExterno: string): void => {
    porIdWeb.set(idWeb, idExterno)
    used.add(idExterno)
    if (porIdWeb.size <= MAX_MESSAGES) return
    const [old] = porIdWeb
    if (old === undefined) return
    porIdWeb.delete(old[0])
    used.delete(old[1])
  }

  return {
    sending: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      inFlight.add(promise)
      return () => {
        inFlight.delete(promise)
        resolve()
      }
    },
    allKnown: async () => void (await Promise.all(inFlight)),
    remember: (idWeb, idExterno) => {
      lembrar(idWeb, idExterno)
      saidas.add(idExterno)
      if (saidas.size > MAX_MESSAGES) saidas.delete(saidas.values().next().value ?? '')
    },
    alreadySent: (idExterno) => saidas.has(idExterno),
    refused: (idExterno) => void saidas.delete(idExterno),
    isKnown: (idWeb) => porIdWeb.has(idWeb),
    idExternoOf: async (mensagem) => {
      const { id, timestamp } = mensagem
      const idWeb = webKeyId(id)
      const known = porIdWeb.get(idWeb)
      if (known !== undefined) return known
      if (!id.fromMe || !BROWSER_ID.test(id.id)) return null
      const ms = timestamp * 1_000
      const candidates = await host.listSent(uuidAt(ms - QUEUE_MAX_MS), uuidAt(ms + CLOCK_TOLERANCE_MS))
      const mine = sortById(candidates).find((other) => !used.has(other.idExterno) && isSameMessage(other, mensagem))
      if (mine === undefined) return null
      lembrar(idWeb, mine.idExterno)
      return mine.idExterno
    },
  }
}

/** Ids are UUIDv7, so their text order is their time order. */
export function sortById(sent: readonly OutboundMessage[]): OutboundMessage[] {
  return sent.toSorted((a, b) => (a.idExterno < b.idExterno ? -1 : 1))
}

export function isSameMessage({ texto, midia, endereco }: OutboundMessage, webMessage: WebMessage): boolean {
  const comArquivo = webMessage.hasMedia
  return (
    (midia?.url !== undefined) === comArquivo &&
    (comArquivo && hasNoCaption(webMessage) ? true : (webMessage.body ?? '').trim() === texto.trim()) &&
    mayBeSamePerson(toWebAddress(endereco), webMessage.to)
  )
}

const hasNoCaption = ({ type }: WebMessage): boolean => type === 'ptt' || type === 'audio' || type === 'sticker'

/** We may know the phone number where the page has the hidden address. Then only text and time can match. */
function mayBeSamePerson(ours: string, theirs: string): boolean {
  const dominio = (idWeb: string): string => idWeb.slice(idWeb.indexOf('@'))
  return isPerson(theirs) && (dominio(ours) !== dominio(theirs) || ours === theirs)
}

/** The smallest UUIDv7 of this instant. */
export function uuidAt(ms: number): string {
  const hex = Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

export function uuidTime(idExterno: string): number {
  return Number.parseInt(idExterno.replaceAll('-', '').slice(0, 12), 16)
}
