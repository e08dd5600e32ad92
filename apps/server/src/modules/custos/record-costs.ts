import { createHash } from 'node:crypto'
import { costKind, FREE_PER_MONTH, type FreeMark, monthSpan, reachedMarks } from '@balcao/engine/oficial/costs'
import { countryOf } from '@balcao/engine/oficial/country'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { localDay, uuidTime } from '#lib/time.ts'
import { addAvisos } from '#modules/avisos/index.ts'
import { readConnectionName, readTimeZone } from '#modules/contas/index.ts'
import { findDono } from '#modules/emails/index.ts'
import { insertLog } from '#modules/logs/index.ts'
import type { LineKey } from '#ports/bots.ts'
import type { OficialPrice } from '#ports/oficial.ts'
import { countMessages, insertNotice, sumFree } from './repository.ts'

/** A customer may read a message long after it was sent. Its digest is stored for this time. */
export const COST_MARK_DAYS = 60
const DAY_MS = 86_400_000
const DIGEST_BYTES = 16

type CostDeps = Pick<Deps, 'ids' | 'clock' | 'realtime'>

/** A price, and the line whose webhook brought it. */
export interface LinePrice extends LineKey {
  readonly price: OficialPrice
}

/**
 * Counts the messages of these statuses, each once, whatever Meta repeats and in whatever order its statuses come.
 * Notifies the owner when the free messages of the month run out.
 */
export async function recordCosts(tx: Tx, deps: CostDeps, prices: readonly LinePrice[]): Promise<void> {
  const now = deps.clock.now()
  const oldest = now.getTime() - COST_MARK_DAYS * DAY_MS
  const known = prices.filter(({ price: { mensagemId } }) => mensagemId === null || uuidTime(mensagemId) > oldest)
  const rows = known.map((price) => toRow(price, now))
  const i = [...new Map(rows.map((row) => [row.marca, row])).values()]
  if (i.length === 0) return
  for (const line of await countMessages(tx, { now, i })) await noticeFree(tx, deps, line)
}

/** A wamid contains the customer's number, so its digest is stored. */
function toRow({ contaId, linhaId, price }: LinePrice, now: Date) {
  const { wamid, mensagemId, recipient, at, ...pricing } = price
  const digest = createHash('sha256').update(`${linhaId} ${wamid}`).digest().subarray(0, DIGEST_BYTES)
  return {
    ...{ contaId, linhaId, marca: digest.toString('hex'), em: at ?? now, mensagemId },
    ...{ tipo: costKind(pricing), categoria: pricing.category, pais: countryOf(recipient) },
  }
}

const NOTICE_TEXTS: Readonly<Record<FreeMark, string>> = {
  80: `Foram usadas 80% das ${FREE_PER_MONTH} mensagens grátis da Meta neste mês.`,
  100: `As ${FREE_PER_MONTH} mensagens grátis da Meta deste mês acabaram. As próximas são cobradas.`,
}

/** Meta gives the free messages to each number. The first line of the account that reaches a mark causes its notice. */
async function noticeFree(tx: Tx, deps: CostDeps, { contaId, linhaId }: LineKey): Promise<void> {
  const today = localDay(deps.clock.now(), await readTimeZone(tx, { contaId }))
  const { from, until } = monthSpan(today.slice(0, 7))
  for (const percentual of reachedMarks(await sumFree(tx, { contaId, linhaId, from, until }))) {
    if ((await insertNotice(tx, { contaId, month: from, percentual })) === 0) continue
    const name = await readConnectionName(tx, { contaId, linhaId })
    const texto = name === '' ? NOTICE_TEXTS[percentual] : `Conexão ${name}: ${NOTICE_TEXTS[percentual]}`
    await insertLog(tx, deps, contaId, { tipo: 'warning', mensagem: texto, linhaId })
    const dono = await findDono(tx, { contaId })
    if (dono !== null) await addAvisos(tx, deps, contaId, [{ usuarioId: dono.id, tipo: 'limite', texto }])
  }
}
