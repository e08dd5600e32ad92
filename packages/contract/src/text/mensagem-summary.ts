import type { Mensagem, Midia } from '#entities/mensagem.ts'

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
