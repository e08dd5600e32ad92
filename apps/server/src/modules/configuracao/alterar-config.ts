import type { Config, ConfigVersionada } from '@balcao/contract/entities/config'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { Sessao } from '#http/authentication.ts'
import { insertLog } from '#modules/logs/index.ts'
import { mascarar } from './chave.ts'
import {
  type Autor,
  type ConfigEmVigor,
  type ConversaMovida,
  insertVersao,
  loadConfig,
  lockConta,
  moveConversasToGeral,
  moveOperadoresToGeral,
  updateFuso,
} from './repository.ts'
import { comporConfig, type Secoes } from './rules.ts'
import { SETOR_GERAL } from './setores.ts'

export type ConfigDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'cofre' | 'bots' | 'realtime'>

interface Alteracao {
  readonly contaId: string
  readonly autor: Autor
  readonly pode: Secoes
  /** Version the change is based on. Null: the last writer wins. */
  readonly versao: number | null
  readonly restauradaDe?: number
  readonly compor: (atual: Config, tx: Tx) => Config | Promise<Config>
}

export function autorDe(sessao: Sessao): Autor {
  return { id: sessao.usuarioId, nome: sessao.nome }
}

export function mascarada({ config, versao }: ConfigEmVigor): ConfigVersionada {
  const apiKey = mascarar(config.gemini.apiKey)
  return { ...config, gemini: { apiKey }, ia: { ...config.ia, apiKey }, versao }
}

/**
 * The only write path of the configuration. Saves of one conta run one at a time, and a stale `versao` is refused.
 * All checks run before the write; the bot is notified after the commit.
 */
export async function alterarConfig(deps: ConfigDeps, alteracao: Alteracao): Promise<ConfigVersionada> {
  const { contaId, autor, pode, versao, restauradaDe = null } = alteracao
  return deps.db.transaction(contaId, async (tx) => {
    const limites = await lockConta(tx, contaId)
    const atual = await loadConfig(tx, deps, contaId)
    if (versao !== null && versao !== atual.versao) throw new AppError('versaoDesatualizada', { versao: atual.versao })
    const pedida = await alteracao.compor(atual.config, tx)
    const { config, setoresRemovidos } = comporConfig(atual.config, pedida, pode, limites, {
      agora: deps.clock.now(),
      restaurando: restauradaDe !== null,
    })
    const nova = { config, versao: atual.versao + 1 }
    await insertVersao(tx, deps, contaId, { ...nova, autor, restauradaDe })
    const mensagem = linhaDaVersao(autor.nome, nova.versao, restauradaDe)
    await insertLog(tx, deps, contaId, { tipo: 'user', mensagem })
    await updateFuso(tx, contaId, config.atendimento.horario.fuso)
    const movidas = await moveConversasToGeral(tx, contaId, setoresRemovidos)
    const mudados = await moveOperadoresToGeral(tx, contaId, setoresRemovidos)
    tx.afterCommit(() => {
      deps.bots.contextoMudou(contaId)
      for (const conversa of movidas) tellMove(deps, contaId, conversa)
      // The browser reconnects and refetches its setores.
      for (const usuarioId of mudados) deps.realtime.disconnect({ usuarioId })
    })
    return mascarada(nova)
  })
}

function linhaDaVersao(nome: string, versao: number, restauradaDe: number | null): string {
  const oQue = restauradaDe === null ? 'salvou a configuração' : `restaurou a versão ${restauradaDe} da configuração`
  return `${nome} ${oQue} (agora é a versão ${versao}). As próximas mensagens já seguem a mudança.`
}

/**
 * The transfer event puts the conversa back in the queue of the client, so a conversa being served needs a second
 * event that assigns it again.
 */
function tellMove(
  { realtime }: ConfigDeps,
  contaId: string,
  { id, operadorId, operador, naoLidas }: ConversaMovida,
): void {
  const dados = { userId: contaId, conversaId: id }
  realtime.publish(contaId, 'conversaTransferida', { ...dados, novoSetor: SETOR_GERAL })
  if (operadorId === null) return
  realtime.publish(contaId, 'conversaAssumida', { ...dados, operadorId, operador: operador ?? '', naoLidas })
}
