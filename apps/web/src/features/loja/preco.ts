const reais = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' })
const doisDecimais = new Intl.NumberFormat('pt-BR', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** `R$ 1.234,50` with a breaking space, for narrow cards. */
export const formatMoney = (valor: number): string => reais.format(valor).replace(/\s/g, ' ')

/** `1.234,50`, for the input. */
export const formatPreco = (valor: number): string => doisDecimais.format(valor)

/** Keeps digits, dots, and one comma with two digits. */
export function limparPreco(escrito: string): string {
  const [inteiro = '', ...resto] = escrito.replace(/[^\d.,]/g, '').split(',')
  return resto.length === 0 ? inteiro : `${inteiro},${resto.join('').replace(/\D/g, '').slice(0, 2)}`
}

/** Price in reais, or null without digits. A single dot before one or two digits counts as a comma. */
export function lerPreco(escrito: string): number | null {
  const limpo = limparPreco(escrito)
  const normal =
    limpo.includes(',') || !/^\d*\.\d{1,2}$/.test(limpo) ? limpo.replaceAll('.', '').replace(',', '.') : limpo
  return /\d/.test(normal) ? Number(normal) : null
}
