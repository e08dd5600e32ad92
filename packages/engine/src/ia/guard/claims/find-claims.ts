import { findAddresses } from './addresses.ts'
import { findPromises } from './promises.ts'
import { findQuantities } from './quantities.ts'
import type { GuardText } from './text.ts'

export type ClaimKind = 'dinheiro' | 'percentual' | 'hora' | 'data' | 'prazo' | 'numero' | 'link' | 'email' | 'palavra'

/** A part of a text that only the shop can know. */
export interface Claim {
  readonly kind: ClaimKind
  readonly start: number
  readonly end: number
  /** Meanings that it may have: 'às 6' is 06:00 or 18:00. At least one must be supported. */
  readonly keys: readonly string[]
  /** Cents of a sum of money, minutes of a time, the percentage. Else NaN. */
  readonly value: number
}

/** Finds the claims of a text in their order. They do not overlap. */
export function findClaims({ folded }: GuardText): readonly Claim[] {
  const addresses = findAddresses(folded)
  const rest = blank(folded, addresses)
  const quantities = findQuantities(rest)
  return [...addresses, ...quantities, ...findPromises(rest)].toSorted((a, b) => a.start - b.start)
}

function blank(text: string, spans: readonly Claim[]): string {
  let output = ''
  let copied = 0
  for (const { start, end } of spans) {
    output += `${text.slice(copied, start)}${'_'.repeat(end - start)}`
    copied = end
  }
  return output + text.slice(copied)
}
