import type { BodyOf } from '@balcao/contract/define-route'
import type { criarPasskeyRoute } from '@balcao/contract/routes/segundo-fator'
import type { NovaCredencial, OpcoesNovaPasskey, Passkey } from '@balcao/contract/entities/identidade'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { RequestSession } from '#http/authentication.ts'
import { isUuid } from '#lib/text.ts'
import { NO_CONTA } from '#modules/auth/login-sessions.ts'
import { findUsuario } from '#modules/auth/usuario.ts'
import { openChallenge, takeChallenge } from '#modules/auth/second-factor/challenges.ts'
import { deletePasskey, insertPasskey, listPasskeys, PASSKEYS_MAX } from './passkeys.ts'
import { type ChangeDeps, recordChange } from '#modules/auth/second-factor/record-change.ts'
import {
  countRecoveryCodes,
  createRecoveryCodes,
  replaceRecoveryCodes,
} from '#modules/auth/second-factor/recovery-codes.ts'
import { readClientData, registrationOptions, rpIdOf, type StoredPasskey, verifyRegistration } from './webauthn.ts'

export async function offerRegistration(
  deps: Pick<Deps, 'db' | 'ids' | 'clock' | 'settings'>,
  { usuarioId, tokenHash, nome, email }: RequestSession,
): Promise<OpcoesNovaPasskey> {
  const { sorteio, known } = await deps.db.transaction(NO_CONTA, async (tx) => ({
    ...(await openChallenge(tx, deps, { usuarioId, tokenHash })),
    known: await listPasskeys(tx, { usuarioId }),
  }))
  return registrationOptions(deps.settings.urlPublica, sorteio, { id: usuarioId, nome, email }, known)
}

/** Ten recovery codes come with a passkey of a person who has none. Throws `desafioVencido` or `conflito`. */
export async function addPasskey(
  deps: ChangeDeps & Pick<Deps, 'db' | 'passwords'>,
  session: RequestSession,
  { nome, credencial }: BodyOf<typeof criarPasskeyRoute>,
): Promise<{ passkey: Passkey; recuperacao?: string[] }> {
  const { usuarioId, ip } = session
  const accepted = await acceptRegistration(deps, session, credencial)
  const stored = {
    credencial: Buffer.from(accepted.credencial, 'base64url'),
    chave: Buffer.from(accepted.chave),
    contador: accepted.contador,
  }
  const codesLeft = await deps.db.transaction(NO_CONTA, (tx) => countRecoveryCodes(tx, { usuarioId }))
  const codes = codesLeft === 0 ? await createRecoveryCodes(deps, ip) : null
  const id = deps.ids.uuid()
  const criadaEm = deps.clock.now()
  const transportes = credencial.response.transports ?? []
  await deps.db.transaction(NO_CONTA, async (tx) => {
    const before = await findUsuario(tx, { id: usuarioId }, { lock: true })
    await requireRoom(tx, usuarioId)
    const rpId = rpIdOf(deps.settings.urlPublica)
    const row = { ...stored, id, usuarioId, transportes, rpId, nome, criadaEm }
    if ((await insertPasskey(tx, row)) === 0) {
      throw new AppError('conflito', { erro: 'Esta chave de acesso já está cadastrada.' })
    }
    if (codes !== null) await replaceRecoveryCodes(tx, usuarioId, codes)
    await recordChange(tx, deps, session, { before, text: 'Chave de acesso adicionada' })
  })
  const passkey = { id, nome, criadaEm: criadaEm.toISOString(), ultimoUso: null }
  return { passkey, ...(codes === null ? {} : { recuperacao: [...codes.texts] }) }
}

async function acceptRegistration(
  deps: Pick<Deps, 'db' | 'clock' | 'settings'>,
  { tokenHash }: RequestSession,
  credencial: NovaCredencial,
): Promise<StoredPasskey> {
  const client = readClientData(credencial)
  const taken =
    client !== null &&
    (await deps.db.transaction(NO_CONTA, (tx) =>
      takeChallenge(tx, deps, client.challenge, { uso: 'cadastro', tokenHash }),
    ))
  if (!taken) throw new AppError('desafioVencido', { erro: 'O tempo para cadastrar acabou. Tente de novo.' })
  const stored = await verifyRegistration(deps.settings.urlPublica, credencial, client)
  if (stored === null)
    throw new AppError('codigoIncorreto', { erro: 'Esta chave de acesso não foi aceita. Tente de novo.' })
  return stored
}

async function requireRoom(tx: Tx, usuarioId: string): Promise<void> {
  const known = await listPasskeys(tx, { usuarioId })
  if (known.length < PASSKEYS_MAX) return
  throw new AppError('conflito', { erro: `Você já tem ${PASSKEYS_MAX} chaves de acesso. Remova uma antes.` })
}

/** Throws `naoEncontrado` for a passkey of another usuario. */
export async function removePasskey(
  deps: ChangeDeps & Pick<Deps, 'db'>,
  session: RequestSession,
  id: string,
): Promise<void> {
  if (!isUuid(id)) throw new AppError('naoEncontrado')
  const { usuarioId } = session
  await deps.db.transaction(NO_CONTA, async (tx) => {
    const before = await findUsuario(tx, { id: usuarioId }, { lock: true })
    if ((await deletePasskey(tx, { usuarioId, id })) === 0) throw new AppError('naoEncontrado')
    await recordChange(tx, deps, session, { before, text: 'Chave de acesso removida' })
  })
}

export async function renewRecoveryCodes(
  deps: ChangeDeps & Pick<Deps, 'db' | 'passwords'>,
  session: RequestSession,
): Promise<{ recuperacao: string[] }> {
  const { usuarioId, segundoFator, ip } = session
  if (!segundoFator.totp && !segundoFator.passkey) throw new AppError('semSegundoFator')
  const codes = await createRecoveryCodes(deps, ip)
  await deps.db.transaction(NO_CONTA, async (tx) => {
    const before = await findUsuario(tx, { id: usuarioId }, { lock: true })
    await replaceRecoveryCodes(tx, usuarioId, codes)
    await recordChange(tx, deps, session, { before, text: 'Códigos de recuperação trocados' })
  })
  return { recuperacao: [...codes.texts] }
}
