import type { Deps } from '#deps.ts'
import type { RequestSession } from '#http/authentication.ts'
import { sweepArquivos } from '#modules/arquivos/index.ts'
import { recordAuditoria } from '#modules/auditoria/index.ts'
import {
  type ClearedConversa,
  countFinishedConversas,
  countScheduledInFinished,
  deleteFinishedConversas,
} from '#modules/exclusao/index.ts'
import { requireNoLegalHold } from '#modules/lgpd/index.ts'
import { insertLog } from '#modules/logs/index.ts'

/** Batch size. A customer message waits for one transaction at most. */
const BATCH_SIZE = 200

type ClearDeps = Pick<Deps, 'db' | 'files' | 'log' | 'realtime' | 'ids' | 'clock' | 'vault'>

interface Cleared {
  readonly removidas: number
  readonly agendadas: number
}

/** Deletes finished and bot-only conversas with their files, never open human ones. Returns how many it deleted. */
export async function clearConversas(deps: ClearDeps, session: RequestSession): Promise<Cleared> {
  const { contaId, nome } = session
  await deps.db.read(contaId, (tx) => requireNoLegalHold(tx, contaId))
  let [removidas, agendadas] = [0, 0]
  for (;;) {
    const clean = await clearSome(deps, session, removidas === 0)
    removidas += clean.length
    agendadas += clean.reduce((sum, one) => sum + one.agendadas, 0)
    if (clean.length === 0) break
  }
  if (removidas > 0) {
    await sweepArquivos(deps, contaId).catch((error: unknown) => {
      deps.log.error({ err: error, contaId }, 'files of deleted conversas left to sweep')
    })
    const count = `${countOf(removidas)} ${removidas === 1 ? 'encerrada' : 'encerradas'} ou só com o bot`
    const mensagem = `${nome} apagou ${count}${scheduledOf(agendadas)}. As que esperam ou falam com uma pessoa continuam.`
    await deps.db.transaction(contaId, (tx) => insertLog(tx, deps, contaId, { tipo: 'user', mensagem }))
  }
  return { removidas, agendadas }
}

function countOf(conversas: number): string {
  return conversas === 1 ? '1 conversa' : `${conversas} conversas`
}

function scheduledOf(agendadas: number): string {
  if (agendadas === 0) return ''
  return agendadas === 1 ? ', com 1 mensagem agendada' : `, com ${agendadas} mensagens agendadas`
}

/**
 * The first batch also records the act, with the number of all conversas to delete. A crash between two batches then
 * leaves no deletion without its act.
 */
function clearSome(deps: ClearDeps, session: RequestSession, first: boolean): Promise<ClearedConversa[]> {
  const { contaId } = session
  return deps.db.transaction(contaId, async (tx) => {
    const count = first ? await countFinishedConversas(tx, { contaId }) : 0
    const agendadas = first ? await countScheduledInFinished(tx, { contaId }) : 0
    const clean = await deleteFinishedConversas(tx, deps, contaId, BATCH_SIZE)
    if (first && clean.length > 0) {
      const detalhe = `${countOf(Math.max(count, clean.length))}${scheduledOf(agendadas)}`
      await recordAuditoria(tx, deps, { acao: 'conversasLimpas', quem: session, detalhe })
    }
    tx.afterCommit(() => {
      for (const { contatoId, telefone, nome, withBot } of clean) {
        if (!withBot) continue
        const data = { id: contatoId, telefone, nome, ativa: false, userId: contaId }
        deps.realtime.publish(contaId, 'botConversaAtiva', data)
      }
    })
    return clean
  })
}
