import * as z from 'zod/mini'
import { AGENDADA_KEY_PREFIX } from '@balcao/contract/entities/common'
import { ORIGENS_DE_CUSTO, PAIS_OUTROS } from '@balcao/contract/entities/custos'
import { COST_KINDS } from '@balcao/engine/oficial/costs'
import { columns, contaId, linhaId, rawSql, sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows, oneRow, oneValue } from '#db/statement/statement.ts'

const now = value('now', 'timestamptz')
const from = value('from', 'date')
const until = value('until', 'date')
const OTHER_COUNTRIES = rawSql(`'${PAIS_OUTROS}'`)
const SCHEDULED = rawSql(`'${AGENDADA_KEY_PREFIX}%'`)
/** Other origins of `mensagens` do not leave by the official API. */
const KNOWN_ORIGINS = rawSql(ORIGENS_DE_CUSTO.map((origem) => `'${origem}'`).join(', '))

/**
 * Counts messages whose digest is new, with the price of their local day. Returns the lines with new free ones. The rows
 * are locked in the order of their keys, so two batches do not wait for each other in a circle.
 */
export const countMessages = manyRows(
  'custos: count messages',
  z.object({ contaId: z.string(), linhaId: z.string() }),
  sql`
with chegadas as materialized (
  select i.conta_id, i.linha_id, decode(i.marca, 'hex') as marca, (least(i.em, ${now}) at time zone k.fuso)::date as dia,
    i.tipo, i.categoria, i.pais,
    case when m.id is null then 'outros' when m.modelo is not null then 'modelo'
      when m.id_temporario like ${SCHEDULED} then 'agendada'
      when m.origem in (${KNOWN_ORIGINS}) then m.origem else 'outros' end as origem
  from ${columns('i', {
    ...{ contaId: 'uuid', linhaId: 'uuid', marca: 'text', em: 'timestamptz', tipo: 'text', categoria: 'text' },
    ...{ pais: 'text', mensagemId: 'uuid?' },
  })}
  join contas k on k.id = i.conta_id
  left join lateral (
    select m.id, m.modelo, m.id_temporario, m.origem from mensagens m
    where m.conta_id = i.conta_id and m.id = i.mensagem_id offset 0) m on true
), novas as (
  insert into oficial_custos_vistos (conta_id, marca, visto_em)
  select conta_id, marca, ${now} from chegadas order by conta_id, marca
  on conflict (conta_id, marca) do nothing returning conta_id, marca
), grupos as (
  select c.conta_id, c.linha_id, c.dia, c.tipo, c.categoria, c.origem, c.pais, count(*) as mensagens
  from chegadas c join novas n on n.conta_id = c.conta_id and n.marca = c.marca
  group by c.conta_id, c.linha_id, c.dia, c.tipo, c.categoria, c.origem, c.pais
), somadas as (
  insert into oficial_custos as s (conta_id, dia, linha_id, tipo, categoria, origem, pais, moeda, mensagens, milionesimos)
  select g.conta_id, g.dia, g.linha_id, g.tipo, g.categoria, g.origem, g.pais, coalesce(t.moeda, ''), g.mensagens,
    coalesce(t.milionesimos, 0) * g.mensagens
  from grupos g
  left join lateral (
    select moeda, milionesimos from oficial_tarifas
    where g.tipo = 'cobrada' and categoria = g.categoria and pais in (g.pais, ${OTHER_COUNTRIES}) and vigente_desde <= g.dia
    order by pais = ${OTHER_COUNTRIES}, vigente_desde desc limit 1) t on true
  order by g.conta_id, g.dia, g.linha_id, g.tipo, g.categoria, g.origem, g.pais
  on conflict (conta_id, dia, linha_id, tipo, categoria, origem, pais, moeda) do update
    set mensagens = s.mensagens + excluded.mensagens, milionesimos = s.milionesimos + excluded.milionesimos
)
select conta_id, linha_id from grupos where tipo = 'gratuita' group by conta_id, linha_id order by conta_id, linha_id`,
  { prepared: true, planner: 'indexes' },
)

/** Free messages of a line, without those after an advertisement, which have no limit. */
export const sumFree = oneValue(
  'custos: sum free messages',
  z.int(),
  sql`select coalesce(sum(mensagens), 0)::int as value from oficial_custos
      where conta_id = ${contaId} and linha_id = ${linhaId} and tipo = 'gratuita' and dia >= ${from} and dia < ${until}`,
)

/** Returns 0 if the account received this notice of the month before. */
export const insertNotice = noRows(
  'custos: insert notice',
  sql`insert into oficial_custos_avisos (conta_id, mes, percentual)
      values (${contaId}, ${value('month', 'date')}, ${value('percentual', 'int')})
      on conflict (conta_id, mes, percentual) do nothing`,
)

const costRowSchema = z.object({
  dia: z.string(),
  tipo: z.enum(COST_KINDS),
  origem: z.enum(ORIGENS_DE_CUSTO),
  moeda: z.string(),
  mensagens: z.int(),
  milionesimos: z.number(),
})
export type CostRow = z.output<typeof costRowSchema>

/** `linha` null: of all lines. Oldest day first. */
export const listCosts = manyRows(
  'custos: list',
  costRowSchema,
  sql`select dia::text as dia, tipo, origem, moeda, sum(mensagens)::int as mensagens, sum(milionesimos)::float8 as milionesimos
      from oficial_custos
      where conta_id = ${contaId} and dia >= ${from} and dia < ${until}
        and (${value('linha', 'text?')} is null or linha_id::text = ${value('linha', 'text?')})
      group by dia, tipo, origem, moeda order by dia, tipo, origem, moeda`,
)

/** Digests older than this. A status that comes later is not counted. */
export const deleteOldCostMarks = noRows(
  'custos: delete old marks',
  sql`delete from oficial_custos_vistos where (conta_id, marca) in (
        select conta_id, marca from oficial_custos_vistos where conta_id = ${contaId} and visto_em < ${value('em', 'timestamptz')}
        order by visto_em limit 1000)`,
)

const rateSchema = z.object({
  vigenteDesde: z.string(),
  categoria: z.string(),
  pais: z.string(),
  milionesimos: z.number(),
  moeda: z.string(),
})

/** Price of an answer within the reply window on a local day, in the country of the shops. */
export const findServicePrice = oneRow(
  'custos: find service price',
  z.object({ milionesimos: z.number(), moeda: z.string() }),
  sql`select milionesimos::float8 as milionesimos, moeda from oficial_tarifas
      where categoria = 'service' and pais in ('BR', ${OTHER_COUNTRIES}) and vigente_desde <= ${value('day', 'date')}
      order by pais = ${OTHER_COUNTRIES}, vigente_desde desc limit 1`,
)

/** The newest price first within a category and country. */
export const listRates = manyRows(
  'custos: list rates',
  rateSchema,
  sql`select vigente_desde::text as vigente_desde, categoria, pais, milionesimos::float8 as milionesimos, moeda
      from oficial_tarifas order by categoria, pais, vigente_desde desc`,
)

export const lockRates = noRows(
  'custos: lock rates',
  sql`select pg_advisory_xact_lock(hashtextextended('oficial_tarifas', 0))`,
)

export const deleteRates = noRows('custos: delete rates', sql`delete from oficial_tarifas`)

export const insertRates = noRows(
  'custos: insert rates',
  sql`insert into oficial_tarifas (vigente_desde, categoria, pais, milionesimos, moeda)
      select i.vigente_desde, i.categoria, i.pais, i.milionesimos, i.moeda
      from ${columns('i', { vigenteDesde: 'date', categoria: 'text', pais: 'text', milionesimos: 'bigint', moeda: 'text' })}`,
)
