import * as z from 'zod/mini'
import { ATIVIDADE_RECENTE } from '@balcao/contract/constants'
import type { Atividade } from '@balcao/contract/entities/admin'
import { acaoAuditoriaSchema } from '@balcao/contract/entities/auditoria'
import { instant } from '#db/statement/fields.ts'
import { rawSql, sql } from '#db/statement/sql.ts'
import { manyRows } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'

const listRecent = manyRows(
  'usuarios: list activities',
  z.object({
    id: z.string(),
    nome: z.string(),
    email: z.string(),
    acao: acaoAuditoriaSchema,
    proprio: z.boolean(),
    em: instant,
  }),
  sql`select u.id, u.nome, u.email, coalesce(a.acao, 'contaCadastrada') as acao,
        a.id is null or a.quem_id = u.id as proprio, coalesce(a.em, u.data_criacao) as em
      from usuarios u
      join contas c on c.id = u.conta_id and c.excluida_em is null
      left join lateral (
        select id, acao, em, quem_id from auditoria t
         where t.conta_id = u.conta_id and t.resultado = 'feito' and (t.quem_id = u.id or t.alvo_id = u.id)
         order by t.id desc limit 1) a on true
      where u.tipo <> 'operador' and u.excluido_em is null
      order by coalesce(a.em, u.data_criacao) desc, u.id desc limit ${rawSql(String(ATIVIDADE_RECENTE))}`,
)

/**
 * The five usuarios with the most recent activity, each with its newest audit record. Without a record, the sign-up
 * counts. Needs a system transaction.
 */
export async function listActivities(tx: Tx): Promise<Atividade[]> {
  const rows = await listRecent(tx, {})
  return rows.map(({ id, nome, email, ...rest }) => ({ usuario: { id, nome, email }, ...rest }))
}
