import type { Tx } from '#db/transaction.ts'
import { AppError } from '#errors.ts'
import type { RequestSession } from '#http/authentication.ts'
import { recordAuditoria } from '#modules/auditoria/index.ts'
import { unwantBot } from '#modules/bot/index.ts'
import { lockConta } from '#modules/configuracao/index.ts'
import { removeLineOfOperadores } from '#modules/contas/index.ts'
import { finishBotConversasOfLine } from '#modules/conversas/index.ts'
import { insertLog } from '#modules/logs/index.ts'
import { failWaiting, sendExpiry } from '#modules/mensagens/index.ts'
import { deleteWebchat } from '#modules/webchat/index.ts'
import type { LineKey } from '#ports/bots.ts'
import { readLine, readLines } from './linhas.ts'
import { announceLine, type LinhasDeps } from './save-linha.ts'
import { listOpenWithPeople, updateLine } from './repository.ts'

export interface DeleteLinhaDeps extends LinhasDeps {
  /** Ends these conversas without a farewell. */
  readonly endConversas: (session: RequestSession, ids: readonly string[]) => Promise<void>
}

/**
 * Unlinks the phone after the commit. The row stays, so that the history keeps the name. With `encerrar` the open
 * conversas with people end without a farewell. Throws `naoEncontrado`, `linhaPrincipal` or `linhaEmUso`.
 */
export async function deleteLinha(
  deps: DeleteLinhaDeps,
  session: RequestSession,
  id: string,
  { encerrar }: { readonly encerrar: boolean },
): Promise<void> {
  const { contaId } = session
  const linha = await deps.db.read(contaId, (tx) => readLine(tx, deps, contaId, id))
  if (linha.principal) throw new AppError('linhaPrincipal')
  if (encerrar) {
    const open = await deps.db.read(contaId, (tx) => listOpenWithPeople(tx, { contaId, id }))
    await deps.endConversas(
      session,
      open.map((conversa) => conversa.id),
    )
  }
  await deps.db.transaction(contaId, async (tx) => {
    await lockConta(tx, contaId)
    const { nome, principal } = await readLine(tx, deps, contaId, id)
    if (principal) throw new AppError('linhaPrincipal')
    const { length: conversas } = await listOpenWithPeople(tx, { contaId, id })
    if (conversas > 0) throw new AppError('linhaEmUso', { conversas })
    const em = deps.clock.now()
    await unwantBot(tx, { contaId, linhaId: id }, { esquecer: false })
    await endWithoutPeople(tx, deps, { contaId, linhaId: id }, nome)
    await deleteWebchat(tx, { contaId, linhaId: id })
    await takeFromOperadores(tx, deps, contaId, id)
    await updateLine(tx, { contaId, id, fields: { ativa: false, removidaEm: em } })
    await recordAuditoria(tx, deps, { acao: 'linhaExcluida', quem: session, detalhe: `“${nome}”` })
    await announceLine(tx, deps, contaId, await mainLineId(tx, deps, contaId))
  })
  await deps.bots.unlinkDeleted({ contaId, linhaId: id })
  // A turn that read the line before the commit may have written since.
  await deps.db.transaction(contaId, (tx) => endWithoutPeople(tx, deps, { contaId, linhaId: id }, linha.nome))
}

const UNSENT_TEXT = 'A linha foi excluída antes do envio desta mensagem.'
/** More expire later. */
const FAILED_MAX = 50_000

/** Finishes the conversas of the bot and fails the messages that wait: no session sends them. */
async function endWithoutPeople(tx: Tx, deps: DeleteLinhaDeps, line: LineKey, nome: string): Promise<void> {
  const { bots, clock } = deps
  const { contaId } = line
  const em = clock.now()
  await finishBotConversasOfLine(tx, { ...line, em })
  const reason = { automatic: UNSENT_TEXT, person: UNSENT_TEXT }
  // All that wait: none expires later.
  const until = sendExpiry(em, 'person')
  const failed = await failWaiting(tx, { which: 'expired', ...line, until, reason, max: FAILED_MAX })
  const { length: count } = failed
  if (count === 0) return
  tx.afterCommit(() => bots.outboxFailed(failed))
  const what = count === 1 ? 'Uma mensagem não foi enviada' : `${count} mensagens não foram enviadas`
  await insertLog(tx, deps, contaId, { tipo: 'error', mensagem: `${what}, porque a linha “${nome}” foi excluída.` })
}

/** A reconnect makes the browsers of these people read their lines again. */
async function takeFromOperadores(tx: Tx, deps: DeleteLinhaDeps, contaId: string, linhaId: string): Promise<void> {
  const operadores = await removeLineOfOperadores(tx, { contaId, linhaId })
  if (operadores.length === 0) return
  tx.afterCommit(async () => {
    await deps.forgetSessions()
    await Promise.all(operadores.map(({ id: usuarioId }) => deps.realtime.disconnect({ usuarioId })))
  })
}

async function mainLineId(tx: Tx, deps: LinhasDeps, contaId: string): Promise<string> {
  const linhas = await readLines(tx, deps, contaId)
  return linhas.find(({ principal }) => principal)?.id ?? contaId
}
