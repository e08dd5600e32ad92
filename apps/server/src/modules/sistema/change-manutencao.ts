import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { RequestSession } from '#http/authentication.ts'
import { recordAuditoria } from '#modules/auditoria/index.ts'
import { countAttempt, forgetAttempt } from '#modules/auth/index.ts'
import { contextChanges, updateConta } from '#modules/contas/index.ts'
import { insertLog } from '#modules/logs/index.ts'
import { isBotConnected, listAdminHashes } from './repository.ts'

const ERRORS_MAX = 5
const WINDOW_MS = 15 * 60_000

const EFFECT_TEXT = {
  iniciada: 'As mensagens dos clientes são guardadas, mas não recebem resposta, nem depois.',
  encerrada: 'O bot volta a responder às mensagens que chegarem a partir de agora.',
} as const

/**
 * Starts or ends maintenance. Accepts the password of any active administrator. A wrong password throws
 * `senhaManutencao`, the sixth try within 15 minutes `muitasTentativas`. The try is counted before the check, so
 * parallel guesses cannot exceed the limit.
 */
export async function changeManutencao(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'passwords' | 'realtime' | 'bots'>,
  actor: RequestSession,
  { senha, ativa }: { readonly senha: string; readonly ativa: boolean },
): Promise<boolean> {
  const { contaId, nome } = actor
  const acao = ativa ? 'manutencaoIniciada' : 'manutencaoEncerrada'
  const limite = { chave: `manutencao:${contaId}`, maximo: ERRORS_MAX, janelaMs: WINDOW_MS }
  const attempt = await deps.db.transaction(contaId, (tx) => countAttempt(tx, deps, [limite]))
  if (!(await isAdminPassword(deps, actor, senha))) {
    const detalhe = 'Senha de administrador errada'
    await deps.db.transaction(contaId, (tx) =>
      recordAuditoria(tx, deps, { acao, quem: actor, resultado: 'recusado', detalhe }),
    )
    throw new AppError('senhaManutencao')
  }

  await deps.db.transaction(contaId, async (tx) => {
    await forgetAttempt(tx, attempt)
    await updateConta(tx, contaId, { manutencao: ativa })
    const step = ativa ? 'iniciada' : 'encerrada'
    const mensagem = `Manutenção ${step} por ${nome}. ${EFFECT_TEXT[step]}`
    await insertLog(tx, deps, contaId, { tipo: ativa ? 'warning' : 'success', mensagem })
    await recordAuditoria(tx, deps, { acao, quem: actor })
    const connected = await isBotConnected(tx, contaId)
    await contextChanges(tx, deps.bots, contaId)
    tx.afterCommit(() => {
      // Panels show the reason while the bot is in maintenance.
      const motivo = ativa ? { motivo: 'manutencao' as const } : {}
      if (connected)
        deps.realtime.publish(contaId, 'botStatusChange', { userId: contaId, status: 'CONECTADO', ...motivo })
    })
  })
  return ativa
}

async function isAdminPassword(
  { db, passwords }: Pick<Deps, 'db' | 'passwords'>,
  { contaId, ip }: RequestSession,
  password: string,
): Promise<boolean> {
  const hashes = await db.transaction(contaId, listAdminHashes)
  for (const hash of hashes) if (await passwords.verify(hash, password, ip)) return true
  return false
}
