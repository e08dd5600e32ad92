import type { Midia } from '@balcao/contract/entities/mensagem'

export const MIDIA_NAME: Readonly<Record<Midia['tipo'], string>> = {
  imagem: 'Imagem',
  audio: 'Áudio',
  video: 'Vídeo',
  documento: 'Documento',
  figurinha: 'Figurinha',
  localizacao: 'Localização',
  contato: 'Contato',
  outro: 'Arquivo',
}
