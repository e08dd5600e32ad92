import type { Config } from '@balcao/contract/entities/config'
import { ticketBytes } from '@balcao/engine/pedidos/ticket'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { loadConfig } from '#modules/configuracao/index.ts'
import { insertLog } from '#modules/logs/index.ts'
import { PrinterRefused, PrinterSilent } from '#ports/impressora/printer.ts'
import { findPedido } from '../repository.ts'
import { claimPrintJobs, deletePrintJob, insertPrintJobs, postponePrintJob } from './jobs.ts'

type PrintDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'log' | 'vault' | 'realtime' | 'printer' | 'crashPoint'>
type Job = Awaited<ReturnType<typeof claimPrintJobs>>[number]

/** Longer than ten tickets take. After it another node prints the tickets of a process that died. */
const CLAIM_MS = 60_000
const RETRY_WAITS_MS = [5_000, 10_000, 30_000, 60_000, 300_000]
/** An older ticket would surprise the kitchen. */
const KEPT_MS = 12 * 3_600_000
/** The owner gets a line in the log when an order waits for about a minute. */
const NOTICED_AT = 4

interface OrderedTicket {
  readonly contaId: string
  readonly pedidoId: string
  readonly config: Pick<Config, 'loja'>
  readonly now: Date
}

/** Has the tickets of new orders printed after the commit, for contas with a printer. */
export async function queueTickets(tx: Tx, tickets: readonly OrderedTicket[]): Promise<void> {
  const i = tickets.filter(({ config }) => config.loja.impressora.ativa)
  if (i.length > 0) await insertPrintJobs(tx, { i })
}

/**
 * Prints the due tickets of a conta. Stops at the first silence of the printer, which takes 2 s, so that the other timers of
 * the conta go on. Never throws for a printer.
 */
export async function printDueTickets(deps: PrintDeps, contaId: string): Promise<void> {
  const now = deps.clock.now()
  const until = new Date(now.getTime() + CLAIM_MS)
  const jobs = await deps.db.transaction(contaId, (tx) => claimPrintJobs(tx, { contaId, now, until }))
  for (const [index, job] of jobs.entries()) {
    const failed = await printTicket(deps, contaId, job)
    if (failed === null) continue
    await postpone(deps, contaId, { job, began: failed.began, waiting: jobs.slice(index + 1) })
    return
  }
}

/** Null: the ticket is done, or is not printed at all. */
async function printTicket(deps: PrintDeps, contaId: string, job: Job): Promise<PrinterSilent | null> {
  const { db, printer, log, crashPoint } = deps
  const { pedidoId, incerta, empresa } = job
  const { pedido, loja, fuso } = await db.read(contaId, async (tx) => {
    const { config } = await loadConfig(tx, deps, contaId)
    return {
      ...{ pedido: await findPedido(tx, contaId, pedidoId), loja: config.loja },
      fuso: config.atendimento.horario.fuso,
    }
  })
  const { ativa, largura, ...to } = loja.impressora
  if (pedido !== null && pedido.status !== 'cancelado' && ativa && printer.enabled) {
    try {
      await printer.print(to, ticketBytes(pedido, { largura, empresa, fuso, ...(incerta ? { segundaVia: true } : {}) }))
    } catch (error) {
      if (error instanceof PrinterSilent) return error
      if (!(error instanceof PrinterRefused)) throw error
      log.warn({ contaId }, 'printer address refused')
      await notice(deps, contaId, REFUSED_TEXT)
    }
    crashPoint('impressao.impressa')
  }
  await db.transaction(contaId, (tx) => deletePrintJob(tx, { contaId, pedidoId }))
  return null
}

interface Failed {
  readonly job: Job
  readonly began: boolean
  /** They wait for the same printer. */
  readonly waiting: readonly Job[]
}

async function postpone(deps: PrintDeps, contaId: string, { job, began, waiting }: Failed): Promise<void> {
  const now = deps.clock.now().getTime()
  const isTooOld = now - job.criadaEm.getTime() > KEPT_MS
  const waitMs = RETRY_WAITS_MS[job.tentativas - 1] ?? RETRY_WAITS_MS.at(-1) ?? 0
  const until = new Date(now + waitMs)
  await deps.db.transaction(contaId, async (tx) => {
    if (isTooOld) await deletePrintJob(tx, { contaId, pedidoId: job.pedidoId })
    else await postponePrintJob(tx, { contaId, pedidoId: job.pedidoId, until, began })
    for (const { pedidoId, incerta } of waiting)
      await postponePrintJob(tx, { contaId, pedidoId, until, began: incerta })
  })
  if (isTooOld) await notice(deps, contaId, GIVEN_UP_TEXT)
  else if (job.tentativas === NOTICED_AT) await notice(deps, contaId, SILENT_TEXT)
}

const SILENT_TEXT =
  'A impressora da cozinha não responde. Veja se ela está ligada e na rede. Os pedidos saem quando ela voltar.'
const GIVEN_UP_TEXT = 'Um pedido não foi impresso: a impressora da cozinha ficou 12 horas sem responder.'
const REFUSED_TEXT = 'Um pedido não foi impresso: o endereço da impressora não é permitido neste servidor.'

async function notice(deps: PrintDeps, contaId: string, mensagem: string): Promise<void> {
  await deps.db.transaction(contaId, (tx) => insertLog(tx, deps, contaId, { tipo: 'warning', mensagem }))
}
