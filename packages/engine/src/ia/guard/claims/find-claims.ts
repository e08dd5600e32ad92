import { findAddresses } from './addresses.ts'
import { findPromises } from './promises.ts'
import { findQuantities } from './quantities.ts'
import type { Claim } from '../types.ts'
import type { GuardText } from './text.ts'

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
