import { mayReadConversa } from '@balcao/contract/conversa-access'
import type { NotaConversa } from '@balcao/contract/entities/nota'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { LoginSession } from '#http/authentication.ts'
import { addAvisos } from '#modules/avisos/index.ts'
import { findServed, type ServedConversa } from '#modules/conversas/index.ts'
import { audienceOf } from '#modules/leitores/index.ts'
import type { ConversaAudience } from '#ports/realtime.ts'
import { firstIdAt } from '#ids.ts'
import { findPeople, countNotas, insertNota } from './repository.ts'

interface NotaInput {
  readonly conversaId: string
  readonly texto: string
  readonly mencoes: readonly string[]
}

/** Throws `naoEncontrado`, and `dadosInvalidos` for a mentioned person who may not read the conversa. */
export function createNota(
  deps: NotaDeps & Pick<Deps, 'db'>,
  session: LoginSession,
  { conversaId, texto, mencoes }: NotaInput,
): Promise<NotaConversa> {
  const { contaId, usuarioId, nome } = session
  return deps.db.transaction(contaId, async (tx) => {
    const served = await findServed(tx, contaId, conversaId, session)
    if (served === null) throw new AppError('naoEncontrado')
    await requireReaders(tx, contaId, served, mencoes)
    const audience = audienceOf(served)
    const avisos = [...new Set(mencoes)]
      .filter((id) => id !== usuarioId)
      .map((id) => ({ usuarioId: id, tipo: 'mencao' as const, texto: `${nome} mencionou você: ${texto}`, conversaId }))
    const nota = await storeNota(tx, deps, {
      ...{ contaId, conversaId, texto, mencoes, audience },
      autor: { id: usuarioId, nome },
    })
    await addAvisos(tx, deps, contaId, avisos)
    return nota
  })
}

async function requireReaders(
  tx: Tx,
  contaId: string,
  served: ServedConversa,
  mencoes: readonly string[],
): Promise<void> {
  if (mencoes.length === 0) return
  const people = await findPeople(tx, { contaId, ids: mencoes })
  const readers = new Set(
    people
      .filter(({ id, setores, linhas }) => mayReadConversa({ usuarioId: id, setores, linhas }, served))
      .map(({ id }) => id),
  )
  const detalhes = mencoes.flatMap((id, index) =>
    readers.has(id) ? [] : [{ caminho: `mencoes.${index}`, mensagem: 'Esta pessoa não vê esta conversa.' }],
  )
  if (detalhes.length > 0) throw new AppError('dadosInvalidos', { erro: 'Esta pessoa não vê esta conversa.', detalhes })
}

export type NotaDeps = Pick<Deps, 'ids' | 'clock' | 'realtime'>

export interface NewNota {
  readonly contaId: string
  readonly conversaId: string
  readonly texto: string
  readonly autor: { readonly id: string; readonly nome: string }
  readonly mencoes?: readonly string[]
  readonly audience: ConversaAudience
}

const DAY_MS = 86_400_000
/** Notas of a conta in 24 hours: 50 people who write 200 each. */
const NOTAS_A_DAY = 10_000

/** Stores a nota and publishes it after the commit. Throws `limitePlano` above 10,000 notas in 24 hours. The caller has checked that the author may read the conversa. */
export async function storeNota(
  tx: Tx,
  { ids, clock, realtime }: NotaDeps,
  { contaId, conversaId, texto, autor, mencoes = [], audience }: NewNota,
): Promise<NotaConversa> {
  const now = clock.now()
  const usado = await countNotas(tx, { contaId, after: firstIdAt(new Date(now.getTime() - DAY_MS)), max: NOTAS_A_DAY })
  if (usado >= NOTAS_A_DAY) {
    const erro = 'Sua loja atingiu o limite de notas de hoje. Tente de novo amanhã.'
    throw new AppError('limitePlano', { erro, usado, limite: NOTAS_A_DAY })
  }
  const nota: NotaConversa = {
    ...{ id: ids.uuid(), texto, autor: autor.nome, autorId: autor.id },
    ...{ mencoes: [...new Set(mencoes)], criadaEm: now.toISOString() },
  }
  await insertNota(tx, { contaId, conversaId, ...nota, criadaEm: now })
  tx.afterCommit(() =>
    realtime.publishConversa(contaId, 'notaConversa', { userId: contaId, conversaId, nota }, audience),
  )
  return nota
}
