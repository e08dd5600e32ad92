import * as z from 'zod/mini'
import { grupoSchema } from '@balcao/contract/entities/produto'
import { instant } from '#db/statement/fields.ts'
import { columns, contaId, sql, value } from '#db/statement/sql.ts'
import { manyRows } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { contextChanges } from '#modules/contas/index.ts'

const sellableSchema = z.object({
  ...{ id: z.string(), nome: z.string(), preco: z.number(), ativo: z.boolean(), estoque: z.nullable(z.int()) },
  pausadoAte: z.nullable(instant),
  grupos: z.array(grupoSchema),
})
export type SellableProduto = z.output<typeof sellableSchema>

/** In the order of their ids, so that two orders do not wait for each other. */
export const lockProdutosToSell = manyRows(
  'produtos: lock to sell',
  sellableSchema,
  sql`select id, nome, preco::float8 as preco, ativo, estoque, pausado_ate, grupos from produtos
      where conta_id = ${contaId} and id = any (${value('ids', 'uuid[]')}) order by id for no key update`,
)

/** Returns the produtos whose stock began or ceased to be empty. A stock that is not counted stays so. */
const changeStock = manyRows(
  'produtos: change stock',
  z.object({ id: z.string() }),
  sql`with i as (select * from ${columns('i', { id: 'uuid', units: 'int' })}),
        before as (select p.id, p.estoque from produtos p join i on i.id = p.id where p.conta_id = ${contaId}),
        changed as (
          update produtos p set estoque = p.estoque + i.units from i
          where p.conta_id = ${contaId} and p.id = i.id and p.estoque is not null returning p.id, p.estoque
        )
      select c.id from changed c join before b on b.id = c.id where (b.estoque = 0) <> (c.estoque = 0)`,
)

interface Units {
  readonly id: string
  readonly units: number
}

type StockDeps = Pick<Deps, 'bots'>

/** Takes units of produtos that the transaction locked and found to be enough. */
export function takeStock(tx: Tx, deps: StockDeps, contaId: string, sold: readonly Units[]): Promise<void> {
  const i = sold.map(({ id, units }) => ({ id, units: -units }))
  return applyUnits(tx, deps, contaId, i)
}

/** A produto that was deleted meanwhile has no stock to return to. */
export function returnStock(
  tx: Tx,
  deps: StockDeps,
  contaId: string,
  itens: readonly { readonly produtoId: string; readonly quantidade: number }[],
): Promise<void> {
  const units = new Map<string, number>()
  for (const { produtoId, quantidade } of itens) units.set(produtoId, (units.get(produtoId) ?? 0) + quantidade)
  const i = [...units].map(([id, amount]) => ({ id, units: amount }))
  return applyUnits(
    tx,
    deps,
    contaId,
    i.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  )
}

/** The bot names produtos without stock, so it reads them again when one runs out or returns. */
async function applyUnits(tx: Tx, { bots }: StockDeps, contaId: string, i: readonly Units[]): Promise<void> {
  const turned = await changeStock(tx, { contaId, i })
  if (turned.length > 0) await contextChanges(tx, bots, contaId)
}
