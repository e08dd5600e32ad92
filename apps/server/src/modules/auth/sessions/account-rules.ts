import { type SegurancaConta, segurancaContaSchema } from '@balcao/contract/entities/identidade'
import type { BodyOf } from '@balcao/contract/define-route'
import type { salvarSegurancaContaRoute } from '@balcao/contract/routes/sessoes'
import { contaId, sql } from '#db/statement/sql.ts'
import { oneRow } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { RequestSession } from '#http/authentication.ts'
import { recordAuditoria } from '#modules/auditoria/index.ts'
import { shortenLoginSessions } from '#modules/auth/login-sessions.ts'
import { updateConta } from '#modules/contas/index.ts'

const selectRules = sql`select exigir_segundo_fator, sessao_horas, seguranca_versao as versao from contas where id = ${contaId}`
const findRules = oneRow('auth: find account rules', segurancaContaSchema, selectRules)
const lockRules = oneRow('auth: lock account rules', segurancaContaSchema, sql`${selectRules} for no key update`)

export async function readAccountRules(
  tx: Tx,
  contaId: string,
  { lock = false }: { readonly lock?: boolean } = {},
): Promise<SegurancaConta> {
  const found = await (lock ? lockRules : findRules)(tx, { contaId })
  if (found === null) throw new Error('the conta is missing')
  return found
}

/** People who do not fulfil the rules are stopped on all nodes before the answer. Throws `versaoDesatualizada`. */
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
    if (after.sessaoHoras < before.sessaoHoras) await shortenLoginSessions(tx, { contaId, hours: after.sessaoHoras })
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
