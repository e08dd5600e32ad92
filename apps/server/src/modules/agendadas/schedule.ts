import type { BodyOf } from '@balcao/contract/define-route'
import type { Agendada } from '@balcao/contract/entities/agendada'
import { AGENDADA_MAXIMO_DIAS, AGENDADA_MINIMO_MS, AGENDADAS_POR_CONVERSA } from '@balcao/contract/constants'
import { REOPEN_MS } from '@balcao/engine/atendimento/scheduled'
import {
  agendadasRoute,
  agendarMensagemRoute,
  cancelarAgendadaRoute,
} from '@balcao/contract/routes/atendimento-agendadas'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { LoginSession } from '#http/authentication.ts'
import { cutPage, type Page, pageOf } from '#http/page.ts'
import { firstIdAt } from '#ids.ts'
import { isUuid } from '#lib/text.ts'
import { type BoundRoute, bind } from '#http/handle.ts'
import { findAttendedConversa, findServed, lockContatosOf, type ServedConversa } from '#modules/conversas/index.ts'
import { updateExpectsAnswer } from '#modules/enderecos/index.ts'
import { audienceOf } from '#modules/leitores/index.ts'
import {
  countScheduled,
  countScheduledOfConta,
  countScheduledSince,
  endAgendada,
  findConversaOf,
  findScheduledBefore,
  insertAgendada,
  listAgendadas,
} from './repository.ts'

type ScheduleDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'realtime'>

const DAY_MS = 86_400_000
const AGENDADAS_MAX = 5_000
/** Messages of a conta that are scheduled in 24 hours, cancelled ones included. */
const AGENDADAS_A_DAY = 10_000

type ScheduleInput = BodyOf<typeof agendarMensagemRoute> & { readonly conversaId: string }

/**
 * Stores a message that is sent later. Throws `naoEncontrado`, `dadosInvalidos` for a time that is not 1 minute to 90
 * days ahead or for too many messages of a conversa, `limitePlano` for too many of the conta, and `reabrirVencida` for a
 * conversa that ended more than 7 days ago. The same request again, after a lost answer, returns the message that waits.
 */
async function scheduleMensagem(
  deps: ScheduleDeps,
  session: LoginSession,
  { conversaId, mensagem, enviarEm, cancelarSeResponder }: ScheduleInput,
): Promise<Agendada> {
  const { db, clock, ids } = deps
  const { contaId, usuarioId: autorId, nome: autor } = session
  const now = clock.now()
  const sendAt = new Date(enviarEm)
  requireTime(sendAt.getTime() - now.getTime())
  return db.transaction(contaId, async (tx) => {
    const served = await requireReadable(tx, session, conversaId)
    await lockContatosOf(tx, { contaId, ids: [conversaId] })
    const fields = { conversaId, texto: mensagem, enviarEm: sendAt, cancelarSeResponder, autorId }
    const before = await findScheduledBefore(tx, contaId, fields)
    if (before !== null) return before
    await requireRoom(tx, session, conversaId, now)
    const agendada = await insertAgendada(tx, contaId, { id: ids.uuid(), ...fields, autor, now })
    if (cancelarSeResponder) await updateExpectsAnswer(tx, { contaId, contatoId: served.contatoId })
    announceAgendada(tx, deps, contaId, served, agendada)
    return agendada
  })
}

function requireTime(aheadMs: number): void {
  if (aheadMs >= AGENDADA_MINIMO_MS && aheadMs <= AGENDADA_MAXIMO_DIAS * DAY_MS) return
  const message = `Escolha um horário entre 1 minuto e ${AGENDADA_MAXIMO_DIAS} dias à frente`
  throw new AppError('dadosInvalidos', { detalhes: [{ caminho: 'enviarEm', mensagem: message }] })
}

async function requireRoom(tx: Tx, session: LoginSession, conversaId: string, now: Date): Promise<void> {
  const { contaId } = session
  const usado = await countScheduledOfConta(tx, { contaId, max: AGENDADAS_MAX })
  if (usado >= AGENDADAS_MAX) {
    const erro = `Uma conta pode ter até ${AGENDADAS_MAX.toLocaleString('pt-BR')} mensagens agendadas.`
    throw new AppError('limitePlano', { erro, usado, limite: AGENDADAS_MAX })
  }
  const since = firstIdAt(new Date(now.getTime() - DAY_MS))
  if ((await countScheduledSince(tx, { contaId, from: since, max: AGENDADAS_A_DAY })) >= AGENDADAS_A_DAY) {
    const erro = 'Sua loja atingiu o limite de mensagens agendadas de hoje. Tente de novo amanhã.'
    throw new AppError('limitePlano', { erro, usado: AGENDADAS_A_DAY, limite: AGENDADAS_A_DAY })
  }
  const conversa = await findAttendedConversa(tx, contaId, conversaId, session)
  const endedAt = conversa?.finalizadaEm
  if (conversa?.status === 'finalizada' && endedAt !== undefined && now.getTime() - Date.parse(endedAt) > REOPEN_MS) {
    throw new AppError('reabrirVencida')
  }
  if ((await countScheduled(tx, { contaId, conversaId })) < AGENDADAS_POR_CONVERSA) return
  const message = `Esta conversa já tem ${AGENDADAS_POR_CONVERSA} mensagens agendadas`
  throw new AppError('dadosInvalidos', { detalhes: [{ caminho: 'mensagem', mensagem: message }] })
}

async function requireReadable(tx: Tx, session: LoginSession, conversaId: string): Promise<ServedConversa> {
  const served = await findServed(tx, session.contaId, conversaId, session)
  if (served === null) throw new AppError('naoEncontrado')
  return served
}

async function listScheduled(
  { db }: Pick<Deps, 'db'>,
  session: LoginSession,
  conversaId: string,
  page: Page,
): Promise<{ agendadas: Agendada[]; proximoCursor: string | null }> {
  return db.read(session.contaId, async (tx) => {
    await requireReadable(tx, session, conversaId)
    const { itens, proximoCursor = null } = cutPage(await listAgendadas(tx, session.contaId, conversaId, page), page)
    return { agendadas: itens, proximoCursor }
  })
}

/** Throws `naoEncontrado`, and `conflito` for a message that was sent or failed. */
async function cancelScheduled(deps: ScheduleDeps, session: LoginSession, id: string): Promise<void> {
  const { contaId } = session
  await deps.db.transaction(contaId, async (tx) => {
    const conversaId = isUuid(id) ? await findConversaOf(tx, contaId, id) : null
    if (conversaId === null) throw new AppError('naoEncontrado')
    const served = await requireReadable(tx, session, conversaId)
    await lockContatosOf(tx, { contaId, ids: [conversaId] })
    const ended = await endAgendada(tx, contaId, { id, estado: 'cancelada', motivo: 'pessoa' })
    if (ended === null) return requireCancelled(tx, contaId, conversaId, id)
    await updateExpectsAnswer(tx, { contaId, contatoId: served.contatoId })
    announceAgendada(tx, deps, contaId, served, ended)
  })
}

async function requireCancelled(tx: Tx, contaId: string, conversaId: string, id: string): Promise<void> {
  const all = await listAgendadas(tx, contaId, conversaId, { limite: 1_000, before: null })
  if (all.find((one) => one.id === id)?.estado === 'cancelada') return
  throw new AppError('conflito', { erro: 'Esta mensagem não pode mais ser cancelada.' })
}

export function announceAgendada(
  tx: Tx,
  { realtime }: Pick<Deps, 'realtime'>,
  contaId: string,
  served: Pick<ServedConversa, 'linhaId' | 'setor' | 'status' | 'operadorId'>,
  agendada: Agendada,
): void {
  const event = { userId: contaId, conversaId: agendada.conversaId, agendada }
  tx.afterCommit(() => realtime.publishConversa(contaId, 'agendadaMudou', event, audienceOf(served)))
}

export function agendadasRoutes(deps: ScheduleDeps): BoundRoute[] {
  return [
    bind(agendarMensagemRoute, async ({ sessao, params, body }) => ({
      agendada: await scheduleMensagem(deps, sessao, { conversaId: params.id, ...body }),
    })),
    bind(agendadasRoute, ({ sessao, params, query }) =>
      listScheduled(deps, sessao, params.id, pageOf(query, query.limite)),
    ),
    bind(cancelarAgendadaRoute, ({ sessao, params }) => cancelScheduled(deps, sessao, params.id)),
  ]
}
