import { zonaDaConta } from './zona.ts'

/** How Brazilians read numbers, money, dates and telephones. */

/**
 * A format of instants, in the account's zone whatever the browser's is; `lingua` when it is not for people to read. Made when it is
 * first needed: formats are dear, the more so on a phone, and most screens need one or two.
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
    // A browser may be older than the name of a zone.
    return new Intl.DateTimeFormat(lingua, opcoes)
  }
}

const DIA: Intl.DateTimeFormatOptions = { day: '2-digit', month: '2-digit', year: 'numeric' }
const HORA: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit' }

/**
 * `1.742`, `74,2`: at most one decimal. By hand, for it is on every screen: the first number that a browser formats costs a phone a
 * tenth of a second.
 */
export function formatNumber(valor: number): string {
  const [inteiros = '', decimo = '0'] = Math.abs(valor).toFixed(1).split('.')
  const agrupados = inteiros.replace(/\B(?=(\d{3})+$)/g, '.')
  return `${valor < 0 ? '-' : ''}${agrupados}${decimo === '0' ? '' : `,${decimo}`}`
}
/** `74,2%` from 74.2. */
export const formatPercent = (valor: number): string => `${formatNumber(valor)}%`
export const formatTime = noFuso(HORA)
export const formatDate = noFuso(DIA)
export const formatDateTime = noFuso({ ...DIA, ...HORA })
/** `2026-11-21`, which is how the Swedish write a date: to compare, to name a file. */
export const formatIsoDate = noFuso(DIA, 'sv-SE')

/** A letter that nothing joins: a name begins with one nearly always, and then nobody needs to be asked. */
const LETRA_SIMPLES = /^[A-Za-zÀ-ÿ](?![\u0300-\u036f\u200d])/

/** What stands in a circle for somebody: the first letter of the name as people see letters, an emoji included. */
export function inicialDe(nome: string): string {
  const aparado = nome.trim()
  const [simples] = LETRA_SIMPLES.exec(aparado) ?? []
  if (simples !== undefined) return simples.toUpperCase()
  // Made when a name asks for it, for it is dear: hardly any does.
  const [primeira] = new Intl.Segmenter('pt-BR').segment(aparado)
  return (primeira?.segment ?? '?').toUpperCase()
}

/** `+55 11 98765-4321`, `(11) 98765-4321`, or the digits as they are when they are neither. */
export function formatPhone(telefone: string): string {
  const digitos = telefone.replace(/\D/g, '')
  const partes = /^(55)?(\d{2})(\d{4,5})(\d{4})$/.exec(digitos)
  if (partes === null) return telefone
  const [, pais, ddd = '', meio = '', fim = ''] = partes
  return pais === undefined ? `(${ddd}) ${meio}-${fim}` : `+55 ${ddd} ${meio}-${fim}`
}

/** The mask while typing a Brazilian number: keeps at most 11 digits. */
export function maskPhone(escrito: string): string {
  const d = escrito.replace(/\D/g, '').slice(0, 11)
  if (d.length <= 2) return d
  if (d.length <= 6) return `(${d.slice(0, 2)}) ${d.slice(2)}`
  const corte = d.length <= 10 ? 6 : 7
  return `(${d.slice(0, 2)}) ${d.slice(2, corte)}-${d.slice(corte)}`
}
