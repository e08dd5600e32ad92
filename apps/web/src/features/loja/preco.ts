const reais = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' })
const twoDecimals = new Intl.NumberFormat('pt-BR', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** `R$ 1.234,50` with a breaking space, for narrow cards. */
export const formatMoney = (value: number): string => reais.format(value).replace(/\s/g, ' ')

/** `1.234,50`, for the input. */
export const formatPriceInput = (value: number): string => twoDecimals.format(value)

/** Keeps digits, dots, and one comma with two digits. */
export function cleanPrice(typed: string): string {
  const [inteiro = '', ...resto] = typed.replace(/[^\d.,]/g, '').split(',')
  return resto.length === 0 ? inteiro : `${inteiro},${resto.join('').replace(/\D/g, '').slice(0, 2)}`
}

/** Price in reais, or null without digits. A single dot before one or two digits counts as a comma. */
export function parsePrice(typed: string): number | null {
  const limpo = cleanPrice(typed)
  const normal =
    limpo.includes(',') || !/^\d*\.\d{1,2}$/.test(limpo) ? limpo.replaceAll('.', '').replace(',', '.') : limpo
  return /\d/.test(normal) ? Number(normal) : null
}
