import type { BodyOf } from '@balcao/contract/define-route'
import type { Etiqueta } from '@balcao/contract/entities/etiqueta'
import type { atualizarEtiquetaRoute } from '@balcao/contract/routes/etiquetas'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { RequestSession } from '#http/authentication.ts'
import { isUuid } from '#lib/text.ts'
import { recordAuditoria } from '#modules/auditoria/index.ts'
import { ANNOUNCED_MAX, announceContatos } from '#modules/contatos/repository.ts'
import { foldName } from '../search-terms.ts'
import {
  deleteEtiquetaRow,
  insertEtiquetas,
  listEtiquetas,
  listTagged,
  lockEtiqueta,
  lockNewEtiquetas,
  updateEtiqueta,
} from './repository.ts'

export const ETIQUETAS_MAX = 200

export const etiquetaKey = (nome: string): string => foldName(nome).trim().replaceAll(/\s+/g, ' ')

type ChangeDeps = Pick<Deps, 'db' | 'realtime' | 'ids' | 'clock'>

/** Throws `etiquetaExiste`, or `limitePlano` above 200 etiquetas. */
export async function createEtiqueta(
  { db, ids }: Pick<Deps, 'db' | 'ids'>,
  contaId: string,
  { nome, cor }: Pick<Etiqueta, 'nome' | 'cor'>,
): Promise<Etiqueta> {
  const etiqueta = { id: ids.uuid(), nome, cor }
  await refuseRepeatedName(
    db.transaction(contaId, async (tx) => {
      await lockNewEtiquetas(tx, { contaId })
      const { length: usado } = await listEtiquetas(tx, { contaId })
      if (usado >= ETIQUETAS_MAX) throw tooManyEtiquetas(usado)
      await insertEtiquetas(tx, { contaId, i: [{ ...etiqueta, chave: etiquetaKey(nome) }] })
    }),
  )
  return etiqueta
}

export function tooManyEtiquetas(usado: number): AppError {
  return new AppError('limitePlano', {
    ...{ erro: `Uma conta pode ter até ${ETIQUETAS_MAX} etiquetas.`, usado, limite: ETIQUETAS_MAX },
  })
}

/** Throws `naoEncontrado` or `etiquetaExiste`. Publishes contatos, so that other windows read the etiquetas again. */
export function changeEtiqueta(
  deps: ChangeDeps,
  session: RequestSession,
  { id, nome, cor }: BodyOf<typeof atualizarEtiquetaRoute> & { readonly id: string },
): Promise<Etiqueta> {
  const { contaId } = session
  const change = async (tx: Tx): Promise<Etiqueta> => {
    const before = isUuid(id) ? await lockEtiqueta(tx, { contaId, id }) : null
    if (before === null) throw new AppError('naoEncontrado')
    const after = { id: before.id, nome: nome ?? before.nome, cor: cor ?? before.cor }
    await updateEtiqueta(tx, { contaId, ...after, chave: etiquetaKey(after.nome) })
    const detalhe = `De “${before.nome}” para “${after.nome}”.`
    await recordAuditoria(tx, deps, { acao: 'etiquetaAlterada', quem: session, detalhe })
    await announceContatos(tx, deps, contaId, await listTagged(tx, { contaId, id, limit: ANNOUNCED_MAX }))
    return after
  }
  return refuseRepeatedName(deps.db.transaction(contaId, change))
}

/** Throws `naoEncontrado`. */
export async function deleteEtiqueta(deps: ChangeDeps, session: RequestSession, id: string): Promise<void> {
  const { contaId } = session
  if (!isUuid(id)) throw new AppError('naoEncontrado')
  await deps.db.transaction(contaId, async (tx) => {
    const etiqueta = await lockEtiqueta(tx, { contaId, id })
    if (etiqueta === null) throw new AppError('naoEncontrado')
    const tagged = await listTagged(tx, { contaId, id, limit: ANNOUNCED_MAX })
    await deleteEtiquetaRow(tx, { contaId, id })
    await recordAuditoria(tx, deps, { acao: 'etiquetaExcluida', quem: session, detalhe: `“${etiqueta.nome}”` })
    await announceContatos(tx, deps, contaId, tagged)
  })
}

async function refuseRepeatedName<T>(saving: Promise<T>): Promise<T> {
  try {
    return await saving
  } catch (error) {
    const repeated = error instanceof Error && 'constraint' in error && error.constraint === 'etiquetas_chave'
    throw repeated ? new AppError('etiquetaExiste') : error
  }
}
