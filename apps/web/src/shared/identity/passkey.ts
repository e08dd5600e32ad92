import type { Credencial, NovaCredencial, OpcoesNovaPasskey } from '@balcao/contract/entities/identidade'
import { opcoesPasskeyRoute } from '@balcao/contract/routes/segundo-fator'
import { call } from '#shared/api-client.ts'

/** Passkeys of this browser. The library loads when a person asks for one. */

/** The browser closed its own dialog, or had no answer in time. The person only has to try again. */
export class PasskeyCancelled extends Error {
  constructor() {
    super('A chave de acesso não foi usada. Tente de novo ou escolha outra forma.')
    this.name = 'PasskeyCancelled'
  }
}

const ALREADY_HERE = 'Este aparelho já tem uma chave de acesso da sua conta. Use outro aparelho ou remova a antiga.'

function readFailure(error: unknown): Error {
  if (!(error instanceof Error)) return new PasskeyCancelled()
  return error.name === 'InvalidStateError' ? new Error(ALREADY_HERE) : new PasskeyCancelled()
}

export interface PasskeyProof {
  readonly desafio: string
  readonly credencial: Credencial
}

/** Asks the browser for one of its passkeys. Rejects with `ApiError` or `PasskeyCancelled`. */
export async function askPasskey(): Promise<PasskeyProof> {
  const { desafio, opcoes } = await call(opcoesPasskeyRoute, {})
  const { challenge, rpId, timeout, userVerification } = opcoes
  try {
    const { startAuthentication } = await import('@simplewebauthn/browser')
    const optionsJSON = { challenge, rpId, timeout, userVerification }
    return { desafio, credencial: await startAuthentication({ optionsJSON }) }
  } catch (error) {
    throw readFailure(error)
  }
}

/** Makes a passkey in this browser. Rejects with a sentence to show. */
export async function makePasskey(opcoes: OpcoesNovaPasskey): Promise<NovaCredencial> {
  const excludeCredentials = opcoes.excludeCredentials.map(({ id, type }) => ({ id, type }))
  try {
    const { startRegistration } = await import('@simplewebauthn/browser')
    return await startRegistration({ optionsJSON: { ...opcoes, excludeCredentials } })
  } catch (error) {
    throw readFailure(error)
  }
}
