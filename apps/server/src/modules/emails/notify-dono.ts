import * as z from 'zod/mini'
import { contaId, sql } from '#db/statement/sql.ts'
import { oneRow } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { readConnectionName } from '#modules/contas/index.ts'
import { enqueueMail } from './enqueue-mail.ts'
import { botDisconnectedMail, dailyLimitMail } from './texts.ts'

type MailDeps = Pick<Deps, 'ids' | 'clock' | 'vault' | 'mailQueued'>

/** Returns the active owner of the conta, who receives its mails. */
const findDono = oneRow(
  'emails: find dono',
  z.object({ nome: z.string(), email: z.string(), fuso: z.string() }),
  sql`select u.nome, u.email, c.fuso from usuarios u join contas c on c.id = u.conta_id
    where u.conta_id = ${contaId} and u.tipo <> 'operador' and u.status = 'ativo' and u.excluido_em is null`,
)

/** Queues the mail for 80 % or 100 % of the daily limit, at most once per local day each. `dia` is `AAAA-MM-DD`. */
export async function mailDailyLimit(
  tx: Tx,
  deps: MailDeps,
  contaId: string,
  notice: { readonly percentual: 80 | 100; readonly limite: number; readonly dia: string },
): Promise<void> {
  const dono = await findDono(tx, { contaId })
  if (dono === null) return
  await enqueueMail(tx, deps, {
    tipo: 'limite',
    para: dono.email,
    contaId,
    chave: `limite${notice.percentual}:${contaId}:${notice.dia}`,
    ...dailyLimitMail({ nome: dono.nome, percentual: notice.percentual, limite: notice.limite }),
  })
}

/** Queues the mail for a bot that is disconnected since `desde`, once per outage. */
export async function mailBotDisconnected(
  tx: Tx,
  deps: MailDeps & Pick<Deps, 'settings'>,
  contaId: string,
  since: Date,
): Promise<void> {
  const dono = await findDono(tx, { contaId })
  if (dono === null) return
  const hora = since.toLocaleTimeString('pt-BR', { timeZone: dono.fuso, hour: '2-digit', minute: '2-digit' })
  await enqueueMail(tx, deps, {
    tipo: 'semConexao',
    para: dono.email,
    contaId,
    chave: `semConexao:${contaId}:${since.toISOString()}`,
    ...botDisconnectedMail({
      nome: dono.nome,
      conexao: await readConnectionName(tx, { contaId }),
      desde: hora,
      urlPublica: deps.settings.urlPublica,
    }),
  })
}
