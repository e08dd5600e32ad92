import * as z from 'zod/mini'
import { CONNECTORS, isConector } from '@balcao/contract/connectors'
import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { lineOf } from '#db/statement/line.ts'
import { contaId, sql, value } from '#db/statement/sql.ts'
import { oneRow } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import { AppError } from '#errors.ts'
import type { RequestSession } from '#http/authentication.ts'
import { isUuid } from '#lib/text.ts'
import { recordAuditoria } from '#modules/auditoria/index.ts'
import { lockConversa, type LockedConversa } from '#modules/conversas/index.ts'
import { setEdit } from '#modules/mensagens/index.ts'
import { type MarkedRef, queueMark, readMarked } from './marked.ts'
import type { SendDeps } from './send-mensagens.ts'
import { requireTarget } from './target.ts'

const EDIT_MS = 15 * 60_000
const DELETE_MS = 48 * 3_600_000

const writtenSchema = z.object({
  conversaId: z.string(),
  operadorId: z.nullable(z.string()),
  criadaEm: z.date(),
  isFile: z.boolean(),
  conector: z.nullable(z.string()),
})

const findWritten = oneRow(
  'atendimento: find written mensagem',
  writtenSchema,
  sql`select m.conversa_id, m.operador_id, m.criada_em, m.midia is not null as is_file,
        (select b.conector from linhas_bots b where b.linha_id = ${lineOf('v')}) as conector
      from mensagens m join conversas v on v.conta_id = m.conta_id and v.id = m.conversa_id
      where m.conta_id = ${contaId} and m.id = ${value('id', 'uuid')} and v.protocolo is not null`,
)
type Written = z.output<typeof writtenSchema>

interface SentChange {
  readonly id: string
  /** Null deletes the message. */
  readonly texto: string | null
}

/**
 * Edits or deletes a sent message of the caller, here and on the customer's phone. The conversa may be finished. Throws
 * `naoEncontrado`, `semPermissao`, `conectorNaoPermite`, `prazoDaMensagem` and `mensagemForaDeAlcance`.
 */
export function changeSent(
  deps: SendDeps,
  session: RequestSession,
  { id: mensagemId, texto }: SentChange,
): Promise<{ readonly mensagem: Mensagem; readonly conversaId: string }> {
  const { contaId } = session
  return deps.db.transaction(contaId, async (tx) => {
    const written = isUuid(mensagemId) ? await findWritten(tx, { contaId, id: mensagemId }) : null
    if (written === null) throw new AppError('naoEncontrado')
    const { conversaId } = written
    const locked = await lockConversa(tx, contaId, { conversaId, operador: session })
    if (locked === null) throw new AppError('naoEncontrado')
    requireOwn(written, session.usuarioId)
    requireChangeable(written, locked, texto, deps.clock.now())
    const ref = { contaId, conversaId, mensagemId }
    const changed = await storeChange(tx, deps, ref, locked, texto)
    if (changed) {
      const acao = texto === null ? 'mensagemApagada' : 'mensagemEditada'
      await recordAuditoria(tx, deps, { acao, quem: session, alvo: { id: mensagemId, nome: '' } })
    }
    return { mensagem: await readMarked(tx, deps, ref, locked, changed), conversaId }
  })
}

function requireOwn({ operadorId }: Written, usuarioId: string): void {
  if (operadorId === usuarioId) return
  throw new AppError('semPermissao', { erro: 'Só quem escreveu a mensagem pode editar ou apagar.' })
}

function requireChangeable(
  { criadaEm, isFile, conector }: Written,
  { teste }: LockedConversa,
  texto: string | null,
  now: Date,
): void {
  const able = conector !== null && isConector(conector) && CONNECTORS[conector].changesSent
  if (!teste && !able) throw new AppError('conectorNaoPermite')
  if (now.getTime() - criadaEm.getTime() > (texto === null ? DELETE_MS : EDIT_MS)) throw new AppError('prazoDaMensagem')
  if (texto !== null && isFile) {
    throw new AppError('mensagemForaDeAlcance', { erro: 'Um arquivo não pode ser editado. Apague e envie outro.' })
  }
}

/** False for an edit that changes nothing. */
async function storeChange(
  tx: Tx,
  deps: SendDeps,
  ref: MarkedRef,
  locked: LockedConversa,
  texto: string | null,
): Promise<boolean> {
  const { contaId, mensagemId } = ref
  const { edicao: anterior = null, atual, ...alvo } = await requireTarget(tx, { ...ref, teste: locked.teste })
  if (texto === atual) return false
  await setEdit(tx, ref, texto)
  const { id, nossa, texto: quote } = alvo
  await queueMark(tx, deps, contaId, locked, {
    edicao: { mensagemId, alvo: { id, nossa, texto: quote }, texto, anterior },
  })
  return true
}
