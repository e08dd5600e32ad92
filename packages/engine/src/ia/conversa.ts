import { IA_CONTEXTO } from '@balcao/contract/constants'
import type { MidiaKind } from '#event.ts'
import { maskPersonalData } from './masking.ts'
import { visibleText } from './visible-text.ts'

/** One message as input for the AI. Ids sort by time. */
export interface IaLine {
  readonly id: string
  readonly de: 'cliente' | 'bot'
  readonly texto: string
  readonly midia?: MidiaKind
  /** The media is sent to the model with the question. */
  readonly attached?: boolean
  /** Of a voice note. It stands for the audio. */
  readonly transcricao?: string
}

interface RememberedLine {
  readonly de: 'cliente' | 'bot'
  readonly texto: string
}

export interface IaConversa {
  /** Oldest first, starting with the customer. */
  readonly historico: readonly RememberedLine[]
  readonly pergunta: string
}

const LINE_MAX = 2_000
const PERGUNTA_MAX = 8_000

const MIDIA_LABELS: Readonly<Record<MidiaKind, string>> = {
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
 * Builds question and history for the AI from `lines`, oldest first. The question is every message of the customer
 * since the id `since`; texts of the bot in between do not end it. Without `remember` the history is empty. Personal
 * data is masked in both.
 */
export function buildIaConversa(lines: readonly IaLine[], since: string, remember: boolean): IaConversa {
  const daPergunta = (line: IaLine): boolean => line.de === 'cliente' && line.id >= since
  // Masks again after joining: a number may be split over two messages.
  const pergunta = maskPersonalData(lines.filter(daPergunta).map(lineText).join('\n'))
  return {
    historico: remember ? buildHistory(lines.filter((l) => !daPergunta(l))) : [],
    pergunta: questionEnd(pergunta),
  }
}

function buildHistory(linhas: readonly IaLine[]): RememberedLine[] {
  const last = linhas.slice(-IA_CONTEXTO.mensagens)
  // The provider requires the first message to come from the customer.
  const beginning = last.findIndex(({ de }) => de === 'cliente')
  return beginning === -1
    ? []
    : last.slice(beginning).map((l) => ({ de: l.de, texto: lineText({ ...l, attached: false }) }))
}

function lineText({ texto, midia, attached, transcricao }: IaLine): string {
  // Mask before cutting: half of an address or number would not be recognised.
  const said = [texto, transcricao ?? ''].filter((part) => part !== '').join(' ')
  const written = maskPersonalData(visibleText(said)).slice(0, LINE_MAX).toWellFormed()
  if (midia === undefined) return written
  const how = transcricao !== undefined ? ' transcrito' : attached === true ? ' em anexo' : ' que você não pode abrir'
  const note = `[${MIDIA_LABELS[midia]}${how}]`
  return written.trim() === '' ? note : `${note} ${written}`
}

/** Keeps the end of a long question, because people usually ask last. */
function questionEnd(pergunta: string): string {
  return pergunta.length <= PERGUNTA_MAX ? pergunta : pergunta.slice(-PERGUNTA_MAX).toWellFormed()
}
