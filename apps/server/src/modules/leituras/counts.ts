import * as z from 'zod/mini'
import { type ConversaReader, mayReadConversa, mayReadQueue } from '@balcao/contract/conversa-access'
import { type Contagens } from '@balcao/contract/entities/contagens'
import { lineOf } from '#db/statement/line.ts'
import { sql, value } from '#db/statement/sql.ts'
import { inOrder, manyRows } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import { isHidden } from './marks.ts'

/** The numbers of the views. They are counted once for a conta and then added up for each person. */

const contas = value('contas', 'uuid[]')

const groupSchema = z.object({
  contaId: z.string(),
  linhaId: z.string(),
  status: z.enum(['aguardando', 'em_atendimento', 'finalizada']),
  setor: z.nullable(z.string()),
  operadorId: z.nullable(z.string()),
  conversas: z.int(),
  semResposta: z.int(),
})

const countOpen = manyRows(
  'leituras: count open',
  z.extend(groupSchema, { esperaId: z.nullable(z.string()), desde: z.nullable(z.date()) }),
  sql`
select g.*, case when g.status = 'aguardando' then (select w.id from conversas w where w.conta_id = g.conta_id
  and w.status = 'aguardando' and w.aguardando_desde = g.desde and w.setor is not distinct from g.setor
  and w.operador_id is not distinct from g.operador_id and ${lineOf('w')} = g.linha_id and w.protocolo is not null
  order by w.aguardando_desde, w.id limit 1) end as espera_id
from (
  select v.conta_id, ${lineOf('v')} as linha_id, v.status, v.setor, v.operador_id, count(*)::int as conversas,
    count(v.sem_resposta_desde)::int as sem_resposta, min(v.aguardando_desde) as desde
  from conversas v
  where v.conta_id = any (${contas}) and v.status in ('aguardando', 'em_atendimento') and v.protocolo is not null
  group by 1, 2, 3, 4, 5) g`,
  { planner: 'indexes' },
)

const personGroupSchema = z.extend(groupSchema, { usuarioId: z.string() })

const countHidden = manyRows(
  'leituras: count hidden',
  z.extend(personGroupSchema, { acabou: z.boolean() }),
  sql`
select l.conta_id, l.usuario_id, ${lineOf('v')} as linha_id, v.status, v.setor, v.operador_id, not ${isHidden} as acabou, count(*)::int as conversas,
  count(v.sem_resposta_desde)::int as sem_resposta
from leituras l join conversas v on v.conta_id = l.conta_id and v.id = l.conversa_id
where l.conta_id = any (${contas}) and l.lembrar_em is not null and v.status in ('aguardando', 'em_atendimento')
  and v.protocolo is not null
group by 1, 2, 3, 4, 5, 6, 7`,
  { planner: 'indexes' },
)

const countMentions = manyRows(
  'leituras: count mentions',
  personGroupSchema,
  sql`
select a.conta_id, a.usuario_id, ${lineOf('v')} as linha_id, v.status, v.setor, v.operador_id, count(distinct v.id)::int as conversas,
  0 as sem_resposta
from avisos a join conversas v on v.conta_id = a.conta_id and v.id = a.conversa_id
where a.conta_id = any (${contas}) and a.tipo = 'mencao' and a.lido_em is null and v.protocolo is not null
group by 1, 2, 3, 4, 5, 6`,
  { planner: 'indexes' },
)

type OpenGroup = Awaited<ReturnType<typeof countOpen>>[number]
type PersonGroup = z.output<typeof personGroupSchema>

/** The open conversas of one conta, grouped by what decides who may read them. */
export interface ContaNumbers {
  readonly open: readonly OpenGroup[]
  readonly hidden: readonly PersonGroup[]
  readonly mentions: readonly PersonGroup[]
  /** A customer wrote in a conversa with a reminder, which has to end. */
  readonly remindersEnded: boolean
}

/** By conta. All statements are sent together. */
export async function readViewNumbers(
  tx: Tx,
  contas: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, ContaNumbers>> {
  const [open, hidden, mentions] = await inOrder([
    countOpen(tx, { contas }),
    countHidden(tx, { contas, now }),
    countMentions(tx, { contas }),
  ])
  const ofConta = <T extends { readonly contaId: string }>(rows: readonly T[], id: string): T[] =>
    rows.filter(({ contaId }) => contaId === id)
  return new Map(
    contas.map((id) => {
      const ofHidden = ofConta(hidden, id)
      return [
        id,
        {
          open: ofConta(open, id),
          hidden: ofHidden.filter(({ acabou }) => !acabou),
          mentions: ofConta(mentions, id),
          remindersEnded: ofHidden.some(({ acabou }) => acabou),
        },
      ]
    }),
  )
}

/** The numbers of one person. */
export function numbersOfPerson(reader: ConversaReader, { open, hidden, mentions }: ContaNumbers): Contagens {
  const mine = (group: z.output<typeof groupSchema>): boolean =>
    group.status === 'em_atendimento' && group.operadorId === reader.usuarioId
  const waits = (group: z.output<typeof groupSchema>): boolean =>
    group.status === 'aguardando' && mayReadQueue(reader, group)
  const own = hidden.filter(({ usuarioId }) => usuarioId === reader.usuarioId)
  const queue = open.filter(waits)
  const longest = queue.reduce<OpenGroup | null>((first, group) => (waitsLonger(group, first) ? group : first), null)
  return {
    minhas: sum(open.filter(mine)) - sum(own.filter(mine)),
    minhasSemResposta: sumUnanswered(open.filter(mine)) - sumUnanswered(own.filter(mine)),
    fila: sum(queue) - sum(own.filter(waits)),
    mencoes: sum(mentions.filter((group) => group.usuarioId === reader.usuarioId && mayReadConversa(reader, group))),
    todas: sum(open.filter((group) => mayReadConversa(reader, group))),
    ...esperaOf(longest),
  }
}

function esperaOf(group: OpenGroup | null): Pick<Contagens, 'esperaMaisLonga'> {
  if (group === null || group.esperaId === null || group.desde === null) return {}
  return { esperaMaisLonga: { conversaId: group.esperaId, desde: group.desde.toISOString() } }
}

function waitsLonger({ desde }: OpenGroup, than: OpenGroup | null): boolean {
  if (desde === null) return false
  return than === null || than.desde === null || desde < than.desde
}

const sum = (groups: readonly { readonly conversas: number }[]): number =>
  groups.reduce((total, { conversas }) => total + conversas, 0)

const sumUnanswered = (groups: readonly { readonly semResposta: number }[]): number =>
  groups.reduce((total, { semResposta }) => total + semResposta, 0)
