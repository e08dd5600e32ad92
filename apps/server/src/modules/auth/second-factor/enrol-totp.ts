import type { NovoTotp } from '@balcao/contract/entities/identidade'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { RequestSession } from '#http/authentication.ts'
import { NO_CONTA } from '#modules/auth/login-sessions.ts'
import { findUsuario, type Identity } from '#modules/auth/usuario.ts'
import { spendTotpStep, updateUsuario } from '#modules/contas/index.ts'
import { type ChangeDeps, recordChange } from './record-change.ts'
import { totpPlace } from './prove.ts'
import { createRecoveryCodes, replaceRecoveryCodes } from './recovery-codes.ts'
import { createTotpSecret, describeTotp, matchingStep } from './totp.ts'

/** An earlier secret stays in force until the first code of the new one. */
export async function beginTotp(
  deps: Pick<Deps, 'db' | 'ids' | 'vault'>,
  { usuarioId, contaId, email }: RequestSession,
): Promise<NovoTotp> {
  const segredo = createTotpSecret(deps.ids)
  const totpPendente = deps.vault.seal(segredo, totpPlace('totp_pendente', { id: usuarioId, contaId }))
  await deps.db.transaction(NO_CONTA, (tx) => updateUsuario(tx, { id: usuarioId, fields: { totpPendente } }))
  return describeTotp(segredo, email)
}

/** Earlier recovery codes end. Throws `codigoIncorreto`, or `conflito` without a secret. */
export async function finishTotp(
  deps: ChangeDeps & Pick<Deps, 'db' | 'passwords'>,
  session: RequestSession,
  code: string,
): Promise<{ recuperacao: string[] }> {
  const { usuarioId, ip } = session
  // Checked before the hashes of the codes, and again under the lock.
  await deps.db.transaction(NO_CONTA, async (tx) => checkPending(deps, await findUsuario(tx, { id: usuarioId }), code))
  const codes = await createRecoveryCodes(deps, ip)
  await deps.db.transaction(NO_CONTA, async (tx) => {
    const person = await findUsuario(tx, { id: usuarioId }, { lock: true })
    const { secret, step } = checkPending(deps, person, code)
    const totpSegredo = deps.vault.seal(secret, totpPlace('totp_segredo', { id: usuarioId, contaId: session.contaId }))
    await updateUsuario(tx, { id: usuarioId, fields: { totpSegredo, totpPendente: null, totpPasso: null } })
    await spendTotpStep(tx, { id: usuarioId, step })
    await replaceRecoveryCodes(tx, usuarioId, codes)
    await recordChange(tx, deps, session, { before: person, text: 'Aplicativo de códigos ligado' })
  })
  return { recuperacao: [...codes.texts] }
}

function checkPending(
  { vault, clock }: Pick<Deps, 'vault' | 'clock'>,
  person: Identity | null,
  code: string,
): { readonly secret: string; readonly step: number } {
  const pending = person?.totpPendente ?? null
  const secret = person === null || pending === null ? null : vault.tryOpen(pending, totpPlace('totp_pendente', person))
  if (secret === null) throw new AppError('conflito', { erro: 'Comece de novo: peça outro QR Code.' })
  const step = matchingStep(secret, code, clock.now())
  if (step === null) throw new AppError('codigoIncorreto')
  return { secret, step }
}

export async function removeTotp(deps: ChangeDeps & Pick<Deps, 'db'>, session: RequestSession): Promise<void> {
  const { usuarioId } = session
  await deps.db.transaction(NO_CONTA, async (tx) => {
    const person = await findUsuario(tx, { id: usuarioId }, { lock: true })
    if (person === null || person.totpSegredo === null) throw new AppError('semSegundoFator')
    await clearTotp(tx, usuarioId)
    await recordChange(tx, deps, session, { before: person, text: 'Aplicativo de códigos desligado' })
  })
}

export async function clearTotp(tx: Tx, usuarioId: string): Promise<void> {
  await updateUsuario(tx, { id: usuarioId, fields: { totpSegredo: null, totpPendente: null, totpPasso: null } })
}
