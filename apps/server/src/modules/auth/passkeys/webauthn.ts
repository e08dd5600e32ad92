import type { Credencial, NovaCredencial, OpcoesNovaPasskey, OpcoesPasskey } from '@balcao/contract/entities/identidade'
import { DESAFIO_MS } from '@balcao/contract/constants'
import * as z from 'zod/mini'

/** WebAuthn level 3. The library is loaded at the first passkey. */

const ALGORITHMS = [-8, -7, -257]

export interface StoredPasskey {
  /** base64url */
  readonly credencial: string
  readonly chave: Uint8Array<ArrayBuffer>
  readonly contador: number
}

export function rpIdOf(urlPublica: string): string {
  return new URL(urlPublica).hostname
}

export function loginOptions(urlPublica: string, challenge: string): OpcoesPasskey {
  return { challenge, rpId: rpIdOf(urlPublica), timeout: DESAFIO_MS, userVerification: 'required' }
}

export function registrationOptions(
  urlPublica: string,
  challenge: string,
  person: { readonly id: string; readonly nome: string; readonly email: string },
  known: readonly { readonly credencial: string; readonly transportes: readonly string[] }[],
): OpcoesNovaPasskey {
  return {
    rp: { id: rpIdOf(urlPublica), name: 'Balcão' },
    user: { id: Buffer.from(person.id).toString('base64url'), name: person.email, displayName: person.nome },
    challenge,
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    timeout: DESAFIO_MS,
    excludeCredentials: known.map(({ credencial, transportes }) => ({
      id: credencial,
      type: 'public-key',
      transports: [...transportes],
    })),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    attestation: 'none',
  }
}

const clientDataSchema = z.object({ challenge: z.string().check(z.minLength(1)), origin: z.string() })
type ClientData = z.output<typeof clientDataSchema>

export function readClientData({ response }: Pick<Credencial | NovaCredencial, 'response'>): ClientData | null {
  try {
    return clientDataSchema.parse(JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString()))
  } catch {
    return null
  }
}

/** On a developer's machine each port is another server of the same person. */
function expectedOrigin(urlPublica: string, { origin }: ClientData): string {
  const own = new URL(urlPublica)
  if (own.hostname === 'localhost' && /^http:\/\/localhost(:\d+)?$/.test(origin)) return origin
  return own.origin
}

const library = () => import('@simplewebauthn/server')

/** Null: not signed by this passkey, or the counter did not grow. */
export async function verifyLogin(
  urlPublica: string,
  { id, rawId, type, response }: Credencial,
  client: ClientData,
  stored: Pick<StoredPasskey, 'chave' | 'contador'>,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await library()
  const { clientDataJSON, authenticatorData, signature } = response
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        ...{ id, rawId, type, clientExtensionResults: {} },
        response: { clientDataJSON, authenticatorData, signature },
      },
      expectedChallenge: client.challenge,
      expectedOrigin: expectedOrigin(urlPublica, client),
      expectedRPID: rpIdOf(urlPublica),
      credential: { id, publicKey: stored.chave, counter: stored.contador },
      requireUserVerification: true,
    })
    return verified ? authenticationInfo.newCounter : null
  } catch {
    return null
  }
}

export async function verifyRegistration(
  urlPublica: string,
  { id, rawId, type, response }: NovaCredencial,
  client: ClientData,
): Promise<StoredPasskey | null> {
  const { verifyRegistrationResponse } = await library()
  const { clientDataJSON, attestationObject } = response
  try {
    if (!(await hasNoCertificate(attestationObject))) return null
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        ...{ id, rawId, type, clientExtensionResults: {} },
        response: { clientDataJSON, attestationObject },
      },
      expectedChallenge: client.challenge,
      expectedOrigin: expectedOrigin(urlPublica, client),
      expectedRPID: rpIdOf(urlPublica),
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    if (!verified) return null
    const { credential } = registrationInfo
    return { credencial: credential.id, chave: credential.publicKey, contador: credential.counter }
  } catch {
    return null
  }
}

/**
 * The options ask for no certificate of the maker. The library would fetch the addresses inside a certificate, so an
 * answer with one is refused.
 */
async function hasNoCertificate(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')))
  const format = decoded.get('fmt')
  return format === 'none' || (format === 'packed' && decoded.get('attStmt').get('x5c') === undefined)
}
