import type { Midia } from '@balcao/contract/entities/mensagem'
import { NOME_DA_MIDIA } from '@balcao/contract/text/mensagem-summary'

const TYPE_NAMES: Readonly<Record<string, string>> = {
  'application/pdf': 'PDF',
  'application/msword': 'Word',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'Word',
  'application/vnd.ms-excel': 'Excel',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'Excel',
  'application/zip': 'ZIP',
  'text/csv': 'CSV',
  'text/plain': 'Texto',
}

export function mediaName({ tipo, nomeArquivo }: Midia): string {
  return nomeArquivo === undefined || nomeArquivo === '' ? NOME_DA_MIDIA[tipo] : nomeArquivo
}

export function mediaDescription({ tipo }: Midia, ours: boolean): string {
  const feminino = tipo === 'imagem' || tipo === 'figurinha' || tipo === 'localizacao'
  return `${NOME_DA_MIDIA[tipo]} ${ours ? 'enviad' : 'recebid'}${feminino ? 'a' : 'o'}`
}

const oneDecimal = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 1 })

export function formatFileSize(bytes: number): string {
  if (bytes < 1024) return bytes === 1 ? '1 byte' : `${bytes} bytes`
  if (bytes < 1024 * 1024) return `${Math.round(bytes / 1024)} KB`
  return `${oneDecimal.format(bytes / (1024 * 1024))} MB`
}

export function typeAndSize({ mimeType = '', nomeArquivo = '', tamanhoBytes }: Midia): string {
  const extension = /\.([a-z0-9]{1,5})$/i.exec(nomeArquivo)?.[1]?.toUpperCase()
  const tipo = TYPE_NAMES[mimeType] ?? extension
  const size = tamanhoBytes === undefined ? undefined : formatFileSize(tamanhoBytes)
  return [tipo, size].filter((part) => part !== undefined).join(' · ')
}

export function formatPlaybackTime(seconds: number): string {
  const integers = Math.floor(seconds)
  return `${Math.floor(integers / 60)}:${String(integers % 60).padStart(2, '0')}`
}
