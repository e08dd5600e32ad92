import * as z from 'zod/mini'
import {
  type AdminConfiguracoes,
  type AdminConfiguracoesPatch,
  adminConfiguracoesSchema,
} from '@balcao/contract/entities/admin'
import { changes, sql } from '#db/statement/sql.ts'
import { manyRows, noRows } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { type RequestSession, requireStepUp } from '#http/authentication.ts'
import { recordAuditoria } from '#modules/auditoria/index.ts'
import { getAdminSettings } from '#modules/auth/index.ts'
import { describeSettingsChange } from './rules.ts'

/** The rules about logins. A person who has a second factor confirms a change of them. */
const LOGIN_RULES = ['exigirSegundoFatorAdmin', 'politicaSenha', 'recusarComuns'] as const

const updateSettings = noRows(
  'usuarios: update settings',
  sql`update configuracoes_admin set ${changes('changed', {
    limiteUsuariosPorPlano: 'int',
    mensagensPorDia: 'int',
    permitirAutoRegistro: 'bool',
    notificacoesEmail: 'bool',
    suporteWhatsapp: 'text',
    exigirSegundoFatorAdmin: 'bool',
    politicaSenha: 'text',
    recusarComuns: 'bool',
  })}`,
)

/** The new defaults apply to future contas. Existing contas keep their limits. */
export async function saveAdminSettings(
  deps: Pick<Deps, 'db' | 'ids' | 'clock' | 'realtime' | 'forgetSessions'>,
  actor: RequestSession,
  changed: AdminConfiguracoesPatch,
): Promise<AdminConfiguracoes> {
  return deps.db.transaction('*', async (tx) => {
    const before = await getAdminSettings(tx)
    const configuracoes = adminConfiguracoesSchema.parse({ ...before, ...changed })
    if (LOGIN_RULES.some((rule) => before[rule] !== configuracoes[rule])) requireStepUp(actor, deps.clock.now())
    await updateSettings(tx, { changed })
    const detalhe = describeSettingsChange(before, configuracoes)
    await recordAuditoria(tx, deps, { acao: 'configuracoesSalvas', quem: actor, detalhe })
    if (configuracoes.exigirSegundoFatorAdmin !== before.exigirSegundoFatorAdmin) await recheckAdmins(tx, deps)
    return configuracoes
  })
}

const listAdmins = manyRows(
  'usuarios: list admins',
  z.object({ id: z.string() }),
  sql`select id from usuarios where tipo = 'admin'`,
)

/** Administrators without the demanded factor reach only its enrolment from now on, and their sockets end. */
async function recheckAdmins(tx: Tx, deps: Pick<Deps, 'realtime' | 'forgetSessions'>): Promise<void> {
  const admins = await listAdmins(tx, {})
  tx.afterCommit(async () => {
    await deps.forgetSessions()
    await Promise.all(admins.map(({ id }) => deps.realtime.disconnect({ usuarioId: id })))
  })
}
