import type { SentModelo } from '@balcao/connector/port'
import type { Situacao } from '@balcao/contract/entities/conversa'
import type { Mensagem, Midia } from '@balcao/contract/entities/mensagem'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { type ActingOperador, takeConversa } from '#modules/atendimento/conversa/take.ts'
import { lockConversa, lockConversas, type LockedConversa } from '#modules/conversas/index.ts'
import { nameOrPhone } from '#modules/enderecos/index.ts'
import { type LimiteDeps, recordQuota, reserveQuota } from '#modules/limites/index.ts'
import {
  findMensagem,
  insertOperadorMensagens,
  type MensagemMarks,
  type OperadorMensagem,
  sentMarksOf,
  toMensagem,
} from '#modules/mensagens/index.ts'
import { announceMensagens, type AnnouncedMensagem } from './announce.ts'
import { requireTarget } from './target.ts'

export type SendDeps = LimiteDeps & Pick<Deps, 'bots' | 'sendEventIn'>

export interface OperadorSend {
  readonly contaId: string
  readonly conversaId: string
  /** Empty only when `midia` is set. */
  readonly texto: string
  readonly midia?: Midia
  /** Approved template, also outside the 24-hour window. `texto` is the filled text. */
  readonly modelo?: SentModelo
  readonly citadaId?: string | undefined
  readonly encaminhada?: true
  /** Idempotency key per operador and conversa. */
  readonly idTemporario?: string | undefined
  readonly operador: ActingOperador
  readonly agendada?: true
}

export interface SentMensagem {
  readonly mensagem: Mensagem
  readonly conversaId: string
  readonly idTemporario?: string
}

export type SendOutcome =
  | { readonly tipo: 'enviada'; readonly enviada: SentMensagem }
  | { readonly tipo: 'recusada'; readonly motivo: AppError }

interface AcceptedSend {
  readonly tipo: 'aceita'
  readonly send: OperadorSend
  readonly locked: LockedConversa
  readonly extras: MensagemMarks | null
}

/**
 * At most one per conversa. Each is refused separately, in this order: `naoEncontrado`, `conversaFinalizada`,
 * `janelaFechada`, `conversaAssumida`, `mensagemForaDeAlcance`, `limiteDiario`. A mensagem already stored under the
 * same `idTemporario` is returned in its current state.
 */
export async function sendMensagens(
  tx: Tx,
  deps: SendDeps,
  contaId: string,
  sends: readonly OperadorSend[],
): Promise<SendOutcome[]> {
  const conversas = await lockConversas(tx, contaId, sends)
  const assessed: (SendOutcome | AcceptedSend)[] = []
  for (const [index, send] of sends.entries()) {
    assessed.push(await assessSend(tx, deps, send, conversas[index] ?? null))
  }
  const accepted = assessed.filter((one) => one.tipo === 'aceita')
  const { stored, refusal } =
    (await storeAll(tx, deps, contaId, accepted)) ?? (await storeWithinLimit(tx, deps, contaId, accepted))
  const announcements = [...stored.values()].map(({ announcement }) => announcement)
  if (announcements.length > 0) announceMensagens(tx, deps, contaId, announcements)
  return assessed.map((one) => (one.tipo === 'aceita' ? resultOf(one, stored.get(one), refusal) : one))
}

export async function sendMensagem(tx: Tx, deps: SendDeps, send: OperadorSend): Promise<SentMensagem> {
  const [result] = await sendMensagens(tx, deps, send.contaId, [send])
  if (result === undefined) throw new Error('send without a result')
  if (result.tipo === 'recusada') throw result.motivo
  return result.enviada
}

/**
 * Call it before an expensive preparation, such as storing a file. Throws the errors of a send except the daily limit.
 * `repetido`: stored already under this `idTemporario`.
 */
export async function checkSend(
  tx: Tx,
  deps: Pick<Deps, 'clock'>,
  send: Pick<OperadorSend, 'contaId' | 'conversaId' | 'idTemporario' | 'operador'>,
): Promise<'novo' | 'repetido'> {
  const { contaId, operador } = send
  const locked = await lockConversa(tx, contaId, send)
  if (locked === null) throw new AppError('naoEncontrado')
  if (alreadySent(locked, operador.usuarioId) !== null) return 'repetido'
  const refusal = sendRefusalOf(deps, send, locked)
  if (refusal !== null) throw refusal
  return 'novo'
}

async function assessSend(
  tx: Tx,
  deps: SendDeps,
  send: OperadorSend,
  locked: LockedConversa | null,
): Promise<SendOutcome | AcceptedSend> {
  if (locked === null) return { tipo: 'recusada', motivo: new AppError('naoEncontrado') }
  const repeated = alreadySent(locked, send.operador.usuarioId)
  if (repeated !== null) {
    const mensagem = await findMensagem(tx, send.contaId, repeated, nameOrPhone(locked))
    if (mensagem !== null) return { tipo: 'enviada', enviada: { mensagem, ...echoOf(send) } }
  }
  const motivo = sendRefusalOf(deps, send, locked)
  if (motivo !== null) return { tipo: 'recusada', motivo }
  try {
    return { tipo: 'aceita', send, locked, extras: await marksOf(tx, send, locked) }
  } catch (error) {
    if (error instanceof AppError) return { tipo: 'recusada', motivo: error }
    throw error
  }
}

/** The same key from another operador is not a repeat. */
function alreadySent({ repetida, repetidaDe: author }: LockedConversa, operadorId: string): string | null {
  return author === operadorId ? repetida : null
}

type OperadorAction = Pick<OperadorSend, 'contaId' | 'conversaId' | 'operador' | 'modelo' | 'agendada'>

/** Null also for a waiting conversa, which the send takes first. Does not check the daily limit. */
export function sendRefusalOf(
  deps: Pick<Deps, 'clock'>,
  action: Omit<OperadorAction, 'contaId' | 'conversaId'>,
  locked: LockedConversa,
): AppError | null {
  const { status, operadorId, operador } = locked
  if (status === 'finalizada') return new AppError('conversaFinalizada')
  if (action.modelo === undefined && isJanelaClosed(deps, locked)) return new AppError('janelaFechada')
  const isFree = status === 'aguardando' || operadorId === null || action.agendada === true
  if (!isFree && operadorId !== action.operador.usuarioId) {
    return new AppError('conversaAssumida', { operadorId, operador })
  }
  // Another operador used this key. The client must use a new one.
  return locked.repetida === null ? null : new AppError('conflito')
}

/** Meta allows free-form replies for 24 hours after the customer's last message. */
function isJanelaClosed({ clock }: Pick<Deps, 'clock'>, { janelaAte: until, teste }: LockedConversa): boolean {
  return until !== null && !teste && until <= clock.now()
}

async function marksOf(tx: Tx, send: OperadorSend, { teste }: LockedConversa): Promise<MensagemMarks | null> {
  const { contaId, conversaId, citadaId, encaminhada } = send
  if (citadaId === undefined) return encaminhada === undefined ? null : { encaminhada }
  const { id: alvo, texto, nossa } = await requireTarget(tx, { contaId, conversaId, mensagemId: citadaId, teste })
  return { citada: { texto, nossa, alvo } }
}

export async function requireTurn(
  tx: Tx,
  deps: SendDeps,
  action: OperadorAction,
  locked: LockedConversa,
): Promise<void> {
  const refusal = sendRefusalOf(deps, action, locked)
  if (refusal !== null) throw refusal
  await takeIfWaiting(tx, deps, action, locked)
}

/** No person serves it yet: it waits, or Meta's agent answers. */
const mustBeTaken = ({ status, agenteMeta, operadorId }: LockedConversa): boolean =>
  status === 'aguardando' || (status === 'em_atendimento' && agenteMeta && operadorId === null)

async function takeIfWaiting(tx: Tx, deps: SendDeps, action: OperadorAction, locked: LockedConversa): Promise<void> {
  if (!mustBeTaken(locked)) return
  await takeConversa(tx, deps, { contaId: action.contaId, id: action.conversaId }, action.operador)
}

interface StoredSends {
  readonly stored: ReadonlyMap<AcceptedSend, StoredSend>
  readonly refusal: AppError | null
}

/** Fast path in one statement. Null, without a row, beyond the daily limit or if a conversa must be taken first. */
async function storeAll(
  tx: Tx,
  deps: SendDeps,
  contaId: string,
  accepted: readonly AcceptedSend[],
): Promise<StoredSends | null> {
  if (accepted.length === 0 || accepted.some(({ locked }) => mustBeTaken(locked))) return null
  const stored = new Map(accepted.map((one) => [one, buildSend(deps, one)]))
  const mensagens = [...stored.values()].map(({ row }) => row)
  const count = accepted.filter(({ locked }) => !locked.teste).length
  const now = deps.clock.now()
  const { quota, situacoes } = await insertOperadorMensagens(tx, { contaId, now, count, mensagens })
  const fits = count === 0 || (await recordQuota(tx, deps, { contaId, count, row: quota }))
  return fits ? { stored: withSituacoes(stored, situacoes), refusal: null } : null
}

async function storeWithinLimit(
  tx: Tx,
  deps: SendDeps,
  contaId: string,
  accepted: readonly AcceptedSend[],
): Promise<StoredSends> {
  const stored = new Map<AcceptedSend, StoredSend>()
  // All sends of the conta wait for the counter row. Locking it after the conversas keeps that lock short.
  const count = accepted.filter(({ locked }) => !locked.teste).length
  const { fitting, refusal } = await reserveQuota(tx, deps, contaId, count)
  let free = fitting
  for (const one of accepted) {
    if (refusal !== null && !one.locked.teste && free-- <= 0) continue
    await takeIfWaiting(tx, deps, one.send, one.locked)
    stored.set(one, buildSend(deps, one))
  }
  const mensagens = [...stored.values()].map(({ row }) => row)
  if (mensagens.length === 0) return { stored, refusal }
  const counted = { contaId, now: deps.clock.now(), count: 0 }
  const { situacoes } = await insertOperadorMensagens(tx, { ...counted, mensagens })
  return { stored: withSituacoes(stored, situacoes), refusal }
}

function withSituacoes(
  stored: ReadonlyMap<AcceptedSend, StoredSend>,
  situacoes: Readonly<Record<string, Situacao>>,
): Map<AcceptedSend, StoredSend> {
  return new Map(
    [...stored].map(([accepted, { row, announcement }]) => [
      accepted,
      { row, announcement: { ...announcement, situacao: situacoes[row.conversaId] } },
    ]),
  )
}

interface StoredSend {
  readonly row: OperadorMensagem
  readonly announcement: AnnouncedMensagem
}

function buildSend(deps: SendDeps, { send, locked, extras }: AcceptedSend): StoredSend {
  const { conversaId, operador, texto, midia = null, modelo = null, idTemporario } = send
  // The id is created under the lock, so ids follow the order of the conversa.
  const [id, em] = [deps.ids.uuidAfter(locked.ultimoId), deps.clock.now()]
  const data = { id, texto, midia, extras, operador: operador.nome, idTemporario: idTemporario ?? null }
  const common = { direcao: 'saida', origem: 'operador', erro: null, criadaEm: em.toISOString() } as const
  const estado = locked.teste ? 'enviada' : 'pendente'
  const mensagem = toMensagem({ ...data, ...common, estado, simulada: locked.teste }, nameOrPhone(locked))
  return {
    row: { ...data, modelo, conversaId, operadorId: operador.usuarioId, em, locked },
    announcement: { mensagem, locked, modelo, ...sentMarksOf(extras), ...echoOf(send) },
  }
}

function resultOf({ send }: AcceptedSend, stored: StoredSend | undefined, refusal: AppError | null): SendOutcome {
  if (stored !== undefined) {
    return { tipo: 'enviada', enviada: { mensagem: stored.announcement.mensagem, ...echoOf(send) } }
  }
  if (refusal === null) throw new Error('mensagem neither stored nor refused')
  return { tipo: 'recusada', motivo: refusal }
}

function echoOf({ conversaId, idTemporario }: OperadorSend): Omit<SentMensagem, 'mensagem'> {
  return { conversaId, ...(idTemporario === undefined ? {} : { idTemporario }) }
}
