import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { isAskedToConfirm, type RequestSession } from '#http/authentication.ts'
import { recordAuditoria } from '#modules/auditoria/index.ts'
import { checkOwnPassword, manutencaoLimits, type PasswordDeps } from '#modules/auth/index.ts'
import { contextChanges, updateConta } from '#modules/contas/index.ts'
import { insertLog } from '#modules/logs/index.ts'
import { isBotConnected } from './repository.ts'

const EFFECT_TEXT = {
  iniciada: 'As mensagens dos clientes são guardadas, mas não recebem resposta, nem depois.',
  encerrada: 'O bot volta a responder às mensagens que chegarem a partir de agora.',
} as const

/**
 * Starts or ends maintenance for a person who proves to be the one of the session: no other password is tried. A
 * wrong password throws `senhaManutencao` and counts as a wrong login; the sixth in 15 minutes of the conta, or the 21st
 * in an hour of the address, throws `muitasTentativas`.
 */
export async function changeManutencao(
  deps: Pick<Deps, 'ids' | 'realtime' | 'bots'> & PasswordDeps,
  actor: RequestSession,
  { senha, ativa }: { readonly senha?: string | undefined; readonly ativa: boolean },
): Promise<boolean> {
  const { contaId, nome } = actor
  const acao = ativa ? 'manutencaoIniciada' : 'manutencaoEncerrada'
  if (!(await isProven(deps, actor, senha))) {
    const detalhe = 'A senha não confere'
    await deps.db.transaction(contaId, (tx) =>
      recordAuditoria(tx, deps, { acao, quem: actor, resultado: 'recusado', detalhe }),
    )
    throw new AppError('senhaManutencao')
  }

  await deps.db.transaction(contaId, async (tx) => {
    await updateConta(tx, { contaId, fields: { manutencao: ativa } })
    const step = ativa ? 'iniciada' : 'encerrada'
    const mensagem = `Manutenção ${step} por ${nome}. ${EFFECT_TEXT[step]}`
    await insertLog(tx, deps, contaId, { tipo: ativa ? 'warning' : 'success', mensagem })
    await recordAuditoria(tx, deps, { acao, quem: actor })
    const connected = await isBotConnected(tx, { contaId })
    await contextChanges(tx, deps.bots, contaId)
    tx.afterCommit(() => {
      const motivo = ativa ? { motivo: 'manutencao' as const } : {}
      if (connected)
        deps.realtime.publish(contaId, 'botStatusChange', { userId: contaId, status: 'CONECTADO', ...motivo })
    })
  })
  return ativa
}

/** Without a password the route already required the confirmation of a person who has a second factor. */
async function isProven(deps: PasswordDeps, actor: RequestSession, senha: string | undefined): Promise<boolean> {
  if (senha !== undefined) return checkOwnPassword(deps, actor, senha, manutencaoLimits(actor.contaId, actor.ip))
  if (isAskedToConfirm(actor)) return true
  const mensagem = 'Digite a senha para continuar'
  throw new AppError('dadosInvalidos', { erro: mensagem, detalhes: [{ caminho: 'senha', mensagem }] })
}
