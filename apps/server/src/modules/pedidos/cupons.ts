import * as z from 'zod/mini'
import { type Cupom, cupomInputSchema, cupomSchema } from '@balcao/contract/entities/cupom'
import { atualizarCupomRoute, criarCupomRoute, cuponsRoute, excluirCupomRoute } from '@balcao/contract/routes/cupons'
import { instant } from '#db/statement/fields.ts'
import { columns, contaId, sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows, oneRow } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { bind, type BoundRoute } from '#http/handle.ts'
import { parseShape } from '#http/parse-shape.ts'
import { isUuid } from '#lib/text.ts'
import { contextChanges } from '#modules/contas/index.ts'

const CUPONS_MAX = 500

const rowSchema = z.extend(z.omit(cupomSchema, { validoAte: true }), { validoAte: z.nullable(instant) })
const cupomColumns = sql`id, codigo, tipo, valor, minimo_centavos, valido_ate, usos, por_cliente, ativo`
const id = value('id', 'uuid')
const theOne = sql`conta_id = ${contaId} and id = ${id}`

const listRows = manyRows(
  'cupons: list',
  rowSchema,
  sql`select ${cupomColumns} from cupons where conta_id = ${contaId} order by codigo`,
)

const listWithUses = manyRows(
  'cupons: list with uses',
  z.extend(rowSchema, { usados: z.int() }),
  sql`select ${cupomColumns}, (
        select count(*)::int from pedidos
         where pedidos.conta_id = ${contaId} and pedidos.cupom_id = cupons.id and pedidos.status <> 'cancelado'
      ) as usados
      from cupons where conta_id = ${contaId} order by codigo`,
)

const lockRow = oneRow(
  'cupons: lock',
  rowSchema,
  sql`select ${cupomColumns} from cupons where ${theOne} for no key update`,
)

/** Replaces the coupon with this id, or adds it. */
const putRow = noRows(
  'cupons: put',
  sql`insert into cupons (conta_id, id, codigo, tipo, valor, minimo_centavos, valido_ate, usos, por_cliente, ativo)
      values (${contaId}, ${id}, ${value('codigo', 'text')}, ${value('tipo', 'text')}, ${value('valor', 'int')},
        ${value('minimoCentavos', 'int')}, ${value('validoAte', 'timestamptz?')}, ${value('usos', 'int?')},
        ${value('porCliente', 'int?')}, ${value('ativo', 'bool')})
      on conflict (conta_id, id) do update set codigo = excluded.codigo, tipo = excluded.tipo, valor = excluded.valor,
        minimo_centavos = excluded.minimo_centavos, valido_ate = excluded.valido_ate, usos = excluded.usos,
        por_cliente = excluded.por_cliente, ativo = excluded.ativo`,
)

const deleteRow = noRows('cupons: delete', sql`delete from cupons where ${theOne}`)

const lockList = noRows(
  'cupons: lock list',
  sql`select pg_advisory_xact_lock(hashtext('cupons'), hashtext(${contaId}::text))`,
)

/** Null is how a row, and a change, says that the coupon has no last day. */
const toCupom = <Row extends { readonly validoAte: string | null }>({ validoAte, ...row }: Row) => ({
  ...row,
  ...(validoAte === null ? {} : { validoAte }),
})

const toRow = (contaId: string, { validoAte, ...cupom }: Cupom): Parameters<typeof putRow>[1] => ({
  ...{ contaId, ...cupom },
  validoAte: validoAte === undefined ? null : new Date(validoAte),
})

/** All coupons, also those that do not count now: the bot says why. */
export async function listCupons(tx: Tx, contaId: string): Promise<Cupom[]> {
  return (await listRows(tx, { contaId })).map(toCupom)
}

const used = { contaId: 'uuid', id: 'uuid', contatoId: 'uuid' } as const

const lockUsed = manyRows(
  'cupons: lock used',
  z.extend(rowSchema, { contaId: z.string() }),
  sql`select conta_id, ${cupomColumns} from cupons
      where (conta_id, id) in (select conta_id, id from ${columns('i', used)})
      order by conta_id, id for no key update`,
)

const countUses = manyRows(
  'cupons: count uses',
  z.object({ contaId: z.string(), id: z.string(), contatoId: z.string(), usados: z.int(), doCliente: z.int() }),
  sql`with i as (select * from ${columns('i', used)}),
        t as (
          select d.conta_id, d.id, count(p.id)::int as usados from (select distinct conta_id, id from i) d
          left join pedidos p on p.conta_id = d.conta_id and p.cupom_id = d.id and p.status <> 'cancelado'
          group by d.conta_id, d.id
        )
      select i.conta_id, i.id, i.contato_id, t.usados, (
          select count(*)::int from pedidos p where p.conta_id = i.conta_id and p.contato_id = i.contato_id
            and p.cupom_id = i.id and p.status <> 'cancelado'
        ) as do_cliente
      from i join t on t.conta_id = i.conta_id and t.id = i.id`,
)

type UsedCupom = Parameters<typeof countUses>[1]['i'][number]

export interface HeldCupom {
  /** The same object for all who use this coupon. */
  readonly cupom: Cupom
  readonly usados: number
  readonly doCliente: number
}

/**
 * The coupons with their uses, one for each request; null: deleted. They stay locked until the transaction ends, so that
 * two orders do not take the last use.
 */
export async function holdCupons(tx: Tx, i: readonly UsedCupom[]): Promise<(HeldCupom | null)[]> {
  if (i.length === 0) return []
  const locked = (await lockUsed(tx, { i })).map(({ contaId, ...row }) => ({ contaId, cupom: toCupom(row) }))
  // After the lock, so that it sees the orders of the transaction that held it before.
  const uses = await countUses(tx, { i })
  return i.map(({ contaId, id, contatoId }) => {
    const held = locked.find((one) => one.contaId === contaId && one.cupom.id === id)
    const count = uses.find((one) => one.contaId === contaId && one.id === id && one.contatoId === contatoId)
    return held === undefined
      ? null
      : { cupom: held.cupom, usados: count?.usados ?? 0, doCliente: count?.doCliente ?? 0 }
  })
}

export function cuponsRoutes(deps: Pick<Deps, 'db' | 'ids' | 'bots'>): BoundRoute[] {
  const { db, ids, bots } = deps
  return [
    bind(cuponsRoute, async ({ sessao: { contaId } }) => ({
      cupons: (await db.read(contaId, (tx) => listWithUses(tx, { contaId }))).map(toCupom),
      proximoCursor: null,
    })),
    bind(criarCupomRoute, async ({ sessao: { contaId }, body }) => {
      const cupom: Cupom = { id: ids.uuid(), ...body }
      await refuseRepeatedCode(
        db.transaction(contaId, async (tx) => {
          await lockList(tx, { contaId })
          const usado = (await listRows(tx, { contaId })).length
          if (usado >= CUPONS_MAX) throw new AppError('limitePlano', { usado, limite: CUPONS_MAX })
          await putRow(tx, toRow(contaId, cupom))
          await contextChanges(tx, bots, contaId)
        }),
      )
      return { cupom }
    }),
    bind(atualizarCupomRoute, ({ sessao: { contaId }, params, body }) =>
      refuseRepeatedCode(
        db.transaction(contaId, async (tx) => {
          const row = isUuid(params.id) ? await lockRow(tx, { contaId, id: params.id }) : null
          if (row === null) throw new AppError('naoEncontrado')
          // A change of the kind may make the value wrong.
          const changed = { ...row, ...body, validoAte: body.validoAte === undefined ? row.validoAte : body.validoAte }
          const cupom: Cupom = { id: row.id, ...parseShape(cupomInputSchema, toCupom(changed)) }
          await putRow(tx, toRow(contaId, cupom))
          await contextChanges(tx, bots, contaId)
          return { cupom }
        }),
      ),
    ),
    bind(excluirCupomRoute, async ({ sessao: { contaId }, params: { id } }) => {
      await db.transaction(contaId, async (tx) => {
        if (!isUuid(id) || (await deleteRow(tx, { contaId, id })) === 0) throw new AppError('naoEncontrado')
        await contextChanges(tx, bots, contaId)
      })
    }),
  ]
}

async function refuseRepeatedCode<T>(saving: Promise<T>): Promise<T> {
  try {
    return await saving
  } catch (error) {
    const repeated = error instanceof Error && 'constraint' in error && error.constraint === 'cupons_codigo'
    throw repeated ? new AppError('cupomExiste') : error
  }
}
