import * as z from 'zod/mini'
import { contaId, sql, value } from '#db/statement/sql.ts'
import { manyRows, oneRow } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { addAvisos } from '#modules/avisos/index.ts'
import { readConnectionName } from '#modules/contas/index.ts'
import { enqueueMail } from './repository.ts'
import { botDisconnectedMail, budgetUsedMail, dailyLimitMail } from './texts.ts'
import type { LineKey } from '#ports/bots.ts'

type MailDeps = Pick<Deps, 'ids' | 'clock' | 'vault' | 'mailQueued' | 'realtime'>

export const findDono = oneRow(
  'emails: find dono',
  z.object({ id: z.string(), nome: z.string(), email: z.string(), fuso: z.string() }),
  sql`select u.id, u.nome, u.email, c.fuso from usuarios u join contas c on c.id = u.conta_id
    where u.conta_id = ${contaId} and u.tipo <> 'operador' and u.status = 'ativo' and u.excluido_em is null`,
)

/** At most once per local day each. `dia` is `AAAA-MM-DD`. */
export async function mailDailyLimit(
  tx: Tx,
  deps: MailDeps,
  contaId: string,
  notice: { readonly percentual: 80 | 100; readonly limite: number; readonly dia: string },
): Promise<void> {
  const dono = await findDono(tx, { contaId })
  if (dono === null) return
  const queued = await enqueueMail(tx, deps, {
    tipo: 'limite',
    para: dono.email,
    contaId,
    chave: `limite${notice.percentual}:${contaId}:${notice.dia}`,
    ...dailyLimitMail({ nome: dono.nome, percentual: notice.percentual, limite: notice.limite }),
  })
  if (!queued) return
  const texto = `Foram usados ${notice.percentual}% das ${notice.limite} mensagens de hoje.`
  await addAvisos(tx, deps, contaId, [{ usuarioId: dono.id, tipo: 'limite', texto }])
}

/** Once per month. `mes` is its first day. */
export async function mailBudgetUsed(
  tx: Tx,
  deps: MailDeps,
  contaId: string,
  { centavos, mes }: { readonly centavos: number; readonly mes: string },
): Promise<void> {
  const dono = await findDono(tx, { contaId })
  if (dono === null) return
  const valor = (centavos / 100).toLocaleString('pt-BR', { style: 'currency', currency: 'BRL' })
  const queued = await enqueueMail(tx, deps, {
    tipo: 'limite',
    para: dono.email,
    contaId,
    chave: `orcamentoIa:${contaId}:${mes}`,
    ...budgetUsedMail({ nome: dono.nome, valor }),
  })
  if (!queued) return
  const texto = `A IA gastou o orçamento do mês, ${valor}, e está desligada.`
  await addAvisos(tx, deps, contaId, [{ usuarioId: dono.id, tipo: 'limite', texto }])
}

type MarkDeps = MailDeps & Pick<Deps, 'db'>

export interface DayUse {
  readonly contaId: string
  readonly dia: string
  readonly enviadas: number
  readonly usadas: number
  readonly limite: number | null
}

const QUOTA_MARKS = [80, 100] as const

function crossedMarks({ limite, usadas, enviadas }: DayUse): (80 | 100)[] {
  if (limite === null || enviadas === 0) return []
  return QUOTA_MARKS.filter((percent) => {
    const mark = Math.ceil((limite * percent) / 100)
    return usadas >= mark && usadas - enviadas < mark
  })
}

export async function mailQuotaMarks(deps: MarkDeps, uses: readonly DayUse[]): Promise<void> {
  for (const uso of uses) {
    const { contaId, dia, limite } = uso
    for (const percentual of crossedMarks(uso)) {
      await deps.db.transaction(contaId, (tx) =>
        mailDailyLimit(tx, deps, contaId, { percentual, limite: limite ?? 0, dia }),
      )
    }
  }
}

const listMissedMarks = manyRows(
  'conversas: list missed marks of limit',
  z.object({
    contaId: z.string(),
    dia: z.string(),
    limite: z.int(),
    percentual: z.literal([80, 100]),
  }),
  sql`select u.conta_id, u.dia::text as dia, k.limite_mensagens_dia as limite, p.percentual
      from contas k
      join uso_diario u on u.conta_id = k.id and u.dia = (${value('now', 'timestamptz')} at time zone k.fuso)::date
      cross join (values (80), (100)) as p (percentual)
      where not k.sem_limite and u.usadas > 0 and u.usadas >= ceil(k.limite_mensagens_dia * p.percentual / 100.0)
        and not exists (
          select 1 from emails e where e.chave = format('limite%s:%s:%s', p.percentual, u.conta_id, u.dia))`,
)

/** A process may end between the commit and its e-mail. */
export async function mailMissedQuotaMarks(deps: MarkDeps): Promise<void> {
  const marks = await deps.db.transaction('*', (tx) => listMissedMarks(tx, { now: deps.clock.now() }))
  for (const { contaId, ...aviso } of marks) {
    await deps.db.transaction(contaId, (tx) => mailDailyLimit(tx, deps, contaId, aviso))
  }
}

/** Once per outage of a line. */
export async function mailBotDisconnected(
  tx: Tx,
  deps: MailDeps & Pick<Deps, 'settings'>,
  { contaId, linhaId }: LineKey,
  since: Date,
): Promise<void> {
  const dono = await findDono(tx, { contaId })
  if (dono === null) return
  const hora = since.toLocaleTimeString('pt-BR', { timeZone: dono.fuso, hour: '2-digit', minute: '2-digit' })
  const queued = await enqueueMail(tx, deps, {
    tipo: 'semConexao',
    para: dono.email,
    contaId,
    chave: `semConexao:${linhaId}:${since.toISOString()}`,
    ...botDisconnectedMail({
      nome: dono.nome,
      conexao: await readConnectionName(tx, { contaId, linhaId }),
      desde: hora,
      urlPublica: deps.settings.urlPublica,
    }),
  })
  if (!queued) return
  const texto = `O WhatsApp está sem conexão desde ${hora}.`
  await addAvisos(tx, deps, contaId, [{ usuarioId: dono.id, tipo: 'botDesconectado', texto }])
}
