import { IA_CONTEXTO } from '@balcao/contract/constants'
import type { TipoMidia } from '#event.ts'
import { mascarar } from './mascarar.ts'

/** One message as input for the AI. Ids sort by time. */
export interface LinhaIa {
  readonly id: string
  readonly de: 'cliente' | 'bot'
  readonly texto: string
  readonly midia?: TipoMidia
  /** The media is sent to the model with the question. */
  readonly anexada?: boolean
}

interface TurnoLembrado {
  readonly de: 'cliente' | 'bot'
  readonly texto: string
}

export interface ConversaIa {
  /** Oldest first, starting with the customer. */
  readonly historico: readonly TurnoLembrado[]
  readonly pergunta: string
}

const LINHA_MAXIMO = 2_000
const PERGUNTA_MAXIMO = 8_000

const NOME_DA_MIDIA: Readonly<Record<TipoMidia, string>> = {
  imagem: 'imagem',
  audio: 'áudio',
  video: 'vídeo',
  documento: 'documento',
  figurinha: 'figurinha',
  localizacao: 'localização',
  contato: 'contato',
  outro: 'arquivo',
}

/**
 * Builds question and history for the AI from `linhas`, oldest first. The question is every message of the customer
 * since the id `desde`; texts of the bot in between do not end it. Without `lembrar` the history is empty. Personal
 * data is masked in both.
 */
export function montarConversa(linhas: readonly LinhaIa[], desde: string, lembrar: boolean): ConversaIa {
  const daPergunta = (linha: LinhaIa): boolean => linha.de === 'cliente' && linha.id >= desde
  // Masks again after joining: a number may be split over two messages.
  const pergunta = mascarar(linhas.filter(daPergunta).map(dizer).join('\n'))
  return { historico: lembrar ? historico(linhas.filter((l) => !daPergunta(l))) : [], pergunta: fim(pergunta) }
}

function historico(linhas: readonly LinhaIa[]): TurnoLembrado[] {
  const ultimas = linhas.slice(-IA_CONTEXTO.mensagens)
  // The provider requires the first message to come from the customer.
  const comeco = ultimas.findIndex(({ de }) => de === 'cliente')
  return comeco === -1 ? [] : ultimas.slice(comeco).map((l) => ({ de: l.de, texto: dizer({ ...l, anexada: false }) }))
}

function dizer({ texto, midia, anexada }: LinhaIa): string {
  // Mask before cutting: half of an address or number would not be recognised.
  const escrito = mascarar(texto).slice(0, LINHA_MAXIMO).toWellFormed()
  if (midia === undefined) return escrito
  const nota = `[${NOME_DA_MIDIA[midia]}${anexada === true ? ' em anexo' : ' que você não pode abrir'}]`
  return escrito.trim() === '' ? nota : `${nota} ${escrito}`
}

/** Keeps the end of a long question, because people usually ask last. */
function fim(pergunta: string): string {
  return pergunta.length <= PERGUNTA_MAXIMO ? pergunta : pergunta.slice(-PERGUNTA_MAXIMO).toWellFormed()
}
