/** Formats cents of a currency (ISO 4217). */
export function moneyFormat(currency: string): (cents: number) => string {
  const format = new Intl.NumberFormat('pt-BR', { style: 'currency', currency })
  return (cents) => format.format(cents / 100)
}
