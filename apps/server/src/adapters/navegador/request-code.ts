import { SendRefused } from '@balcao/connector/errors'
import type { WebClient } from './browser/library.ts'
import { classifyOpenFailure, TimedOut, withTimeout } from './failures.ts'

const TIMEOUT_MS = 9_000

/** Returns a pairing code for this phone number. Throws `SendRefused` when the page refuses the number. */
export async function requestPairingCode(
  client: Pick<WebClient, 'requestPairingCode'>,
  telefone: string,
): Promise<string> {
  try {
    return await withTimeout(client.requestPairingCode(telefone), TIMEOUT_MS)
  } catch (error) {
    if (error instanceof TimedOut || classifyOpenFailure(error).motivo !== 'servicoInstavel') throw error
    throw new SendRefused('O WhatsApp não aceitou este número.')
  }
}
