/** How Brazilians read numbers, money, dates and telephones. */

const inteiro = new Intl.NumberFormat('pt-BR')
const umDecimal = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 1 })
const hora = new Intl.DateTimeFormat('pt-BR', { hour: '2-digit', minute: '2-digit' })
const dia = new Intl.DateTimeFormat('pt-BR', { day: '2-digit', month: '2-digit', year: 'numeric' })
const diaEHora = new Intl.DateTimeFormat('pt-BR', {
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})

export const formatNumber = (valor: number): string => inteiro.format(valor)
/** `74,2 %` from 74.2. */
export const formatPercent = (valor: number): string => `${umDecimal.format(valor)}%`
export const formatTime = (instante: string | number | Date): string => hora.format(new Date(instante))
export const formatDate = (instante: string | number | Date): string => dia.format(new Date(instante))
export const formatDateTime = (instante: string | number | Date): string => diaEHora.format(new Date(instante))

const letras = new Intl.Segmenter('pt-BR')

/** What stands in a circle for somebody: the first letter of the name as people see letters, an emoji included. */
export function inicialDe(nome: string): string {
  const [primeira] = letras.segment(nome.trim())
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
