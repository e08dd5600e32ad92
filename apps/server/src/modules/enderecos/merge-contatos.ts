import * as z from 'zod/mini'
import { OBSERVACAO_MAXIMA } from '@balcao/contract/entities/contato'
import { parseState } from '@balcao/engine/stored-state/parse'
import { contaId, sql, value } from '#db/statement/sql.ts'
import { noRows, oneRow } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { EndedConversa } from '#modules/leitores/index.ts'
import { type AddressOwner, lockByAddress } from './locked-contatos.ts'
import { mergeAnnouncements, parseAnnouncements } from './announcements.ts'
import { areBothAttended, type FinishedConversa, mayMove, moveAttended, moveQuestion, moveRows } from './move-rows.ts'

interface PersonAddresses {
  readonly canonicos: readonly string[]
  readonly telefone: string
}

export interface MergedContato {
  readonly id: string
  readonly finished: readonly EndedConversa[]
  readonly moved: readonly string[]
  /** Protocolos of conversas that ended with their messages, because the open one belongs to another setor. */
  readonly apart: readonly string[]
  readonly removed: readonly Pick<AddressOwner, 'id' | 'nome' | 'telefone'>[]
}

/** A concurrent turn may create a contato for one of the addresses; each further round merges it too. */
const ROUNDS_MAX = 5

/**
 * The contato whose operador is serving stays, then one that waits for people, then one that waits for the AI, then the
 * most recently active one. Null when no address is known.
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

/** The limit of the panel keeps the merged text editable. */
function mergeObservacoes(all: readonly AddressOwner[]): string {
  const texts = new Set(all.map(({ observacao }) => observacao).filter((text) => text !== ''))
  return [...texts].join('\n').slice(0, OBSERVACAO_MAXIMA)
}

/**
 * A request to stop holds for all addresses until the customer takes it back, as do a privacy notice and the silence
 * while the owner writes on the phone.
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
