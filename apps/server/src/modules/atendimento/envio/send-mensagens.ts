import type { Mensagem, Midia } from '@balcao/contract/entities/mensagem'
import {
  reserveQuota,
  type LimiteDeps,
  recordQuota,
  quotedOf,
  type MensagemMarks,
  nameOrPhone,
  toMensagem,
} from '#modules/conversas/index.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import type { SentModelo } from '@balcao/connector/port'
import { AppError } from '#errors.ts'
import { requireTarget } from './target.ts'
import { type ActingOperador, takeChange } from '#modules/atendimento/conversa/take.ts'
import { applyConversaChange } from '#modules/atendimento/conversa/change.ts'
import { announceMensagens, type AnnouncedMensagem } from './announce.ts'
import { alreadySent, sendRefusal } from './send-refusal.ts'
import { findMensagem } from '#modules/atendimento/repository.ts'
import {
  insertOperadorMensagens,
  lockConversas,
  type OperadorMensagem,
  type LockedConversa,
} from './send-repository.ts'

export type SendDeps = LimiteDeps & Pick<Deps, 'bots' | 'applyEventIn'>

export interface OperadorSend {
  readonly contaId: string
  readonly conversaId: string
  /** Empty only when `midia` is set. */
  readonly texto: string
  readonly midia?: Midia
  /** Approved template. It may be sent outside the 24-hour window. `texto` is the filled text. */
  readonly modelo?: SentModelo
  readonly citadaId?: string | undefined
  /** Idempotency key per operador and conversa: a repeated send returns the stored mensagem. */
  readonly idTemporario?: string | undefined
  readonly operador: ActingOperador
}

export interface SentMensagem {
  readonly mensagem: Mensagem
  readonly conversaId: string
  readonly idTemporario?: string
}

export type SendResult =
  | { readonly tipo: 'enviada'; readonly enviada: SentMensagem }
  | { readonly tipo: 'recusada'; readonly motivo: AppError }

export async function sendMensagem(tx: Tx, deps: SendDeps, envio: OperadorSend): Promise<SentMensagem> {
  const [result] = await sendMensagens(tx, deps, envio.contaId, [envio])
  if (result === undefined) throw new Error('send without a result')
  if (result.tipo === 'recusada') throw result.motivo
  return result.enviada
}

/**
 * Sends mensagens of operadores of one conta, at most one per conversa. Stores, counts and queues them in the
 * caller's transaction and publishes them after its commit. A waiting conversa is taken first. Each mensagem is
 * refused separately, in this order: `naoEncontrado`, `conversaFinalizada`, `janelaFechada`, `conversaAssumida`
 * (with the operador), `mensagemForaDeAlcance` (invalid quote), `limiteDiario`. A mensagem already stored under the
 * same `idTemporario` is returned in its current state.
 */
export async function sendMensagens(
  tx: Tx,
  deps: SendDeps,
  contaId: string,
  sends: readonly OperadorSend[],
): Promise<SendResult[]> {
  const travadas = await lockConversas(tx, contaId, sends)
  const seen: (SendResult | AcceptedSend)[] = []
  for (const [index, envio] of sends.entries()) seen.push(await assessSend(tx, deps, envio, travadas[index] ?? null))
  const aceitas = seen.filter((visto) => visto.tipo === 'aceita')
  const stored = await insertAll(tx, deps, contaId, aceitas)
  const { written, refusal } = stored ?? (await insertThoseWithinLimit(tx, deps, contaId, aceitas))
  const fresh = [...written.values()].map(({ announcement }) => announcement)
  if (fresh.length > 0) announceMensagens(tx, deps, contaId, fresh)
  return seen.map((visto) => {
    if (visto.tipo !== 'aceita') return visto
    const escrita = written.get(visto)
    if (escrita !== undefined) {
      return { tipo: 'enviada', enviada: { mensagem: escrita.announcement.mensagem, ...echoOf(visto.envio) } }
    }
    if (refusal === null) throw new Error('mensagem neither stored nor refused')
    return { tipo: 'recusada', motivo: refusal }
  })
}

interface StoredSends {
  readonly written: ReadonlyMap<AcceptedSend, WrittenSend>
  readonly refusal: AppError | null
}

/**
 * Fast path: counts and stores all mensagens in one statement. Returns null and writes no row if they exceed the
 * daily limit or a conversa must be taken first.
 */
async function insertAll(
  tx: Tx,
  deps: SendDeps,
  contaId: string,
  accepted: readonly AcceptedSend[],
): Promise<StoredSends | null> {
  if (accepted.length === 0 || accepted.some(({ locked }) => locked.status === 'aguardando')) return null
  const escritas = new Map(accepted.map((aceita) => [aceita, buildSend(deps, aceita)]))
  const lines = [...escritas.values()].map(({ row }) => row)
  const quantas = accepted.filter(({ locked }) => !locked.teste).length
  const contagem = await insertOperadorMensagens(tx, contaId, lines, { agora: deps.clock.now(), contam: quantas })
  const counted = quantas === 0 || (await recordQuota(tx, deps, { contaId, count: quantas, row: contagem }))
  return counted ? { written: escritas, refusal: null } : null
}

async function insertThoseWithinLimit(
  tx: Tx,
  deps: SendDeps,
  contaId: string,
  accepted: readonly AcceptedSend[],
): Promise<StoredSends> {
  const escritas = new Map<AcceptedSend, WrittenSend>()
  // All sends of the conta wait for the counter row. Locking it after the conversas keeps that lock short.
  const contam = accepted.filter(({ locked }) => !locked.teste).length
  const { fitting, refusal } = await reserveQuota(tx, deps, contaId, contam)
  let free = fitting
  for (const aceita of accepted) {
    if (refusal !== null && !aceita.locked.teste && free-- <= 0) continue
    await takeIfWaiting(tx, deps, aceita.envio, aceita.locked)
    escritas.set(aceita, buildSend(deps, aceita))
  }
  const lines = [...escritas.values()].map(({ row }) => row)
  if (lines.length > 0) await insertOperadorMensagens(tx, contaId, lines, { agora: deps.clock.now(), contam: 0 })
  return { written: escritas, refusal }
}

interface AcceptedSend {
  readonly tipo: 'aceita'
  readonly envio: OperadorSend
  readonly locked: LockedConversa
  readonly extras: MensagemMarks | null
}

const echoOf = ({ conversaId, idTemporario }: OperadorSend) => ({
  conversaId,
  ...(idTemporario === undefined ? {} : { idTemporario }),
})

async function assessSend(
  tx: Tx,
  deps: SendDeps,
  envio: OperadorSend,
  locked: LockedConversa | null,
): Promise<SendResult | AcceptedSend> {
  if (locked === null) return { tipo: 'recusada', motivo: new AppError('naoEncontrado') }
  const repeated = alreadySent(locked, envio.operador.id)
  if (repeated !== null) {
    const mensagem = await findMensagem(tx, envio.contaId, repeated, nameOrPhone(locked))
    if (mensagem !== null) return { tipo: 'enviada', enviada: { mensagem, ...echoOf(envio) } }
  }
  const motivo = refusalOf(deps, envio, locked)
  if (motivo !== null) return { tipo: 'recusada', motivo }
  try {
    return { tipo: 'aceita', envio, locked, extras: await quoteOf(tx, envio, locked) }
  } catch (error) {
    if (error instanceof AppError) return { tipo: 'recusada', motivo: error }
    throw error
  }
}

type OperadorAction = Pick<OperadorSend, 'contaId' | 'conversaId' | 'operador' | 'modelo'>

const refusalOf = (deps: SendDeps, { operador, modelo }: OperadorAction, locked: LockedConversa): AppError | null =>
  sendRefusal(locked, { operadorId: operador.id, now: deps.clock.now(), withModelo: modelo !== undefined })

async function quoteOf(tx: Tx, envio: OperadorSend, { teste }: LockedConversa): Promise<MensagemMarks | null> {
  const { contaId, conversaId, citadaId } = envio
  if (citadaId === undefined) return null
  const { id: alvo, texto, nossa } = await requireTarget(tx, { contaId, conversaId, mensagemId: citadaId, teste })
  return { citada: { texto, nossa, alvo } }
}

/** Takes a waiting conversa for the operador. Throws the refusal if the operador may not send to it. */
export async function requireTurn(
  tx: Tx,
  deps: SendDeps,
  action: OperadorAction,
  locked: LockedConversa,
): Promise<void> {
  const motivo = refusalOf(deps, action, locked)
  if (motivo !== null) throw motivo
  await takeIfWaiting(tx, deps, action, locked)
}

async function takeIfWaiting(tx: Tx, deps: SendDeps, action: OperadorAction, locked: LockedConversa): Promise<void> {
  if (locked.status !== 'aguardando') return
  const target = { contaId: action.contaId, id: action.conversaId }
  await applyConversaChange(tx, deps, target, takeChange(deps, target, action.operador))
}

interface WrittenSend {
  readonly row: OperadorMensagem
  readonly announcement: AnnouncedMensagem
}

function buildSend(deps: SendDeps, { envio, locked, extras }: AcceptedSend): WrittenSend {
  const { conversaId, operador, texto, midia = null, modelo = null, idTemporario } = envio
  // The id is created under the lock, so ids follow the order of the conversa.
  const [id, em] = [deps.ids.uuid(), deps.clock.now()]
  const data = { id, texto, midia, extras, operador: operador.nome, idTemporario: idTemporario ?? null }
  const common = { direcao: 'saida', origem: 'operador', erro: null, criadaEm: em.toISOString() } as const
  const estado = locked.teste ? 'enviada' : 'pendente'
  const mensagem = toMensagem({ ...data, ...common, estado, simulada: locked.teste }, nameOrPhone(locked))
  return {
    row: { ...data, modelo, conversaId, operadorId: operador.id, em, locked },
    announcement: { mensagem, locked, modelo, ...quotedOf(extras), ...echoOf(envio) },
  }
}
