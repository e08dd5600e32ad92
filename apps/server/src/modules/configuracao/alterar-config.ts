import type { Config, VersionedConfig } from '@balcao/contract/entities/config'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { LoginSession } from '#http/authentication.ts'
import { insertLog } from '#modules/logs/index.ts'
import { maskKey } from './chave.ts'
import {
  type ConfigAuthor,
  type CurrentConfig,
  type MovedConversa,
  insertVersao,
  loadConfig,
  lockConta,
  moveConversasToGeral,
  moveOperadoresToGeral,
  updateTimeZone,
} from './repository.ts'
import { mergeConfig, type WritableSections } from './rules.ts'
import { SETOR_GERAL } from './setores.ts'

export type ConfigDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'vault' | 'bots' | 'realtime'>

interface ConfigChange {
  readonly contaId: string
  readonly autor: ConfigAuthor
  readonly allowed: WritableSections
  /** Version the change is based on. Null: the last writer wins. */
  readonly versao: number | null
  readonly restauradaDe?: number
  readonly compose: (atual: Config, tx: Tx) => Config | Promise<Config>
}

export function authorOf(sessao: LoginSession): ConfigAuthor {
  return { id: sessao.usuarioId, nome: sessao.nome }
}

export function maskedConfig({ config, versao }: CurrentConfig): VersionedConfig {
  const apiKey = maskKey(config.gemini.apiKey)
  return { ...config, gemini: { apiKey }, ia: { ...config.ia, apiKey }, versao }
}

/**
 * The only write path of the configuration. Saves of one conta run one at a time, and a stale `versao` is refused.
 * All checks run before the write; the bot is notified after the commit.
 */
export async function changeConfig(deps: ConfigDeps, change: ConfigChange): Promise<VersionedConfig> {
  const { contaId, autor, allowed, versao, restauradaDe = null } = change
  return deps.db.transaction(contaId, async (tx) => {
    const limites = await lockConta(tx, contaId)
    const atual = await loadConfig(tx, deps, contaId)
    if (versao !== null && versao !== atual.versao) throw new AppError('versaoDesatualizada', { versao: atual.versao })
    const pedida = await change.compose(atual.config, tx)
    const { config, removedSetores } = mergeConfig(atual.config, pedida, allowed, limites, {
      agora: deps.clock.now(),
      restaurando: restauradaDe !== null,
    })
    const nova = { config, versao: atual.versao + 1 }
    await insertVersao(tx, deps, contaId, { ...nova, autor, restauradaDe })
    const mensagem = versionLogText(autor.nome, nova.versao, restauradaDe)
    await insertLog(tx, deps, contaId, { tipo: 'user', mensagem })
    await updateTimeZone(tx, contaId, config.atendimento.horario.fuso)
    const movidas = await moveConversasToGeral(tx, contaId, removedSetores)
    const mudados = await moveOperadoresToGeral(tx, contaId, removedSetores)
    tx.afterCommit(() => {
      deps.bots.contextChanged(contaId)
      for (const conversa of movidas) publishMove(deps, contaId, conversa)
      // The browser reconnects and refetches its setores.
      for (const usuarioId of mudados) deps.realtime.disconnect({ usuarioId })
    })
    return maskedConfig(nova)
  })
}

function versionLogText(nome: string, versao: number, restauradaDe: number | null): string {
  const oQue = restauradaDe === null ? 'salvou a configuração' : `restaurou a versão ${restauradaDe} da configuração`
  return `${nome} ${oQue} (agora é a versão ${versao}). As próximas mensagens já seguem a mudança.`
}

/**
 * The transfer event puts the conversa back in the queue of the client, so a conversa being served needs a second
 * event that assigns it again.
 */
function publishMove(
  { realtime }: ConfigDeps,
  contaId: string,
  { id, operadorId, operador, naoLidas }: MovedConversa,
): void {
  const dados = { userId: contaId, conversaId: id }
  realtime.publish(contaId, 'conversaTransferida', { ...dados, novoSetor: SETOR_GERAL })
  if (operadorId === null) return
  realtime.publish(contaId, 'conversaAssumida', { ...dados, operadorId, operador: operador ?? '', naoLidas })
}
