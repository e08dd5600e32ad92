import { DESFAZER_MS } from '@balcao/contract/constants'
import { SETOR_GERAL } from '@balcao/contract/conversa-access'
import type { Situacao } from '@balcao/contract/entities/conversa'
import { inOrder } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import { AppError } from '#errors.ts'
import type { LoginSession } from '#http/authentication.ts'
import { isUuid } from '#lib/text.ts'
import { type ConfigDeps, holdSetor } from '#modules/configuracao/index.ts'
import {
  findLastAct,
  findServed,
  lockContatosOf,
  restoreBeforeAct,
  type ServedConversa,
} from '#modules/conversas/index.ts'
import { cancelFarewell } from '#modules/despedidas/index.ts'
import { audienceOf, mayReadRow, SERVER_READER } from '#modules/leitores/index.ts'
import { startReplyTimers, undoPass } from '#modules/prazos/index.ts'
import { type ActDeps, readAttended } from './change.ts'
import { isActiveLine } from './lines.ts'

type UndoDeps = Pick<ActDeps, 'clock' | 'realtime' | 'sendEventIn'> & ConfigDeps
type LastAct = NonNullable<Awaited<ReturnType<typeof findLastAct>>>

/**
 * Gives the conversa back the person, the place in the queue and the wait that it had before the caller's last act.
 * After a transfer out of the own setores the caller may still undo. Throws `naoEncontrado`, and `desfazerVencido` if
 * the act is not the caller's, is older than 2 minutes or was followed by a message or another act.
 */
export async function undoAct(tx: Tx, deps: UndoDeps, session: LoginSession, id: string): Promise<void> {
  const { contaId, usuarioId } = session
  if (!isUuid(id)) throw new AppError('naoEncontrado')
  const [, served, act] = await inOrder([
    lockContatosOf(tx, { contaId, ids: [id] }),
    findServed(tx, contaId, id, SERVER_READER),
    findLastAct(tx, { contaId, conversaId: id }),
  ])
  const own = act?.usuarioId === usuarioId
  if (served === null || !(own || mayReadRow(session, served))) throw new AppError('naoEncontrado')
  if (!own || !mayUndo(act, deps.clock.now())) throw new AppError('desfazerVencido')
  const setor = act.setor ?? SETOR_GERAL
  if (!(await prepareUndo(tx, deps, { contaId, id, setor, linhaId: served.linhaId, ato: act.ato })))
    throw new AppError('desfazerVencido')
  const { contatoId, linhaId } = served
  const event = await deps.sendEventIn(tx, { contaId, linhaId, contatoId }, (base) => ({
    tipo: 'atendenteTransferiu',
    setor,
    ...base,
  }))
  const [, restored] = await inOrder([event.stored, restoreBeforeAct(tx, { contaId, conversaId: id, usuarioId })])
  if (restored === null) throw new AppError('desfazerVencido')
  await undoRelease(tx, { contaId, id, usuarioId, act, now: deps.clock.now() }, restored)
  const { aguardandoDesde } = restored
  const wait = aguardandoDesde === null ? {} : { aguardandoDesde: aguardandoDesde.toISOString() }
  await publishUndo(tx, deps, { contaId, id, before: served, situacao: { ...restored.situacao, ...wait } })
}

/** The service of Meta's agent cannot be given back. */
function mayUndo({ ato, em, ofAgent, intact }: LastAct, now: Date): boolean {
  return intact && !ofAgent && ato !== 'outro' && now.getTime() - em.getTime() <= DESFAZER_MS
}

interface UndoneRelease {
  readonly contaId: string
  readonly id: string
  readonly usuarioId: string
  readonly act: LastAct
  readonly now: Date
}

/** The person has the time to answer that was left at the release. */
async function undoRelease(
  tx: Tx,
  { contaId, id, usuarioId, act, now }: UndoneRelease,
  { situacao, passouEm, responderAte }: NonNullable<Awaited<ReturnType<typeof restoreBeforeAct>>>,
): Promise<void> {
  if (act.ato !== 'soltar') return
  await undoPass(tx, { contaId, conversaId: id, operadorId: usuarioId, earlier: passouEm })
  const { operadorId: personId } = situacao
  if (responderAte === null || personId === undefined) return
  const until = new Date(responderAte.getTime() + now.getTime() - act.em.getTime())
  await startReplyTimers(tx, { contaId, until, assigned: [{ conversaId: id, personId }] })
}

interface Prepared {
  readonly contaId: string
  readonly id: string
  readonly setor: string
  readonly linhaId: string
  readonly ato: LastAct['ato']
}

/** False if the setor or the line was deleted, or the farewell left. Otherwise the farewell is cancelled. */
async function prepareUndo(tx: Tx, deps: ConfigDeps, { contaId, id, setor, linhaId, ato }: Prepared): Promise<boolean> {
  if ((await holdSetor(tx, deps, contaId, setor)) === null) return false
  if (ato !== 'finalizar') return true
  return (await isActiveLine(tx, { contaId, linhaId })) && (await cancelFarewell(tx, { contaId, conversaId: id })) > 0
}

interface Undone {
  readonly contaId: string
  readonly id: string
  readonly before: ServedConversa
  readonly situacao: Situacao
}

/** The readers before and after the undo receive the event. Clients ignore a second one with an equal `revisao`. */
async function publishUndo(
  tx: Tx,
  { realtime }: Pick<UndoDeps, 'realtime'>,
  { contaId, id, before, situacao }: Undone,
): Promise<void> {
  const audience = audienceOf({ ...situacao, linhaId: before.linhaId })
  if (before.status === 'finalizada') {
    const [conversa] = await readAttended(tx, contaId, [id])
    if (conversa === undefined) throw new AppError('naoEncontrado')
    tx.afterCommit(() => realtime.publishConversa(contaId, 'conversaReaberta', { userId: contaId, conversa }, audience))
    return
  }
  const { setor, operadorId, operador } = situacao
  const to = operadorId === undefined || operador === undefined ? {} : { operadorId, operador }
  const event = { userId: contaId, conversaId: id, novoSetor: setor, ...to, situacao }
  tx.afterCommit(() => {
    for (const readers of [audienceOf(before), audience]) {
      realtime.publishConversa(contaId, 'conversaTransferida', event, readers)
    }
  })
}
