import type { BodyOf } from '@balcao/contract/define-route'
import type { transferirConversaRoute } from '@balcao/contract/routes/atendimento-conversa'
import { SETOR_GERAL } from '@balcao/contract/conversa-access'
import type { Setor } from '@balcao/contract/entities/config'
import type { Situacao } from '@balcao/contract/entities/conversa'
import { inOrder } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import { AppError } from '#errors.ts'
import type { LoginSession } from '#http/authentication.ts'
import { isUuid } from '#lib/text.ts'
import { addAvisos } from '#modules/avisos/index.ts'
import { type ConfigDeps, holdSetor } from '#modules/configuracao/index.ts'
import {
  type ActedConversa,
  findServed,
  type ServedConversa,
  updateTransferred,
  updateTransferredTo,
} from '#modules/conversas/index.ts'
import { audienceOf } from '#modules/leitores/index.ts'
import { storeNota } from '#modules/notas/index.ts'
import { takeConversa } from './take.ts'
import { type ActDeps, type ConversaRef, openOf, ownerOrId, refOf, requireActed, requireOpen } from './change.ts'

type TransferDeps = Pick<ActDeps, 'realtime' | 'clock' | 'sendEventIn'> & ConfigDeps

/** Without `setor` it stays. Without `operadorId` the conversa waits. */
type Transfer = BodyOf<typeof transferirConversaRoute>

/**
 * The operador need not read conversas of the other setor. Throws `dadosInvalidos` without both, `setorDesconhecido`,
 * and for a person `operadorForaDoSetor` and `conversaAssumida` if another operador serves the conversa.
 */
export async function transferConversa(
  tx: Tx,
  deps: TransferDeps,
  session: LoginSession,
  id: string,
  { setor, operadorId, motivo = '' }: Transfer,
): Promise<void> {
  const ref = refOf(session, id)
  const { contaId } = ref
  if (setor === undefined && operadorId === undefined) throw new AppError('dadosInvalidos')
  const target = { id, setor, operadorId, from: ownerOrId(session), por: session.usuarioId }
  const { contatoId, linhaId } = await (setor === undefined
    ? requireOpen(tx, ref)
    : findWithSetor(tx, deps, ref, setor))
  const event = await deps.sendEventIn(tx, { contaId, linhaId, contatoId }, (base) =>
    setor === undefined ? { tipo: 'atendenteAssumiu', ...base } : { tipo: 'atendenteTransferiu', setor, ...base },
  )
  const [, acted] = await inOrder([event.stored, updateTarget(tx, contaId, target, deps.clock.now())])
  const { before, situacao } = await requireActed(tx, ref, acted, refusalOf(tx, ref, target))
  if (motivo !== '') await storeMotivo(tx, deps, session, { id, motivo, situacao, linhaId })
  if (operadorId !== undefined && operadorId !== session.usuarioId) {
    const texto = `${session.nome} transferiu uma conversa para você${motivo === '' ? '.' : `: ${motivo}`}`
    await addAvisos(tx, deps, contaId, [{ usuarioId: operadorId, tipo: 'transferida', texto, conversaId: id }])
  }
  tx.afterCommit(() => publishTransfer(deps, ref, before, situacao))
}

/**
 * The owner or an administrator takes the conversa that a colleague serves, and a nota names both. For other people,
 * and without a colleague, the act is `takeConversa`.
 */
export async function takeFromColleague(tx: Tx, deps: TransferDeps, session: LoginSession, id: string): Promise<void> {
  const ref = refOf(session, id)
  const { operadorId, operador } = await requireOpen(tx, ref)
  if (ownerOrId(session) !== null || operadorId === null || operadorId === session.usuarioId) {
    return takeConversa(tx, deps, ref, session)
  }
  const motivo = `${session.nome} assumiu a conversa de ${operador ?? 'outra pessoa'}.`
  return transferConversa(tx, deps, session, id, { operadorId: session.usuarioId, motivo })
}

interface Target {
  readonly id: string
  readonly setor: string | undefined
  readonly operadorId: string | undefined
  readonly from: string | null
  readonly por: string
}

async function updateTarget(
  tx: Tx,
  contaId: string,
  { id, setor, operadorId, from, por }: Target,
  em: Date,
): Promise<ActedConversa | null> {
  if (operadorId === undefined) return updateTransferred(tx, { contaId, id, setor: setor ?? SETOR_GERAL, em, por })
  if (!isUuid(operadorId)) return null
  return updateTransferredTo(tx, { contaId, id, setor: setor ?? null, operadorId, from, em, por })
}

/** The readers after the transfer receive the nota. */
async function storeMotivo(
  tx: Tx,
  deps: TransferDeps,
  { contaId, usuarioId, nome }: LoginSession,
  { id, motivo, situacao, linhaId }: Record<'id' | 'motivo' | 'linhaId', string> & { readonly situacao: Situacao },
): Promise<void> {
  const { setor, operadorId = null } = situacao
  const audience = { setores: [setor], linhaId, operadorId }
  await storeNota(tx, deps, {
    ...{ contaId, conversaId: id, texto: motivo, audience },
    autor: { id: usuarioId, nome },
  })
}

/** An unknown conversa is refused first, then the setor, then a finished conversa. */
async function findWithSetor(
  tx: Tx,
  deps: ConfigDeps,
  { contaId, id, reader }: ConversaRef,
  setor: string,
): Promise<ServedConversa> {
  const [current, held] = await Promise.all([findServed(tx, contaId, id, reader), holdSetor(tx, deps, contaId, setor)])
  if (current !== null && held === null) throw new AppError('setorDesconhecido')
  return openOf(current)
}

/** Undefined for a transfer to a setor, which only a faster act refuses. */
function refusalOf(tx: Tx, ref: ConversaRef, { operadorId, from }: Target): (() => Promise<AppError>) | undefined {
  if (operadorId === undefined) return undefined
  return async () => {
    const { operadorId: current, operador } = await requireOpen(tx, ref)
    const served = current !== null && (current === operadorId || (from !== null && current !== from))
    return served
      ? new AppError('conversaAssumida', { operadorId: current, operador })
      : new AppError('operadorForaDoSetor')
  }
}

function publishTransfer(
  { realtime }: Pick<TransferDeps, 'realtime'>,
  { contaId, id }: ConversaRef,
  before: ActedConversa['before'],
  situacao: Situacao,
): void {
  const { setor, operadorId, operador } = situacao
  const to = operadorId === undefined || operador === undefined ? {} : { operadorId, operador }
  const event = { userId: contaId, conversaId: id, novoSetor: setor, ...to, situacao }
  const former = audienceOf(before)
  const readers = { ...former, setores: [...former.setores, setor] }
  realtime.publishConversa(contaId, 'conversaTransferida', event, readers)
}

/** Accepts a switched-off setor. Throws `setorDesconhecido`. */
export async function requireSetor(
  tx: Tx,
  deps: Pick<ConfigDeps, 'vault'>,
  contaId: string,
  setorId: string,
): Promise<Setor> {
  const setor = await holdSetor(tx, deps, contaId, setorId)
  if (setor === null) throw new AppError('setorDesconhecido')
  return setor
}
