import * as z from 'zod/mini'
import type { TitularCounts, TitularSummary } from '@balcao/contract/entities/lgpd'
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

const COUNTS_SQL = `
with v as (select id, status from conversas where conta_id = $1 and contato_id = $2),
m as (select m.id, m.midia from mensagens m join v on v.id = m.conversa_id where m.conta_id = $1)
select (select count(*)::int from v) as conversas, (select count(*)::int from m) as mensagens,
  (select count(*)::int from notas n join v on v.id = n.conversa_id where n.conta_id = $1) as notas,
  (select count(*)::int from m where midia ->> 'url' is not null) as midias,
  (select count(*)::int from avaliacoes where conta_id = $1 and contato_id = $2) as avaliacoes,
  (select count(*)::int from consentimentos where conta_id = $1 and contato_id = $2) as consentimentos,
  (select count(*)::int from respostas_ia r join m on m.id = r.mensagem_id where r.conta_id = $1) as "respostasIa",
  exists (select 1 from v where status in ('aguardando', 'em_atendimento')) as "emAtendimento"`

/** The only field read from the bot state: the opt-out time. */
const botStateSchema = z.looseObject({ paradoEm: z.nullish(z.number()) })

async function countAll(
  tx: Tx,
  contaId: string,
  titular: Titular,
): Promise<TitularCounts & { emAtendimento: boolean }> {
  const [numbers] = await tx.rows(countsSchema, COUNTS_SQL, [contaId, titular.id])
  if (numbers === undefined) throw new Error('contato count without a row')
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
    desde: titular.criadoEm.toISOString(),
    ultimaAtividade: titular.ultimaAtividade.toISOString(),
    paradoDesde: stopped === null ? null : new Date(stopped).toISOString(),
    emAtendimento,
    contagem,
  }
}
