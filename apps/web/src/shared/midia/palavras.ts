import type { Midia } from '@balcao/contract/entities/mensagem'
import { NOME_DA_MIDIA } from '@balcao/contract/resumo'

const NOME_DO_TIPO: Readonly<Record<string, string>> = {
  'application/pdf': 'PDF',
  'application/msword': 'Word',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'Word',
  'application/vnd.ms-excel': 'Excel',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'Excel',
  'application/zip': 'ZIP',
  'text/csv': 'CSV',
  'text/plain': 'Texto',
}

export function nomeDaMidia({ tipo, nomeArquivo }: Midia): string {
  return nomeArquivo === undefined || nomeArquivo === '' ? NOME_DA_MIDIA[tipo] : nomeArquivo
}

export function descricao({ tipo }: Midia, deMim: boolean): string {
  const feminino = tipo === 'imagem' || tipo === 'figurinha' || tipo === 'localizacao'
  return `${NOME_DA_MIDIA[tipo]} ${deMim ? 'enviad' : 'recebid'}${feminino ? 'a' : 'o'}`
}

const umaCasa = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 1 })

/** `812 bytes`, `34 KB`, `1,2 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return bytes === 1 ? '1 byte' : `${bytes} bytes`
  if (bytes < 1024 * 1024) return `${Math.round(bytes / 1024)} KB`
  return `${umaCasa.format(bytes / (1024 * 1024))} MB`
}

export function tipoETamanho({ mimeType = '', nomeArquivo = '', tamanhoBytes }: Midia): string {
  const extensao = /\.([a-z0-9]{1,5})$/i.exec(nomeArquivo)?.[1]?.toUpperCase()
  const tipo = NOME_DO_TIPO[mimeType] ?? extensao
  const tamanho = tamanhoBytes === undefined ? undefined : formatBytes(tamanhoBytes)
  return [tipo, tamanho].filter((parte) => parte !== undefined).join(' · ')
}

export function formatDuracao(segundos: number): string {
  const inteiros = Math.floor(segundos)
  return `${Math.floor(inteiros / 60)}:${String(inteiros % 60).padStart(2, '0')}`
}
