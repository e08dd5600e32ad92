import * as z from 'zod/mini'
import { connectorOf } from '@balcao/contract/connectors'
import type { Config } from '@balcao/contract/entities/config'
import { parsePhone } from '@balcao/contract/entities/telefone'
import { testarResumoRoute } from '@balcao/contract/routes/config'
import {
  type DaySummary,
  isSummaryNeeded,
  nextSummaryAt,
  planSummary,
  summaryText,
} from '@balcao/engine/atendimento/daily-summary'
import { localMinuteAt, shiftDay } from '@balcao/engine/rules/horario'
import { storedLine } from '#db/statement/line.ts'
import { contaId, sql, value } from '#db/statement/sql.ts'
import { oneRow, oneValue } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps, DialogueRef } from '#deps.ts'
import { AppError } from '#errors.ts'
import { bind, type BoundRoute } from '#http/handle.ts'
import { countAttempt, testLimit } from '#modules/auth/index.ts'
import { loadConfig } from '#modules/configuracao/index.ts'
import { readMainLine } from '#modules/contas/index.ts'
import { lockContato } from '#modules/conversas/index.ts'
import { ensureContatoOfPhone } from '#modules/enderecos/index.ts'
import { insertLog, startOfDay } from '#modules/logs/index.ts'
import { lockDueSummary, moveSummary } from '#modules/prazos/index.ts'
import { readDayFigures } from './day-figures.ts'

export function summaryRoutes(deps: SummaryDeps): BoundRoute[] {
  return [
    bind(testarResumoRoute, async ({ sessao: { contaId } }) => {
      await deps.db.transaction(contaId, (tx) => sendTestSummary(tx, deps, contaId))
      return { sucesso: true as const }
    }),
  ]
}

type SummaryDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'vault' | 'applyEventIn' | 'crashPoint' | 'realtime'>

const DAY_MS = 86_400_000
const WINDOW_CLOSED =
  'O resumo de ontem não saiu. Na API oficial, escreva para a loja pelo menos uma vez por dia para receber o resumo.'
const WINDOW_CLOSED_TEST = 'Na API oficial, escreva antes deste telefone para a loja. O resumo sai por 24 horas.'

/**
 * Sends the due summary of a conta. The message and the mark of the day have one COMMIT, so it leaves once. The bot
 * sends it, by the rules of its other messages: daily limit, PARAR and maintenance hold it back.
 */
export async function sendDueSummary(deps: SummaryDeps, contaId: string): Promise<void> {
  await deps.db.transaction(contaId, async (tx) => {
    const { config } = await loadConfig(tx, deps, contaId)
    const telefone = parsePhone(config.atendimento.resumoDiario.telefone)
    const contatoId = telefone === null ? null : await ensureContatoOfPhone(tx, deps, contaId, { telefone, nome: '' })
    // Before the rules, in the order of the other acts.
    const { linhaId } = await readMainLine(tx, contaId)
    if (contatoId !== null) await lockContato(tx, { contaId, linhaId, contatoId })
    const now = deps.clock.now()
    const due = await lockDueSummary(tx, { contaId, now })
    if (due === null) return
    // First, so that a crash comes before the other callbacks send and publish.
    tx.afterCommit(() => deps.crashPoint('resumo.apos-commit'))
    const plan = planSummary(config.atendimento, due.ultimoDia, now.getTime())
    const next = nextSummaryAt(config.atendimento, now.getTime())
    const day = plan.tipo === 'enviar' ? plan.dia : null
    await moveSummary(tx, { contaId, at: next === null ? null : new Date(next), day })
    if (day !== null && contatoId !== null && next !== null)
      await send(tx, deps, { contaId, linhaId, contatoId, config, dia: day })
    deps.crashPoint('resumo.antes-commit')
  })
}

interface Sending extends DialogueRef {
  readonly config: Config
  readonly dia: string
}

async function send(tx: Tx, deps: SummaryDeps, sending: Sending): Promise<void> {
  const { contaId, config } = sending
  const figures = await readYesterday(tx, deps, sending)
  if (!isSummaryNeeded(config.atendimento, figures)) return
  if (await isWindowClosed(tx, deps, sending)) {
    await insertLog(tx, deps, contaId, { tipo: 'warning', mensagem: WINDOW_CLOSED })
    return
  }
  await sendText(tx, deps, sending, summaryText(figures))
}

function readYesterday(tx: Tx, { clock }: SummaryDeps, { contaId, config, dia }: Sending): Promise<DaySummary> {
  const { fuso } = config.atendimento.horario
  const until = startOfDay(clock.now(), fuso)
  // Noon of the day before, whatever the clocks did.
  const from = startOfDay(new Date(until.getTime() - DAY_MS / 2), fuso)
  return readDayFigures(tx, { contaId, dia, fuso, from, until })
}

function sendText(
  tx: Tx,
  { applyEventIn }: SummaryDeps,
  { contaId, linhaId, contatoId }: DialogueRef,
  texto: string,
): Promise<unknown> {
  return applyEventIn(tx, { contaId, linhaId, contatoId }, (base) => ({ tipo: 'avisoAutomatico', texto, ...base }))
}

const isConnected = oneValue(
  'resumo: is connected',
  z.boolean(),
  sql`select exists (select from linhas_bots where linha_id = ${value('linhaId', 'uuid')} and status = 'CONECTADO') as value`,
)

/** A refused test does not count. The day keeps its summary. */
async function sendTestSummary(tx: Tx, deps: SummaryDeps, contaId: string): Promise<void> {
  await countAttempt(tx, deps, testLimit('resumo', contaId))
  const { config } = await loadConfig(tx, deps, contaId)
  const telefone = parsePhone(config.atendimento.resumoDiario.telefone)
  if (telefone === null) throw new AppError('dadosInvalidos', { erro: 'Salve o telefone que recebe o resumo.' })
  const { linhaId } = await readMainLine(tx, contaId)
  if (!(await isConnected(tx, { linhaId }))) throw new AppError('botDesconectado')
  const contatoId = await ensureContatoOfPhone(tx, deps, contaId, { telefone, nome: '' })
  await lockContato(tx, { contaId, linhaId, contatoId })
  const hoje = localMinuteAt(deps.clock.now().getTime(), config.atendimento.horario.fuso).data
  const sending = { contaId, linhaId, contatoId, config, dia: shiftDay(hoje, -1).data }
  if (await isWindowClosed(tx, deps, sending)) throw new AppError('janelaFechada', { erro: WINDOW_CLOSED_TEST })
  const texto = `🧪 Teste do resumo\n${summaryText(await readYesterday(tx, deps, sending))}`
  await sendText(tx, deps, sending, texto)
}

const findLastWrite = oneRow(
  'resumo: find last write',
  z.object({ janelaDesde: z.nullable(z.date()) }),
  sql`select case when i.linha_id is null then c.janela_desde else d.janela_desde end as janela_desde
      from (select ${value('linha', 'uuid?')} as linha_id) i
      join contatos c on c.conta_id = ${contaId} and c.id = ${value('contatoId', 'uuid')}
      left join dialogos d on d.conta_id = c.conta_id and d.contato_id = c.id and d.linha_id = i.linha_id`,
)

/** Meta refuses a free text to a person who did not write for a day. */
async function isWindowClosed(
  tx: Tx,
  { clock }: SummaryDeps,
  { contaId, linhaId, contatoId, config }: Sending,
): Promise<boolean> {
  const hours = connectorOf(config.whatsapp.conector)?.replyWindowHours ?? null
  if (hours === null) return false
  const linha = storedLine({ contaId, linhaId })
  const since = (await findLastWrite(tx, { contaId, contatoId, linha }))?.janelaDesde ?? null
  return since === null || clock.now().getTime() - since.getTime() >= hours * 3_600_000
}
