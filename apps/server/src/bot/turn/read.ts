import type { Tx } from '#db/transaction.ts'
import { plainArray, textArray } from '#db/arrays.ts'
import {
  type Announcements,
  type CreatedContato,
  type NewContato,
  parseAnnouncements,
  storedMessageSql,
} from '#modules/conversas/index.ts'

export interface LockTarget {
  readonly contaId: string
  readonly contatoId: string
  /** The contato if this transaction created it. Null: it must be locked and read. */
  readonly created: LockedContato | null
  /** Null for events. */
  readonly channel: string | null
  readonly idExterno: string | null
  /** `seenMarks` of the message. Null for events. */
  readonly marks: string | null
}

export interface LockedContato {
  readonly id: string
  readonly estado: unknown
  readonly nome: string
  readonly telefone: string
  readonly endereco: string
  readonly nomeUsuario: string
  /** People wrote the name, so the name of the service does not replace it. */
  readonly nomeDoPainel: boolean
  readonly trocas: Announcements
  readonly conversaId: string | null
  readonly conversa: CurrentConversa | null
  /** The greatest id of a message of this contato. The next id is greater, so the chat keeps its order. */
  readonly lastId: string | null
  /** The last message promised to this contato. The next one leaves after it. */
  readonly lastSent: string | null
  /** `versao_contexto` of the conta. */
  readonly contextVersion: number
  /** The service delivered this message before. It may be deleted since. */
  readonly repeated: boolean
}

export interface CurrentConversa {
  readonly id: string
  readonly status: 'bot' | 'aguardando' | 'em_atendimento' | 'finalizada'
  readonly setor: string | null
  readonly protocolo: string | null
  readonly operadorId: string | null
  readonly iniciadaEm: Date
  readonly ultimaEm: Date
  readonly teste: boolean
  readonly agenteMeta: boolean
}

interface ContatoRow {
  n: number
  id: string
  estado: unknown
  nome: string
  telefone: string
  endereco: string
  nome_usuario: string
  nome_do_painel: boolean
  trocas: unknown
  conversa_id: string | null
  ultimo_id: string | null
  ultima_saida: string | null
}

interface ConversaRow {
  n: number
  existe: boolean
  versao_contexto: number
  repetida: boolean
  status: CurrentConversa['status'] | null
  setor: string | null
  protocolo: string | null
  operador_id: string | null
  iniciada_em: Date | null
  ultima_atividade: Date | null
  teste: boolean | null
  agente_meta: boolean | null
}

/** `skip`: a contato that another transaction holds is `blocked`. `wait`: the transaction waits for it. */
export type LockMode = 'skip' | 'wait'

/**
 * LATERAL locks the rows in the caller's sorted order, whatever the plan. `no key update` does not block inserts
 * that reference the contato.
 */
const lockContatosSql = (mode: LockMode): string => `
select i.n, c.id, c.estado, c.nome, c.telefone, c.endereco, c.nome_usuario, c.nome_do_painel, c.trocas,
  c.conversa_id, c.ultimo_id, c.ultima_saida
from unnest($1::uuid[], $2::uuid[]) with ordinality as i (conta_id, id, n)
cross join lateral (
  select * from contatos c where c.conta_id = i.conta_id and c.id = i.id for no key update
  ${mode === 'skip' ? 'skip locked' : ''}
) c`
const LOCK_CONTATOS: Readonly<Record<LockMode, { readonly name: string; readonly text: string }>> = {
  skip: { name: 'contatos-travar-livres', text: lockContatosSql('skip') },
  wait: { name: 'contatos-travar', text: lockContatosSql('wait') },
}

/**
 * A separate statement, so that its snapshot is taken after the locks and includes what other transactions
 * committed meanwhile. A deletion writes its mark in the same transaction, so one snapshot has the message or its
 * mark. Without `limit 1` and `offset 0` the planner scans all messages or all conversas of the conta.
 */
const READ_CONTATOS_SQL = `
select i.n, c.id is not null as existe, v.status, v.setor, v.protocolo, v.operador_id, v.iniciada_em, v.ultima_atividade, v.teste, v.agente_meta,
  (select k.versao_contexto from contas k where k.id = i.conta_id) as versao_contexto,
  ${storedMessageSql('i')} or coalesce((
    select true from vistos s where s.conta_id = i.conta_id and s.marca = any (string_to_array(i.marcas, ' ')) limit 1
  ), false) as repetida
from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[]) with ordinality
  as i (conta_id, contato_id, canal, id_externo, marcas, n)
left join lateral (
  select id, conversa_id from contatos c where c.conta_id = i.conta_id and c.id = i.contato_id offset 0
) c on true
left join lateral (
  select * from conversas v where v.conta_id = i.conta_id and v.id = c.conversa_id offset 0
) v on true`

/** `gone`: the contato was deleted. */
export type Locked = LockedContato | 'blocked' | 'gone'

/** Locks the contatos of a batch and reads their state. Returns one entry per target. */
export async function lockContatos(tx: Tx, targets: readonly LockTarget[], mode: LockMode): Promise<Locked[]> {
  const existing = targets.filter(({ created }) => created === null)
  const locked = existing.length === 0 ? [] : await lockExisting(tx, existing, mode)
  const byTarget = new Map(existing.map((target, index) => [target, locked[index] ?? 'gone']))
  return targets.map((target) => target.created ?? byTarget.get(target) ?? 'gone')
}

async function lockExisting(tx: Tx, targets: readonly LockTarget[], mode: LockMode): Promise<Locked[]> {
  const contas = plainArray(targets.map(({ contaId }) => contaId))
  const contatos = plainArray(targets.map(({ contatoId }) => contatoId))
  // Sent together: the server runs the second statement once the first holds its locks.
  const [travados, checked] = await Promise.all([
    tx.queryNamed<ContatoRow & Record<string, unknown>>(LOCK_CONTATOS[mode].name, LOCK_CONTATOS[mode].text, [
      contas,
      contatos,
    ]),
    tx.queryNamed<ConversaRow & Record<string, unknown>>('contatos-conferir', READ_CONTATOS_SQL, [
      contas,
      contatos,
      plainArray(targets.map(({ channel }) => channel)),
      textArray(targets.map(({ idExterno }) => idExterno)),
      textArray(targets.map(({ marks }) => marks)),
    ]),
  ])
  const porIndice = new Map(travados.rows.map((row) => [row.n, row]))
  const result: Locked[] = targets.map(() => 'gone')
  for (const row of checked.rows) {
    const contato = porIndice.get(row.n)
    if (contato !== undefined) result[row.n - 1] = toLockedContato(contato, row)
    else if (row.existe) result[row.n - 1] = 'blocked'
  }
  return result
}

function toLockedContato(contato: ContatoRow, row: ConversaRow): LockedContato {
  const { conversa_id: conversaId, ultimo_id: lastId, id, estado, nome, telefone, endereco } = contato
  const conversa =
    conversaId === null || row.status === null || row.iniciada_em === null || row.ultima_atividade === null
      ? null
      : {
          id: conversaId,
          status: row.status,
          setor: row.setor,
          protocolo: row.protocolo,
          operadorId: row.operador_id,
          iniciadaEm: row.iniciada_em,
          ultimaEm: row.ultima_atividade,
          teste: row.teste ?? false,
          agenteMeta: row.agente_meta ?? false,
        }
  return {
    ...{ id, estado, nome, telefone, endereco, conversaId, conversa, lastId },
    lastSent: contato.ultima_saida,
    contextVersion: row.versao_contexto,
    nomeUsuario: contato.nome_usuario,
    nomeDoPainel: contato.nome_do_painel,
    trocas: parseAnnouncements(contato.trocas),
    repeated: row.repetida,
  }
}

/** A contato that this transaction created: no other transaction sees it, so it needs no lock. */
export function toCreatedContato(fresh: NewContato, { contextVersion, repeated }: CreatedContato): LockedContato {
  const { id, nome, telefone, endereco } = fresh
  return {
    ...{ id, nome, telefone, endereco, contextVersion, repeated, estado: null, nomeUsuario: '', nomeDoPainel: false },
    ...{ trocas: {}, conversaId: null, conversa: null, lastId: null, lastSent: null },
  }
}
