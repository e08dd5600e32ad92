import type { ArquivoDaConversa, Mensagem, Midia } from '#entities/mensagem.ts'

export const NOME_DA_MIDIA: Readonly<Record<Midia['tipo'], string>> = {
  imagem: 'Imagem',
  audio: 'Áudio',
  video: 'Vídeo',
  documento: 'Documento',
  figurinha: 'Figurinha',
  localizacao: 'Localização',
  contato: 'Contato',
  outro: 'Arquivo',
}

/** One line for a list: the text, or the label of the media when the text is empty. */
export function summarizeMensagem({ texto, midia }: Pick<Mensagem, 'texto' | 'midia'>): string {
  return texto === '' && midia !== undefined ? NOME_DA_MIDIA[midia.tipo] : texto
}

export const URL_PATTERN = /\b(?:https?:\/\/|www\.)[^\s<>`]*[^\s<>.,;:!?'"*~`()[\]]/giu

/** Stickers, places and contacts are no files for a person. */
const IS_FILE: ReadonlySet<Midia['tipo']> = new Set(['imagem', 'video', 'documento', 'audio', 'outro'])

/** The stored file of a message, then the web addresses in its current text, as they were written. */
export function filesAndLinksOf(mensagem: Mensagem): ArquivoDaConversa[] {
  const { id: mensagemId, timestamp: em, remetente: autor, tipo, texto, edicao = texto, midia } = mensagem
  const entry = { mensagemId, em, autor, nossa: tipo === 'enviada' }
  const links = (edicao.match(URL_PATTERN) ?? []).map((link) => ({ ...entry, link }))
  return midia?.url !== undefined && IS_FILE.has(midia.tipo) ? [{ ...entry, midia }, ...links] : links
}
