import * as z from 'zod/mini'
import { SETOR_GERAL } from '@balcao/contract/conversa-access'
import { contaId, rawSql, sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import { endedColumns, endedConversaSchema } from '#modules/leitores/index.ts'
import type { AddressOwner } from './locked-contatos.ts'

const contatoId = value('contatoId', 'uuid')

/** The rows of `leaving` move to `kept`. */
interface ContatoPair {
  readonly leaving: AddressOwner
  readonly kept: AddressOwner
}

const since = value('since', 'uuid')
const from = value('from', 'uuid')
const to = value('to', 'uuid')

const moveMensagensSince = noRows(
  'conversas: move mensagens of question',
  sql`with moved as (
        update mensagens set conversa_id = ${value('to', 'uuid?')}, id_temporario = null
        where conta_id = ${contaId} and conversa_id = ${value('from', 'uuid?')} and id >= ${since} returning direcao
      ) update conversas set nao_lidas = nao_lidas + (select count(*) from moved where direcao = 'entrada'),
          sem_resposta_desde = coalesce(sem_resposta_desde, (select now() from moved where direcao = 'entrada' limit 1))
        where conta_id = ${contaId} and id = ${value('to', 'uuid?')} and status in ('aguardando', 'em_atendimento')`,
)

const deleteQuestionOf = noRows(
  'conversas: delete question of contato',
  sql`delete from perguntas_ia where conta_id = ${contaId} and contato_id = ${contatoId} and linha_id is null`,
)

const beginQuestionAt = noRows(
  'conversas: begin question earlier',
  sql`update perguntas_ia set desde_id = least(coalesce(desde_id, id), ${since})
      where conta_id = ${contaId} and contato_id = ${contatoId} and linha_id is null`,
)

export async function moveQuestion(tx: Tx, contaId: string, { leaving, kept }: ContatoPair): Promise<void> {
  const { perguntaDesde: since, conversaId: from } = leaving
  if (since === null) return
  await moveMensagensSince(tx, { contaId, from, to: kept.conversaId, since })
  await deleteQuestionOf(tx, { contaId, contatoId: leaving.id })
  await beginQuestionAt(tx, { contaId, contatoId: kept.id, since })
}

const isAttended = ({ abertaStatus: status }: AddressOwner): boolean =>
  status === 'aguardando' || status === 'em_atendimento'

export const areBothAttended = ({ leaving, kept }: ContatoPair): boolean => isAttended(kept) && isAttended(leaving)

/** All readers of the conversa that stays may read the other one: it has the same setor, or Geral. */
export function mayMove({ leaving, kept }: ContatoPair): boolean {
  const setor = leaving.abertaSetor ?? SETOR_GERAL
  return setor === SETOR_GERAL || setor === kept.abertaSetor
}

/**
 * Otherwise no operador would read the messages of the conversa that ends. Two panels may have chosen the same
 * `id_temporario`, which is unique in a conversa.
 */
const moveConversa = manyRows(
  'conversas: move mensagens of attended',
  z.object({ id: z.string() }),
  sql`with moved as (
        update mensagens set conversa_id = ${to}, id_temporario = null
        where conta_id = ${contaId} and conversa_id = ${from} returning id
      ), noted as (
        update notas set conversa_id = ${to} where conta_id = ${contaId} and conversa_id = ${from}
      ), announced as (
        update avisos set conversa_id = ${to} where conta_id = ${contaId} and conversa_id = ${from}
      ), counted as (
        update conversas v set ultima_atividade = greatest(v.ultima_atividade, s.ultima_atividade),
          nao_lidas = v.nao_lidas + s.nao_lidas,
          sem_resposta_desde = least(v.sem_resposta_desde, s.sem_resposta_desde)
        from conversas s where v.conta_id = ${contaId} and v.id = ${to} and s.conta_id = ${contaId} and s.id = ${from}
      ) select id from moved order by id`,
)

export async function moveAttended(tx: Tx, contaId: string, { leaving, kept }: ContatoPair): Promise<string[]> {
  const [from, to] = [leaving.abertaId, kept.abertaId]
  if (from === null || to === null) return []
  return (await moveConversa(tx, { contaId, from, to })).map(({ id }) => id)
}

const finishedSchema = z.extend(endedConversaSchema, { protocolo: z.nullable(z.string()) })
export type FinishedConversa = z.output<typeof finishedSchema>

const finishOpen = manyRows(
  'conversas: finish open of contato',
  finishedSchema,
  sql`update conversas v set status = 'finalizada', finalizada_em = now(), motivo_fim = 'contatoJuntado'
      where v.conta_id = ${contaId} and v.contato_id = ${from} and v.status <> 'finalizada' and (
        v.linha_id is null or exists (
          select from conversas k where k.conta_id = v.conta_id and k.contato_id = ${to} and k.linha_id = v.linha_id
            and k.status <> 'finalizada'))
      returning ${endedColumns}, v.protocolo`,
)

const isOpen = (dialogue: string) => sql`exists (select from conversas v where v.conta_id = ${contaId}
  and v.id = ${rawSql(dialogue)}.conversa_id and v.status <> 'finalizada')`

/** Of two dialogues on one line the open one stays, else that of the contato that stays. */
const deleteSameDialogues = noRows(
  'conversas: delete same dialogues',
  sql`with pair as (
        select a.linha_id, case when ${isOpen('a')} and not ${isOpen('b')} then b.contato_id else a.contato_id end as loser
        from dialogos a join dialogos b on b.conta_id = a.conta_id and b.linha_id = a.linha_id and b.contato_id = ${to}
        where a.conta_id = ${contaId} and a.contato_id = ${from}
      )
      delete from dialogos d using pair
      where d.conta_id = ${contaId} and d.contato_id = pair.loser and d.linha_id = pair.linha_id`,
)

const deleteSameEtiquetas = noRows(
  'conversas: delete same etiquetas',
  sql`delete from contatos_etiquetas e where e.conta_id = ${contaId} and e.contato_id = ${from} and e.etiqueta_id in (
        select k.etiqueta_id from contatos_etiquetas k where k.conta_id = ${contaId} and k.contato_id = ${to})`,
)

/** Every table with a `contato_id`. */
export const CONTATO_TABLES = [
  'conversas',
  'dialogos',
  'enderecos',
  'saida',
  'perguntas_ia',
  'avaliacoes',
  'consentimentos',
  'contatos_etiquetas',
  'sinais',
  'pedidos',
  'carrinhos_pagina',
] as const

const moveTables = CONTATO_TABLES.map((table) =>
  noRows(
    `conversas: move ${table} of contato`,
    sql`update ${rawSql(table)} set contato_id = ${to} where conta_id = ${contaId} and contato_id = ${from}`,
  ),
)

const deleteEmpty = noRows(
  'conversas: delete merged contato',
  sql`delete from contatos where conta_id = ${contaId} and id = ${from}`,
)

export async function moveRows(tx: Tx, move: Parameters<typeof deleteSameEtiquetas>[1]): Promise<FinishedConversa[]> {
  const finished = await finishOpen(tx, move)
  await deleteSameEtiquetas(tx, move)
  await deleteSameDialogues(tx, move)
  for (const moveTable of moveTables) await moveTable(tx, move)
  await deleteEmpty(tx, move)
  return finished.filter(({ protocolo }) => protocolo !== null)
}
