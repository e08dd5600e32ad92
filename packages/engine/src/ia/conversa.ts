import { IA_CONTEXTO } from '@balcao/contract/constants'
import type { TipoMidia } from '#event.ts'
import { mascarar } from './mascarar.ts'

/** One message of a conversation, as it is remembered for the AI. Ids are in the order of time. */
export interface LinhaIa {
  readonly id: string
  readonly de: 'cliente' | 'bot'
  readonly texto: string
  readonly midia?: TipoMidia
  /** The media goes along with the question, for the model to see or hear. */
  readonly anexada?: boolean
}

interface TurnoLembrado {
  readonly de: 'cliente' | 'bot'
  readonly texto: string
}

export interface ConversaIa {
  /** Oldest first, beginning with the customer. */
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
 * What is asked and what is remembered. The question is everything the customer wrote since `desde`, the message that began the
 * awaited question: what the bot itself said in between (a greeting, the menu) does not cut it, and what the bot had answered
 * before is no part of it. `linhas` oldest first. Personal data are masked in both.
 */
export function montarConversa(linhas: readonly LinhaIa[], desde: string, lembrar: boolean): ConversaIa {
  const daPergunta = (linha: LinhaIa): boolean => linha.de === 'cliente' && linha.id >= desde
  // Once more when they stand together: a number may have come in two messages.
  const pergunta = mascarar(linhas.filter(daPergunta).map(dizer).join('\n'))
  return { historico: lembrar ? historico(linhas.filter((l) => !daPergunta(l))) : [], pergunta: fim(pergunta) }
}

function historico(linhas: readonly LinhaIa[]): TurnoLembrado[] {
  const ultimas = linhas.slice(-IA_CONTEXTO.mensagens)
  // The provider wants a conversation that the customer began.
  const comeco = ultimas.findIndex(({ de }) => de === 'cliente')
  return comeco === -1 ? [] : ultimas.slice(comeco).map((l) => ({ de: l.de, texto: dizer({ ...l, anexada: false }) }))
}

function dizer({ texto, midia, anexada }: LinhaIa): string {
  // Masked before it is cut: half of an address or of a number is nothing that masking knows.
  const escrito = mascarar(texto).slice(0, LINHA_MAXIMO).toWellFormed()
  if (midia === undefined) return escrito
  const nota = `[${NOME_DA_MIDIA[midia]}${anexada === true ? ' em anexo' : ' que você não pode abrir'}]`
  return escrito.trim() === '' ? nota : `${nota} ${escrito}`
}

/** Of a very long question the end: people say what they want last. */
function fim(pergunta: string): string {
  return pergunta.length <= PERGUNTA_MAXIMO ? pergunta : pergunta.slice(-PERGUNTA_MAXIMO).toWellFormed()
}
