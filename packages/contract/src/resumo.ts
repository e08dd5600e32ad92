import type { Mensagem, Midia } from '#entities/mensagem.ts'

/** What a person calls each kind of media. */
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

/** A message in one line of a list: its words, or what it carries when it has none. */
export function resumoDaMensagem({ texto, midia }: Pick<Mensagem, 'texto' | 'midia'>): string {
  return texto === '' && midia !== undefined ? NOME_DA_MIDIA[midia.tipo] : texto
}
