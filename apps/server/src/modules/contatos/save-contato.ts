import type { BodyOf } from '@balcao/contract/define-route'
import type { atualizarContatoRoute, criarContatoRoute } from '@balcao/contract/routes/contatos'
import type { Contato } from '@balcao/contract/entities/contato'
import { parsePhone } from '@balcao/contract/entities/telefone'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { LoginSession } from '#http/authentication.ts'
import { isUuid } from '#lib/text.ts'
import { requireNotErased } from '#modules/apagados/index.ts'
import { findKnownContatos, insertSavedContatos, updateSavedContatos } from '#modules/enderecos/index.ts'
import { holdEtiquetas, replaceEtiquetas } from './etiquetas/repository.ts'
import { readContato, requireRoom, withoutConversa } from './repository.ts'

type SaveDeps = Pick<Deps, 'db' | 'ids' | 'clock' | 'realtime' | 'vault'>

const INVALID_PHONE = 'Informe um telefone com DDD'

/** Throws `contatoExiste` with `contatoId` for a known phone, `contatoApagado`, `limitePlano` and `dadosInvalidos`. */
export async function createContato(
  deps: SaveDeps,
  session: LoginSession,
  { nome, telefone: typed, etiquetas, observacao, conferirApagado }: BodyOf<typeof criarContatoRoute>,
): Promise<Contato> {
  const { contaId } = session
  const telefone = parsePhone(typed)
  if (telefone === null) {
    const detalhes = [{ caminho: 'telefone', mensagem: INVALID_PHONE }]
    throw new AppError('dadosInvalidos', { erro: INVALID_PHONE, detalhes })
  }
  return deps.db.transaction(contaId, async (tx) => {
    await requireRoom(tx, contaId, 1)
    if (conferirApagado) await requireNotErased(tx, deps, contaId, telefone)
    const id = deps.ids.uuid()
    const created = await insertSavedContatos(tx, contaId, [{ id, nome, telefone, observacao }], deps.clock.now())
    if (created.size === 0) {
      const [known] = await findKnownContatos(tx, contaId, [telefone])
      throw new AppError('contatoExiste', { contatoId: known?.id })
    }
    return saveEtiquetas(tx, deps, session, id, etiquetas)
  })
}

/** Throws `naoEncontrado`, and `dadosInvalidos` for an unknown etiqueta. */
export async function changeContato(
  deps: SaveDeps,
  session: LoginSession,
  { id, nome, etiquetas, observacao }: BodyOf<typeof atualizarContatoRoute> & { readonly id: string },
): Promise<Contato> {
  const { contaId } = session
  if (!isUuid(id)) throw new AppError('naoEncontrado')
  return deps.db.transaction(contaId, async (tx) => {
    const change = { id, nome: nome ?? null, observacao: observacao ?? null }
    const known = await updateSavedContatos(tx, contaId, [change], deps.clock.now())
    if (known.size === 0) throw new AppError('naoEncontrado')
    return saveEtiquetas(tx, deps, session, id, etiquetas)
  })
}

async function saveEtiquetas(
  tx: Tx,
  { realtime }: Pick<Deps, 'realtime'>,
  session: LoginSession,
  id: string,
  etiquetas: readonly string[] | undefined,
): Promise<Contato> {
  const { contaId } = session
  if (etiquetas !== undefined) {
    const held = new Set((await holdEtiquetas(tx, { contaId, ids: etiquetas })).map(({ id: one }) => one))
    const detalhes = etiquetas.flatMap((one, index) =>
      held.has(one) ? [] : [{ caminho: `etiquetas.${index}`, mensagem: 'Esta etiqueta não existe.' }],
    )
    if (detalhes.length > 0) throw new AppError('dadosInvalidos', { erro: 'Esta etiqueta não existe.', detalhes })
    await replaceEtiquetas(tx, contaId, id, [...held])
  }
  const contato = await readContato(tx, contaId, id, session)
  const event = { userId: contaId, contato: withoutConversa(contato) }
  tx.afterCommit(() => realtime.publish(contaId, 'contatoMudou', event))
  return contato
}
