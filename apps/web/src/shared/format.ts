import { zonaDaConta } from './zona.ts'

/**
 * Formats instants in the account's time zone. Created on first use: creating formats is slow on phones, and most
 * screens need one or two.
 */
export function noFuso(opcoes: Intl.DateTimeFormatOptions, lingua = 'pt-BR') {
  let zona = ''
  let formato: Intl.DateTimeFormat
  return (instante: string | number | Date): string => {
    if (zona !== zonaDaConta()) {
      zona = zonaDaConta()
      formato = criarNoFuso(opcoes, lingua)
    }
    return formato.format(new Date(instante))
  }
}

function criarNoFuso(opcoes: Intl.DateTimeFormatOptions, lingua: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat(lingua, { ...opcoes, timeZone: zonaDaConta() })
  } catch {
    return new Intl.DateTimeFormat(lingua, opcoes)
  }
}

const DIA: Intl.DateTimeFormatOptions = { day: '2-digit', month: '2-digit', year: 'numeric' }
const HORA: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit' }

/** At most one decimal: `1.742`, `74,2`. Not `Intl`, whose first number costs a phone about 100 ms. */
export function formatNumber(valor: number): string {
  const [inteiros = '', decimo = '0'] = Math.abs(valor).toFixed(1).split('.')
  const agrupados = inteiros.replace(/\B(?=(\d{3})+$)/g, '.')
  return `${valor < 0 ? '-' : ''}${agrupados}${decimo === '0' ? '' : `,${decimo}`}`
}
export const formatPercent = (valor: number): string => `${formatNumber(valor)}%`
export const formatTime = noFuso(HORA)
export const formatDate = noFuso(DIA)
export const formatDateTime = noFuso({ ...DIA, ...HORA })
/** `2026-11-21`, for comparisons and file names. The Swedish locale writes dates as ISO 8601. */
export const formatIsoDate = noFuso(DIA, 'sv-SE')

/** A first letter without combining marks. It covers most names and avoids creating a segmenter. */
const LETRA_SIMPLES = /^[A-Za-zÀ-ÿ](?![\u0300-\u036f\u200d])/

/** The first grapheme of the name in upper case, an emoji included. `?` for an empty name. */
export function inicialDe(nome: string): string {
  const aparado = nome.trim()
  const [simples] = LETRA_SIMPLES.exec(aparado) ?? []
  if (simples !== undefined) return simples.toUpperCase()
  const [primeira] = new Intl.Segmenter('pt-BR').segment(aparado)
  return (primeira?.segment ?? '?').toUpperCase()
}

/** `+55 11 98765-4321`, `(11) 98765-4321`, or the input unchanged if it is neither. */
export function formatPhone(telefone: string): string {
  const digitos = telefone.replace(/\D/g, '')
  const partes = /^(55)?(\d{2})(\d{4,5})(\d{4})$/.exec(digitos)
  if (partes === null) return telefone
  const [, pais, ddd = '', meio = '', fim = ''] = partes
  return pais === undefined ? `(${ddd}) ${meio}-${fim}` : `+55 ${ddd} ${meio}-${fim}`
}

export function maskPhone(escrito: string): string {
  const d = escrito.replace(/\D/g, '').slice(0, 11)
  if (d.length <= 2) return d
  if (d.length <= 6) return `(${d.slice(0, 2)}) ${d.slice(2)}`
  const corte = d.length <= 10 ? 6 : 7
  return `(${d.slice(0, 2)}) ${d.slice(2, corte)}-${d.slice(corte)}`
}
