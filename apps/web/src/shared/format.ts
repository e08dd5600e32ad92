import type { Conversa } from '@balcao/contract/entities/conversa'
import { contaZone } from './time-zone.ts'

/**
 * Formats instants in the account's time zone. Created on first use: creating formats is slow on phones, and most
 * screens need one or two.
 */
export function zonedFormat(options: Intl.DateTimeFormatOptions, locale = 'pt-BR') {
  let zone = ''
  let formato: Intl.DateTimeFormat
  return (instant: string | number | Date): string => {
    if (zone !== contaZone()) {
      zone = contaZone()
      formato = createZonedFormat(options, locale)
    }
    return formato.format(new Date(instant))
  }
}

function createZonedFormat(options: Intl.DateTimeFormatOptions, locale: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat(locale, { ...options, timeZone: contaZone() })
  } catch {
    return new Intl.DateTimeFormat(locale, options)
  }
}

const DAY_OPTIONS: Intl.DateTimeFormatOptions = { day: '2-digit', month: '2-digit', year: 'numeric' }
const HOUR_OPTIONS: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit' }

/** Created on first use, because the first format costs a phone about 100 ms. */
let numbers: Intl.NumberFormat | undefined

/** At most one decimal: `1.742`, `74,2`. */
export function formatNumber(value: number): string {
  numbers ??= new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 1 })
  return numbers.format(value)
}
export const formatPercent = (value: number): string => `${formatNumber(value)}%`
export const formatTime = zonedFormat(HOUR_OPTIONS)
export const formatDate = zonedFormat(DAY_OPTIONS)
export const formatDateTime = zonedFormat({ ...DAY_OPTIONS, ...HOUR_OPTIONS })
/** `2026-11-21`, for comparisons and file names. The Swedish locale writes dates as ISO 8601. */
export const formatIsoDate = zonedFormat(DAY_OPTIONS, 'sv-SE')

/** A first letter without combining marks. It covers most names and avoids creating a segmenter. */
const PLAIN_LETTER = /^[A-Za-zÀ-ÿ](?![\u0300-\u036f\u200d])/

/** The first grapheme of the name in upper case, an emoji included. `?` for an empty name. */
export function initialOf(name: string): string {
  const aparado = name.trim()
  const [simple] = PLAIN_LETTER.exec(aparado) ?? []
  if (simple !== undefined) return simple.toUpperCase()
  const [first] = new Intl.Segmenter('pt-BR').segment(aparado)
  return (first?.segment ?? '?').toUpperCase()
}

/** `+55 11 98765-4321`, `(11) 98765-4321`, or the input unchanged if it is neither. */
export function formatPhone(phone: string): string {
  const digits = phone.replace(/\D/g, '')
  const parts = /^(55)?(\d{2})(\d{4,5})(\d{4})$/.exec(digits)
  if (parts === null) return phone
  const [, pais, ddd = '', middle = '', fim = ''] = parts
  return pais === undefined ? `(${ddd}) ${middle}-${fim}` : `+55 ${ddd} ${middle}-${fim}`
}

/** The phone of a customer, or the user name when the service hides the phone. Empty when neither is known. */
export function customerContact({
  telefone,
  nomeUsuario,
}: Pick<Conversa['cliente'], 'telefone' | 'nomeUsuario'>): string {
  return formatPhone(telefone) || (nomeUsuario === undefined ? '' : `@${nomeUsuario}`)
}

export function maskPhone(typed: string): string {
  const d = typed.replace(/\D/g, '').slice(0, 11)
  if (d.length <= 2) return d
  if (d.length <= 6) return `(${d.slice(0, 2)}) ${d.slice(2)}`
  const cut = d.length <= 10 ? 6 : 7
  return `(${d.slice(0, 2)}) ${d.slice(2, cut)}-${d.slice(cut)}`
}
