import * as z from 'zod/mini'
import { columns, sql } from '#db/statement/sql.ts'
import { inOrder, manyRows, noRows } from '#db/statement/statement.ts'
import type { Deps } from '#deps.ts'

/** The COMMIT that uses a number of this transaction comes later and also flushes it. */
const commitWithoutFlush = noRows('conversas: commit without flush', sql`set local synchronous_commit = off`)

/** Counts the requests. Returns the last number of each conta and day. */
const takeLast = manyRows(
  'protocolos-proximos',
  z.object({ contaId: z.string(), dia: z.string(), ultimo: z.int() }),
  sql`
insert into protocolos as p (conta_id, dia, ultimo)
select i.conta_id, i.day, count(*) from ${columns('i', { contaId: 'uuid', day: 'date' })}
group by i.conta_id, i.day order by i.conta_id, i.day
on conflict (conta_id, dia) do update set ultimo = p.ultimo + excluded.ultimo
returning p.conta_id, p.dia::text as dia, p.ultimo`,
  { prepared: true },
)

interface ProtocoloRequest {
  readonly contaId: string
  /** `AAAA-MM-DD`. */
  readonly day: string
}

/**
 * Gives each request a number `AAAAMMDD-NNNN`, in order. Runs in a separate transaction: the counter is shared by the
 * whole conta and would stay locked until the caller's COMMIT. A rollback of the caller leaves a gap. On the caller's
 * pool, callers that hold all its connections would wait for each other.
 */
export async function takeProtocolos<T extends ProtocoloRequest>(
  { reservedDb }: Pick<Deps, 'reservedDb'>,
  requests: readonly T[],
): Promise<(T & { readonly protocolo: string })[]> {
  const contas = [...new Set(requests.map(({ contaId }) => contaId))]
  const [, last] = await reservedDb.transaction(
    contas,
    (tx) => inOrder([commitWithoutFlush(tx, {}), takeLast(tx, { i: requests })]),
    { oneTrip: true },
  )
  const left = new Map(last.map(({ contaId, dia, ultimo }) => [`${contaId} ${dia}`, ultimo]))
  // The counter holds the last number of the group, so the numbers are given from the end.
  const numbered = requests.toReversed().map((request) => {
    const key = `${request.contaId} ${request.day}`
    const number = left.get(key) ?? 1
    left.set(key, number - 1)
    return { ...request, protocolo: `${request.day.replaceAll('-', '')}-${String(number).padStart(4, '0')}` }
  })
  return numbered.toReversed()
}
