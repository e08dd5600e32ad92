import * as z from 'zod/mini'
import { motivoBotSchema, statusBotSchema } from '@balcao/contract/entities/bot-status'
import { RESTORE_PENDING_SQL } from '#db/backup/restore-hold.ts'
import { BOT_HELD_SQL } from '#db/nodes/held-bots.ts'
import { changes, contaId, rawSql, sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows, oneValue } from '#db/statement/statement.ts'
import { lineFactsSchema } from '#modules/contas/index.ts'

const lineSchema = z.extend(z.omit(lineFactsSchema, { removida: true }), {
  criadaEm: z.date(),
  versao: z.int(),
  manutencao: z.boolean(),
  desejado: z.boolean(),
  status: statusBotSchema,
  motivo: z.nullable(motivoBotSchema),
  alerta: z.nullable(motivoBotSchema),
  conectadoComo: z.nullable(z.string()),
  vivo: z.boolean(),
  retido: z.boolean(),
})
export type LineRow = z.output<typeof lineSchema>

const FIRST_NAME = rawSql(`'Principal'`)

/** An account without rows has its first line alone. */
const lines = sql`
select l.id, l.nome, l.conector, l.principal, l.cor, l.setor, l.ativa, l.criada_em, l.versao
from linhas l where l.conta_id = ${contaId} and l.removida_em is null
union all
select k.id, ${FIRST_NAME}, null, true, 'blue', '', true, k.criada_em, 1 from contas k
where k.id = ${contaId} and not exists (select from linhas l where l.conta_id = k.id and l.id = k.id)`

/** The main line first, then by name. */
export const listLines = manyRows(
  'linhas: list',
  lineSchema,
  sql`
select l.*, k.manutencao, coalesce(b.desejado, false) as desejado, coalesce(b.status, 'PARADO') as status, b.motivo, b.alerta,
  b.conectado_como, b.linha_id is not null and ${rawSql(BOT_HELD_SQL)} as vivo,
  coalesce(b.desejado, false) and ${rawSql(RESTORE_PENDING_SQL)} as retido
from (${lines}) l join contas k on k.id = ${contaId} left join linhas_bots b on b.linha_id = l.id
order by l.principal desc, lower(l.nome), l.id`,
)

/** The account is locked. Its first line gets a row before another line or a change of it does. */
export const insertFirstLine = noRows(
  'linhas: insert first',
  sql`insert into linhas (conta_id, id, nome, principal, criada_em)
      select k.id, k.id, ${FIRST_NAME}, true, k.criada_em from contas k where k.id = ${contaId}
      on conflict (conta_id, id) do nothing`,
)

const id = value('id', 'uuid')

export const insertLine = noRows(
  'linhas: insert',
  sql`insert into linhas (conta_id, id, nome, conector, cor, setor, criada_em)
      values (${contaId}, ${id}, ${value('nome', 'text')}, ${value('conector', 'text')}, ${value('cor', 'text')},
        ${value('setor', 'text')}, ${value('criadaEm', 'timestamptz')})`,
)

/** Null fields of `conector` and `principal` together: the line becomes the main one. */
export const updateLine = noRows(
  'linhas: update',
  sql`update linhas set versao = versao + 1, ${changes('fields', {
    nome: 'text',
    conector: 'text?',
    principal: 'bool',
    cor: 'text',
    setor: 'text',
    ativa: 'bool',
    removidaEm: 'timestamptz',
  })} where conta_id = ${contaId} and id = ${id}`,
)

export const readLineLimit = oneValue(
  'linhas: read limit',
  z.int(),
  sql`select limite_linhas as value from contas where id = ${contaId}`,
)

/** A node of a version without lines would take conversas of another line for those of the first one. */
export const hasNodeWithoutLines = oneValue(
  'linhas: has node without lines',
  z.boolean(),
  sql`select exists (select from nos where morto_em is null and not com_linhas) as value`,
)

/** Conversas that people serve or that wait for them. */
export const listOpenWithPeople = manyRows(
  'linhas: list open conversas',
  z.object({ id: z.string() }),
  sql`select id from conversas
      where conta_id = ${contaId} and status in ('aguardando', 'em_atendimento')
        and coalesce(linha_id, conta_id) = ${id} order by id`,
)
