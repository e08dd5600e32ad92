import type { ProvedorIa } from '@balcao/contract/presets/provedores-ia'

/** Cents of reais for a million tokens. */
export interface ModelPrice {
  readonly entrada: number
  readonly saida: number
}

interface PriceRow {
  /** Begins the ids of the models. The longest one that fits counts. */
  readonly modelo: string
  /** First day of the price. Before its first day the oldest price of the model counts. */
  readonly desde: string
  /** US dollars for a million tokens. */
  readonly entrada: number
  readonly saida: number
}

/** R$ 6.00 for a dollar, with the tax on card purchases abroad: an estimate, rounded up. */
const CENTS_PER_DOLLAR = 600

/**
 * List prices of text for prompts of usual length, read in October and November 2026 at
 * https://ai.google.dev/gemini-api/docs/pricing, https://developers.openai.com/api/docs/pricing and
 * https://platform.claude.com/docs/en/about-claude/pricing. Discounts for cached input are not counted.
 */
const PRICES: Readonly<Record<Exclude<ProvedorIa, 'compativel'>, readonly PriceRow[]>> = {
  gemini: [
    { modelo: 'gemini-2.5-flash-lite', desde: '2026-10-07', entrada: 0.1, saida: 0.4 },
    { modelo: 'gemini-2.5-flash', desde: '2026-10-07', entrada: 0.3, saida: 2.5 },
    { modelo: 'gemini-2.5-pro', desde: '2026-10-07', entrada: 1.25, saida: 10 },
    { modelo: 'gemini-3.1-pro', desde: '2026-10-07', entrada: 2, saida: 12 },
    { modelo: 'gemini-3.5-flash-lite', desde: '2026-10-07', entrada: 0.3, saida: 2.5 },
    { modelo: 'gemini-3.5-flash', desde: '2026-10-07', entrada: 1.5, saida: 9 },
    { modelo: 'gemini-3.8-flash', desde: '2026-10-07', entrada: 0.75, saida: 3.75 },
    { modelo: 'gemini-3.8-flash', desde: '2027-01-01', entrada: 1.5, saida: 7.5 },
    // These names move to newer models: the dearest current one of their kind.
    { modelo: 'gemini-flash-lite-latest', desde: '2026-10-07', entrada: 0.3, saida: 2.5 },
    { modelo: 'gemini-flash-latest', desde: '2026-10-07', entrada: 1.5, saida: 9 },
  ],
  openai: [
    { modelo: 'gpt-4o', desde: '2026-11-05', entrada: 2.5, saida: 10 },
    { modelo: 'gpt-4o-mini', desde: '2026-11-05', entrada: 0.15, saida: 0.6 },
    { modelo: 'gpt-4o-mini-transcribe', desde: '2026-11-05', entrada: 1.25, saida: 5 },
    { modelo: 'gpt-4.1', desde: '2026-11-05', entrada: 2, saida: 8 },
    { modelo: 'gpt-4.1-mini', desde: '2026-11-05', entrada: 0.4, saida: 1.6 },
    { modelo: 'gpt-4.1-nano', desde: '2026-11-05', entrada: 0.1, saida: 0.4 },
    { modelo: 'gpt-5-mini', desde: '2026-11-05', entrada: 0.25, saida: 2 },
    { modelo: 'gpt-5-nano', desde: '2026-11-05', entrada: 0.05, saida: 0.4 },
    { modelo: 'gpt-5.1', desde: '2026-11-05', entrada: 1.25, saida: 10 },
    { modelo: 'gpt-5.4', desde: '2026-11-05', entrada: 2.5, saida: 15 },
    { modelo: 'gpt-5.4-mini', desde: '2026-11-05', entrada: 0.75, saida: 4.5 },
    { modelo: 'gpt-5.4-nano', desde: '2026-11-05', entrada: 0.2, saida: 1.25 },
    { modelo: 'gpt-5.5', desde: '2026-11-05', entrada: 5, saida: 30 },
    { modelo: 'gpt-5.5-pro', desde: '2026-11-05', entrada: 30, saida: 180 },
    { modelo: 'gpt-5.6-luna', desde: '2026-11-05', entrada: 0.2, saida: 1.2 },
    { modelo: 'gpt-5.6-terra', desde: '2026-11-05', entrada: 2, saida: 12 },
    { modelo: 'gpt-5.6-sol', desde: '2026-11-05', entrada: 5, saida: 30 },
    { modelo: 'gpt-6-luna', desde: '2026-09-22', entrada: 0.1, saida: 0.5 },
    { modelo: 'gpt-6-sol', desde: '2026-09-22', entrada: 2, saida: 10 },
    { modelo: 'gpt-6-astra', desde: '2026-09-03', entrada: 10, saida: 50 },
  ],
  anthropic: [
    { modelo: 'claude-haiku-4-5', desde: '2026-10-07', entrada: 1, saida: 5 },
    { modelo: 'claude-haiku-5-5', desde: '2026-10-07', entrada: 0.1, saida: 0.5 },
    { modelo: 'claude-sonnet-4', desde: '2026-10-07', entrada: 3, saida: 15 },
    { modelo: 'claude-sonnet-5-5', desde: '2026-10-07', entrada: 2, saida: 10 },
    { modelo: 'claude-opus-5', desde: '2026-10-07', entrada: 5, saida: 25 },
    { modelo: 'claude-opus-5-5', desde: '2026-10-07', entrada: 4, saida: 20 },
    { modelo: 'claude-fable-5', desde: '2026-10-07', entrada: 10, saida: 50 },
  ],
}

const FREE: ModelPrice = { entrada: 0, saida: 0 }

/**
 * The price of a model on a local day. An unknown model costs as much as the dearest of its provider. A `compativel` host
 * costs nothing: its prices are unknown, and most run on a machine of the shop.
 */
export function priceOf(provedor: ProvedorIa, modelo: string, day: string): ModelPrice {
  if (provedor === 'compativel') return FREE
  const rows = PRICES[provedor]
  const fitting = rows.filter((row) => modelo.startsWith(row.modelo))
  const longest = Math.max(0, ...fitting.map((row) => row.modelo.length))
  const dated = fitting.filter((row) => row.modelo.length === longest)
  const known = dated.findLast(({ desde }) => desde <= day) ?? dated[0]
  return inCents(known ?? dearest(rows))
}

const dearest = (rows: readonly PriceRow[]): Pick<PriceRow, 'entrada' | 'saida'> => ({
  entrada: Math.max(...rows.map(({ entrada }) => entrada)),
  saida: Math.max(...rows.map(({ saida }) => saida)),
})

function inCents({ entrada, saida }: Pick<PriceRow, 'entrada' | 'saida'>): ModelPrice {
  return { entrada: Math.round(entrada * CENTS_PER_DOLLAR), saida: Math.round(saida * CENTS_PER_DOLLAR) }
}

/** Millionths of a cent in a cent. */
const PER_CENT = 1_000_000

export interface UsedTokens {
  readonly tokensEntrada: number
  readonly tokensSaida: number
}

/** Cost in millionths of a cent, without rounding. */
export function costOf(price: ModelPrice, { tokensEntrada, tokensSaida }: UsedTokens): number {
  return tokensEntrada * price.entrada + tokensSaida * price.saida
}

/** Rounds half up. */
export function wholeCents(cost: number): number {
  return Math.round(cost / PER_CENT)
}

/** True when the month's cost, in millionths of a cent, used the budget up. Null: no budget. */
export function isBudgetUsed(cost: number, budgetCents: number | null): boolean {
  const limit = costLimit(budgetCents)
  return limit !== null && cost >= limit
}

/** A budget in cents as a cost in millionths of a cent. */
export function costLimit(budgetCents: number | null): number | null {
  return budgetCents === null ? null : budgetCents * PER_CENT
}
