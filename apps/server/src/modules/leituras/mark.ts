import type { Minha } from '@balcao/contract/entities/conversa'
import type { Lote } from '@balcao/contract/entities/lote'
import { inOrder } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { LoginSession } from '#http/authentication.ts'
import { isUuid } from '#lib/text.ts'
import { markReadOfConversa } from '#modules/avisos/index.ts'
import { findServed } from '#modules/conversas/index.ts'
import {
  countPinned,
  setUnread,
  moveRead,
  moveReadToEnd,
  PINNED_MAX,
  readMarks,
  setPinned,
  setReminder,
} from './marks.ts'

type MarkDeps = Pick<Deps, 'db' | 'clock' | 'realtime'>

const REMIND_MIN_MS = 60_000
const REMIND_MAX_MS = 90 * 86_400_000
/** The clocks of server and browser differ by some seconds. */
const CLOCK_SKEW_MS = 10_000

/** One act of a person on the own view of a conversa. */
export type Mark =
  | { readonly tipo: 'leu'; readonly ate: string }
  | { readonly tipo: 'leuTudo' }
  | { readonly tipo: 'naoLida' }
  | { readonly tipo: 'lembrar'; readonly em: Date | null }
  | { readonly tipo: 'fixar'; readonly fixada: boolean }

/**
 * Stores the mark and publishes it to the windows of the person. Throws `naoEncontrado` for a conversa that the person
 * may not read, `dadosInvalidos` for a reminder outside of 1 minute to 90 days, and `limiteDeItens` for an 11th pin.
 */
export function markConversa(deps: MarkDeps, session: LoginSession, conversaId: string, mark: Mark): Promise<void> {
  const { contaId, usuarioId } = session
  return deps.db.transaction(contaId, async (tx) => {
    if ((await findServed(tx, contaId, conversaId, session)) === null) throw new AppError('naoEncontrado')
    const person = { contaId, usuarioId, conversaId }
    await storeMark(tx, person, mark, deps.clock.now())
    const minha = (await readMarks(tx, person, [conversaId], deps.clock.now())).get(conversaId)
    tx.afterCommit(() => publishMinha(deps, person, minha))
  })
}

/** The same mark on many conversas in one transaction, whose statements are sent together. */
export function markConversas(
  deps: MarkDeps,
  session: LoginSession,
  ids: readonly string[],
  mark: Exclude<Mark, { readonly tipo: 'leu' | 'fixar' }>,
): Promise<Lote> {
  const { contaId, usuarioId } = session
  const now = deps.clock.now()
  return deps.db.transaction(contaId, async (tx) => {
    const served = await inOrder(ids.map((id) => findServed(tx, contaId, id, session)))
    const feitas = ids.filter((_, index) => served[index] !== null)
    await inOrder(feitas.map((conversaId) => storeMark(tx, { contaId, usuarioId, conversaId }, mark, now)))
    const minhas = await readMarks(tx, session, feitas, now)
    tx.afterCommit(() => {
      for (const [conversaId, minha] of minhas) publishMinha(deps, { contaId, usuarioId, conversaId }, minha)
    })
    const recusadas = ids.filter((id) => !feitas.includes(id)).map((id) => ({ id, codigo: 'naoEncontrado' }))
    return { feitas, recusadas }
  })
}

interface MarkedConversa {
  readonly contaId: string
  readonly usuarioId: string
  readonly conversaId: string
}

function publishMinha(
  { realtime }: Pick<Deps, 'realtime'>,
  { contaId, usuarioId, conversaId }: MarkedConversa,
  minha: Minha | undefined,
): void {
  if (minha === undefined) return
  realtime.publishPerson({ contaId, usuarioId }, 'leituraMudou', { userId: contaId, conversaId, minha })
}

async function storeMark(tx: Tx, person: MarkedConversa, mark: Mark, now: Date): Promise<void> {
  switch (mark.tipo) {
    case 'leu': {
      const moved = isUuid(mark.ate) ? await moveRead(tx, { ...person, ate: mark.ate }) : 0
      if (moved === 0) throw new AppError('naoEncontrado')
      await markReadOfConversa(tx, { ...person, now })
      return
    }
    case 'leuTudo':
      await inOrder([moveReadToEnd(tx, person), markReadOfConversa(tx, { ...person, now })])
      return
    case 'naoLida':
      await setUnread(tx, person)
      return
    case 'lembrar':
      requireReminderTime(mark.em, now)
      await setReminder(tx, { ...person, em: mark.em })
      return
    case 'fixar':
      if (mark.fixada && (await countPinned(tx, person)) >= PINNED_MAX) throw new AppError('limiteDeItens')
      await setPinned(tx, { ...person, fixada: mark.fixada })
  }
}

function requireReminderTime(em: Date | null, now: Date): void {
  if (em === null) return
  const ms = em.getTime() - now.getTime()
  if (ms >= REMIND_MIN_MS - CLOCK_SKEW_MS && ms <= REMIND_MAX_MS) return
  const mensagem = 'Escolha um momento entre 1 minuto e 90 dias.'
  throw new AppError('dadosInvalidos', { erro: mensagem, detalhes: [{ caminho: 'em', mensagem }] })
}
