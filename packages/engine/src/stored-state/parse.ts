import * as z from 'zod'
import { type BotState, type Consent, initialState, NO_CONSENT } from '#state.ts'
import { createStateSchema } from './schema.ts'

/** Stored states are read once in each turn. The panel never loads this folder. */

let schema: ReturnType<typeof createStateSchema> | undefined

/** Notice and stop are read separately, so that they survive a state that cannot be parsed. */
const createConsentSchema = () =>
  z.object({
    avisadoEm: z.nullable(z.number()),
    paradoEm: z.nullable(z.number()),
  })
let consentSchema: ReturnType<typeof createConsentSchema> | undefined

/** Those of a stored state, none if they cannot be read. Much cheaper than to parse the whole state. */
export function consentOf(json: unknown): Consent {
  consentSchema ??= createConsentSchema()
  const known = typeof json === 'object' && json !== null ? { ...NO_CONSENT, ...json } : json
  return consentSchema.safeParse(known).data ?? NO_CONSENT
}

/**
 * Reads a stored state. Unreadable input gives the initial state, but keeps privacy notice and stop if they are
 * readable.
 */
export function parseState(json: unknown): BotState {
  // Older states lack these fields.
  const whole =
    typeof json === 'object' && json !== null
      ? { ...NO_CONSENT, semPessoa: [], carrinho: null, apresentada: false, ...json }
      : json
  schema ??= createStateSchema()
  const parsed = schema.safeParse(whole)
  if (parsed.success) return parsed.data
  return { ...initialState(), ...consentOf(json) }
}

/** The state to store. `parseState` adds the fields left out, which few states have. */
export function storedState(state: BotState): object {
  const { avisadoEm, paradoEm, semPessoa, carrinho, apresentada } = state
  return {
    ...state,
    ...{ avisadoEm: avisadoEm ?? undefined, paradoEm: paradoEm ?? undefined, carrinho: carrinho ?? undefined },
    ...{ semPessoa: semPessoa.length === 0 ? undefined : semPessoa, apresentada: apresentada || undefined },
  }
}
