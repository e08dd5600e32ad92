import * as z from 'zod/mini'
import type { Candidate } from '@balcao/engine/atendimento/next-person'
import { disponibilidadeRoute, mudarDisponibilidadeRoute } from '@balcao/contract/routes/disponibilidade'
import { contaId, sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows, oneRow } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { type BoundRoute, bind } from '#http/handle.ts'
import { signalQueues } from '#modules/prazos/index.ts'

const now = value('now', 'timestamptz')
const disponivel = value('disponivel', 'bool')

/** Has a window, or had one less than two minutes ago. */
export interface TeamMember extends Candidate {
  readonly nome: string
  /** Has a window now and takes part. */
  readonly takes: boolean
  readonly desde: Date
}

/** Only nodes that are alive count. A conversa that the person took counts as a new one, too. */
const listTeam = manyRows(
  'distribuicao: list team',
  z.object({
    id: z.string(),
    nome: z.string(),
    setores: z.array(z.string()),
    linhas: z.array(z.string()),
    takes: z.boolean(),
    serving: z.int(),
    lastAt: z.nullable(z.date()),
    desde: z.date(),
  }),
  sql`
select u.id, u.nome, u.setores, u.linhas, p.ligada and coalesce(a.disponivel, u.tipo = 'operador') as takes,
  v.serving, greatest(a.recebeu_em, v.ultima_em) as last_at, greatest(p.desde, a.mudou_em) as desde
from usuarios u
join (
  select p.usuario_id, bool_or(p.saiu_em is null) as ligada, min(p.entrou_em) as desde from presencas p
  where p.conta_id = ${contaId} and (p.saiu_em > ${value('offlineBefore', 'timestamptz')}
    or (p.saiu_em is null and exists (select 1 from nos n where n.id = p.no and n.morto_em is null)))
  group by p.usuario_id
) p on p.usuario_id = u.id
left join atendentes a on a.conta_id = u.conta_id and a.usuario_id = u.id
cross join lateral (
  select count(*)::int as serving, max(v.assumida_em) as ultima_em from conversas v
  where v.conta_id = ${contaId} and v.status = 'em_atendimento' and v.operador_id = u.id
) v
where u.conta_id = ${contaId} and u.status = 'ativo' and u.excluido_em is null
order by u.id`,
  { planner: 'indexes' },
)

export async function readTeam(tx: Tx, contaId: string, offlineBefore: Date): Promise<TeamMember[]> {
  const team = await listTeam(tx, { contaId, offlineBefore })
  return team.map(({ lastAt, ...person }) => ({ ...person, lastAt: lastAt?.getTime() ?? null }))
}

/**
 * Against deactivation and against taking a conversa, which holds a shared lock. Leaves out those whom another
 * transaction has: waiting for them could be a deadlock.
 */
export const lockPeople = noRows(
  'distribuicao: lock people',
  sql`select 1 from usuarios where conta_id = ${contaId} and id = any (${value('ids', 'uuid[]')})
      order by id for no key update skip locked`,
  { planner: 'indexes' },
)

export const recordReceived = noRows(
  'distribuicao: record received',
  sql`insert into atendentes (conta_id, usuario_id, recebeu_em)
      select ${contaId}, id, ${now} from unnest(${value('ids', 'uuid[]')}) as i (id)
      order by id on conflict (conta_id, usuario_id) do update set recebeu_em = excluded.recebeu_em`,
  { planner: 'indexes' },
)

const saveAvailable = noRows(
  'distribuicao: save available',
  sql`insert into atendentes (conta_id, usuario_id, disponivel, mudou_em)
      values (${contaId}, ${value('usuarioId', 'uuid')}, ${disponivel}, ${now})
      on conflict (conta_id, usuario_id) do update set disponivel = ${disponivel},
        mudou_em = case when atendentes.disponivel is distinct from ${disponivel} then ${now} else atendentes.mudou_em end`,
)

const findAvailable = oneRow(
  'distribuicao: find available',
  z.object({ disponivel: z.boolean(), automatica: z.boolean() }),
  sql`select coalesce(a.disponivel, u.tipo = 'operador') as disponivel, exists (
        select 1 from regras_atendimento r where r.conta_id = u.conta_id and r.automatica) as automatica from usuarios u
      left join atendentes a on a.conta_id = u.conta_id and a.usuario_id = u.id
      where u.conta_id = ${contaId} and u.id = ${value('usuarioId', 'uuid')}`,
)

export function availabilityRoutes({ db, clock }: Pick<Deps, 'db' | 'clock'>): BoundRoute[] {
  return [
    bind(disponibilidadeRoute, async ({ sessao: { contaId, usuarioId } }) => {
      const found = await db.read(contaId, (tx) => findAvailable(tx, { contaId, usuarioId }))
      return found ?? { disponivel: false, automatica: false }
    }),
    bind(mudarDisponibilidadeRoute, ({ sessao: { contaId, usuarioId }, body: { disponivel } }) =>
      db.transaction(contaId, async (tx) => {
        await saveAvailable(tx, { contaId, usuarioId, disponivel, now: clock.now() })
        await signalQueues(tx, { contas: [contaId] })
      }),
    ),
  ]
}
