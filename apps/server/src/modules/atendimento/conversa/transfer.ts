import type { Setor } from '@balcao/contract/entities/config'
import type { Situacao } from '@balcao/contract/entities/conversa'
import type { Tx } from '#db/transaction.ts'
import { AppError } from '#errors.ts'
import type { LoginSession } from '#http/authentication.ts'
import { isUuid } from '#lib/text.ts'
import { type ConfigDeps, holdSetor } from '#modules/configuracao/index.ts'
import { audienceOf, findServed, updateTransferred, updateTransferredTo } from '#modules/conversas/index.ts'
import { storeNota } from '#modules/notas/index.ts'
import { type Act, type ActDeps, type ConversaRef, openOf, ownerOrId, refOf, requireOpen } from './change.ts'

type TransferDeps = Pick<ActDeps, 'realtime' | 'clock'> & ConfigDeps

export interface Transfer {
  /** Absent: the setor stays. */
  readonly setor?: string | undefined
  /** Absent: the conversa waits in the setor. */
  readonly operadorId?: string | undefined
  /** Becomes a nota of the conversa. */
  readonly motivo?: string | undefined
}

/**
 * Puts the conversa into the queue of another setor, also of one whose conversas the operador may not read, or gives it
 * to a person. Old and new setor receive the event. Throws `setorDesconhecido`, and for a person `operadorForaDoSetor`
 * and `conversaAssumida` if another operador serves the conversa.
 */
export function transferConversa(
  deps: TransferDeps,
  session: LoginSession,
  id: string,
  { setor, operadorId, motivo = '' }: Transfer,
): Act {
  const ref = refOf(session, id)
  const act = {
    ref,
    find: (tx: Tx) => (setor === undefined ? requireOpen(tx, ref) : findWithSetor(tx, deps, ref, setor)),
    publish: publishTransfer(deps, ref),
  }
  const withNota = async (tx: Tx, update: Promise<Situacao | null>): Promise<Situacao | null> => {
    const situacao = await update
    if (situacao !== null && motivo !== '') await storeMotivo(tx, deps, session, { id, motivo, situacao })
    return situacao
  }
  if (operadorId === undefined) {
    if (setor === undefined) throw new AppError('dadosInvalidos')
    return {
      ...act,
      event: (base) => ({ tipo: 'atendenteTransferiu', setor, ...base }),
      update: (tx) => withNota(tx, updateTransferred(tx, { ...ref, setor })),
    }
  }
  const change = { id, setor: setor ?? null, operadorId, from: ownerOrId(session) }
  return {
    ...act,
    event: (base) =>
      setor === undefined ? { tipo: 'atendenteAssumiu', ...base } : { tipo: 'atendenteTransferiu', setor, ...base },
    update: async (tx) => {
      if (!isUuid(operadorId)) return null
      return withNota(tx, updateTransferredTo(tx, { contaId: ref.contaId, ...change, em: deps.clock.now() }))
    },
    refusal: (served) => refusalToPerson(served, change),
  }
}

/** The readers after the transfer receive the nota. */
async function storeMotivo(
  tx: Tx,
  deps: TransferDeps,
  { contaId, usuarioId, nome }: LoginSession,
  { id, motivo, situacao }: { readonly id: string; readonly motivo: string; readonly situacao: Situacao },
): Promise<void> {
  const { setor, operadorId = null } = situacao
  const audience = { setores: [setor], operadorId }
  await storeNota(tx, deps, {
    ...{ contaId, conversaId: id, texto: motivo, audience },
    autor: { id: usuarioId, nome },
  })
}

/** Sent in one round trip. An unknown conversa is refused first, then the setor, then a finished conversa. */
async function findWithSetor(
  tx: Tx,
  deps: ConfigDeps,
  { contaId, id, reader }: ConversaRef,
  setor: string,
): ReturnType<typeof requireOpen> {
  const [current, held] = await Promise.all([findServed(tx, contaId, id, reader), holdSetor(tx, deps, contaId, setor)])
  if (current !== null && held === null) throw new AppError('setorDesconhecido')
  return openOf(current)
}

type Served = Awaited<ReturnType<typeof requireOpen>>

function refusalToPerson(
  { operadorId: current, operador }: Served,
  { operadorId, from }: { readonly operadorId: string; readonly from: string | null },
): AppError {
  const served = current !== null && (current === operadorId || (from !== null && current !== from))
  return served
    ? new AppError('conversaAssumida', { operadorId: current, operador })
    : new AppError('operadorForaDoSetor')
}

function publishTransfer({ realtime }: Pick<TransferDeps, 'realtime'>, { contaId, id }: ConversaRef): Act['publish'] {
  return (served, situacao) => {
    const { setor, operadorId, operador } = situacao
    const to = operadorId === undefined || operador === undefined ? {} : { operadorId, operador }
    const event = { userId: contaId, conversaId: id, novoSetor: setor, ...to, situacao }
    const { setores, operadorId: former } = audienceOf(served)
    const audience = { setores: [...setores, setor], operadorId: former }
    realtime.publishConversa(contaId, 'conversaTransferida', event, audience)
  }
}

/** Holds the setor until the transaction ends. A switched-off setor is accepted. Throws `setorDesconhecido`. */
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
