import { SendDeferred, SendFailed, SendRefused } from '@balcao/connector/errors'

/** Returns the text of a failure that people may read. Null for errors of libraries and the network, which are not in Portuguese. */
export function failureText(error: unknown): string | null {
  const readable = error instanceof SendFailed || error instanceof SendRefused || error instanceof SendDeferred
  return readable ? error.message : null
}

export function outcomeOf(error: unknown): 'adiada' | 'recusada' | 'falhou' {
  if (error instanceof SendDeferred) return 'adiada'
  return error instanceof SendRefused ? 'recusada' : 'falhou'
}
