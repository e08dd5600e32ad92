import type { Deps } from '#deps.ts'
import { recolherArquivos } from '#modules/arquivos/index.ts'
import type { Sessao } from '#http/authentication.ts'
import { exigirSemGuarda } from '#modules/lgpd/index.ts'
import { insertLog } from '#modules/logs/index.ts'
import { type ConversaLimpa, deleteConversas } from './repository.ts'

/** Batch size. A customer message waits for one transaction at most. */
const POR_VEZ = 200

type LimparDeps = Pick<Deps, 'db' | 'files' | 'log' | 'realtime' | 'ids' | 'clock'>

/** Deletes finished and bot-only conversas with their files, never open human ones. Returns how many it deleted. */
export async function limparConversas(
  deps: LimparDeps,
  { contaId, nome }: Pick<Sessao, 'contaId' | 'nome'>,
): Promise<number> {
  await deps.db.read(contaId, (tx) => exigirSemGuarda(tx, contaId))
  let total = 0
  for (;;) {
    const limpas = await clearSome(deps, contaId)
    total += limpas.length
    if (limpas.length === 0) break
  }
  if (total > 0) {
    await recolherArquivos(deps, contaId).catch((error: unknown) => {
      deps.log.error({ err: error, contaId }, 'files of deleted conversas left to sweep')
    })
    const quantas =
      total === 1 ? '1 conversa encerrada ou só com o bot' : `${total} conversas encerradas ou só com o bot`
    const mensagem = `${nome} apagou ${quantas}. As que esperam ou falam com uma pessoa continuam.`
    await deps.db.transaction(contaId, (tx) => insertLog(tx, deps, contaId, { tipo: 'user', mensagem }))
  }
  return total
}

function clearSome(deps: LimparDeps, contaId: string): Promise<ConversaLimpa[]> {
  return deps.db.transaction(contaId, async (tx) => {
    const limpas = await deleteConversas(tx, contaId, POR_VEZ)
    tx.afterCommit(() => {
      for (const { contatoId, telefone, nome, comBot } of limpas) {
        if (!comBot) continue
        const dados = { id: contatoId, telefone, nome, ativa: false, userId: contaId }
        deps.realtime.publish(contaId, 'botConversaAtiva', dados)
      }
    })
    return limpas
  })
}
