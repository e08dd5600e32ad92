import * as z from 'zod/mini'
import type { UsuarioOrder } from '@balcao/contract/administration'
import type { StatusUsuario, UsuarioAdmin } from '@balcao/contract/entities/usuario'
import type { Tx } from '#db/transaction.ts'
import type { Page } from '#http/page.ts'
import { ACCENTS, foldAccents } from '#lib/text.ts'
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

const SORT_COLUMN: Readonly<Record<UsuarioOrder, string>> = {
  nome: foldedSql('u.nome'),
  contato: 'u.email',
  status: "case u.status when 'pendente' then 0 when 'ativo' then 1 else 2 end",
  // Sorts by the used share of the limit, which the bar shows.
  uso: 'case when c.sem_limite then -1 else coalesce(uso.hoje, 0)::float / c.limite_mensagens_dia end',
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

export async function listUsuarios(
  tx: Tx,
  now: Date,
  filter: UsuarioFilter,
  page: UsuarioPage,
): Promise<UsuarioAdmin[]> {
  const source = `${selectWithUso(scopeOf(filter), '$3')} and ${FILTER_SQL}`
  const values = [...paramsOf(filter), now, page.limite + 1]
  const parsed =
    'ordem' in page
      ? await tx.rows(
          usuarioWithUsoSchema,
          `${source} order by ${SORT_COLUMN[page.ordem]} ${page.direcao}, u.id ${page.direcao} limit $4 offset $5`,
          [...values, (page.pagina - 1) * page.limite],
        )
      : await tx.rows(
          usuarioWithUsoSchema,
          `${source} and ($5::uuid is null or u.id < $5) order by u.id desc limit $4`,
          [...values, page.before],
        )
  return parsed.map(toUsuarioAdmin)
}
