import { foldAccents } from '@balcao/contract/text/fold-accents'
import * as z from 'zod/mini'
import type { UsuarioOrder } from '@balcao/contract/administration'
import type { StatusUsuario, UsuarioAdmin } from '@balcao/contract/entities/usuario'
import type { Tx } from '#db/transaction.ts'
import type { Page } from '#http/page.ts'
import { ACCENTS } from '#lib/text.ts'
import { selectWithUso, DELETED_SCOPE, toUsuarioAdmin, usuarioWithUsoSchema, LIVE_SCOPE } from './repository.ts'

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

/** Lower case without accents in SQL, independent of the collation. */
const foldedSql = (text: string): string => `translate(lower(${text}), '${ACCENTS[0]}', '${ACCENTS[1]}')`

/** Messages of today in SQL. `$3` is the current time. */
const TODAY_SQL = `(select d.usadas from uso_diario d
  where d.conta_id = c.id and d.dia = ($3::timestamptz at time zone c.fuso)::date)`

const SORT_COLUMN: Readonly<Record<UsuarioOrder, string>> = {
  nome: foldedSql('u.nome'),
  contato: 'u.email',
  status: "case u.status when 'pendente' then 0 when 'ativo' then 1 else 2 end",
  // Sorts by the used share of the limit, which the bar shows.
  uso: `case when c.sem_limite then -1 else coalesce(${TODAY_SQL}, 0)::float / c.limite_mensagens_dia end`,
  cadastro: 'u.data_criacao',
}

const digitsSql = (text: string): string => `regexp_replace(${text}, '[^0-9]', '', 'g')`

/** Phones are stored as digits, so a search with punctuation compares digits. */
const PHONE_MATCH = `$1 ~ '^[0-9 ()+.-]+$' and ${digitsSql('$1')} <> ''
  and strpos(${digitsSql('u.telefone')}, ${digitsSql('$1')}) > 0`

/** `$1` is the search, `$2` the status. Operadores are excluded. */
const FILTER_SQL = `u.tipo <> 'operador'
  and ($1 = '' or strpos(${foldedSql("concat_ws(' ', u.nome, u.email, u.telefone, c.empresa)")}, $1) > 0 or ${PHONE_MATCH})
  and ($2::text is null or u.status = $2)`

const scopeOf = ({ status }: UsuarioFilter): typeof LIVE_SCOPE | typeof DELETED_SCOPE =>
  status === 'excluido' ? DELETED_SCOPE : LIVE_SCOPE
const paramsOf = ({ busca, status }: UsuarioFilter): [string, string | null] => [
  foldAccents(busca),
  status === 'excluido' ? null : status,
]

export async function countUsuarios(tx: Tx, filter: UsuarioFilter): Promise<number> {
  const [line] = await tx.rows(
    z.object({ total: z.number() }),
    `select count(*) as total from usuarios u join contas c on c.id = u.conta_id where ${scopeOf(filter)} and ${FILTER_SQL}`,
    paramsOf(filter),
  )
  return line?.total ?? 0
}

interface PageSql {
  readonly order: string
  /** Condition and position of the page. `$4` is the number of rows, `$5` the value below. */
  readonly rows: (order: string) => string
  readonly value: number | string | null
}

function pageSql(page: UsuarioPage): PageSql {
  if (!('ordem' in page)) {
    const rows = (order: string): string => `and ($5::uuid is null or u.id < $5) order by ${order} limit $4`
    return { order: 'u.id desc', rows, value: page.before }
  }
  const { ordem, direcao, pagina, limite } = page
  return {
    order: `${SORT_COLUMN[ordem]} ${direcao}, u.id ${direcao}`,
    rows: (order) => `order by ${order} limit $4 offset $5`,
    value: (pagina - 1) * limite,
  }
}

/**
 * Sums the month's messages of the rows of the page only. Below the sort the planner would sum those of all contas: 600 ms
 * for 10,000.
 */
export async function listUsuarios(
  tx: Tx,
  now: Date,
  filter: UsuarioFilter,
  page: UsuarioPage,
): Promise<UsuarioAdmin[]> {
  const scope = scopeOf(filter)
  const { order, rows, value } = pageSql(page)
  const ids = `select u.id from usuarios u join contas c on c.id = u.conta_id
    where ${scope} and ${FILTER_SQL} ${rows(order)}`
  const parsed = await tx.rows(
    usuarioWithUsoSchema,
    `${selectWithUso(scope, '$3')} and u.id = any (array(${ids})) order by ${order}`,
    [...paramsOf(filter), now, page.limite + 1, value],
  )
  return parsed.map(toUsuarioAdmin)
}
