import * as z from 'zod/mini'
import type { ConversaReader } from '@balcao/contract/conversa-access'
import { situacaoSchema } from '@balcao/contract/entities/conversa'
import { dialogue, joinDialogue, lineOf } from '#db/statement/line.ts'
import { columns, contaId, sql, value } from '#db/statement/sql.ts'
import { inOrder, manyRows, noRows, oneRow } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import { isUuid } from '#lib/text.ts'
import { setCurrentConversa } from '#modules/enderecos/index.ts'
import {
  type ChangedConversa,
  changedConversaSchema,
  type EndedConversa,
  endedColumns,
  endedConversaSchema,
  mayReadRow,
  situationSql,
} from '#modules/leitores/index.ts'
import { janelaUntil, servedColumns, servedConversaSchema } from './served.ts'

const lockedConversaSchema = z.extend(servedConversaSchema, {
  ordem: z.int(),
  /** Stored under the `idTemporario` of the request, and its operador. */
  repetida: z.nullable(z.string()),
  repetidaDe: z.nullable(z.string()),
  janelaAte: z.nullable(z.date()),
  ultimoId: z.nullable(z.string()),
  /** The last message promised to the contato. */
  ultimaSaida: z.nullable(z.string()),
  situacao: situacaoSchema,
})
export type LockedConversa = Omit<z.output<typeof lockedConversaSchema>, 'ordem'>

/** In id order, which prevents a deadlock between two batches. */
export const lockContatosOf = noRows(
  'conversas-travar',
  sql`
select c.id from contatos c where c.conta_id = ${contaId} and c.id = any (array(
  select v.contato_id from conversas v
  where v.conta_id = ${contaId} and v.id = any (${value('ids', 'uuid[]')}) and v.protocolo is not null
)) order by c.id for no key update`,
  { prepared: true },
)

const readLocked = manyRows(
  'conversas-conferir',
  lockedConversaSchema,
  sql`
select p.ordem::int as ordem, ${servedColumns}, r.id as repetida, r.operador_id as repetida_de, c.ultimo_id,
  ${dialogue('v', 'ultima_saida')} as ultima_saida,
  ${situationSql('v')} as situacao, ${janelaUntil}
from ${columns('p', { id: 'uuid', idTemporario: 'text?' }, { number: 'ordem' })}
join conversas v on v.conta_id = ${contaId} and v.id = p.id and v.protocolo is not null
join contatos c on c.conta_id = v.conta_id and c.id = v.contato_id
${joinDialogue('v')}
left join lateral (
  select m.id, m.operador_id from mensagens m
  where m.conta_id = v.conta_id and m.conversa_id = v.id and m.id_temporario = p.id_temporario limit 1
) r on true`,
  { prepared: true },
)

interface LockRequest {
  readonly conversaId: string
  readonly idTemporario?: string | null | undefined
  readonly operador: ConversaReader
}

/**
 * Locks in the order that customer messages also use. Null: unknown, of another conta, of the bot, or closed to the
 * operador.
 */
export async function lockConversas(
  tx: Tx,
  contaId: string,
  requests: readonly LockRequest[],
): Promise<(LockedConversa | null)[]> {
  const NO_ID = '00000000-0000-0000-0000-000000000000'
  const p = requests.map(({ conversaId, idTemporario = null }) => ({
    id: isUuid(conversaId) ? conversaId : NO_ID,
    idTemporario,
  }))
  // Both statements are sent together. The second runs after the first has its locks, so it reads the committed
  // changes of earlier holders.
  const [, rows] = await inOrder([
    lockContatosOf(tx, { contaId, ids: p.map(({ id }) => id) }),
    readLocked(tx, { contaId, p }),
  ])
  const found = new Map(rows.map((row) => [row.ordem, row]))
  return requests.map(({ operador }, index) => {
    const locked = found.get(index + 1)
    return locked !== undefined && mayReadRow(operador, locked) ? locked : null
  })
}

export async function lockConversa(tx: Tx, contaId: string, request: LockRequest): Promise<LockedConversa | null> {
  const [locked] = await lockConversas(tx, contaId, [request])
  return locked ?? null
}

const isQuiet = sql`v.conta_id = ${contaId} and v.status = 'em_atendimento' and v.agente_meta and v.operador_id is null
  and v.ultima_atividade < ${value('before', 'timestamptz')}`

const lockQuietAgents = manyRows(
  'conversas: lock quiet agents',
  z.object({ id: z.string() }),
  sql`select c.id from contatos c
      where c.conta_id = ${contaId} and c.id in (
        select v.contato_id from conversas v where ${isQuiet} limit ${value('limit', 'int')})
      order by c.id for no key update`,
)

const finishAgentsOf = manyRows(
  'conversas: finish quiet agents',
  endedConversaSchema,
  sql`update conversas v set status = 'finalizada', finalizada_em = ${value('em', 'timestamptz')},
        motivo_fim = 'agenteMeta', agente_meta = false
      where ${isQuiet} and v.contato_id = any (${value('contatos', 'uuid[]')}) returning ${endedColumns}`,
)

/** Locks the contatos first, in id order, as every transaction that changes conversas does. */
export async function finishQuietAgents(
  tx: Tx,
  quiet: Parameters<typeof lockQuietAgents>[1] & { readonly em: Date },
): Promise<EndedConversa[]> {
  const locked = await lockQuietAgents(tx, quiet)
  return finishAgentsOf(tx, { ...quiet, contatos: locked.map(({ id }) => id) })
}

const operadorId = value('operadorId', 'uuid')

const lockServedBy = noRows(
  'conversas: lock of operador',
  sql`select 1 from contatos c where c.conta_id = ${contaId} and c.id in (
        select v.contato_id from conversas v
        where v.conta_id = ${contaId} and v.operador_id = ${operadorId} and v.status = 'em_atendimento'
          and v.protocolo is not null)
      order by c.id for no key update`,
)

const returnServedBy = manyRows(
  'conversas: return of operador',
  changedConversaSchema,
  sql`update conversas v set status = 'aguardando', operador_id = null, operador = null, assumida_em = null
      where v.conta_id = ${contaId} and v.operador_id = ${operadorId} and v.status = 'em_atendimento'
        and v.protocolo is not null
      returning v.id, ${lineOf('v')} as linha_id, ${situationSql('v')} as situacao`,
)

export async function returnConversas(tx: Tx, contaId: string, operadorId: string): Promise<ChangedConversa[]> {
  await lockServedBy(tx, { contaId, operadorId })
  return returnServedBy(tx, { contaId, operadorId })
}

const id = value('id', 'uuid')
const contatoId = value('contatoId', 'uuid')
const em = value('em', 'timestamptz')

const lockOneContato = noRows(
  'conversas: lock contato for test',
  sql`select 1 from contatos where conta_id = ${contaId} and id = ${contatoId} for no key update`,
)

const findAttended = oneRow(
  'conversas: find attended of contato',
  z.object({ id: z.string() }),
  sql`select id from conversas
      where conta_id = ${contaId} and contato_id = ${contatoId} and linha_id is null
        and status in ('aguardando', 'em_atendimento')`,
)

const finishOfBot = noRows(
  'conversas: finish bot for test',
  sql`update conversas set status = 'finalizada', finalizada_em = ${em}, motivo_fim = 'teste'
      where conta_id = ${contaId} and contato_id = ${contatoId} and linha_id is null and status = 'bot'`,
)

const insertRehearsal = noRows(
  'conversas: insert rehearsal',
  sql`insert into conversas (conta_id, id, contato_id, status, teste, iniciada_em, finalizada_em, motivo_fim)
      values (${contaId}, ${id}, ${contatoId}, 'finalizada', true, ${em}, ${em}, 'teste')`,
)

/**
 * A finished test conversa on the first line, where a rating is expected. Locks the contato first, as every transaction that changes its
 * conversa does. False if the contato is waiting or being served.
 */
export async function openRehearsal(tx: Tx, input: Parameters<typeof insertRehearsal>[1]): Promise<boolean> {
  await lockOneContato(tx, input)
  if ((await findAttended(tx, input)) !== null) return false
  await finishOfBot(tx, input)
  await insertRehearsal(tx, input)
  await setCurrentConversa(tx, input)
  return true
}

const moveConversas = manyRows(
  'conversas: move to setor',
  changedConversaSchema,
  sql`update conversas v set setor = ${value('target', 'text')}
      where v.conta_id = ${contaId} and v.setor = any (${value('setores', 'text[]')})
        and v.status in ('aguardando', 'em_atendimento')
      returning v.id, ${lineOf('v')} as linha_id, ${situationSql('v')} as situacao`,
)

export async function moveOpenConversas(tx: Tx, move: Parameters<typeof moveConversas>[1]): Promise<ChangedConversa[]> {
  return move.setores.length === 0 ? [] : moveConversas(tx, move)
}

const listWriters = manyRows(
  'conversas: list where a person wrote',
  z.object({ escreveu: z.boolean() }),
  sql`
select exists (
  select 1 from mensagens m where m.conta_id = i.conta_id and m.conversa_id = i.conversa_id and m.criada_em > i.after
    and (m.origem = 'operador' or (m.origem = 'telefone' and m.extras ->> 'agenteMeta' is null))
) as escreveu
from ${columns('i', { contaId: 'uuid', conversaId: 'uuid', after: 'timestamptz' }, { number: 'n' })} order by i.n`,
)

/** `wrote`: an operador, or the owner on the phone, wrote after this instant. */
export async function didPersonWrite<T extends Parameters<typeof listWriters>[1]['i'][number]>(
  tx: Tx,
  asked: readonly T[],
): Promise<(T & { readonly wrote: boolean })[]> {
  const rows = await listWriters(tx, { i: asked })
  return asked.map((question, index) => ({ ...question, wrote: rows[index]?.escreveu === true }))
}
