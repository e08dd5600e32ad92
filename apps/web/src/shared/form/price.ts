const real = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' })
const twoDecimals = new Intl.NumberFormat('pt-BR', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** `R$ 1.234,50` with a breaking space, for narrow cards. */
export const formatMoney = (value: number): string => real.format(value).replace(/\s/g, ' ')

export const formatPriceInput = (value: number): string => twoDecimals.format(value)

export function cleanPrice(typed: string): string {
  const [whole = '', ...rest] = typed.replace(/[^\d.,]/g, '').split(',')
  return rest.length === 0 ? whole : `${whole},${rest.join('').replace(/\D/g, '').slice(0, 2)}`
}

/** Price in reais, or null without digits. A single dot before one or two digits counts as a comma. */
export function parsePrice(typed: string): number | null {
  const clean = cleanPrice(typed)
  const normal =
    clean.includes(',') || !/^\d*\.\d{1,2}$/.test(clean) ? clean.replaceAll('.', '').replace(',', '.') : clean
  return /\d/.test(normal) ? Number(normal) : null
}

/** The typed price in cents, or null without digits. */
export function parseCents(typed: string): number | null {
  const price = parsePrice(typed)
  return price === null ? null : Math.round(price * 100)
}

export const formatCentsInput = (cents: number): string => formatPriceInput(cents / 100)
