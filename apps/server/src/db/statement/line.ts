import type { LineKey } from '#ports/bots.ts'
import { rawSql, type Sql, sql } from './sql.ts'

/** Stored null is the first line of the account, whose id is the account's (docs/decisions/038-lines.md). */

/**
 * The line of a row with `conta_id` and `linha_id`, as an id. With `coalesce` PostgreSQL scans the whole other table: it
 * takes the expression for one that could leak rows, and compares it only behind row-level security.
 */
export function lineOf(row: string): Sql<unknown> {
  return rawSql(`case when ${row}.linha_id is null then ${row}.conta_id else ${row}.linha_id end`)
}

/** For `dialogue`: the dialogue of the contato of a row with `conta_id`, `contato_id` and `linha_id`, on a further line. */
export function joinDialogue(row: string): Sql<unknown> {
  return rawSql(`left join lateral (select * from dialogos d
    where d.conta_id = ${row}.conta_id and d.contato_id = ${row}.contato_id and d.linha_id = ${row}.linha_id offset 0
  ) d on ${row}.linha_id is not null`)
}

/** A column of the row's dialogue, from its contato `c` on the first line and from `dialogos d` on others. */
export function dialogue(row: string, column: DialogueColumn): Sql<unknown> {
  return rawSql(`case when ${row}.linha_id is null then c.${column} else d.${column} end`)
}

type DialogueColumn = 'estado' | 'conversa_id' | 'endereco' | 'janela_desde' | 'ultima_saida'

/**
 * The last activity of the first line's dialogue of a contato `c`. `ultima_atividade` of the contato is that of all
 * lines, so a contato with a dialogue on a further line has the time in its state.
 */
export const firstActivity = rawSql(`case
  when exists (select from dialogos o where o.conta_id = c.conta_id and o.contato_id = c.id)
    then coalesce(to_timestamp((c.estado ->> 'ultimaEm')::float8 / 1000), c.ultima_atividade)
  else c.ultima_atividade end`)

/** The value to store in `linha_id`. */
export function storedLine({ contaId, linhaId }: LineKey): string | null {
  return linhaId === contaId ? null : linhaId
}

/** The line that every account has. */
export function firstLine(contaId: string): LineKey {
  return { contaId, linhaId: contaId }
}

/** The id of the main line of the account with this id. */
export function mainLineOf<Values>(conta: Sql<Values>): Sql<Values> {
  return sql`coalesce((select l.id from linhas l where l.conta_id = ${conta} and l.principal), ${conta})`
}

/** Joins the session `b` of the main line of an account `c`. Each row reads two indexes. */
export const joinMainSession = rawSql(`left join linhas p on p.conta_id = c.id and p.principal
    left join linhas_bots b on b.linha_id = case when p.id is null then c.id else p.id end`)
