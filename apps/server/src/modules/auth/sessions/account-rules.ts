import type { SegurancaConta } from '@balcao/contract/entities/identidade'
import type { BodyOf } from '@balcao/contract/define-route'
import type { salvarSegurancaContaRoute } from '@balcao/contract/routes/sessoes'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { RequestSession } from '#http/authentication.ts'
import { recordAuditoria } from '#modules/auditoria/index.ts'
import { shortenLoginSessions } from '#modules/auth/login-sessions.ts'
import { updateConta } from '#modules/contas/index.ts'

/** Reads the owner's rules about the logins of the conta. */
export async function readAccountRules(
  tx: Tx,
  contaId: string,
  { lock = false }: { readonly lock?: boolean } = {},
): Promise<SegurancaConta> {
  const { segurancaVersao: versao, ...rules } = await tx.kysely
    .selectFrom('contas')
    .select(['exigirSegundoFator', 'sessaoHoras', 'segurancaVersao'])
    .where('id', '=', contaId)
    .$if(lock, (query) => query.forNoKeyUpdate())
    .executeTakeFirstOrThrow()
  return { ...rules, versao }
}

/**
 * Changes the rules; people who do not fulfil them are stopped on all nodes before the answer. Throws
 * `versaoDesatualizada`.
 */
export async function saveAccountRules(
  deps: Pick<Deps, 'db' | 'ids' | 'clock' | 'realtime' | 'forgetSessions'>,
  session: RequestSession,
  change: BodyOf<typeof salvarSegurancaContaRoute>,
): Promise<SegurancaConta> {
  const { contaId } = session
  return deps.db.transaction(contaId, async (tx) => {
    const before = await readAccountRules(tx, contaId, { lock: true })
    if (change.versao !== undefined && change.versao !== before.versao) {
      throw new AppError('versaoDesatualizada', { versao: before.versao })
    }
    const after: SegurancaConta = {
      exigirSegundoFator: change.exigirSegundoFator ?? before.exigirSegundoFator,
      sessaoHoras: change.sessaoHoras ?? before.sessaoHoras,
      versao: before.versao + 1,
    }
    const { versao: segurancaVersao, ...rules } = after
    await updateConta(tx, { contaId, fields: { ...rules, segurancaVersao } })
    if (after.sessaoHoras < before.sessaoHoras) await shortenLoginSessions(tx, contaId, after.sessaoHoras)
    await recordAuditoria(tx, deps, {
      acao: 'segurancaAlterada',
      quem: session,
      detalhe: describeChange(before, after),
    })
    tx.afterCommit(async () => {
      await deps.forgetSessions()
      await deps.realtime.disconnect({ contaId })
    })
    return after
  })
}

const DEMAND_TEXT = { ninguem: 'ninguém', donos: 'donos', todos: 'todos' } as const

function describeChange(before: SegurancaConta, after: SegurancaConta): string {
  const parts = [
    before.exigirSegundoFator === after.exigirSegundoFator
      ? ''
      : `Segundo fator exigido de: ${DEMAND_TEXT[after.exigirSegundoFator]}`,
    before.sessaoHoras === after.sessaoHoras ? '' : `Sessões de até ${after.sessaoHoras} horas`,
  ]
  return parts.filter((part) => part !== '').join('; ') || 'Nada mudou'
}
