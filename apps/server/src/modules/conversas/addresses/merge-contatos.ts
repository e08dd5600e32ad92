import * as z from 'zod/mini'
import { SETOR_GERAL } from '@balcao/contract/conversa-access'
import { OBSERVACAO_MAXIMA } from '@balcao/contract/entities/contato'
import { parseState } from '@balcao/engine/state'
import { contaId, rawSql, sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows, oneRow } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import { type EndedConversa, endedColumns, endedConversaSchema } from '#modules/conversas/readers.ts'
import { type AddressOwner, lockByAddress } from './locked-contatos.ts'
import { mergeAnnouncements, parseAnnouncements } from './announcements.ts'

export interface PersonAddresses {
  readonly canonicos: readonly string[]
  /** Digits. Empty keeps the known phone. */
  readonly telefone: string
}

export interface RemovedContato {
  readonly id: string
  readonly nome: string
  readonly telefone: string
}

export interface MergedContato {
  readonly id: string
  /** Conversas with people that the merge ended. */
  readonly finished: readonly EndedConversa[]
  /** Messages that moved into the open conversa that stays. */
  readonly moved: readonly string[]
  /** Protocolos of conversas that ended with their messages, because the open one belongs to another setor. */
  readonly apart: readonly string[]
  readonly removed: readonly RemovedContato[]
}

/** A concurrent turn may create a contato for one of the addresses; each further round merges it too. */
const ROUNDS_MAX = 5

/**
 * Makes all addresses of one person lead to one contato: adds missing addresses and merges contatos. The contato
 * whose operador is serving stays, then one that waits for people, then one that waits for the AI, then the most
 * recently active one. Messages and open questions move to the contato that stays. Null when no address is known.
 */
export async function mergeContatos(tx: Tx, contaId: string, person: PersonAddresses): Promise<MergedContato | null> {
  const steps: MergedContato[] = []
  while (steps.length < ROUNDS_MAX) {
    const step = await mergeOnce(tx, contaId, person)
    if (step === null) return null
    steps.push(step)
    if (!(await ownsAll(tx, contaId, step.id, person.canonicos))) continue
    return {
      id: step.id,
      finished: steps.flatMap(({ finished }) => finished),
      moved: steps.flatMap(({ moved }) => moved),
      apart: steps.flatMap(({ apart }) => apart),
      removed: steps.flatMap(({ removed }) => removed),
    }
  }
  throw new Error('addresses of one person keep changing their contato')
}

const addresses = value('addresses', 'text[]')
const contatoId = value('contatoId', 'uuid')

const insertAddresses = noRows(
  'conversas: insert addresses',
  sql`insert into enderecos (conta_id, endereco, contato_id)
      select ${contaId}, e, ${contatoId} from unnest(${addresses}) as e order by e on conflict do nothing`,
)

async function mergeOnce(
  tx: Tx,
  contaId: string,
  { canonicos, telefone }: PersonAddresses,
): Promise<MergedContato | null> {
  const contatos = await lockByAddress(tx, contaId, canonicos)
  const [kept, ...leaving] = contatos.toSorted(byPreference)
  if (kept === undefined) return null
  const finished: FinishedConversa[] = []
  const moved: string[] = []
  const apart: string[] = []
  for (const leavingContato of leaving) {
    const pair = { leaving: leavingContato, kept }
    await moveQuestion(tx, contaId, pair)
    const isApart = areBothAttended(pair) && !mayMove(pair)
    if (areBothAttended(pair) && !isApart) moved.push(...(await moveAttended(tx, contaId, pair)))
    const ended = await moveRows(tx, { contaId, from: leavingContato.id, to: kept.id })
    finished.push(...ended)
    if (isApart) apart.push(...ended.flatMap(({ protocolo }) => protocolo ?? []))
  }
  await insertAddresses(tx, { contaId, addresses: canonicos, contatoId: kept.id })
  await updateKept(tx, contaId, [kept, ...leaving], telefone)
  return {
    id: kept.id,
    finished,
    moved,
    apart,
    removed: leaving.map(({ id, nome, telefone: phone }) => ({ id, nome, telefone: phone })),
  }
}

const findOfOther = oneRow(
  'conversas: find address of other contato',
  z.object({ endereco: z.string() }),
  sql`select endereco from enderecos
      where conta_id = ${contaId} and endereco = any (${addresses}) and contato_id <> ${contatoId} limit 1`,
)

/** False when an address that a concurrent transaction inserted leads to another contato. */
async function ownsAll(tx: Tx, contaId: string, contatoId: string, addresses: readonly string[]): Promise<boolean> {
  return (await findOfOther(tx, { contaId, addresses, contatoId })) === null
}

const updateContato = noRows(
  'conversas: update merged contato',
  sql`
update contatos set nome = ${value('nome', 'text')}, telefone = ${value('telefone', 'text')},
  nome_usuario = ${value('nomeUsuario', 'text')}, estado = coalesce(estado, '{}') || ${value('estado', 'jsonb')},
  trocas = ${value('trocas', 'jsonb?')},
  janela_desde = greatest(janela_desde, (select max(d) from unnest(${value('janelas', 'timestamptz[]')}) as d)),
  ultima_atividade = greatest(ultima_atividade, (select max(d) from unnest(${value('atividades', 'timestamptz[]')}) as d)),
  tem_agendada = exists (
    select 1 from agendadas a join conversas v on v.conta_id = a.conta_id and v.id = a.conversa_id
    where a.conta_id = ${contaId} and v.contato_id = ${contatoId} and a.estado = 'marcada' and a.cancelar_se_responder),
  ultimo_id = (select u from unnest(${value('ultimos', 'uuid[]')}) as u order by u desc nulls last limit 1),
  ultima_saida = (select u from unnest(${value('saidas', 'uuid[]')}) as u order by u desc nulls last limit 1),
  nome_do_painel = ${value('nomeDoPainel', 'bool')}, observacao = ${value('observacao', 'text')},
  editado_em = (select max(d) from unnest(${value('edicoes', 'timestamptz[]')}) as d)
where conta_id = ${contaId} and id = ${contatoId}`,
)

async function updateKept(
  tx: Tx,
  contaId: string,
  all: readonly [AddressOwner, ...AddressOwner[]],
  telefone: string,
): Promise<void> {
  const firstOf = (field: 'nome' | 'telefone' | 'nomeUsuario'): string =>
    all.map((contato) => contato[field]).find((value) => value !== '') ?? ''
  const named = all.find(({ nomeDoPainel }) => nomeDoPainel)
  const trocas = mergeAnnouncements(all.map((contato) => parseAnnouncements(contato.trocas)))
  await updateContato(tx, {
    contaId,
    contatoId: all[0].id,
    nome: named?.nome ?? firstOf('nome'),
    telefone: telefone === '' ? firstOf('telefone') : telefone,
    nomeUsuario: firstOf('nomeUsuario'),
    estado: carriedState(all),
    trocas: Object.keys(trocas).length === 0 ? null : trocas,
    janelas: all.flatMap(({ janelaDesde }) => janelaDesde ?? []),
    atividades: all.map(({ ultimaAtividade }) => ultimaAtividade),
    ultimos: all.flatMap(({ ultimoId }) => ultimoId ?? []),
    saidas: all.flatMap(({ ultimaSaida }) => ultimaSaida ?? []),
    nomeDoPainel: named !== undefined,
    observacao: mergeObservacoes(all),
    edicoes: all.flatMap(({ editadoEm }) => editadoEm ?? []),
  })
}

/** Equal texts once. The limit of the panel keeps the merged text editable. */
function mergeObservacoes(all: readonly AddressOwner[]): string {
  const texts = new Set(all.map(({ observacao }) => observacao).filter((text) => text !== ''))
  return [...texts].join('\n').slice(0, OBSERVACAO_MAXIMA)
}

/**
 * A request to stop under one address holds for all until the customer takes it back. The same holds for a privacy
 * notice already given and for the silence while the owner writes on the phone.
 */
function carriedState(all: readonly AddressOwner[]): object {
  const states = all.map(({ estado }) => parseState(estado))
  const retomouEm = Math.max(...all.map(({ retomouEm: em }) => em?.getTime() ?? -Infinity))
  const paradoEm = states.map((state) => state.paradoEm).find((em) => em !== null && em > retomouEm) ?? null
  const avisadoEm = states.map((state) => state.avisadoEm).find((em) => em !== null) ?? null
  const telefoneAte = Math.max(...states.map((state) => state.telefoneAte ?? 0))
  return {
    ...{ avisadoEm, paradoEm },
    ...(telefoneAte === 0 ? {} : { telefoneAte }),
    ...(paradoEm === null ? {} : { pergunta: null }),
  }
}

function byPreference(a: AddressOwner, b: AddressOwner): number {
  const [x, y] = [rankOf(a), rankOf(b)]
  return x === y ? b.ultimaAtividade.getTime() - a.ultimaAtividade.getTime() : y - x
}

function rankOf({ abertaStatus: status, operadorId, perguntaDesde: since }: AddressOwner): number {
  if (status === 'em_atendimento') return operadorId === null ? 2 : 4
  if (status === 'aguardando') return 3
  return since === null ? 0 : 1
}

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
      ) update conversas set nao_lidas = nao_lidas + (select count(*) from moved where direcao = 'entrada')
        where conta_id = ${contaId} and id = ${value('to', 'uuid?')} and status in ('aguardando', 'em_atendimento')`,
)

const deleteQuestionOf = noRows(
  'conversas: delete question of contato',
  sql`delete from perguntas_ia where conta_id = ${contaId} and contato_id = ${contatoId}`,
)

const beginQuestionAt = noRows(
  'conversas: begin question earlier',
  sql`update perguntas_ia set desde_id = least(coalesce(desde_id, id), ${since})
      where conta_id = ${contaId} and contato_id = ${contatoId}`,
)

/**
 * Moves the unanswered question to the conversa that stays. Messages are sorted by id, so they appear in the right
 * place.
 */
async function moveQuestion(tx: Tx, contaId: string, { leaving, kept }: ContatoPair): Promise<void> {
  const { perguntaDesde: since, conversaId: from } = leaving
  if (since === null) return
  await moveMensagensSince(tx, { contaId, from, to: kept.conversaId, since })
  await deleteQuestionOf(tx, { contaId, contatoId: leaving.id })
  await beginQuestionAt(tx, { contaId, contatoId: kept.id, since })
}

const isAttended = ({ abertaStatus: status }: AddressOwner): boolean =>
  status === 'aguardando' || status === 'em_atendimento'

const areBothAttended = ({ leaving, kept }: ContatoPair): boolean => isAttended(kept) && isAttended(leaving)

/** All readers of the conversa that stays may read the other one: it has the same setor, or Geral. */
function mayMove({ leaving, kept }: ContatoPair): boolean {
  const setor = leaving.abertaSetor ?? SETOR_GERAL
  return setor === SETOR_GERAL || setor === kept.abertaSetor
}

/**
 * A contato has one open conversa. When people serve both, the messages of the one that ends move to the other one,
 * because no operador would read them there. Two panels may have chosen the same `id_temporario`, which is unique in a
 * conversa.
 */
const moveConversa = manyRows(
  'conversas: move mensagens of attended',
  z.object({ id: z.string() }),
  sql`with moved as (
        update mensagens set conversa_id = ${to}, id_temporario = null
        where conta_id = ${contaId} and conversa_id = ${from} returning id
      ), noted as (
        update notas set conversa_id = ${to} where conta_id = ${contaId} and conversa_id = ${from}
      ), counted as (
        update conversas v set ultima_atividade = greatest(v.ultima_atividade, s.ultima_atividade),
          nao_lidas = v.nao_lidas + s.nao_lidas
        from conversas s where v.conta_id = ${contaId} and v.id = ${to} and s.conta_id = ${contaId} and s.id = ${from}
      ) select id from moved order by id`,
)

async function moveAttended(tx: Tx, contaId: string, { leaving, kept }: ContatoPair): Promise<string[]> {
  const [from, to] = [leaving.abertaId, kept.abertaId]
  if (from === null || to === null) return []
  return (await moveConversa(tx, { contaId, from, to })).map(({ id }) => id)
}

const finishedSchema = z.extend(endedConversaSchema, { protocolo: z.nullable(z.string()) })
type FinishedConversa = z.output<typeof finishedSchema>

const finishOpen = manyRows(
  'conversas: finish open of contato',
  finishedSchema,
  sql`update conversas v set status = 'finalizada', finalizada_em = now(), motivo_fim = 'contatoJuntado'
      where v.conta_id = ${contaId} and v.contato_id = ${from} and v.status <> 'finalizada'
      returning ${endedColumns}, v.protocolo`,
)

/** Both contatos may have the same etiqueta. */
const deleteSameEtiquetas = noRows(
  'conversas: delete same etiquetas',
  sql`delete from contatos_etiquetas e where e.conta_id = ${contaId} and e.contato_id = ${from} and e.etiqueta_id in (
        select k.etiqueta_id from contatos_etiquetas k where k.conta_id = ${contaId} and k.contato_id = ${to})`,
)

/** Every table with a `contato_id`. */
export const CONTATO_TABLES = [
  'conversas',
  'enderecos',
  'saida',
  'perguntas_ia',
  'avaliacoes',
  'consentimentos',
  'contatos_etiquetas',
  'sinais',
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

interface ContatoMove {
  readonly contaId: string
  readonly from: string
  readonly to: string
}

/** A contato has at most one open conversa, so the open one of the removed contato ends. */
async function moveRows(tx: Tx, move: ContatoMove): Promise<FinishedConversa[]> {
  const finished = await finishOpen(tx, move)
  await deleteSameEtiquetas(tx, move)
  for (const moveTable of moveTables) await moveTable(tx, move)
  await deleteEmpty(tx, move)
  return finished.filter(({ protocolo }) => protocolo !== null)
}
