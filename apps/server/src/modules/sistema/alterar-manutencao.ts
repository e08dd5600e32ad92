import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { Pedinte } from '#http/authentication.ts'
import { registrarAuditoria } from '#modules/auditoria/index.ts'
import { countAttempt, forgetAttempt } from '#modules/auth/index.ts'
import { insertLog } from '#modules/logs/index.ts'
import { verifySenha } from '#security/senha.ts'
import { isConectado, listHashesDeAdmins, updateManutencao } from './repository.ts'

const ERROS_MAXIMO = 5
const JANELA_MS = 15 * 60_000

const EFEITO = {
  iniciada: 'As mensagens dos clientes são guardadas, mas não recebem resposta, nem depois.',
  encerrada: 'O bot volta a responder às mensagens que chegarem a partir de agora.',
} as const

/**
 * Starts or ends maintenance. Accepts the password of any active administrator. A wrong password throws
 * `senhaManutencao`, the sixth try within 15 minutes `muitasTentativas`. The try is counted before the check, so
 * parallel guesses cannot exceed the limit.
 */
export async function alterarManutencao(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'realtime' | 'bots'>,
  quem: Pedinte,
  { senha, ativa }: { readonly senha: string; readonly ativa: boolean },
): Promise<boolean> {
  const { contaId, nome } = quem
  const acao = ativa ? 'manutencaoIniciada' : 'manutencaoEncerrada'
  const limite = { chave: `manutencao:${contaId}`, maximo: ERROS_MAXIMO, janelaMs: JANELA_MS }
  const tentativa = await deps.db.transaction(contaId, (tx) => countAttempt(tx, deps, [limite]))
  if (!(await isSenhaDeAdmin(deps, contaId, senha))) {
    const detalhe = 'Senha de administrador errada'
    await deps.db.transaction(contaId, (tx) =>
      registrarAuditoria(tx, deps, { acao, quem, resultado: 'recusado', detalhe }),
    )
    throw new AppError('senhaManutencao')
  }

  await deps.db.transaction(contaId, async (tx) => {
    await forgetAttempt(tx, tentativa)
    await updateManutencao(tx, contaId, ativa)
    const passo = ativa ? 'iniciada' : 'encerrada'
    const mensagem = `Manutenção ${passo} por ${nome}. ${EFEITO[passo]}`
    await insertLog(tx, deps, contaId, { tipo: ativa ? 'warning' : 'success', mensagem })
    await registrarAuditoria(tx, deps, { acao, quem })
    const conectado = await isConectado(tx, contaId)
    tx.afterCommit(() => {
      deps.bots.contextoMudou(contaId)
      // Panels show the reason while the bot is in maintenance.
      const motivo = ativa ? { motivo: 'manutencao' as const } : {}
      if (conectado)
        deps.realtime.publish(contaId, 'botStatusChange', { userId: contaId, status: 'CONECTADO', ...motivo })
    })
  })
  return ativa
}

async function isSenhaDeAdmin({ db }: Pick<Deps, 'db'>, contaId: string, senha: string): Promise<boolean> {
  const hashes = await db.transaction(contaId, listHashesDeAdmins)
  for (const hash of hashes) if (await verifySenha(hash, senha)) return true
  return false
}
