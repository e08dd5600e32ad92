import { mayReadConversa } from '@balcao/contract/conversa-access'
import type { NotaConversa } from '@balcao/contract/entities/nota'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { LoginSession } from '#http/authentication.ts'
import { findServed, type ServedConversa } from '#modules/conversas/index.ts'
import { audienceOf } from '#modules/leitores/index.ts'
import { findPeople } from './repository.ts'
import { type NotaDeps, storeNota } from './store-nota.ts'

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
    return storeNota(tx, deps, { contaId, conversaId, texto, mencoes, autor: { id: usuarioId, nome }, audience })
  })
}

async function requireReaders(
  tx: Tx,
  contaId: string,
  { setor, status, operadorId }: ServedConversa,
  mencoes: readonly string[],
): Promise<void> {
  if (mencoes.length === 0) return
  const people = await findPeople(tx, { contaId, ids: mencoes })
  const readers = new Set(
    people
      .filter(({ id, setores }) => mayReadConversa({ usuarioId: id, setores }, { setor, status, operadorId }))
      .map(({ id }) => id),
  )
  const detalhes = mencoes.flatMap((id, index) =>
    readers.has(id) ? [] : [{ caminho: `mencoes.${index}`, mensagem: 'Esta pessoa não vê esta conversa.' }],
  )
  if (detalhes.length > 0) throw new AppError('dadosInvalidos', { erro: 'Esta pessoa não vê esta conversa.', detalhes })
}
