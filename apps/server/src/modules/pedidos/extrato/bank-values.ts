import { unescapeFormulas } from '@balcao/contract/text/spreadsheet'

/** Sums and days as Brazilian banks write them. */

const CENTS_MAX = 1_000_000_000_00

/**
 * Cents, negative for a debit: `1.234,56`, `1,234.56`, `R$ 15`, `12,00-`, `12,00 D`, `(12,00)`. Null for any other
 * text, such as a formula.
 */
export function parseSum(written: string): number | null {
  const text = unescapeFormulas(written)
    .replace(/R\$|[\s\u00a0]/g, '')
    .replaceAll('\u2212', '-')
  const [, open = '', sign = '', digits = '', tail = ''] = /^(\(?)([+-]?)(\d[\d.,]*)([-CD)]?)$/i.exec(text) ?? []
  const cents = parseDigits(digits)
  if (cents === null || cents > CENTS_MAX || (open === '(') !== (tail === ')')) return null
  const isDebit = sign === '-' || open === '(' || /^[-d]$/i.test(tail)
  return isDebit ? -cents : cents
}

/** The last separator before one or two digits is the decimal one. The others stand between groups of three. */
function parseDigits(text: string): number | null {
  const [, whole = text, decimals = ''] = /^(.*)[.,](\d{1,2})$/.exec(text) ?? []
  if (!/^\d{1,12}$/.test(whole) && !/^\d{1,3}(?:\.\d{3})+$/.test(whole) && !/^\d{1,3}(?:,\d{3})+$/.test(whole))
    return null
  return Number(whole.replace(/[.,]/g, '')) * 100 + Number(decimals.padEnd(2, '0'))
}

/** `dd/mm/aaaa`, `dd-mm-aa`, `aaaa-mm-dd` or `aaaammdd`, with or without a time, as `AAAA-MM-DD`. Null: no day. */
export function parseDay(written: string): string | null {
  const text = written.trim()
  const [, day, month, year] = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})(?!\d)/.exec(text) ?? []
  if (day !== undefined) return dayOf(year ?? '', month ?? '', day)
  const iso = /^(\d{4})-?(\d{2})-?(\d{2})/.exec(text)
  return iso === null ? null : dayOf(iso[1] ?? '', iso[2] ?? '', iso[3] ?? '')
}

function dayOf(year: string, month: string, day: string): string | null {
  const text = `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const date = new Date(`${text}T00:00:00Z`)
  const isReal = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
  return isReal && text >= '2000' && text < '2100' ? text : null
}
