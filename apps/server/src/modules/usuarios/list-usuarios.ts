import * as z from 'zod/mini'
import { foldAccents } from '@balcao/contract/text/fold-accents'
import type { UsuarioOrder } from '@balcao/contract/administration'
import type { StatusUsuario, UsuarioAdmin } from '@balcao/contract/entities/usuario'
import { ATIVIDADE_RECENTE } from '@balcao/contract/constants'
import type { Atividade } from '@balcao/contract/entities/admin'
import { acaoAuditoriaSchema } from '@balcao/contract/entities/auditoria'
import { rawSql, sql, type Sql, value } from '#db/statement/sql.ts'
import { manyRows, oneValue, type StatementRunner } from '#db/statement/statement.ts'
import type { Page } from '#http/page.ts'
import { ACCENTS } from '#lib/text.ts'
import { instant } from '#db/statement/fields.ts'
import type { Tx } from '#db/transaction.ts'
import { DELETED_SCOPE, LIVE_SCOPE, now, toUsuarioAdmin, usuarioWithUso, usuarioWithUsoSchema } from './repository.ts'

export interface UsuarioFilter {
  readonly busca: string
  readonly status: StatusUsuario | 'excluido' | null
}

export type UsuarioPage =
  | {
      readonly ordem: UsuarioOrder
      readonly direcao: 'asc' | 'desc'
      readonly pagina: number
      readonly limite: number
    }
  | Page

const busca = value('busca', 'text')
const status = value('status', 'text?')
const excluidos = value('excluidos', 'bool')
const max = value('max', 'int')

/** Lower case without accents, independent of the collation. */
const folded = (text: string) => rawSql(`translate(lower(${text}), '${ACCENTS[0]}', '${ACCENTS[1]}')`)

const digitsOf = <Values>(text: Sql<Values>) => sql`regexp_replace(${text}, '[^0-9]', '', 'g')`
const digits = digitsOf(sql`${busca}`)

/** Phones are stored as digits, so a search with punctuation compares digits. Operadores are excluded. */
const filtered = sql`u.tipo <> 'operador'
  and ((not ${excluidos} and ${LIVE_SCOPE}) or (${excluidos} and ${DELETED_SCOPE}))
  and (${busca} = '' or strpos(${folded("concat_ws(' ', u.nome, u.email, u.telefone, c.empresa)")}, ${busca}) > 0
    or (${busca} ~ '^[0-9 ()+.-]+$' and ${digits} <> '' and strpos(${digitsOf(rawSql('u.telefone'))}, ${digits}) > 0))
  and (${status} is null or u.status = ${status})`

const valuesOf = ({ busca, status }: UsuarioFilter) => ({
  busca: foldAccents(busca),
  status: status === 'excluido' ? null : status,
  excluidos: status === 'excluido',
})

const from = sql`from usuarios u join contas c on c.id = u.conta_id where ${filtered}`

const count = oneValue('usuarios: count', z.number(), sql`select count(*) as value ${from}`)

export const countUsuarios = (tx: StatementRunner, filter: UsuarioFilter): Promise<number> =>
  count(tx, valuesOf(filter))

/**
 * Sums the month's messages of the rows of the page only. Below the sort the planner would sum those of all contas: 600 ms
 * for 10,000.
 */
const pageStatement = <Order, Position>(name: string, order: Sql<Order>, position: Sql<Position>) =>
  manyRows(
    name,
    usuarioWithUsoSchema,
    sql`${usuarioWithUso} u.id = any (array(select u.id ${from} ${position})) order by ${order}`,
  )

const newestFirst = sql`u.id desc`
const listNewest = pageStatement(
  'usuarios: list newest',
  newestFirst,
  sql`and (${value('before', 'uuid?')} is null or u.id < ${value('before', 'uuid?')}) order by ${newestFirst} limit ${max}`,
)

function sortedBy<Values>(ordem: UsuarioOrder, column: Sql<Values>) {
  const sorted = (direcao: 'asc' | 'desc') => {
    const order = sql`${column} ${rawSql(direcao)}, u.id ${rawSql(direcao)}`
    const position = sql`order by ${order} limit ${max} offset ${value('offset', 'int')}`
    return pageStatement(`usuarios: list by ${ordem} ${direcao}`, order, position)
  }
  return { asc: sorted('asc'), desc: sorted('desc') }
}

const today = sql`(select d.usadas from uso_diario d where d.conta_id = c.id and d.dia = (${now} at time zone c.fuso)::date)`

const SORTED = {
  nome: sortedBy('nome', folded('u.nome')),
  contato: sortedBy('contato', sql`u.email`),
  status: sortedBy('status', sql`case u.status when 'pendente' then 0 when 'ativo' then 1 else 2 end`),
  uso: sortedBy(
    'uso',
    sql`case when c.sem_limite then -1 else coalesce(${today}, 0)::float / c.limite_mensagens_dia end`,
  ),
  cadastro: sortedBy('cadastro', sql`u.data_criacao`),
}

export async function listUsuarios(
  tx: StatementRunner,
  now: Date,
  filter: UsuarioFilter,
  page: UsuarioPage,
): Promise<UsuarioAdmin[]> {
  const values = { ...valuesOf(filter), now, max: page.limite + 1 }
  const rows =
    'ordem' in page
      ? await SORTED[page.ordem][page.direcao](tx, { ...values, offset: (page.pagina - 1) * page.limite })
      : await listNewest(tx, { ...values, before: page.before })
  return rows.map(toUsuarioAdmin)
}

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

export async function listActivities(tx: Tx): Promise<Atividade[]> {
  const rows = await listRecent(tx, {})
  return rows.map(({ id, nome, email, ...rest }) => ({ usuario: { id, nome, email }, ...rest }))
}
