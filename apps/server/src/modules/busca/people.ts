import * as z from 'zod/mini'
import { BUSCA_MAXIMO, type Busca } from '@balcao/contract/entities/busca'
import { statusConversaSchema } from '@balcao/contract/entities/conversa'
import { contaId, rawSql, sql, value } from '#db/statement/sql.ts'
import { manyRows } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import { nameOrPhone } from '#modules/enderecos/index.ts'
import { readable } from '#modules/leitores/index.ts'
import type { NameGroup } from './customers.ts'
import { limit, type SearchPlan, valuesOf } from './plan.ts'

const personSchema = z.object({ nome: z.string(), telefone: z.string(), nomeUsuario: z.string() })

/** Ids keep their order. A contato may have no conversa that the person may read. */
const listCustomers = manyRows(
  'busca: list customers',
  z.extend(personSchema, {
    contatoId: z.string(),
    conversaId: z.nullable(z.string()),
    status: z.nullable(statusConversaSchema),
  }),
  sql`select c.id as contato_id, c.nome, c.telefone, c.nome_usuario, v.id as conversa_id, v.status
   from unnest(${value('ids', 'uuid[]')}) with ordinality as i (id, number)
   cross join lateral (select * from contatos c where c.conta_id = ${contaId} and c.id = i.id offset 0) c
   left join lateral (
     select v.id, v.status from conversas v where v.conta_id = ${contaId} and v.contato_id = c.id
       and v.protocolo is not null and v.status <> 'bot' and ${readable('v')} order by v.id desc limit 1
   ) v on true
   order by i.number`,
  { prepared: true, planner: 'indexes' },
)

const foundSchema = z.extend(personSchema, {
  conversaId: z.string(),
  protocolo: z.string(),
  status: statusConversaSchema,
})
const foundColumns = sql`v.id as conversa_id, v.protocolo, v.status, c.nome, c.telefone, c.nome_usuario`

const listFinished = manyRows(
  'busca: list finished conversas',
  foundSchema,
  sql`select ${foundColumns} from unnest(${value('ids', 'uuid[]')}) as i (id)
   cross join lateral (select * from contatos c where c.conta_id = ${contaId} and c.id = i.id offset 0) c
   cross join lateral (
     select v.* from conversas v where v.conta_id = ${contaId} and v.contato_id = c.id and v.status = 'finalizada'
       and v.protocolo is not null and ${readable('v')} order by v.id desc limit ${rawSql(String(BUSCA_MAXIMO))}
   ) v
   order by v.id desc ${limit}`,
  { prepared: true, planner: 'indexes' },
)

/** The operators of `text_pattern_ops`, because the plan does not know the value. `~` is greater than every digit. */
const listByProtocolo = manyRows(
  'busca: list by protocolo',
  foundSchema,
  sql`select ${foundColumns} from (
     select v.* from conversas v where v.conta_id = ${contaId} and v.protocolo is not null and v.status <> 'bot'
       and v.protocolo ~>=~ ${value('protocolo', 'text')} and v.protocolo ~<~ (${value('protocolo', 'text')} || '~')
       and ${readable('v')} order by v.protocolo desc ${limit}
   ) v
   cross join lateral (select * from contatos c where c.conta_id = ${contaId} and c.id = v.contato_id offset 0) c
   order by v.protocolo desc`,
  { prepared: true, planner: 'indexes' },
)

const PROTOCOLO = /^(\d{8})-?(\d*)$/

/** Numbers are `20261123-0047`. People also write them without the hyphen. */
function protocoloOf(query: string): string | null {
  const [, day, number = ''] = PROTOCOLO.exec(query.trim()) ?? []
  return day === undefined ? null : `${day}-${number}`
}

/** Customers whose names or phones have all words, the last active first, and conversas by number or customer. */
export async function searchCustomers(
  tx: Tx,
  plan: SearchPlan,
  names: Promise<readonly NameGroup[]>,
  query: string,
): Promise<Pick<Busca, 'clientes' | 'conversas'>> {
  const customers = (await names).find(({ hasAll }) => hasAll)?.customers ?? []
  const ids = customers.slice(0, BUSCA_MAXIMO).map(({ id }) => id)
  const protocolo = protocoloOf(query)
  const values = valuesOf(plan)
  const [people, finished, numbered] = await Promise.all([
    ids.length === 0 ? [] : listCustomers(tx, { ...values, ids }),
    ids.length === 0 ? [] : listFinished(tx, { ...values, ids }),
    protocolo === null ? [] : listByProtocolo(tx, { ...values, protocolo }),
  ])
  const clientes = people.map(({ contatoId, telefone, conversaId, status, ...person }) => ({
    ...{ contatoId, telefone, nome: nameOrPhone({ ...person, telefone }) },
    ...(conversaId === null || status === null ? {} : { conversaId, status }),
  }))
  const byId = new Map([...numbered, ...finished].map((row) => [row.conversaId, row]))
  const conversas = [...byId.values()]
    .slice(0, BUSCA_MAXIMO)
    .map(({ conversaId, protocolo: number, status, ...person }) => ({
      ...{ conversaId, status, protocolo: number },
      cliente: nameOrPhone(person),
    }))
  return { clientes, conversas }
}
