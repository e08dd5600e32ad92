/** Money as Brazilians write it. */

const reais = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' })
const doisDecimais = new Intl.NumberFormat('pt-BR', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** `R$ 1.234,50`, with a space that may break: some cards are narrow. */
export const formatMoney = (valor: number): string => reais.format(valor).replace(/\s/g, ' ')

/** `1.234,50`, for the field. */
export const formatPreco = (valor: number): string => doisDecimais.format(valor)

/** What may stay in the field while somebody types: digits, dots, and one comma with two digits after it. */
export function limparPreco(escrito: string): string {
  const [inteiro = '', ...resto] = escrito.replace(/[^\d.,]/g, '').split(',')
  return resto.length === 0 ? inteiro : `${inteiro},${resto.join('').replace(/\D/g, '').slice(0, 2)}`
}

/** The price in reais; null when nothing that is a number was written. A lone dot before one or two digits is a comma. */
export function lerPreco(escrito: string): number | null {
  const limpo = limparPreco(escrito)
  const normal =
    limpo.includes(',') || !/^\d*\.\d{1,2}$/.test(limpo) ? limpo.replaceAll('.', '').replace(',', '.') : limpo
  return /\d/.test(normal) ? Number(normal) : null
}
