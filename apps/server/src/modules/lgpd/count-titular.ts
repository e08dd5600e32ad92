import * as z from 'zod/mini'
import type { TitularCounts, TitularSummary } from '@balcao/contract/entities/lgpd'
import { contaId, sql, value } from '#db/statement/sql.ts'
import { oneRow } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import { listMentions } from '#modules/logs/index.ts'
import { mentionOf } from './mentions.ts'
import { findTitular, type Titular } from './titular.ts'

const countsSchema = z.object({
  conversas: z.int(),
  mensagens: z.int(),
  notas: z.int(),
  midias: z.int(),
  avaliacoes: z.int(),
  consentimentos: z.int(),
  respostasIa: z.int(),
  emAtendimento: z.boolean(),
})

const ofContato = sql`conta_id = ${contaId} and contato_id = ${value('contatoId', 'uuid')}`

const countRows = oneRow(
  'lgpd: count rows of titular',
  countsSchema,
  sql`
with v as (select id, status from conversas where ${ofContato}),
m as (select m.id, m.midia from mensagens m join v on v.id = m.conversa_id where m.conta_id = ${contaId})
select (select count(*)::int from v) as conversas, (select count(*)::int from m) as mensagens,
  (select count(*)::int from notas n join v on v.id = n.conversa_id where n.conta_id = ${contaId}) as notas,
  (select count(*)::int from m where midia ->> 'url' is not null) as midias,
  (select count(*)::int from avaliacoes where ${ofContato}) as avaliacoes,
  (select count(*)::int from consentimentos where ${ofContato}) as consentimentos,
  (select count(*)::int from respostas_ia r join m on m.id = r.mensagem_id where r.conta_id = ${contaId}) as respostas_ia,
  exists (select 1 from v where status in ('aguardando', 'em_atendimento')) as em_atendimento`,
)

const botStateSchema = z.looseObject({ paradoEm: z.nullish(z.number()) })

async function countAll(
  tx: Tx,
  contaId: string,
  titular: Titular,
): Promise<TitularCounts & { emAtendimento: boolean }> {
  const numbers = await countRows(tx, { contaId, contatoId: titular.id })
  if (numbers === null) throw new Error('contato count without a row')
  const registros = await listMentions(tx, { contaId, ...(await mentionOf(tx, contaId, titular)) })
  return { ...numbers, registros: registros.length }
}

export async function countTitular(tx: Tx, contaId: string, titular: Titular): Promise<TitularCounts> {
  const { emAtendimento: _, ...count } = await countAll(tx, contaId, titular)
  return count
}

export async function readTitularSummary(tx: Tx, contaId: string, typed: string): Promise<TitularSummary> {
  const titular = await findTitular(tx, contaId, typed)
  const { emAtendimento, ...contagem } = await countAll(tx, contaId, titular)
  const stopped = botStateSchema.safeParse(titular.memoria).data?.paradoEm ?? null
  return {
    nome: titular.nome,
    telefone: titular.telefone,
    ...(titular.nomeUsuario === '' ? {} : { nomeUsuario: titular.nomeUsuario }),
    desde: titular.criadoEm,
    ultimaAtividade: titular.ultimaAtividade,
    paradoDesde: stopped === null ? null : new Date(stopped).toISOString(),
    emAtendimento,
    contagem,
  }
}
