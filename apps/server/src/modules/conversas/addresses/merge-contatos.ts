import * as z from 'zod/mini'
import { SETOR_GERAL } from '@balcao/contract/conversa-access'
import { OBSERVACAO_MAXIMA } from '@balcao/contract/entities/contato'
import { parseState } from '@balcao/engine/state'
import type { Tx } from '#db/transaction.ts'
import { type EndedConversa, endedConversaSchema } from '#modules/conversas/readers.ts'
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
    const ended = await moveRows(tx, contaId, { from: leavingContato.id, to: kept.id })
    finished.push(...ended)
    if (isApart) apart.push(...ended.flatMap(({ protocolo }) => protocolo ?? []))
  }
  await tx.query(
    `insert into enderecos (conta_id, endereco, contato_id) select $1, e, $3 from unnest($2::text[]) as e
     order by e on conflict do nothing`,
    [contaId, canonicos, kept.id],
  )
  await updateKept(tx, contaId, [kept, ...leaving], telefone)
  return {
    id: kept.id,
    finished,
    moved,
    apart,
    removed: leaving.map(({ id, nome, telefone: phone }) => ({ id, nome, telefone: phone })),
  }
}

/** False when an address that a concurrent transaction inserted leads to another contato. */
async function ownsAll(tx: Tx, contaId: string, id: string, canonicos: readonly string[]): Promise<boolean> {
  const { rows } = await tx.query(
    'select 1 from enderecos where conta_id = $1 and endereco = any ($2::text[]) and contato_id <> $3 limit 1',
    [contaId, canonicos, id],
  )
  return rows.length === 0
}

async function updateKept(tx: Tx, contaId: string, all: readonly AddressOwner[], telefone: string): Promise<void> {
  const [kept] = all
  const firstOf = (field: 'nome' | 'telefone' | 'nome_usuario'): string =>
    all.map((contato) => contato[field]).find((value) => value !== '') ?? ''
  const named = all.find(({ nome_do_painel: byPeople }) => byPeople)
  const trocas = mergeAnnouncements(all.map((contato) => parseAnnouncements(contato.trocas)))
  await tx.query(
    `update contatos set nome = $3, telefone = $4, nome_usuario = $5, estado = coalesce(estado, '{}') || $6::jsonb,
       trocas = $7::jsonb, janela_desde = greatest(janela_desde, (select max(d) from unnest($8::timestamptz[]) as d)),
       ultima_atividade = greatest(ultima_atividade, (select max(d) from unnest($9::timestamptz[]) as d)),
       tem_agendada = exists (
         select 1 from agendadas a join conversas v on v.conta_id = a.conta_id and v.id = a.conversa_id
         where a.conta_id = $1 and v.contato_id = $2 and a.estado = 'marcada' and a.cancelar_se_responder),
       ultimo_id = (select u from unnest($10::uuid[]) as u order by u desc nulls last limit 1),
       ultima_saida = (select u from unnest($11::uuid[]) as u order by u desc nulls last limit 1),
       nome_do_painel = $12, observacao = $13, editado_em = (select max(d) from unnest($14::timestamptz[]) as d)
     where conta_id = $1 and id = $2`,
    [
      contaId,
      kept?.id,
      named?.nome ?? firstOf('nome'),
      telefone === '' ? firstOf('telefone') : telefone,
      firstOf('nome_usuario'),
      JSON.stringify(carriedState(all)),
      Object.keys(trocas).length === 0 ? null : JSON.stringify(trocas),
      all.map(({ janela_desde: since }) => since?.toISOString() ?? null),
      all.map(({ ultima_atividade: last }) => last.toISOString()),
      all.map(({ ultimo_id: last }) => last),
      all.map(({ ultima_saida: last }) => last),
      named !== undefined,
      mergeObservacoes(all),
      all.map(({ editado_em: since }) => since?.toISOString() ?? null),
    ],
  )
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
  const retomouEm = Math.max(...all.map(({ retomou_em: em }) => em?.getTime() ?? -Infinity))
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
  return x === y ? b.ultima_atividade.getTime() - a.ultima_atividade.getTime() : y - x
}

function rankOf({ aberta_status: status, operador_id: operadorId, pergunta_desde: since }: AddressOwner): number {
  if (status === 'em_atendimento') return operadorId === null ? 2 : 4
  if (status === 'aguardando') return 3
  return since === null ? 0 : 1
}

interface ContatoPair {
  readonly leaving: AddressOwner
  readonly kept: AddressOwner
}

/**
 * Moves the unanswered question to the conversa that stays. Messages are sorted by id, so they appear in the right
 * place.
 */
async function moveQuestion(tx: Tx, contaId: string, { leaving, kept }: ContatoPair): Promise<void> {
  if (leaving.pergunta_desde === null) return
  await tx.query(
    `with moved as (
       update mensagens set conversa_id = $3, id_temporario = null
       where conta_id = $1 and conversa_id = $2 and id >= $4::uuid returning direcao
     ) update conversas set nao_lidas = nao_lidas + (select count(*) from moved where direcao = 'entrada')
       where conta_id = $1 and id = $3 and status in ('aguardando', 'em_atendimento')`,
    [contaId, leaving.conversa_id, kept.conversa_id, leaving.pergunta_desde],
  )
  await tx.query('delete from perguntas_ia where conta_id = $1 and contato_id = $2', [contaId, leaving.id])
  await tx.query(
    'update perguntas_ia set desde_id = least(coalesce(desde_id, id), $3::uuid) where conta_id = $1 and contato_id = $2',
    [contaId, kept.id, leaving.pergunta_desde],
  )
}

const isAttended = ({ aberta_status: status }: AddressOwner): boolean =>
  status === 'aguardando' || status === 'em_atendimento'

const areBothAttended = ({ leaving, kept }: ContatoPair): boolean => isAttended(kept) && isAttended(leaving)

/** All readers of the conversa that stays may read the other one: it has the same setor, or Geral. */
function mayMove({ leaving, kept }: ContatoPair): boolean {
  const setor = leaving.aberta_setor ?? SETOR_GERAL
  return setor === SETOR_GERAL || setor === kept.aberta_setor
}

/**
 * A contato has one open conversa. When people serve both, the messages of the one that ends move to the other one,
 * because no operador would read them there. Two panels may have chosen the same `id_temporario`, which is unique in a
 * conversa. Returns the moved ids.
 */
async function moveAttended(tx: Tx, contaId: string, { leaving, kept }: ContatoPair): Promise<string[]> {
  const moved = await tx.rows(
    z.object({ id: z.string() }),
    `with moved as (
       update mensagens set conversa_id = $3, id_temporario = null where conta_id = $1 and conversa_id = $2 returning id
     ), noted as (
       update notas set conversa_id = $3 where conta_id = $1 and conversa_id = $2
     ), counted as (
       update conversas v set ultima_atividade = greatest(v.ultima_atividade, s.ultima_atividade),
         nao_lidas = v.nao_lidas + s.nao_lidas
       from conversas s where v.conta_id = $1 and v.id = $3 and s.conta_id = $1 and s.id = $2
     ) select id from moved order by id`,
    [contaId, leaving.aberta_id, kept.aberta_id],
  )
  return moved.map(({ id }) => id)
}

const finishedSchema = z.extend(endedConversaSchema, { protocolo: z.nullable(z.string()) })
type FinishedConversa = z.output<typeof finishedSchema>

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

interface ContatoMove {
  readonly from: string
  readonly to: string
}

/** A contato has at most one open conversa, so the open one of the removed contato ends. */
async function moveRows(tx: Tx, contaId: string, { from, to }: ContatoMove): Promise<FinishedConversa[]> {
  const values = [contaId, from, to]
  const finished = await tx.rows(
    finishedSchema,
    `update conversas set status = 'finalizada', finalizada_em = now(), motivo_fim = 'contatoJuntado'
     where conta_id = $1 and contato_id = $2 and status <> 'finalizada' returning id, setor, operador_id, revisao, protocolo`,
    values.slice(0, 2),
  )
  // Both contatos may have the same etiqueta.
  await tx.query(
    `delete from contatos_etiquetas e where e.conta_id = $1 and e.contato_id = $2 and e.etiqueta_id in (
       select k.etiqueta_id from contatos_etiquetas k where k.conta_id = $1 and k.contato_id = $3)`,
    values,
  )
  for (const table of CONTATO_TABLES) {
    await tx.query(`update ${table} set contato_id = $3 where conta_id = $1 and contato_id = $2`, values)
  }
  await tx.query('delete from contatos where conta_id = $1 and id = $2', values.slice(0, 2))
  return finished.filter(({ protocolo }) => protocolo !== null)
}
