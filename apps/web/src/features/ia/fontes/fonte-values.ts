import { type GapDraft, gapTitle } from '#shared/ia/gap-draft.ts'
import type { Fonte } from '@balcao/contract/entities/fonte'
import { instantOf } from '#shared/form/local-time.ts'
import type { FormErrors } from '#shared/form/use-config-form.ts'
import { formatDate, formatDateTime, formatNumber } from '#shared/format.ts'

export type TipoFonte = Fonte['tipo']

export const FONTE_TIPO_LABEL: Readonly<Record<TipoFonte, string>> = {
  texto: 'Texto',
  arquivo: 'Arquivo',
  site: 'Site',
}

export interface FonteValues {
  readonly tipo: TipoFonte
  readonly titulo: string
  readonly texto: string
  readonly url: string
  readonly arquivo: File | null
  /** Last day, `AAAA-MM-DD`. */
  readonly ate: string
}

export const BLANK_FONTE: FonteValues = { tipo: 'texto', titulo: '', texto: '', url: '', arquivo: null, ate: '' }

/** A text that begins with the question of the customers. The owner writes the answer behind it. */
export function fonteOfGap(draft: GapDraft): FonteValues {
  return { ...BLANK_FONTE, titulo: gapTitle(draft, 120), texto: `Pergunta: ${draft.rotulo}\nResposta: ` }
}

interface Dated {
  readonly titulo?: string
  readonly expiraEm?: string
}

export type WrittenFonte =
  | (Dated & { readonly tipo: 'texto'; readonly titulo: string; readonly texto: string })
  | (Dated & { readonly tipo: 'site'; readonly url: string })
  | (Dated & { readonly tipo: 'arquivo'; readonly arquivo: File })

const SECOND_MS = 1_000
const FILE_MAX_BYTES = 10_485_760
const TEXT_MAX = 100_000

/** People leave out the protocol. */
function urlOf(typed: string): string {
  const text = typed.trim()
  return text === '' || /^https?:\/\//i.test(text) ? text : `https://${text}`
}

export function fonteErrors({ tipo, titulo, texto, url, arquivo }: FonteValues): FormErrors {
  switch (tipo) {
    case 'texto':
      return {
        ...(titulo.trim() === '' ? { titulo: 'Dê um título a este texto.' } : {}),
        ...(texto.trim() === '' ? { texto: 'Escreva ou cole o texto.' } : {}),
        ...(texto.length > TEXT_MAX ? { texto: 'O texto passa de 100.000 caracteres. Divida em dois.' } : {}),
      }
    case 'site':
      return URL.canParse(urlOf(url)) && urlOf(url).includes('.')
        ? {}
        : { url: 'Escreva o endereço, como loja.com.br.' }
    case 'arquivo':
      if (arquivo === null) return { arquivo: 'Escolha um arquivo.' }
      return arquivo.size > FILE_MAX_BYTES ? { arquivo: 'O arquivo passa de 10 MB. Divida em partes menores.' } : {}
  }
}

/** Returns null while a field is missing. */
export function closeFonte({ tipo, titulo, texto, url, arquivo, ate }: FonteValues): WrittenFonte | null {
  const name = titulo.trim()
  const dated: Dated = {
    ...(name === '' ? {} : { titulo: name }),
    // The last second of the day.
    ...(ate === '' ? {} : { expiraEm: new Date(instantOf(`${ate}T23:59`) + 59 * SECOND_MS).toISOString() }),
  }
  switch (tipo) {
    case 'texto':
      return { ...dated, tipo, titulo: name, texto: texto.trim() }
    case 'site':
      return { ...dated, tipo, url: urlOf(url) }
    case 'arquivo':
      return arquivo === null ? null : { ...dated, tipo, arquivo }
  }
}

export const isExpired = ({ expiraEm }: Fonte): boolean => expiraEm !== undefined && Date.parse(expiraEm) <= Date.now()

function sizeText(bytes: number): string {
  const kb = bytes / 1_024
  return kb < 1_024
    ? `${formatNumber(Math.max(1, Math.round(kb)))} KB`
    : `${formatNumber(Math.round(kb / 102.4) / 10)} MB`
}

/** The facts of a fonte, such as `12 trechos · 40 KB · lida em 29/11/2026 11:40 · vale até 31/12/2026`. */
export function fonteFactsOf(fonte: Fonte): string {
  const { trechos, bytes, lidaEm, expiraEm } = fonte
  return [
    ...(trechos > 0 ? [trechos === 1 ? '1 trecho' : `${formatNumber(trechos)} trechos`] : []),
    ...(bytes > 0 ? [sizeText(bytes)] : []),
    ...(lidaEm === null ? [] : [`lida em ${formatDateTime(lidaEm)}`]),
    ...(expiraEm === undefined ? [] : [`${isExpired(fonte) ? 'valeu' : 'vale'} até ${formatDate(expiraEm)}`]),
  ].join(' · ')
}
