import type { MotivoAgendada } from '@balcao/contract/entities/agendada'
import { AGENDADA_KEY_PREFIX } from '@balcao/contract/entities/common'
import { stepScheduled } from '@balcao/engine/atendimento/scheduled'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { type OpenDeps, reopenConversaIn, sendMensagem } from '#modules/atendimento/index.ts'
import { addAvisos, type NewAviso } from '#modules/avisos/index.ts'
import { findJanela, findServed, lockContatosOf } from '#modules/conversas/index.ts'
import { updateExpectsAnswer } from '#modules/enderecos/index.ts'
import { mayReadRow, SERVER_READER } from '#modules/leitores/index.ts'
import { runEach, takeContatoSignals } from '#modules/prazos/index.ts'
import {
  type DueAgendada,
  endAgendada,
  type EndInput,
  findConversaOf,
  listToCheck,
  lockAgendada,
  recordAttempt,
} from './repository.ts'
import { announceAgendada } from './schedule.ts'

type SendDueDeps = OpenDeps & Pick<Deps, 'db' | 'crashPoint' | 'log'>

/** A message that fails is tried again later and does not hold up the others. */
export async function sendDueAgendadas(deps: SendDueDeps, contaId: string): Promise<void> {
  const { db, clock } = deps
  const due = await db.transaction(contaId, async (tx) => {
    const contatos = await takeContatoSignals(tx, contaId)
    return listToCheck(tx, { contaId, now: clock.now(), contatos })
  })
  await runEach(
    due.map(({ id }) => id),
    (id) => settle(deps, contaId, id),
  )
}

const FAILURES: Readonly<Partial<Record<string, MotivoAgendada>>> = {
  limiteDiario: 'limiteDiario',
  janelaFechada: 'janelaFechada',
  conversaAberta: 'conversaAberta',
  reabrirVencida: 'conversaAntiga',
}

/**
 * A refused send rolls back what it began, such as the reopening of the conversa. Its failure is stored after that. An
 * error that is no refusal is tried again, five times in all.
 */
async function settle(deps: SendDueDeps, contaId: string, id: string): Promise<void> {
  try {
    await sendOrCancel(deps, contaId, id)
  } catch (error) {
    const motivo =
      error instanceof AppError ? (FAILURES[error.codigo] ?? 'naoEnviada') : await afterError(deps, contaId, id, error)
    if (motivo !== null) await fail(deps, contaId, id, motivo)
  }
}

/** Stored together, so that a crash repeats both or neither. */
function sendOrCancel(deps: SendDueDeps, contaId: string, id: string): Promise<void> {
  return deps.db.transaction(contaId, async (tx) => {
    const due = await lockWaiting(tx, deps, contaId, id)
    const ending = due === null ? null : await sendIfDue(tx, deps, contaId, due)
    if (due !== null && ending !== null) await storeEnding(tx, deps, contaId, due, ending)
  })
}

function fail(deps: SendDueDeps, contaId: string, id: string, motivo: MotivoAgendada): Promise<void> {
  return deps.db.transaction(contaId, async (tx) => {
    const due = await lockWaiting(tx, deps, contaId, id)
    if (due !== null) await storeEnding(tx, deps, contaId, due, { estado: 'falhou', motivo })
  })
}

async function afterError(
  deps: SendDueDeps,
  contaId: string,
  id: string,
  error: unknown,
): Promise<MotivoAgendada | null> {
  const { db, clock, log } = deps
  const last = await db.transaction(contaId, (tx) => recordAttempt(tx, contaId, id, clock.now()))
  log.error(
    { err: error, contaId, agendada: id },
    last ? 'scheduled message failed' : 'scheduled message failed, retrying',
  )
  return last ? 'naoEnviada' : null
}

type Ending = Omit<EndInput, 'id'>

async function lockWaiting(tx: Tx, deps: SendDueDeps, contaId: string, id: string): Promise<DueAgendada | null> {
  const conversaId = await findConversaOf(tx, contaId, id)
  if (conversaId === null) return null
  await lockContatosOf(tx, { contaId, ids: [conversaId] })
  const due = await lockAgendada(tx, { contaId, id })
  // First, so that a crash comes before the other callbacks send and publish.
  if (due !== null) tx.afterCommit(() => deps.crashPoint('agendada.apos-commit'))
  return due
}

async function storeEnding(
  tx: Tx,
  deps: SendDueDeps,
  contaId: string,
  due: DueAgendada,
  ending: Ending,
): Promise<void> {
  const { id, conversaId, contatoId } = due
  const ended = await endAgendada(tx, contaId, { id, ...ending })
  if (ending.estado === 'falhou') await addAvisos(tx, deps, contaId, failureNotices(due))
  await updateExpectsAnswer(tx, { contaId, contatoId })
  const served = await findServed(tx, contaId, conversaId, SERVER_READER)
  if (ended !== null && served !== null) announceAgendada(tx, deps, contaId, served, ended)
  deps.crashPoint('agendada.antes-commit')
}

/** For the author, while that person may read the conversa. */
function failureNotices(due: DueAgendada): NewAviso[] {
  const author = authorOf(due)
  if (author === null || !mayReadRow(author, due)) return []
  const texto = `Uma mensagem agendada não foi enviada: ${due.texto}`
  return [{ usuarioId: author.usuarioId, tipo: 'agendadaFalhou', texto, conversaId: due.conversaId }]
}

function authorOf({ autorId: usuarioId, autor: nome, autorSetores: setores, autorLinhas: linhas }: DueAgendada) {
  return setores === null || linhas === null ? null : { usuarioId, nome, setores, linhas }
}

/** Null: it still waits. The author acts with the setores of this moment. */
async function sendIfDue(tx: Tx, deps: SendDueDeps, contaId: string, due: DueAgendada): Promise<Ending | null> {
  const now = deps.clock.now()
  if (due.enviarEm > now && !(due.cancelar && due.respondeu)) return null
  const until = await findJanela(tx, contaId, due.conversaId)
  const author = authorOf(due)
  const facts = {
    ...{ cancelOnAnswer: due.cancelar, answered: due.respondeu, askedToStop: due.parou },
    ...{
      authorActive: author !== null,
      authorMayRead: author !== null && mayReadRow(author, due),
    },
    windowOpen: until === null || until > now || due.teste,
    ...{ finishedAt: due.finalizadaEm?.getTime() ?? null, otherOpen: due.outra },
  }
  const step = stepScheduled(facts, now.getTime())
  if (step.tipo === 'end') return step
  if (author === null) throw new Error('scheduled message without an author')
  const { conversaId, texto } = due
  if (step.reopen) await reopenConversaIn(tx, deps, { contaId, id: conversaId, operador: author })
  const idTemporario = `${AGENDADA_KEY_PREFIX}${due.id}`
  await sendMensagem(tx, deps, { contaId, conversaId, texto, idTemporario, operador: author, agendada: true })
  return { estado: 'enviada', motivo: null }
}
