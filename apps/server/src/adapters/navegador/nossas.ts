import type { OutboundMessage, SessionHost } from '#ports/messaging.ts'
import { ehPessoa, paraWeb } from './enderecos.ts'
import { idDaChave, type MensagemWeb } from './formas.ts'

/**
 * Finds our own messages in the page. The page assigns its ids only after sending; before that, and for messages of
 * an earlier session, text and time identify them.
 */
export interface Nossas {
  /** Marks a send in progress, whose page id is unknown, until the returned function is called. */
  readonly enviando: () => () => void
  /** Resolves when the ids of all sends in progress are known. */
  readonly conhecidas: () => Promise<void>
  readonly lembrar: (idWeb: string, idExterno: string) => void
  /** True when this session sent it and the service has not refused it since. */
  readonly jaSaiu: (idExterno: string) => boolean
  /** The service refused it after all, so it may be sent again. */
  readonly recusada: (idExterno: string) => void
  readonly ehConhecida: (idWeb: string) => boolean
  readonly idExternoDe: (mensagem: MensagemWeb) => Promise<string | null>
}

/** Prefix of message ids created by browsers; phones use other ids. */
const DE_NAVEGADOR = /^3EB0/
const LEMBRADAS = 5_000
/** Longest time in the queue, and tolerance between the clocks of page and server. */
const NA_FILA_MS = 15 * 60_000
const RELOGIO_MS = 2_000

export function createNossas(host: Pick<SessionHost, 'enviadas'>): Nossas {
  const porIdWeb = new Map<string, string>()
  const usadas = new Set<string>()
  const saidas = new Set<string>()
  const emVoo = new Set<Promise<void>>()

  const lembrar = (idWeb: string, idExterno: string): void => {
    porIdWeb.set(idWeb, idExterno)
    usadas.add(idExterno)
    if (porIdWeb.size <= LEMBRADAS) return
    const [antiga] = porIdWeb
    if (antiga === undefined) return
    porIdWeb.delete(antiga[0])
    usadas.delete(antiga[1])
  }

  return {
    enviando: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      emVoo.add(promise)
      return () => {
        emVoo.delete(promise)
        resolve()
      }
    },
    conhecidas: async () => void (await Promise.all(emVoo)),
    lembrar: (idWeb, idExterno) => {
      lembrar(idWeb, idExterno)
      saidas.add(idExterno)
      if (saidas.size > LEMBRADAS) saidas.delete(saidas.values().next().value ?? '')
    },
    jaSaiu: (idExterno) => saidas.has(idExterno),
    recusada: (idExterno) => void saidas.delete(idExterno),
    ehConhecida: (idWeb) => porIdWeb.has(idWeb),
    idExternoDe: async (mensagem) => {
      const { id, timestamp } = mensagem
      const idWeb = idDaChave(id)
      const conhecida = porIdWeb.get(idWeb)
      if (conhecida !== undefined) return conhecida
      if (!id.fromMe || !DE_NAVEGADOR.test(id.id)) return null
      const ms = timestamp * 1_000
      const candidatas = await host.enviadas(uuidEm(ms - NA_FILA_MS), uuidEm(ms + RELOGIO_MS))
      const minha = emOrdem(candidatas).find((outra) => !usadas.has(outra.idExterno) && ehA(outra, mensagem))
      if (minha === undefined) return null
      lembrar(idWeb, minha.idExterno)
      return minha.idExterno
    },
  }
}

/** Ids are UUIDv7, so their text order is their time order. */
export function emOrdem(enviadas: readonly OutboundMessage[]): OutboundMessage[] {
  return enviadas.toSorted((a, b) => (a.idExterno < b.idExterno ? -1 : 1))
}

export function ehA({ texto, midia, endereco }: OutboundMessage, mensagem: MensagemWeb): boolean {
  const comArquivo = mensagem.hasMedia
  return (
    (midia?.url !== undefined) === comArquivo &&
    (comArquivo && semLegenda(mensagem) ? true : (mensagem.body ?? '').trim() === texto.trim()) &&
    podeSer(paraWeb(endereco), mensagem.to)
  )
}

const semLegenda = ({ type }: MensagemWeb): boolean => type === 'ptt' || type === 'audio' || type === 'sticker'

/** We may know the phone number where the page has the hidden address. Then only text and time can match. */
function podeSer(nosso: string, deles: string): boolean {
  const dominio = (idWeb: string): string => idWeb.slice(idWeb.indexOf('@'))
  return ehPessoa(deles) && (dominio(nosso) !== dominio(deles) || nosso === deles)
}

/** The smallest UUIDv7 of this instant. */
export function uuidEm(ms: number): string {
  const hex = Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

export function instanteDe(idExterno: string): number {
  return Number.parseInt(idExterno.replaceAll('-', '').slice(0, 12), 16)
}
