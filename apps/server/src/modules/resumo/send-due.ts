import * as z from 'zod/mini'
import { connectorOf } from '@balcao/contract/connectors'
import type { Config } from '@balcao/contract/entities/config'
import { parsePhone } from '@balcao/contract/entities/telefone'
import { isSummaryNeeded, nextSummaryAt, planSummary, summaryText } from '@balcao/engine/atendimento/daily-summary'
import { contaId, sql, value } from '#db/statement/sql.ts'
import { oneRow } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { loadConfig } from '#modules/configuracao/index.ts'
import { lockContato } from '#modules/conversas/index.ts'
import { ensureContatoOfPhone } from '#modules/enderecos/index.ts'
import { insertLog, startOfDay } from '#modules/logs/index.ts'
import { lockDueSummary, moveSummary } from '#modules/prazos/index.ts'
import { readDayFigures } from './day-figures.ts'

type SummaryDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'vault' | 'applyEventIn' | 'crashPoint' | 'realtime'>

const DAY_MS = 86_400_000
const WINDOW_CLOSED =
  'O resumo de ontem não saiu. Na API oficial, escreva para a loja pelo menos uma vez por dia para receber o resumo.'

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
    if (contatoId !== null) await lockContato(tx, contaId, contatoId)
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
      await send(tx, deps, { contaId, contatoId, config, dia: day })
    deps.crashPoint('resumo.antes-commit')
  })
}

interface Sending {
  readonly contaId: string
  readonly contatoId: string
  readonly config: Config
  readonly dia: string
}

async function send(tx: Tx, deps: SummaryDeps, { contaId, contatoId, config, dia }: Sending): Promise<void> {
  const { horario } = config.atendimento
  const now = deps.clock.now()
  const until = startOfDay(now, horario.fuso)
  // Noon of the day before, whatever the clocks did.
  const from = startOfDay(new Date(until.getTime() - DAY_MS / 2), horario.fuso)
  const figures = await readDayFigures(tx, { contaId, dia, fuso: horario.fuso, from, until })
  if (!isSummaryNeeded(config.atendimento, figures)) return
  if (await isWindowClosed(tx, { contaId, contatoId, config, now })) {
    await insertLog(tx, deps, contaId, { tipo: 'warning', mensagem: WINDOW_CLOSED })
    return
  }
  const texto = summaryText(figures)
  await deps.applyEventIn(tx, contaId, contatoId, (base) => ({ tipo: 'avisoAutomatico', texto, ...base }))
}

const findLastWrite = oneRow(
  'resumo: find last write',
  z.object({ janelaDesde: z.nullable(z.date()) }),
  sql`select janela_desde from contatos where conta_id = ${contaId} and id = ${value('contatoId', 'uuid')}`,
)

/** Meta refuses a free text to a person who did not write for a day. */
async function isWindowClosed(
  tx: Tx,
  { contaId, contatoId, config, now }: Omit<Sending, 'dia'> & { readonly now: Date },
): Promise<boolean> {
  const hours = connectorOf(config.whatsapp.conector)?.replyWindowHours ?? null
  if (hours === null) return false
  const since = (await findLastWrite(tx, { contaId, contatoId }))?.janelaDesde ?? null
  return since === null || now.getTime() - since.getTime() >= hours * 3_600_000
}
