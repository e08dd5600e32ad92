import type { OutboundMessage, SessionHost } from '#ports/messaging.ts'
import { ehPessoa, paraWeb } from './enderecos.ts'
import { idDaChave, type MensagemWeb } from './formas.ts'

/**
 * Which messages of the page are ours. The page gives them ids of its own making, which are known only once it has sent them:
 * until then, and of those that an earlier session sent, words and time tell.
 */
export interface Nossas {
  /** Until the returned function is called, a message of ours is being sent and its id is not known. */
  readonly enviando: () => () => void
  /** Resolves once the ids of what is being sent now are known. */
  readonly conhecidas: () => Promise<void>
  /** This session sent it, and the page calls it so. */
  readonly lembrar: (idWeb: string, idExterno: string) => void
  /** This session sent it, and the service has not refused it since. */
  readonly jaSaiu: (idExterno: string) => boolean
  /** The service did not take it after all: it may be sent again. */
  readonly recusada: (idExterno: string) => void
  /** Known to have been sent by this session. */
  readonly ehConhecida: (idWeb: string) => boolean
  readonly idExternoDe: (mensagem: MensagemWeb) => Promise<string | null>
}

/** What a browser, ours or another, calls its messages; phones have other ids. */
const DE_NAVEGADOR = /^3EB0/
const LEMBRADAS = 5_000
/** How long a message may have waited in the queue, and how far the clocks of page and server may be apart. */
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

/** Ids are born in order. */
export function emOrdem(enviadas: readonly OutboundMessage[]): OutboundMessage[] {
  return enviadas.toSorted((a, b) => (a.idExterno < b.idExterno ? -1 : 1))
}

/** The same words, with or without a file, to the same person. */
export function ehA({ texto, midia, endereco }: OutboundMessage, mensagem: MensagemWeb): boolean {
  const comArquivo = mensagem.hasMedia
  return (
    (midia?.url !== undefined) === comArquivo &&
    (comArquivo && semLegenda(mensagem) ? true : (mensagem.body ?? '').trim() === texto.trim()) &&
    podeSer(paraWeb(endereco), mensagem.to)
  )
}

const semLegenda = ({ type }: MensagemWeb): boolean => type === 'ptt' || type === 'audio' || type === 'sticker'

/** A conversation may go by number for us and by its hidden address in the page: then only words and time can tell. */
function podeSer(nosso: string, deles: string): boolean {
  const dominio = (idWeb: string): string => idWeb.slice(idWeb.indexOf('@'))
  return ehPessoa(deles) && (dominio(nosso) !== dominio(deles) || nosso === deles)
}

/** The least id that could be born at this instant. */
export function uuidEm(ms: number): string {
  const hex = Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

/** The instant inside an id of ours, in ms. */
export function instanteDe(idExterno: string): number {
  return Number.parseInt(idExterno.replaceAll('-', '').slice(0, 12), 16)
}
