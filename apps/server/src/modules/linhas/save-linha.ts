import { CONNECTORS, type ConectorTipo, hasNumber } from '@balcao/contract/connectors'
import { hasBotSession } from '@balcao/contract/bot-status'
import type { Linha, LinhaInput, LinhaPatch } from '@balcao/contract/entities/linha'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { RequestSession } from '#http/authentication.ts'
import { recordAuditoria } from '#modules/auditoria/index.ts'
import { unwantBot, wantBot } from '#modules/bot/index.ts'
import { type ConfigDeps, holdSetor, lockConta, saveMainConector } from '#modules/configuracao/index.ts'
import { contextChanges } from '#modules/contas/index.ts'
import type { LineKey } from '#ports/bots.ts'
import { readLine, readLines, requireLine } from './linhas.ts'
import { hasNodeWithoutLines, insertFirstLine, insertLine, readLineLimit, updateLine } from './repository.ts'

export type LinhasDeps = ConfigDeps & Pick<Deps, 'ids' | 'log'>

/** Throws `linhaExiste`, `limiteLinhas`, `setorDesconhecido`, `dadosInvalidos` or `atualizacaoEmAndamento`. */
export function createLinha(deps: LinhasDeps, session: RequestSession, input: LinhaInput): Promise<Linha> {
  const { contaId } = session
  return refuseRepeatedName(
    deps.db.transaction(contaId, async (tx) => {
      await lockConta(tx, contaId)
      await requireFree(tx, deps, contaId)
      requireInstalled(deps, input.conector)
      await requireSetor(tx, deps, contaId, input.setor)
      await insertFirstLine(tx, { contaId })
      const id = deps.ids.uuid()
      await insertLine(tx, { contaId, id, ...input, criadaEm: deps.clock.now() })
      await openSite(tx, deps, { contaId, linhaId: id }, { conector: input.conector, ativa: true })
      await recordAuditoria(tx, deps, { acao: 'linhaCriada', quem: session, detalhe: `“${input.nome}”` })
      return announceLine(tx, deps, contaId, id)
    }),
  )
}

/** Throws `naoEncontrado`, `conflito`, `botRodando`, `linhaPrincipal` and the errors of `createLinha`. */
export function changeLinha(
  deps: LinhasDeps,
  session: RequestSession,
  id: string,
  { versao, ...change }: LinhaPatch,
): Promise<Linha> {
  const { contaId } = session
  return refuseRepeatedName(
    deps.db.transaction(contaId, async (tx) => {
      await lockConta(tx, contaId)
      const linhas = await readLines(tx, deps, contaId)
      const before = requireLine(linhas, id)
      if (versao !== before.versao) throw new AppError('conflito', { versao: before.versao })
      await requireChangeable(tx, deps, contaId, before, change)
      await insertFirstLine(tx, { contaId })
      await saveFields(tx, deps, session, { before, main: mainOf(linhas), change })
      const line = { contaId, linhaId: id }
      const after = await readLine(tx, deps, contaId, id)
      if (before.ativa && !after.ativa) await closeLine(tx, deps, line, session)
      await openSite(tx, deps, line, after)
      await recordAuditoria(tx, deps, { acao: 'linhaAlterada', quem: session, detalhe: `“${after.nome}”` })
      return announceLine(tx, deps, contaId, id)
    }),
  )
}

interface SavedChange {
  readonly before: Linha
  readonly main: Linha
  readonly change: Omit<LinhaPatch, 'versao'>
}

/** The connector of the main line is stored in the settings. */
async function saveFields(
  tx: Tx,
  deps: LinhasDeps,
  session: RequestSession,
  { before, main, change: { principal, conector, ...fields } }: SavedChange,
): Promise<void> {
  const { contaId } = session
  const { id } = before
  await updateLine(tx, { contaId, id, fields: before.principal ? fields : { ...fields, conector } })
  if (principal === true && main.id !== id) await swapMain(tx, contaId, main, id)
  const used = conector ?? before.conector
  if ((before.principal || principal === true) && used !== main.conector)
    await saveMainConector(tx, deps, session, used)
}

/** A chat on the site has nothing to pair: its session is wanted exactly while the line is active. */
async function openSite(
  tx: Tx,
  { bots, log }: Pick<LinhasDeps, 'bots' | 'log'>,
  line: LineKey,
  { conector, ativa }: Pick<Linha, 'conector' | 'ativa'>,
): Promise<void> {
  if (CONNECTORS[conector].pairing !== 'site' || !ativa) return
  await wantBot(tx, { ...line, conector })
  tx.afterCommit(() => {
    bots
      .start(line)
      .catch((error: unknown) => log.warn({ err: error, ...line }, 'chat on the site not started, retrying'))
  })
}

/** The session ends with the transaction, and its connection soon after it. */
async function closeLine(
  tx: Tx,
  { bots, log }: Pick<LinhasDeps, 'bots' | 'log'>,
  line: LineKey,
  { nome }: RequestSession,
): Promise<void> {
  await unwantBot(tx, line, { esquecer: false })
  tx.afterCommit(() => {
    bots.stop(line, nome).catch((error: unknown) => log.warn({ err: error, ...line }, 'line not stopped, retrying'))
  })
}

/** Exactly one line is the main one, also between the two statements of other transactions: the account is locked. */
async function swapMain(tx: Tx, contaId: string, main: Linha, id: string): Promise<void> {
  await updateLine(tx, { contaId, id: main.id, fields: { principal: false, conector: main.conector } })
  await updateLine(tx, { contaId, id, fields: { principal: true, conector: null } })
}

function mainOf(linhas: readonly Linha[]): Linha {
  const main = linhas.find(({ principal }) => principal)
  if (main === undefined) throw new Error('account without a main line')
  return main
}

async function requireFree(tx: Tx, deps: LinhasDeps, contaId: string): Promise<void> {
  if (await hasNodeWithoutLines(tx, {})) throw new AppError('atualizacaoEmAndamento')
  const limite = await readLineLimit(tx, { contaId })
  const { length: usado } = await readLines(tx, deps, contaId)
  if (usado >= limite) throw new AppError('limiteLinhas', { usado, limite })
}

async function requireChangeable(
  tx: Tx,
  deps: LinhasDeps,
  contaId: string,
  before: Linha,
  { conector = before.conector, setor = before.setor, ativa = before.ativa, principal }: Omit<LinhaPatch, 'versao'>,
): Promise<void> {
  if (before.principal || principal === true)
    requireMain({ ativa, conector }, principal === true ? 'principal' : 'conector')
  if (conector !== before.conector) {
    if (hasBotSession(before.status)) throw new AppError('botRodando')
    requireInstalled(deps, conector)
  }
  if (setor !== before.setor) await requireSetor(tx, deps, contaId, setor)
}

function requireMain({ ativa, conector }: Pick<Linha, 'ativa' | 'conector'>, caminho: string): void {
  if (!ativa) throw new AppError('linhaPrincipal')
  if (!hasNumber(conector)) throw invalid(caminho, 'O chat no site não pode ser a linha principal.')
}

function requireInstalled({ conectores }: Pick<Deps, 'conectores'>, conector: ConectorTipo): void {
  if (!conectores.includes(conector)) throw invalid('conector', 'Este conector não está instalado neste servidor.')
}

async function requireSetor(tx: Tx, deps: LinhasDeps, contaId: string, setor: string): Promise<void> {
  if (setor !== '' && (await holdSetor(tx, deps, contaId, setor)) === null) throw new AppError('setorDesconhecido')
}

function invalid(caminho: string, mensagem: string): AppError {
  return new AppError('dadosInvalidos', { erro: mensagem, detalhes: [{ caminho, mensagem }] })
}

/** The bot keeps lines in memory, and open panels read them again. */
export async function announceLine(tx: Tx, deps: LinhasDeps, contaId: string, id: string): Promise<Linha> {
  await contextChanges(tx, deps.bots, contaId)
  const linha = await readLine(tx, deps, contaId, id)
  tx.afterCommit(() => deps.realtime.publish(contaId, 'linhaMudou', { userId: contaId, linha }))
  return linha
}

async function refuseRepeatedName<T>(saving: Promise<T>): Promise<T> {
  try {
    return await saving
  } catch (error) {
    const repeated = error instanceof Error && 'constraint' in error && error.constraint === 'linhas_nome'
    throw repeated ? new AppError('linhaExiste') : error
  }
}
