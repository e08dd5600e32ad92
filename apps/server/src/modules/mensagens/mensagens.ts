import * as z from 'zod/mini'
import type { SentModelo } from '@balcao/connector/port'
import { type Situacao, situacaoSchema } from '@balcao/contract/entities/conversa'
import { estadoMensagemSchema, type Mensagem, type Midia, midiaSchema } from '@balcao/contract/entities/mensagem'
import { storedLine } from '#db/statement/line.ts'
import { columns, contaId, rawSql, sql, value } from '#db/statement/sql.ts'
import { noRows, oneRow } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import { isUuid } from '#lib/text.ts'
import { situationSql } from '#modules/leitores/index.ts'
import { quotaCte, type QuotaRow, quotaRowSchema, quotaSelect } from '#modules/limites/index.ts'
import {
  mensagemColumns,
  mensagemFromRow,
  type MensagemMarks,
  mensagemMarksSchema,
  mensagemRowSchema,
} from './mensagem-view.ts'
import { sentModeloSchema } from './outbox.ts'
import { SEND_WITHIN_MS, sendExpiry } from './queued-changes.ts'

const id = value('id', 'uuid')

const findRow = oneRow(
  'mensagem-uma',
  mensagemRowSchema,
  sql`select ${mensagemColumns} from mensagens m where m.conta_id = ${contaId} and m.id = ${id}`,
  { prepared: true },
)

export async function findMensagem(
  tx: Tx,
  contaId: string,
  id: string,
  customerName: string,
): Promise<Mensagem | null> {
  const row = await findRow(tx, { contaId, id })
  return row === null ? null : mensagemFromRow(row, customerName)
}

const findResendableRow = oneRow(
  'conversas: find resendable mensagem',
  z.object({
    conversaId: z.string(),
    texto: z.string(),
    midia: z.nullable(midiaSchema),
    modelo: z.nullable(sentModeloSchema),
    extras: z.nullable(mensagemMarksSchema),
    direcao: z.enum(['entrada', 'saida']),
    estado: estadoMensagemSchema,
  }),
  sql`select m.conversa_id, m.texto, m.midia, m.modelo, m.extras, m.direcao, m.estado
      from mensagens m join conversas v on v.conta_id = m.conta_id and v.id = m.conversa_id
      where m.conta_id = ${contaId} and m.id = ${id} and v.protocolo is not null`,
)

export async function findResendable(tx: Tx, contaId: string, id: string) {
  return isUuid(id) ? findResendableRow(tx, { contaId, id }) : null
}

interface Recipient {
  readonly contatoId: string
  readonly linhaId: string
  readonly endereco: string
  readonly teste: boolean
  /** The last message promised to the contato. */
  readonly ultimaSaida: string | null
}

/** Null: the first line. */
const linha = value('linha', 'uuid?')

const requeue = noRows(
  'conversas: requeue mensagem',
  sql`with m as (
        update mensagens set estado = 'enviada', erro = null where conta_id = ${contaId} and id = ${id}
      ), c as (
        update contatos set ultima_saida = ${id}
        where ${linha} is null and conta_id = ${contaId} and id = ${value('contatoId', 'uuid')}
      ), d as (
        update dialogos set ultima_saida = ${id}
        where conta_id = ${contaId} and contato_id = ${value('contatoId', 'uuid')} and linha_id = ${linha}
      )
      insert into saida (conta_id, mensagem_id, contato_id, linha_id, endereco, conteudo, id_externo, vence_em, anterior)
      values (${contaId}, ${id}, ${value('contatoId', 'uuid')}, ${linha}, ${value('endereco', 'text')}, '{}', ${id}::text,
        ${value('venceEm', 'timestamptz')}, ${value('anterior', 'uuid?')})`,
)

export async function requeueMensagem(
  tx: Tx,
  { contaId, id, now }: { readonly contaId: string; readonly id: string; readonly now: Date },
  { contatoId, linhaId, endereco, ultimaSaida: anterior }: Recipient,
): Promise<void> {
  const linha = storedLine({ contaId, linhaId })
  await requeue(tx, { contaId, id, contatoId, linha, endereco, venceEm: sendExpiry(now, 'person'), anterior })
}

const WITHDRAWN_REASON = 'Uma pessoa assumiu a conversa antes do envio desta mensagem do bot.'

/**
 * Fails the messages of a conversa of the bot on a line that wait for a connection and that no session tried: a connected bot
 * sends its messages within seconds, and one of them may be on its way. A person may retry them. Call it under the lock
 * of the contato, before a person takes the conversa over.
 */
export const withdrawBotMensagens = noRows(
  'conversas: withdraw mensagens of bot',
  sql`
with retiradas as (
  delete from saida s using mensagens m, conversas v
  where s.conta_id = ${contaId} and s.contato_id = ${value('contatoId', 'uuid')}
    and s.linha_id is not distinct from ${linha} and s.tentativas = 0 and s.tentada_por is null
    and m.conta_id = s.conta_id and m.id = s.mensagem_id and m.origem in ('bot', 'ia')
    and v.conta_id = m.conta_id and v.id = m.conversa_id and v.status = 'bot'
    and not exists (
      select 1 from linhas_bots b where b.linha_id = case when ${linha} is null then ${contaId} else ${linha} end and b.status = 'CONECTADO')
  returning s.mensagem_id
)
update mensagens m set estado = 'falhou', erro = '${rawSql(WITHDRAWN_REASON)}' from retiradas r
where m.conta_id = ${contaId} and m.id = r.mensagem_id`,
)

export interface OperadorMensagem {
  readonly id: string
  readonly conversaId: string
  readonly texto: string
  readonly midia: Midia | null
  readonly modelo: SentModelo | null
  readonly extras: MensagemMarks | null
  readonly operadorId: string
  readonly operador: string
  readonly idTemporario: string | null
  readonly em: Date
  readonly locked: Recipient
}

/**
 * Updates the daily counter and inserts the mensagens in one statement: all of them, or none if they exceed the
 * limit. `count` is the number to count, 0 if none counts. The channel is that of the last mensagem of each conversa,
 * without one the connector of its line. A test conversa writes no `saida` row. A silence timer of the customer
 * starts, unless one runs.
 */
const insertSends = oneRow(
  'operador-enviar',
  z.extend(quotaRowSchema, { situacoes: z.nullable(z.record(z.string(), situacaoSchema)) }),
  sql`
with ${quotaCte}, n as (
  select * from ${columns('n', {
    id: 'uuid',
    conversaId: 'uuid',
    texto: 'text',
    midia: 'jsonb?',
    modelo: 'jsonb?',
    operadorId: 'uuid',
    operador: 'text',
    idTemporario: 'text?',
    em: 'timestamptz',
    teste: 'bool',
    contatoId: 'uuid',
    linha: 'uuid?',
    endereco: 'text',
    extras: 'jsonb?',
    ultimaSaida: 'uuid?',
  })}
  where ${value('count', 'int')} = 0 or exists (select 1 from u)
), m as (
  insert into mensagens (conta_id, id, conversa_id, direcao, origem, texto, midia, canal, estado, operador_id, operador,
    id_temporario, simulada, criada_em, modelo, extras)
  select ${contaId}, n.id, n.conversa_id, 'saida', 'operador', n.texto, n.midia, coalesce((
      select u.canal from mensagens u where u.conta_id = ${contaId} and u.conversa_id = n.conversa_id
      order by u.id desc limit 1
    ), coalesce((select b.conector from linhas_bots b where b.linha_id = case when n.linha is null then ${contaId} else n.linha end), 'simulador')
      || coalesce(':' || n.linha, '')), 'enviada', n.operador_id, n.operador,
    n.id_temporario, n.teste, n.em, n.modelo, n.extras from n
), s as (
  insert into saida (conta_id, mensagem_id, contato_id, linha_id, endereco, conteudo, id_externo, vence_em, anterior)
  select ${contaId}, n.id, n.contato_id, n.linha, n.endereco, '{}', n.id::text,
    n.em + make_interval(secs => ${rawSql(String(SEND_WITHIN_MS.person / 1_000))}), n.ultima_saida
  from n where not n.teste
), v as (
  update conversas v set nao_lidas = 0, ultima_atividade = n.em, agente_meta = false, sem_resposta_desde = null,
    primeira_resposta_em = coalesce(v.primeira_resposta_em, n.em)
  from n where v.conta_id = ${contaId} and v.id = n.conversa_id
  returning v.id, ${situationSql('v')} as situacao
), c as (
  update contatos c set nome = c.nome, ultimo_id = greatest(c.ultimo_id, n.id),
    ultima_saida = case when n.teste or n.linha is not null then c.ultima_saida else n.id end
  from n where c.conta_id = ${contaId} and c.id = n.contato_id
), d as (
  update dialogos d set ultima_saida = n.id
  from n where d.conta_id = ${contaId} and d.contato_id = n.contato_id and d.linha_id = n.linha and not n.teste
), p as (
  insert into prazos (conta_id, conversa_id, tipo, vence_em)
  select ${contaId}, n.conversa_id, 'silencio', n.em + make_interval(mins => r.aviso_minutos)
  from n join regras_atendimento r on r.conta_id = ${contaId} and r.aviso_minutos is not null
  on conflict do nothing
) select q.*, (select jsonb_object_agg(v.id, v.situacao) from v) as situacoes from (${quotaSelect}) q`,
  { prepared: true },
)

export interface StoredMensagens {
  readonly quota: QuotaRow
  /** By conversa, after the mensagem. */
  readonly situacoes: Readonly<Record<string, Situacao>>
}

interface SendsToStore {
  readonly contaId: string
  readonly now: Date
  readonly count: number
  readonly mensagens: readonly OperadorMensagem[]
}

/** Inserts at most one mensagem per conversa. If they exceed the limit, `usadas` is null and no row is written. */
export async function insertOperadorMensagens(
  tx: Tx,
  { mensagens, ...values }: SendsToStore,
): Promise<StoredMensagens> {
  const n = mensagens.map(({ locked: { teste, contatoId, linhaId, endereco, ultimaSaida }, ...mensagem }) => ({
    ...mensagem,
    ...{ teste, contatoId, linha: storedLine({ contaId: values.contaId, linhaId }), endereco, ultimaSaida },
  }))
  const stored = await insertSends(tx, { ...values, n })
  if (stored === null) throw new Error('conta not found while sending')
  const { situacoes, ...quota } = stored
  return { quota, situacoes: situacoes ?? {} }
}

const mensagemId = value('mensagemId', 'uuid')
const contatoId = value('contatoId', 'uuid')
const telefone = value('telefone', 'text')
const em = value('em', 'timestamptz')

/** The row in `enderecos` lets the simulator play this contato too. */
export const insertTestConversa = noRows(
  'conversas: insert test conversa',
  sql`
with c as (
  insert into contatos (conta_id, id, nome, telefone, endereco, conversa_id, ultima_atividade, ultimo_id)
  values (${contaId}, ${contatoId}, 'Cliente de teste', ${telefone}, ${telefone}, ${id}, ${em}, ${mensagemId}) returning 1
), e as (
  insert into enderecos (conta_id, endereco, contato_id)
  select ${contaId}, 'tel:' || ${telefone}, ${contatoId} from c on conflict do nothing
), v as (
  insert into conversas (conta_id, id, contato_id, status, setor, protocolo, teste, nao_lidas, iniciada_em, aguardando_desde,
    ultima_atividade, sem_resposta_desde)
  values (${contaId}, ${id}, ${contatoId}, 'aguardando', ${value('setor', 'text')}, ${value('protocolo', 'text')}, true, 1,
    ${em}, ${em}, ${em}, ${em})
)
insert into mensagens (conta_id, id, conversa_id, direcao, origem, texto, canal, id_externo, estado, simulada, criada_em)
values (${contaId}, ${mensagemId}, ${id}, 'entrada', 'cliente', ${value('texto', 'text')}, 'simulador', ${mensagemId}::text,
  'entregue', true, ${em})`,
)

export const storeMarks = noRows(
  'mensagens-marcar',
  sql`
update mensagens m set extras = i.extras from ${columns('i', { contaId: 'uuid', id: 'uuid', extras: 'jsonb' })}
where m.conta_id = i.conta_id and m.id = i.id`,
  { prepared: true },
)
