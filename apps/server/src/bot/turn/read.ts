import * as z from 'zod/mini'
import { consentOf } from '@balcao/engine/stored-state/parse'
import { type Consent, NO_CONSENT } from '@balcao/engine/state'
import { dialogue, joinDialogue, storedLine } from '#db/statement/line.ts'
import { columns, rawSql, sql } from '#db/statement/sql.ts'
import { inOrder, manyRows } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import { type CreatedContato, type NewContato, parseAnnouncements, storedMessageSql } from '#modules/enderecos/index.ts'
import type { LocatedTurn, LockedContato } from './types.ts'

const contatoSchema = z.object({
  n: z.int(),
  id: z.string(),
  estado: z.unknown(),
  nome: z.string(),
  telefone: z.string(),
  endereco: z.string(),
  nomeUsuario: z.string(),
  nomeDoPainel: z.boolean(),
  trocas: z.unknown(),
  conversaId: z.nullable(z.string()),
  ultimoId: z.nullable(z.string()),
  ultimaSaida: z.nullable(z.string()),
})

/** Null on the first line, and before the first message on another one. */
const dialogueFields = {
  dEstado: z.unknown(),
  dConversaId: z.nullable(z.string()),
  dEndereco: z.nullable(z.string()),
  dUltimaSaida: z.nullable(z.string()),
}

const checkedSchema = z.object({
  n: z.int(),
  existe: z.boolean(),
  versaoContexto: z.nullable(z.int()),
  repetida: z.boolean(),
  status: z.nullable(z.enum(['bot', 'aguardando', 'em_atendimento', 'finalizada'])),
  setor: z.nullable(z.string()),
  protocolo: z.nullable(z.string()),
  operadorId: z.nullable(z.string()),
  iniciadaEm: z.nullable(z.date()),
  ultimaAtividade: z.nullable(z.date()),
  teste: z.nullable(z.boolean()),
  agenteMeta: z.nullable(z.boolean()),
  ...dialogueFields,
})

/**
 * LATERAL locks the rows in the caller's sorted order, whatever the plan. `no key update` does not block inserts
 * that reference the contato.
 */
const lockSql = (locked: string) => sql`
select i.n, c.id, c.estado, c.nome, c.telefone, c.endereco, c.nome_usuario, c.nome_do_painel, c.trocas,
  c.conversa_id, c.ultimo_id, c.ultima_saida
from ${columns('i', { contaId: 'uuid', contatoId: 'uuid' }, { number: 'n' })}
cross join lateral (
  select * from contatos c where c.conta_id = i.conta_id and c.id = i.contato_id for no key update ${rawSql(locked)}
) c`
/** `skip`: a contato that another transaction holds is `blocked`. `wait`: the transaction waits for it. */
const LOCK_CONTATOS = {
  skip: manyRows('contatos-travar-livres', contatoSchema, lockSql('skip locked'), { prepared: true }),
  wait: manyRows('contatos-travar', contatoSchema, lockSql(''), { prepared: true }),
}

const FIRST_LINE = {
  columns: sql`c.id is not null as existe, null::jsonb as d_estado, null::uuid as d_conversa_id, null::text as d_endereco, null::uuid as d_ultima_saida`,
  join: sql``,
  unlessDialogue: sql``,
  conversa: sql`c.conversa_id`,
}
const ANY_LINE = {
  columns: sql`c.id is not null or d.contato_id is not null as existe, d.estado as d_estado, d.conversa_id as d_conversa_id, d.endereco as d_endereco, d.ultima_saida as d_ultima_saida`,
  join: joinDialogue('i'),
  // A dialogue of a further line has its conversa, and proves that the contato exists.
  unlessDialogue: sql` and (i.linha_id is null or d.contato_id is null)`,
  conversa: dialogue('i', 'conversa_id'),
}

/**
 * A separate statement, so that its snapshot is taken after the locks and includes what other transactions
 * committed meanwhile. A deletion writes its mark in the same transaction, so one snapshot has the message or its
 * mark. Without `limit 1` and `offset 0` the planner scans all messages or all conversas of the conta.
 */
const checkSql = (lines: typeof ANY_LINE) => sql`
select i.n, v.status, v.setor, v.protocolo, v.operador_id, v.iniciada_em,
  v.ultima_atividade, v.teste, v.agente_meta, ${lines.columns},
  (select k.versao_contexto from contas k where k.id = i.conta_id) as versao_contexto,
  ${storedMessageSql('i')} or coalesce((
    select true from vistos s where s.conta_id = i.conta_id and s.marca = any (string_to_array(i.marks, ' ')) limit 1
  ), false) as repetida
from ${columns(
  'i',
  { contaId: 'uuid', contatoId: 'uuid', linhaId: 'uuid?', canal: 'text?', idExterno: 'text?', marks: 'text?' },
  { number: 'n' },
)}
${lines.join}
left join lateral (
  select id, conversa_id from contatos c where c.conta_id = i.conta_id and c.id = i.contato_id${lines.unlessDialogue} offset 0
) c on true
left join lateral (
  select * from conversas v where v.conta_id = i.conta_id and v.id = ${lines.conversa} offset 0
) v on true`
/** Most batches hold first lines only, and each join costs a turn time. */
const CHECK_CONTATOS = {
  firstLine: manyRows('contatos-conferir', checkedSchema, checkSql(FIRST_LINE), { prepared: true }),
  anyLine: manyRows('contatos-conferir-linhas', checkedSchema, checkSql(ANY_LINE), { prepared: true }),
}

export type Locked = LockedContato | 'blocked' | 'gone'

/** Locks the contatos of a batch and reads their state. Returns one entry per item. */
export async function lockContatos(
  tx: Tx,
  items: readonly LocatedTurn[],
  mode: keyof typeof LOCK_CONTATOS,
): Promise<Locked[]> {
  const existing = items.filter(({ created }) => created === null)
  const locked = existing.length === 0 ? [] : await lockExisting(tx, existing, mode)
  const byItem = new Map(existing.map((item, index) => [item, locked[index] ?? 'gone']))
  return items.map((item) => item.created ?? byItem.get(item) ?? 'gone')
}

async function lockExisting(
  tx: Tx,
  items: readonly LocatedTurn[],
  mode: keyof typeof LOCK_CONTATOS,
): Promise<Locked[]> {
  const i = items.map(({ turn, contatoId }) => ({
    contaId: turn.contaId,
    contatoId,
    linhaId: storedLine(turn),
    ...(turn.tipo === 'evento'
      ? { canal: null, idExterno: null, marks: null }
      : { canal: turn.channel, idExterno: turn.message.id, marks: turn.marks }),
  }))
  // Sent together: the server runs the second statement once the first holds its locks.
  const checkContatos = CHECK_CONTATOS[i.some(({ linhaId }) => linhaId !== null) ? 'anyLine' : 'firstLine']
  const [locked, checked] = await inOrder([LOCK_CONTATOS[mode](tx, { i }), checkContatos(tx, { i })])
  const byNumber = new Map(locked.map((row) => [row.n, row]))
  const result: Locked[] = items.map(() => 'gone')
  for (const row of checked) {
    const contato = byNumber.get(row.n)
    const furtherLine = i[row.n - 1]?.linhaId !== null
    if (contato !== undefined) result[row.n - 1] = toLockedContato(contato, row, furtherLine)
    else if (row.existe) result[row.n - 1] = 'blocked'
  }
  return result
}

type ContatoRow = z.output<typeof contatoSchema>
type CheckedRow = z.output<typeof checkedSchema>

function toLockedContato(locked: ContatoRow, row: CheckedRow, furtherLine: boolean): LockedContato {
  const consent = furtherLine ? consentOf(locked.estado) : NO_CONSENT
  const {
    trocas,
    ultimoId: lastId,
    ultimaSaida: lastSent,
    ...contato
  } = furtherLine ? { ...locked, ...dialogueOf(locked, row, consent) } : locked
  const { status, setor, protocolo, operadorId, iniciadaEm, ultimaAtividade: ultimaEm, teste, agenteMeta } = row
  const { conversaId: id } = contato
  const conversa =
    id === null || status === null || iniciadaEm === null || ultimaEm === null
      ? null
      : {
          id,
          status,
          setor,
          protocolo,
          operadorId,
          iniciadaEm,
          ultimaEm,
          teste: teste ?? false,
          agenteMeta: agenteMeta ?? false,
        }
  return {
    ...contato,
    conversa,
    lastId,
    lastSent,
    trocas: parseAnnouncements(trocas),
    contextVersion: row.versaoContexto ?? 0,
    consent,
    repeated: row.repetida,
  }
}

/** The dialogue of a further line. Connectors spell addresses differently, so before its first message the phone counts. */
function dialogueOf({ telefone, endereco }: ContatoRow, row: CheckedRow, consent: Consent) {
  return {
    estado: { ...Object(row.dEstado), ...consent },
    conversaId: row.dConversaId,
    endereco: row.dEndereco ?? (telefone || endereco),
    ultimaSaida: row.dUltimaSaida,
  }
}

/** A contato that this transaction created: no other transaction sees it, so it needs no lock. */
export function toCreatedContato(
  { id, nome, telefone, endereco }: NewContato,
  { contextVersion, repeated }: CreatedContato,
): LockedContato {
  return {
    id,
    nome,
    telefone,
    endereco,
    contextVersion,
    repeated,
    estado: null,
    consent: NO_CONSENT,
    nomeUsuario: '',
    nomeDoPainel: false,
    trocas: {},
    conversaId: null,
    conversa: null,
    lastId: null,
    lastSent: null,
  }
}
