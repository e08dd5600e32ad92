import { SETOR_GERAL } from '@balcao/contract/conversa-access'
import type { AvisoConfig, VersionedConfig, Config } from '@balcao/contract/entities/config'
import { chavesOf, FATOS_PROVEDOR } from '@balcao/contract/presets/provedores-ia'
import { nextSummaryAt } from '@balcao/engine/atendimento/daily-summary'
import { findMenuAvisos } from '@balcao/engine/menu/menu-avisos'
import { contaId, sql, value } from '#db/statement/sql.ts'
import { inOrder, noRows } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { type RequestSession, requireStepUp } from '#http/authentication.ts'
import { recordAuditoria } from '#modules/auditoria/index.ts'
import {
  contextChanges,
  listPeopleOfSetores,
  removeSetoresOfRespostas,
  replaceSetores,
  setoresWithoutOperador,
  updateTimeZone,
} from '#modules/contas/index.ts'
import { moveOpenConversas } from '#modules/conversas/index.ts'
import type { ChangedConversa } from '#modules/leitores/index.ts'
import { insertLog } from '#modules/logs/index.ts'
import { signalQueues } from '#modules/prazos/index.ts'
import { requireExam } from '#modules/provas/index.ts'
import { changedKeysOf, withMaskedKeys } from './ia/api-key.ts'
import { requireAllowedHost } from './ia/ia-rules.ts'
import { clearKeysBefore, loadConfig, type CurrentConfig, insertVersao, lockConta } from './repository.ts'
import { mergeConfig, mergeLines, type WritableSections } from './rules.ts'
import type { WholeConfig } from './stored-config.ts'
import { requireDatabaseZone } from './time-zones.ts'
import { limitContents } from './version-contents.ts'

export type ConfigDeps = Pick<
  Deps,
  'db' | 'clock' | 'ids' | 'vault' | 'bots' | 'realtime' | 'forgetSessions' | 'conectores' | 'settings'
>

interface ConfigChange {
  readonly session: RequestSession
  readonly allowed: WritableSections
  /** Null: the last writer wins. */
  readonly versao: number | null
  readonly restauradaDe?: number
  readonly linhaId?: string
  /** Saves settings of the AI that fail their exam, for this reason. Null: the exam decides. */
  readonly motivo?: string | null
  readonly compose: (current: WholeConfig, tx: Tx) => WholeConfig | Promise<WholeConfig>
}

function maskedConfig({ config, versao }: CurrentConfig): VersionedConfig {
  return { ...withMaskedKeys(config), versao }
}

/** The only write path of the configuration. Saves of one conta run one at a time. Throws `versaoDesatualizada`. */
export function changeConfig(deps: ConfigDeps, change: ConfigChange): Promise<VersionedConfig> {
  return deps.db.transaction(change.session.contaId, (tx) => changeConfigIn(tx, deps, change))
}

export async function changeConfigIn(tx: Tx, deps: ConfigDeps, change: ConfigChange): Promise<VersionedConfig> {
  const { session, allowed, versao, restauradaDe = null, linhaId = null, motivo = null } = change
  const { contaId, usuarioId, nome } = session
  const limits = await lockConta(tx, contaId)
  const current = await loadConfig(tx, deps, contaId)
  if (versao !== null && versao !== current.versao)
    throw new AppError('versaoDesatualizada', { versao: current.versao })
  const requested = await change.compose(current, tx)
  const merged = mergeConfig(current.config, requested.config, allowed, limits, {
    agora: deps.clock.now(),
    conectores: deps.conectores,
    restaurando: restauradaDe !== null,
  })
  const { config, removedSetores } = merged
  const line = linhaId === null ? null : { linhaId, before: current.linhas[linhaId] }
  const linhas = mergeLines(requested.linhas, merged, limits, line)
  await requireDatabaseZone(tx, config.atendimento.horario.fuso)
  await requireAllowedHost(tx, deps, current.config, config)
  const changedKeys = changedKeysOf(current.config, config)
  if (changedKeys.length > 0) requireStepUp(session, deps.clock.now())
  await requireExam(tx, deps, { session, before: current, after: { config, linhas }, motivo })
  const fresh = { config, linhas, versao: current.versao + 1 }
  await insertVersao(tx, deps, contaId, { ...fresh, autor: { id: usuarioId, nome }, restauradaDe })
  await storeRules(tx, deps, contaId, config.atendimento)
  await storePage(tx, contaId, config.loja.pagina)
  await limitContents(tx, contaId, { now: deps.clock.now(), versao: fresh.versao })
  if (changedKeys.length > 0) await clearKeysBefore(tx, { contaId, versao: fresh.versao })
  for (const provedor of changedKeys) {
    const detalhe = `${FATOS_PROVEDOR[provedor].nome}: ${chavesOf(config)[provedor] === '' ? 'apagada' : 'trocada'}`
    await recordAuditoria(tx, deps, { acao: 'chaveIaAlterada', quem: session, detalhe })
  }
  const mensagem = versionLogText(nome, fresh.versao, restauradaDe)
  await insertLog(tx, deps, contaId, { tipo: 'user', mensagem })
  await updateTimeZone(tx, { contaId, timeZone: config.atendimento.horario.fuso })
  const moved = await moveOpenConversas(tx, { contaId, setores: removedSetores, target: SETOR_GERAL })
  const changed = await replaceSetores(tx, contaId, removedSetores, SETOR_GERAL)
  await removeSetoresOfRespostas(tx, contaId, removedSetores)
  await contextChanges(tx, deps.bots, contaId)
  tx.afterCommit(async () => {
    for (const conversa of moved) publishMove(deps, contaId, conversa)
    if (changed.length > 0) await deps.forgetSessions()
    await Promise.all(changed.map((usuarioId) => deps.realtime.disconnect({ usuarioId })))
  })
  return maskedConfig(fresh)
}

/** A due summary stays due: the change of another rule must not skip it. */
const upsertRules = noRows(
  'configuracao: upsert rules',
  sql`insert into regras_atendimento as r (conta_id, automatica, sem_ninguem, aviso_minutos, resumo_em)
    values (${contaId}, ${value('automatica', 'bool')}, ${value('semNinguem', 'bool')}, ${value('avisoMinutos', 'int?')},
      ${value('resumoEm', 'timestamptz?')})
    on conflict (conta_id) do update set automatica = excluded.automatica, sem_ninguem = excluded.sem_ninguem,
      aviso_minutos = excluded.aviso_minutos,
      resumo_em = case when excluded.resumo_em is not null then least(excluded.resumo_em,
        case when r.resumo_em <= ${value('now', 'timestamptz')} then r.resumo_em end) end`,
)

async function storeRules(
  tx: Tx,
  { clock }: Pick<Deps, 'clock'>,
  contaId: string,
  rules: Config['atendimento'],
): Promise<void> {
  const { distribuicao, semNinguem, inatividade } = rules
  const now = clock.now()
  const summaryAt = nextSummaryAt(rules, now.getTime())
  await upsertRules(tx, {
    contaId,
    automatica: distribuicao.modo === 'automatica',
    semNinguem: semNinguem.trim() !== '',
    avisoMinutos: inatividade.ativa ? inatividade.avisoMinutos : null,
    resumoEm: summaryAt === null ? null : new Date(summaryAt),
    now,
  })
  await signalQueues(tx, { contas: [contaId] })
}

const upsertPage = noRows(
  'configuracao: upsert page',
  sql`insert into paginas (conta_id, endereco, ativa) values (${contaId}, ${value('endereco', 'text')}, ${value('ativa', 'bool')})
    on conflict (conta_id) do update set endereco = excluded.endereco, ativa = excluded.ativa`,
)

const deletePage = noRows('configuracao: delete page', sql`delete from paginas where conta_id = ${contaId}`)

/** Reserves the address of the menu on the web, also while it is off. Throws `enderecoEmUso` and `dadosInvalidos`. */
async function storePage(tx: Tx, contaId: string, { endereco, ativa }: Config['loja']['pagina']): Promise<void> {
  if (endereco === '') {
    const mensagem = 'Escolha o endereço da página.'
    const detalhes = [{ caminho: 'loja.pagina.endereco', mensagem }]
    if (ativa) throw new AppError('dadosInvalidos', { erro: mensagem, detalhes })
    await deletePage(tx, { contaId })
    return
  }
  try {
    await upsertPage(tx, { contaId, endereco, ativa })
  } catch (error) {
    const taken = error instanceof Error && 'constraint' in error && error.constraint === 'paginas_endereco'
    throw taken ? new AppError('enderecoEmUso') : error
  }
}

function versionLogText(name: string, version: number, restauradaDe: number | null): string {
  const action = restauradaDe === null ? 'salvou a configuração' : `restaurou a versão ${restauradaDe} da configuração`
  return `${name} ${action} (agora é a versão ${version}). As próximas mensagens já seguem a mudança.`
}

/** The transfer event puts the conversa back in the queue of the client, so a second event assigns it again. */
function publishMove({ realtime }: ConfigDeps, contaId: string, { id, linhaId, situacao }: ChangedConversa): void {
  const { operadorId = null, operador = '', naoLidas } = situacao
  const data = { userId: contaId, conversaId: id, situacao }
  // All usuarios may read Geral, also those of the removed setor.
  const audience = { setores: [SETOR_GERAL], linhaId, operadorId }
  realtime.publishConversa(contaId, 'conversaTransferida', { ...data, novoSetor: SETOR_GERAL }, audience)
  if (operadorId === null) return
  const taken = { ...data, operadorId, operador, naoLidas }
  realtime.publishConversa(contaId, 'conversaAssumida', taken, audience)
}

export async function readConfig(deps: Pick<Deps, 'db' | 'vault'>, contaId: string): Promise<VersionedConfig> {
  return maskedConfig(await deps.db.transaction(contaId, (tx) => loadConfig(tx, deps, contaId)))
}

export function readConfigWithAvisos(
  deps: Pick<Deps, 'db' | 'vault'>,
  contaId: string,
): Promise<{ config: VersionedConfig; avisos: AvisoConfig[] }> {
  return deps.db.transaction(contaId, async (tx) => {
    const [current, people] = await inOrder([loadConfig(tx, deps, contaId), listPeopleOfSetores(tx, { contaId })])
    const { menu, atendimento } = current.config
    const avisos = findMenuAvisos(menu, setoresWithoutOperador(atendimento.setores, people))
    return { config: maskedConfig(current), avisos }
  })
}
