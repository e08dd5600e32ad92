import * as z from 'zod/mini'
import { type Prova, provaSchema } from '@balcao/contract/entities/prova'
import { instant } from '#db/statement/fields.ts'
import { columns, contaId, sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows, oneRow, oneValue } from '#db/statement/statement.ts'

const textsSchema = provaSchema.shape.contem
const storedResultSchema = z.object({ passou: z.boolean(), resposta: z.string(), motivo: z.optional(z.string()) })
export type StoredResult = z.output<typeof storedResultSchema>

const askedSchema = z.object({
  id: z.string(),
  pergunta: z.string(),
  contem: textsSchema,
  naoContem: textsSchema,
  transfere: z.nullable(z.boolean()),
})
export type AskedProva = z.output<typeof askedSchema>

const rowSchema = z.extend(askedSchema, {
  origem: provaSchema.shape.origem,
  obrigatoria: z.boolean(),
  resultado: z.nullable(storedResultSchema),
  resultadoEm: z.nullable(instant),
})
export type ProvaRow = z.output<typeof rowSchema>

const asked = sql`id, pergunta, contem, nao_contem, transfere`
const all = sql`${asked}, origem, obrigatoria, resultado, resultado_em`
const id = value('id', 'uuid')
const rascunho = value('rascunho', 'text')
const exame = value('exame', 'uuid')
const theOne = sql`conta_id = ${contaId} and id = ${id}`
const content = sql`pergunta = ${value('pergunta', 'text')}, contem = ${value('contem', 'jsonb')},
  nao_contem = ${value('naoContem', 'jsonb')}, transfere = ${value('transfere', 'bool?')}`
const forgotten = sql`resultado = null, resultado_em = null, rascunho = null, exame = null, perguntada_em = null`

export function toProva({ transfere, resultado, resultadoEm, ...row }: ProvaRow): Prova {
  return {
    ...row,
    ...(transfere === null ? {} : { transfere }),
    ...(resultado === null || resultadoEm === null ? {} : { resultado: { ...resultado, em: resultadoEm } }),
  }
}

export const listProvaRows = manyRows(
  'provas: list',
  rowSchema,
  sql`select ${all} from provas where conta_id = ${contaId} order by id`,
)

export const countProvas = oneValue(
  'provas: count',
  z.int(),
  sql`select count(*)::int as value from provas where conta_id = ${contaId}`,
)

export const lockProva = oneRow('provas: lock', rowSchema, sql`select ${all} from provas where ${theOne} for update`)

/** Two requests must not both fill the last place. */
export const lockProvas = noRows(
  'provas: lock list',
  sql`select pg_advisory_xact_lock(hashtext('provas'), hashtext(${contaId}::text))`,
)

export const insertProva = noRows(
  'provas: insert',
  sql`insert into provas (conta_id, id, pergunta, contem, nao_contem, transfere, origem, obrigatoria)
      values (${contaId}, ${id}, ${value('pergunta', 'text')}, ${value('contem', 'jsonb')}, ${value('naoContem', 'jsonb')},
        ${value('transfere', 'bool?')}, ${value('origem', 'text')}, ${value('obrigatoria', 'bool')})`,
)

/** The result belongs to the earlier content. */
export const updateProva = noRows(
  'provas: update',
  sql`update provas set ${content}, obrigatoria = ${value('obrigatoria', 'bool')}, editada = true, ${forgotten} where ${theOne}`,
)

export const setObrigatoria = noRows(
  'provas: set obrigatoria',
  sql`update provas set obrigatoria = ${value('obrigatoria', 'bool')} where ${theOne}`,
)

export const deleteProva = noRows('provas: delete', sql`delete from provas where ${theOne}`)

export const listGenerated = manyRows(
  'provas: list generated',
  z.extend(askedSchema, { chave: z.string(), editada: z.boolean() }),
  sql`select ${asked}, chave, editada from provas where conta_id = ${contaId} and chave is not null`,
)

const generated = {
  ...({ contaId: 'uuid', id: 'uuid', chave: 'text', pergunta: 'text', contem: 'jsonb', naoContem: 'jsonb' } as const),
  ...({ transfere: 'bool?' } as const),
}

export const insertGenerated = noRows(
  'provas: insert generated',
  sql`insert into provas (conta_id, id, chave, pergunta, contem, nao_contem, transfere, origem, obrigatoria)
      select conta_id, id, chave, pergunta, contem, nao_contem, transfere, 'gerada', true from ${columns('i', generated)}
      on conflict do nothing`,
)

/** A price or an opening time changed. */
export const correctGenerated = noRows(
  'provas: correct generated',
  sql`update provas p set pergunta = i.pergunta, contem = i.contem, nao_contem = i.nao_contem, transfere = i.transfere,
        ${forgotten}
      from ${columns('i', generated)} where p.conta_id = i.conta_id and p.id = i.id and not p.editada`,
)

const open = sql`conta_id = ${contaId} and rascunho is distinct from ${rascunho} and id <> all (${value('settled', 'uuid[]')})`

/** Takes the next question without a result of this draft. `expired`: claims before it are of an exam that died. */
export const claimProva = oneRow(
  'provas: claim',
  askedSchema,
  sql`update provas set exame = ${exame}, perguntada_em = ${value('now', 'timestamptz')}
      where conta_id = ${contaId} and id = (
        select id from provas where ${open}
          and (perguntada_em is null or perguntada_em < ${value('expired', 'timestamptz')})
        order by id limit 1 for update skip locked)
      returning ${asked}`,
)

export const countUnsettled = oneValue(
  'provas: count unsettled',
  z.int(),
  sql`select count(*)::int as value from provas where ${open}`,
)

/** Nothing happens when the question was changed or deleted meanwhile. */
export const storeResult = noRows(
  'provas: store result',
  sql`update provas set resultado = ${value('resultado', 'jsonb')}, resultado_em = ${value('now', 'timestamptz')},
        rascunho = ${rascunho}, exame = null, perguntada_em = null
      where ${theOne} and exame = ${exame}`,
)

export const releaseProva = noRows(
  'provas: release',
  sql`update provas set exame = null, perguntada_em = null where ${theOne} and exame = ${exame}`,
)

export const listResults = manyRows(
  'provas: list results',
  z.object({ id: z.string(), resultado: z.nullable(storedResultSchema) }),
  sql`select id, case when rascunho = ${rascunho} then resultado end as resultado
      from provas where conta_id = ${contaId} order by id`,
)

export const countFailing = oneValue(
  'provas: count failing',
  z.int(),
  sql`select count(*)::int as value from provas where conta_id = ${contaId} and obrigatoria
        and (rascunho is distinct from ${rascunho} or not (resultado ->> 'passou')::bool)`,
)

/** Names the facts that the assistant has: settings and catalogue, and the sources that it reads at `now`. */
export const readFacts = oneValue(
  'provas: read facts',
  z.string(),
  sql`select concat_ws(' ', c.versao_contexto, (
        select concat_ws(' ', count(*), md5(string_agg(concat_ws(' ', f.id, f.lida_em), ',' order by f.id)))
        from fontes f where f.conta_id = ${contaId} and f.lida_em is not null
          and (f.expira_em is null or f.expira_em > ${value('now', 'timestamptz')})
      )) as value from contas c where c.id = ${contaId}`,
)
