import type { Credencial, MetodoLogin, GivenProof } from '@balcao/contract/entities/identidade'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { secondFactorLimit } from '#modules/auth/attempts.ts'
import { NO_CONTA } from '#modules/auth/login-sessions.ts'
import { checkGuess, type PasswordDeps } from '#modules/auth/senha/check-password.ts'
import type { Identity } from '#modules/auth/usuario.ts'
import { spendTotpStep } from '#modules/contas/index.ts'
import type { AttemptGuard } from '#security/password.ts'
import { takeChallenge } from './challenges.ts'
import { findPasskey, recordPasskeyUse } from '#modules/auth/passkeys/passkeys.ts'
import { findRecoveryHash, useRecoveryCode } from './recovery-codes.ts'
import { matchingStep } from './totp.ts'
import { readClientData, rpIdOf, verifyLogin } from '#modules/auth/passkeys/webauthn.ts'

export type ProofDeps = PasswordDeps & Pick<Deps, 'settings'>

/** Uses a right proof up. False: another request used it first. */
type Spend = (tx: Tx) => Promise<boolean>

export const METHOD_OF: Readonly<Record<GivenProof['tipo'], MetodoLogin>> = {
  senha: 'senha',
  codigo: 'totp',
  recuperacao: 'recuperacao',
  credencial: 'passkey',
}

export const totpPlace = (
  column: 'totp_segredo' | 'totp_pendente',
  { contaId, id }: Pick<Identity, 'contaId' | 'id'>,
): string => `usuarios|${column}|${contaId}|${id}`

/**
 * Of parallel requests with one proof exactly one acts. Null: the proof is wrong or used. Throws `muitasTentativas`.
 */
export async function prove<T>(
  deps: ProofDeps,
  person: Identity,
  { proof, ip }: { readonly proof: GivenProof; readonly ip: string },
  act: (tx: Tx) => Promise<T>,
): Promise<T | null> {
  let result: T | null = null
  const further = proof.tipo === 'senha' ? [] : [secondFactorLimit(person.id)]
  await checkGuess(deps, { email: person.email, ip, further }, async (guard) => {
    const spend = await checkProof(deps, person, { proof, ip }, guard)
    if (spend === null) return false
    result = await deps.db.transaction(NO_CONTA, async (tx) => ((await spend(tx)) ? act(tx) : null))
    if (result === null) return false
    await guard.right()
    return true
  })
  return result
}

async function checkProof(
  deps: ProofDeps,
  person: Identity,
  { proof, ip }: { readonly proof: GivenProof; readonly ip: string },
  { before }: AttemptGuard,
): Promise<Spend | null> {
  switch (proof.tipo) {
    case 'senha':
      return (await verifyHash(deps, person.senhaHash, proof.senha, { ip, before })) ? async () => true : null
    case 'codigo':
      await before()
      return checkCode(deps, person, proof.codigo)
    case 'recuperacao': {
      const hash = await deps.db.transaction(NO_CONTA, (tx) => findRecoveryHash(tx, person.id, proof.recuperacao))
      if (!(await verifyHash(deps, hash, proof.recuperacao, { ip, before })) || hash === null) return null
      const use = { usuarioId: person.id, hash, at: deps.clock.now() }
      return async (tx) => (await useRecoveryCode(tx, use)) === 1
    }
    case 'credencial': {
      await before()
      const found = await checkCredential(deps, proof.credencial)
      return found?.usuarioId === person.id ? found.spend : null
    }
    default:
      return proof satisfies never
  }
}

function verifyHash(
  { passwords }: Pick<Deps, 'passwords'>,
  hash: string | null,
  text: string,
  { ip, before }: { readonly ip: string; readonly before: AttemptGuard['before'] },
): Promise<boolean> {
  return passwords.verify(hash, text, ip, { before, right: () => Promise.resolve() })
}

function checkCode({ vault, clock }: Pick<Deps, 'vault' | 'clock'>, person: Identity, code: string): Spend | null {
  if (person.totpSegredo === null) return null
  // Without a readable secret no code is right. Recovery codes and passkeys still are.
  const secret = vault.tryOpen(person.totpSegredo, totpPlace('totp_segredo', person))
  const step = secret === null ? null : matchingStep(secret, code, clock.now())
  return step === null ? null : async (tx) => (await spendTotpStep(tx, { id: person.id, step })) === 1
}

export async function checkCredential(
  deps: Pick<Deps, 'db' | 'clock' | 'settings'>,
  credencial: Credencial,
  desafio?: string,
): Promise<{ readonly usuarioId: string; readonly spend: Spend } | null> {
  const { urlPublica } = deps.settings
  const client = readClientData(credencial)
  if (client === null) return null
  const passkey = await deps.db.transaction(NO_CONTA, async (tx) => {
    const use = { uso: 'passkey' as const, ...(desafio === undefined ? {} : { desafio }) }
    if (!(await takeChallenge(tx, deps, client.challenge, use))) return null
    return findPasskey(tx, { rpId: rpIdOf(urlPublica), credencial: Buffer.from(credencial.id, 'base64url') })
  })
  if (passkey === null) return null
  const contador = await verifyLogin(urlPublica, credencial, client, passkey)
  if (contador === null) return null
  const { id, usuarioId } = passkey
  const use = { id, contador, at: deps.clock.now() }
  return { usuarioId, spend: async (tx) => (await recordPasskeyUse(tx, use)) === 1 }
}
