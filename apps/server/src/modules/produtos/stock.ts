import * as z from 'zod/mini'
import { grupoSchema } from '@balcao/contract/entities/produto'
import { instant } from '#db/statement/fields.ts'
import { columns, sql } from '#db/statement/sql.ts'
import { manyRows } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { contextChanges } from '#modules/contas/index.ts'

const sellableSchema = z.object({
  ...{
    contaId: z.string(),
    id: z.string(),
    nome: z.string(),
    preco: z.number(),
    ativo: z.boolean(),
    estoque: z.nullable(z.int()),
  },
  pausadoAte: z.nullable(instant),
  grupos: z.array(grupoSchema),
})
export type SellableProduto = z.output<typeof sellableSchema>

/** In the order of their ids, so that two orders do not wait for each other. */
export const lockProdutosToSell = manyRows(
  'produtos: lock to sell',
  sellableSchema,
  sql`select conta_id, id, nome, preco::float8 as preco, ativo, estoque, pausado_ate, grupos from produtos
      where (conta_id, id) in (select conta_id, id from ${columns('i', { contaId: 'uuid', id: 'uuid' })})
      order by conta_id, id for no key update`,
  { prepared: true },
)

/** Returns the contas of which a stock began or ceased to be empty. A stock that is not counted stays so. */
const changeStock = manyRows(
  'produtos: change stock',
  z.object({ contaId: z.string() }),
  sql`with i as (select * from ${columns('i', { contaId: 'uuid', id: 'uuid', units: 'int' })}),
        before as (select p.conta_id, p.id, p.estoque from produtos p join i on i.conta_id = p.conta_id and i.id = p.id),
        changed as (
          update produtos p set estoque = p.estoque + i.units from i
          where p.conta_id = i.conta_id and p.id = i.id and p.estoque is not null returning p.conta_id, p.id, p.estoque
        )
      select distinct c.conta_id from changed c join before b on b.conta_id = c.conta_id and b.id = c.id
      where (b.estoque = 0) <> (c.estoque = 0)`,
  { prepared: true },
)

interface Sale {
  readonly contaId: string
  readonly itens: readonly { readonly produtoId: string; readonly quantidade: number }[]
}

type StockDeps = Pick<Deps, 'bots'>

/** Takes the units of orders whose produtos the transaction locked and found to be enough. */
export function takeStock(tx: Tx, deps: StockDeps, sales: readonly Sale[]): Promise<void> {
  return applyUnits(tx, deps, sales, -1)
}

/** A produto that was deleted meanwhile has no stock to return to. */
export function returnStock(tx: Tx, deps: StockDeps, sale: Sale): Promise<void> {
  return applyUnits(tx, deps, [sale], 1)
}

/** The bot names produtos without stock, so it reads them again when one runs out or returns. */
async function applyUnits(tx: Tx, { bots }: StockDeps, sales: readonly Sale[], sign: 1 | -1): Promise<void> {
  if (sales.length === 0) return
  const turned = await changeStock(tx, { i: sumByProduto(sales).map((sum) => ({ ...sum, units: sign * sum.units })) })
  for (const { contaId } of turned) await contextChanges(tx, bots, contaId)
}

function sumByProduto(sales: readonly Sale[]): { contaId: string; id: string; units: number }[] {
  const sold = sales.flatMap(({ contaId, itens }) => itens.map((item) => ({ contaId, ...item })))
  return [...Map.groupBy(sold, ({ contaId, produtoId }) => `${contaId} ${produtoId}`)].flatMap(
    ([, [first, ...more]]) => {
      if (first === undefined) return []
      const units = more.reduce((sum, { quantidade }) => sum + quantidade, first.quantidade)
      return [{ contaId: first.contaId, id: first.produtoId, units }]
    },
  )
}
