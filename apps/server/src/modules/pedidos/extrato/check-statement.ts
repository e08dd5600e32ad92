import { createHash } from 'node:crypto'
import { setImmediate as pause } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import type { Extrato } from '@balcao/contract/entities/pedido'
import type { Tx } from '#db/transaction.ts'
import { AppError } from '#errors.ts'
import type { RequestSession } from '#http/authentication.ts'
import { chosenFile, readForm } from '#http/form.ts'
import { decodeText } from '#lib/decode-text.ts'
import { createGate } from '#lib/queue/gate.ts'
import type { PedidosDeps } from '../create-pedido.ts'
import { setPagamento } from '../move-pedido.ts'
import { type CreditMatch, DAYS_TO_ARRIVE, matchCredits, toExtrato, txidsIn } from './match-credits.ts'
import { type Credit, readStatement } from './read-statement.ts'
import { deleteOldSeen, insertSeen, listPayable, listSeen, lockStatements } from './seen-lines.ts'

const DAY_MS = 86_400_000
/** Banks give statements of up to about 18 months. */
const KEPT_MS = 800 * DAY_MS
const LINES_PER_TURN = 1_000
const KEYS_PER_STATEMENT = 5_000

type CheckStatement = (request: FastifyRequest, session: RequestSession, simulate: boolean) => Promise<Extrato>

export function createStatementCheck(deps: PedidosDeps): CheckStatement {
  const busy = 'Há outro extrato em conferência. Tente de novo em instantes.'
  const gate = createGate({
    ...{ atOnce: 2, runningPerKey: () => 1, waiting: 20, waitingPerKey: 2, waitMs: 60_000 },
    full: () => new AppError('servidorOcupado', { erro: busy }),
  })
  // The body of a waiting request stays unread, so it takes no memory.
  return (request, session, simulate) =>
    gate.run(async () => {
      const { file } = await readForm(request, session.contaId)
      const lines = await readLines(decodeText(chosenFile(file).bytes))
      return deps.db.transaction(session.contaId, (tx) => checkLines(tx, deps, session, { lines, simulate }))
    }, session.contaId)
}

/** A credit with the key that it has in every statement. */
interface Line {
  readonly key: string
  readonly credit: Credit
}

/** Other requests run between the parts of a long statement. */
async function readLines(text: string): Promise<Line[]> {
  const lines: Line[] = []
  const equal = new Map<string, number>()
  let read = 0
  for (const credit of readStatement(text)) {
    read += 1
    if (read % LINES_PER_TURN === 0) await pause()
    if (credit === null) continue
    const { dia, centavos, id, texto } = credit
    const facts = JSON.stringify([dia, centavos, id === '' ? texto : id])
    // Two customers may pay the same sum on one day, and the bank may write nothing else.
    const place = (equal.get(facts) ?? 0) + 1
    equal.set(facts, place)
    lines.push({ credit, key: createHash('sha256').update(`${place} ${facts}`).digest('base64url').slice(0, 22) })
  }
  return lines
}

interface Checking {
  readonly lines: readonly Line[]
  readonly simulate: boolean
}

async function checkLines(
  tx: Tx,
  deps: PedidosDeps,
  session: RequestSession,
  { lines, simulate }: Checking,
): Promise<Extrato> {
  const { contaId } = session
  if (!simulate) await lockStatements(tx, { contaId })
  const seen = new Set<string>()
  for (const part of partsOf(lines)) {
    for (const { chave } of await listSeen(tx, { contaId, keys: part.map(({ key }) => key) })) seen.add(chave)
  }
  const fresh = lines.filter(({ key }) => !seen.has(key))
  const matches = await matchLines(tx, contaId, fresh)
  if (!simulate) await confirm(tx, deps, session, { fresh, matches })
  return toExtrato(matches, lines.length - fresh.length)
}

async function matchLines(tx: Tx, contaId: string, fresh: readonly Line[]): Promise<CreditMatch[]> {
  const days = fresh.map(({ credit }) => credit.dia).toSorted()
  const [from, until] = [days[0], days.at(-1)]
  if (from === undefined || until === undefined) return []
  const credits = fresh.map(({ credit }) => credit)
  const first = new Date(Date.parse(from) - DAYS_TO_ARRIVE * DAY_MS).toISOString().slice(0, 10)
  const txids = [...new Set(credits.flatMap(({ texto }) => txidsIn(texto)))]
  return matchCredits(credits, await listPayable(tx, { contaId, txids, from: first, until }))
}

interface Checked {
  readonly fresh: readonly Line[]
  readonly matches: readonly CreditMatch[]
}

/** Keeps all lines, because an old payment must not count for an order that is made later. */
async function confirm(tx: Tx, deps: PedidosDeps, session: RequestSession, { fresh, matches }: Checked): Promise<void> {
  const { contaId } = session
  const now = deps.clock.now()
  const rows = fresh.map(({ key: chave, credit: { dia } }, index) => {
    const outcome = matches[index]?.outcome
    return { chave, dia, pedidoId: outcome?.tipo === 'confirmado' ? outcome.pedidoId : null }
  })
  const paid = rows.flatMap(({ pedidoId }) => pedidoId ?? []).toSorted()
  for (const id of paid)
    await setPagamento(tx, deps, session, { id, estado: 'confirmado', por: 'pelo extrato do banco' })
  for (const i of partsOf(rows)) await insertSeen(tx, { contaId, now, i })
  await deleteOldSeen(tx, { contaId, before: new Date(now.getTime() - KEPT_MS) })
}

function* partsOf<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += KEYS_PER_STATEMENT) yield all.slice(from, from + KEYS_PER_STATEMENT)
}
