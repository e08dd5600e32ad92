import { CONNECTORS } from '@balcao/contract/connectors'
import * as z from 'zod/mini'
import { estadoMensagemSchema, type Mensagem, midiaSchema } from '@balcao/contract/entities/mensagem'
import {
  mensagemMarksSchema,
  sentModeloSchema,
  MENSAGEM_COLUMNS,
  mensagemFromRow,
  type MensagemRow,
} from '#modules/conversas/index.ts'
import type { Tx } from '#db/transaction.ts'

const UUID = z.uuid()
export const isUuid = (id: string): boolean => UUID.safeParse(id).success

export const servedConversaSchema = z.object({
  contato_id: z.string(),
  status: z.enum(['aguardando', 'em_atendimento', 'finalizada']),
  operador_id: z.nullable(z.string()),
  operador: z.nullable(z.string()),
  teste: z.boolean(),
  endereco: z.string(),
  nome: z.string(),
  telefone: z.string(),
})

export type ServedConversa = z.output<typeof servedConversaSchema>

export const SERVED_COLUMNS =
  'v.contato_id, v.status, v.operador_id, v.operador, v.teste, c.endereco, c.nome, c.telefone'
const FROM_CONVERSA = `from conversas v join contatos c on c.conta_id = v.conta_id and c.id = v.contato_id
where v.conta_id = $1 and v.id = $2 and v.protocolo is not null`
const SELECT_SERVED = `select ${SERVED_COLUMNS} ${FROM_CONVERSA}`

/** Returns null for a conversa that is unknown, of another conta or of the bot. */
export async function findServed(tx: Tx, contaId: string, id: string): Promise<ServedConversa | null> {
  if (!isUuid(id)) return null
  const { rows } = await tx.queryNamed('conversa-atendida', SELECT_SERVED, [contaId, id])
  const [line] = rows
  return line === undefined ? null : servedConversaSchema.parse(line)
}

const REPLY_WINDOWS = Object.entries(CONNECTORS)
  .filter(([, { replyWindowHours }]) => replyWindowHours !== null)
  .map(([conector, { replyWindowHours }]) => `when '${conector}' then interval '${replyWindowHours} hours'`)

/**
 * End of the reply window of the contato of `v`, null for services without one. A contato who never wrote through the
 * service has a closed window.
 */
export const JANELA_UNTIL = `(select coalesce(k.janela_desde + w.hours, to_timestamp(0))
  from (select case b.conector ${REPLY_WINDOWS.join(' ')} end as hours from bots b where b.conta_id = v.conta_id) w
  left join contatos k on k.conta_id = v.conta_id and k.id = v.contato_id
  where w.hours is not null) as janela_ate`

export async function findJanela(tx: Tx, contaId: string, conversaId: string): Promise<Date | null> {
  const [line] = await tx.rows(
    z.object({ janela_ate: z.nullable(z.date()) }),
    `select ${JANELA_UNTIL} from conversas v where v.conta_id = $1 and v.id = $2`,
    [contaId, conversaId],
  )
  return line?.janela_ate ?? null
}

const SELECT_MENSAGEM = `select ${MENSAGEM_COLUMNS} from mensagens m where m.conta_id = $1 and m.id = $2`

export async function findMensagem(
  tx: Tx,
  contaId: string,
  id: string,
  customerName: string,
): Promise<Mensagem | null> {
  const { rows } = await tx.queryNamed<MensagemRow & Record<string, unknown>>('mensagem-uma', SELECT_MENSAGEM, [
    contaId,
    id,
  ])
  const [row] = rows
  return row === undefined ? null : mensagemFromRow(row, customerName)
}

const resendableSchema = z.object({
  conversa_id: z.string(),
  texto: z.string(),
  midia: z.nullable(midiaSchema),
  modelo: z.nullable(sentModeloSchema),
  extras: z.nullable(mensagemMarksSchema),
  direcao: z.enum(['entrada', 'saida']),
  estado: estadoMensagemSchema,
})

export async function findResendable(tx: Tx, contaId: string, id: string) {
  if (!isUuid(id)) return null
  const [line] = await tx.rows(
    resendableSchema,
    `select m.conversa_id, m.texto, m.midia, m.modelo, m.extras, m.direcao, m.estado
     from mensagens m join conversas v on v.conta_id = m.conta_id and v.id = m.conversa_id
     where m.conta_id = $1 and m.id = $2 and v.protocolo is not null`,
    [contaId, id],
  )
  return line ?? null
}

/** Queues the mensagem again under its original id. */
export async function requeueMensagem(
  tx: Tx,
  contaId: string,
  id: string,
  { contato_id: contatoId, endereco }: Pick<ServedConversa, 'contato_id' | 'endereco'>,
): Promise<void> {
  await tx.query(
    `with m as (update mensagens set estado = 'enviada', erro = null where conta_id = $1 and id = $2::uuid)
     insert into saida (conta_id, mensagem_id, contato_id, endereco, conteudo, id_externo)
     values ($1, $2, $3, $4, '{}', $2::text)`,
    [contaId, id, contatoId, endereco],
  )
}

interface TakeInput {
  readonly id: string
  readonly operadorId: string
  readonly operador: string
  readonly em: Date
}

/**
 * Returns false if another operador has it, if it is finished, or if the operador is inactive. The shared lock on
 * `usuarios` orders this against a deactivation. Taking an own conversa again keeps the first time.
 */
export async function updateTaken(
  tx: Tx,
  contaId: string,
  { id, operadorId, operador, em }: TakeInput,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update conversas set status = 'em_atendimento', operador_id = $3, operador = $4, nao_lidas = 0,
       assumida_em = case when operador_id = $3 then coalesce(assumida_em, $5) else $5 end
     where conta_id = $1 and id = $2
       and (status = 'aguardando' or (status = 'em_atendimento' and operador_id = $3))
       and exists (
         select 1 from usuarios u
         where u.conta_id = $1 and u.id = $3 and u.status = 'ativo' and u.excluido_em is null for share)`,
    [contaId, id, operadorId, operador, em],
  )
  return rowCount === 1
}

/** Puts the conversa back in the queue of the other setor and keeps its original waiting time. */
export async function updateTransferred(tx: Tx, contaId: string, id: string, setor: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update conversas set status = 'aguardando', setor = $3, operador_id = null, operador = null, assumida_em = null
     where conta_id = $1 and id = $2 and status in ('aguardando', 'em_atendimento')`,
    [contaId, id, setor],
  )
  return rowCount === 1
}

interface FinishInput {
  readonly id: string
  readonly em: Date
  readonly motivo: 'atendente' | 'devolvida'
}

export async function updateFinished(tx: Tx, contaId: string, { id, em, motivo }: FinishInput): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update conversas set status = 'finalizada', finalizada_em = $3, ultima_atividade = $3, motivo_fim = $4
     where conta_id = $1 and id = $2 and status in ('aguardando', 'em_atendimento')`,
    [contaId, id, em, motivo],
  )
  return rowCount === 1
}

/**
 * Returns all conversas of an operador to the queue. Locks the contatos first, in id order, as every transaction
 * that changes conversas does.
 */
export async function returnToQueue(
  tx: Tx,
  contaId: string,
  operadorId: string,
): Promise<{ readonly id: string; readonly setor: string | null }[]> {
  await tx.query(
    `select 1 from contatos c where c.conta_id = $1 and c.id in (
       select v.contato_id from conversas v
        where v.conta_id = $1 and v.operador_id = $2 and v.status = 'em_atendimento' and v.protocolo is not null)
      order by c.id for no key update`,
    [contaId, operadorId],
  )
  return tx.kysely
    .updateTable('conversas')
    .set({ status: 'aguardando', operadorId: null, operador: null, assumidaEm: null })
    .where('contaId', '=', contaId)
    .where('operadorId', '=', operadorId)
    .where('status', '=', 'em_atendimento')
    .where('protocolo', 'is not', null)
    .returning(['id', 'setor'])
    .execute()
}

export interface NewTestConversa {
  readonly contatoId: string
  readonly id: string
  readonly mensagemId: string
  readonly em: Date
  readonly setor: string
  readonly telefone: string
  readonly texto: string
  readonly protocolo: string
}

/** The row in `enderecos` lets the simulator play this contato too. */
const INSERT_TEST_CONVERSA = `
with c as (
  insert into contatos (conta_id, id, nome, telefone, endereco, conversa_id, ultima_atividade)
  values ($1, $2, 'Cliente de teste', $3, $3, $4, $5) returning 1
), e as (
  insert into enderecos (conta_id, endereco, contato_id) select $1, 'tel:' || $3, $2 from c on conflict do nothing
), v as (
  insert into conversas (conta_id, id, contato_id, status, setor, protocolo, teste, nao_lidas, iniciada_em, aguardando_desde,
    ultima_atividade)
  values ($1, $4, $2, 'aguardando', $6, $7, true, 1, $5, $5, $5)
)
insert into mensagens (conta_id, id, conversa_id, direcao, origem, texto, canal, id_externo, estado, simulada, criada_em)
values ($1, $8::uuid, $4, 'entrada', 'cliente', $9, 'simulador', $8::text, 'entregue', true, $5)`

export async function insertTestConversa(tx: Tx, contaId: string, input: NewTestConversa): Promise<void> {
  const { contatoId, telefone, id, em, setor, protocolo, mensagemId, texto } = input
  await tx.query(INSERT_TEST_CONVERSA, [
    contaId,
    contatoId,
    telefone,
    id,
    em.toISOString(),
    setor,
    protocolo,
    mensagemId,
    texto,
  ])
}
