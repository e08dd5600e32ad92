import * as z from 'zod/mini'
import type { Candidate } from '@balcao/engine/atendimento/next-person'
import { plainArray } from '#db/arrays.ts'
import type { Tx } from '#db/transaction.ts'

const memberSchema = z.object({
  id: z.string(),
  nome: z.string(),
  setores: z.array(z.string()),
  disponivel: z.boolean(),
  ligada: z.boolean(),
  servindo: z.number(),
  ultima_em: z.nullable(z.date()),
  desde: z.date(),
})

/** A person with a window, or who had one less than two minutes ago. */
export interface TeamMember extends Candidate {
  readonly nome: string
  /** Gets conversas: has a window now and takes part. */
  readonly takes: boolean
  /** Since when the person is here and takes part, in ms. */
  readonly since: number
}

/** Only nodes that are alive count. A conversa that the person took counts as a new one, too. */
const TEAM_SQL = `
select u.id, u.nome, u.setores, coalesce(a.disponivel, u.tipo = 'operador') as disponivel, p.ligada,
  v.servindo, greatest(a.recebeu_em, v.ultima_em) as ultima_em, greatest(p.desde, a.mudou_em) as desde
from usuarios u
join (
  select p.usuario_id, bool_or(p.saiu_em is null) as ligada, min(p.entrou_em) as desde from presencas p
  where p.conta_id = $1 and (p.saiu_em > $2
    or (p.saiu_em is null and exists (select 1 from nos n where n.id = p.no and n.morto_em is null)))
  group by p.usuario_id
) p on p.usuario_id = u.id
left join atendentes a on a.conta_id = u.conta_id and a.usuario_id = u.id
cross join lateral (
  select count(*)::int as servindo, max(v.assumida_em) as ultima_em from conversas v
  where v.conta_id = $1 and v.status = 'em_atendimento' and v.operador_id = u.id
) v
where u.conta_id = $1 and u.status = 'ativo' and u.excluido_em is null
order by u.id`

/** Returns the people of the conta who are here, with the conversas that they serve. */
export async function readTeam(tx: Tx, contaId: string, offlineBefore: Date): Promise<TeamMember[]> {
  const rows = await tx.rows(memberSchema, TEAM_SQL, [contaId, offlineBefore])
  return rows.map((row) => ({
    ...{ id: row.id, nome: row.nome, setores: row.setores, serving: row.servindo },
    lastAt: row.ultima_em?.getTime() ?? null,
    takes: row.ligada && row.disponivel,
    since: row.desde.getTime(),
  }))
}

/**
 * Locks these people against deactivation and against taking a conversa, which holds a shared lock. False when another
 * transaction has one of them: waiting for it could be a deadlock.
 */
export async function lockPeople(tx: Tx, contaId: string, ids: readonly string[]): Promise<boolean> {
  const { rows } = await tx.query(
    `select 1 from usuarios where conta_id = $1 and id = any ($2::uuid[]) order by id for no key update skip locked`,
    [contaId, plainArray(ids)],
  )
  return rows.length === ids.length
}

export async function recordReceived(tx: Tx, contaId: string, ids: readonly string[], now: Date): Promise<void> {
  await tx.query(
    `insert into atendentes (conta_id, usuario_id, recebeu_em) select $1, id, $3 from unnest($2::uuid[]) as i (id)
     order by id on conflict (conta_id, usuario_id) do update set recebeu_em = excluded.recebeu_em`,
    [contaId, plainArray([...new Set(ids)]), now],
  )
}

export async function saveAvailable(
  tx: Tx,
  contaId: string,
  { usuarioId, disponivel, now }: { readonly usuarioId: string; readonly disponivel: boolean; readonly now: Date },
): Promise<void> {
  await tx.query(
    `insert into atendentes (conta_id, usuario_id, disponivel, mudou_em) values ($1, $2, $3, $4)
     on conflict (conta_id, usuario_id) do update set disponivel = $3,
       mudou_em = case when atendentes.disponivel is distinct from $3 then $4 else atendentes.mudou_em end`,
    [contaId, usuarioId, disponivel, now],
  )
}

const availableSchema = z.object({ disponivel: z.boolean(), automatica: z.boolean() })

/** Whether the person takes part, and whether the conta distributes conversas. */
export async function readAvailable(
  tx: Tx,
  contaId: string,
  usuarioId: string,
): Promise<z.output<typeof availableSchema>> {
  const [row] = await tx.rows(
    availableSchema,
    `select coalesce(a.disponivel, u.tipo = 'operador') as disponivel, exists (
       select 1 from regras_atendimento r where r.conta_id = u.conta_id and r.automatica) as automatica from usuarios u
     left join atendentes a on a.conta_id = u.conta_id and a.usuario_id = u.id where u.conta_id = $1 and u.id = $2`,
    [contaId, usuarioId],
  )
  return row ?? { disponivel: false, automatica: false }
}
