import * as z from 'zod/mini'
import type { Vendas } from '@balcao/contract/entities/relatorio'
import { lineOf } from '#db/statement/line.ts'
import { contaId, sql, value } from '#db/statement/sql.ts'
import { manyRows } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'

interface SalesSpan {
  readonly contaId: string
  readonly de: string
  /** The day after the last one. */
  readonly ateFora: string
  /** Only orders of this line. */
  readonly linha?: string | undefined
}

const linha = value('linha', 'uuid?')
const sold = sql`p.conta_id = ${contaId} and p.dia >= ${value('de', 'date')} and p.dia < ${value('ateFora', 'date')}
  and p.status <> 'cancelado' and (${linha} is null or ${lineOf('p')} = ${linha})`

const listDays = manyRows(
  'relatorio: list sales by day',
  z.object({
    ...{ dia: z.string(), pedidos: z.int(), receitaCentavos: z.number() },
    ...{ entregaCentavos: z.number(), descontoCentavos: z.number() },
  }),
  sql`select to_char(p.dia, 'YYYY-MM-DD') as dia, count(*)::int as pedidos, sum(p.total_centavos)::float8 as receita_centavos,
        sum(p.entrega_centavos)::float8 as entrega_centavos, sum(p.desconto_centavos)::float8 as desconto_centavos
      from pedidos p where ${sold} group by p.dia order by p.dia`,
)

const listProdutos = manyRows(
  'relatorio: list sales by produto',
  z.object({ produtoId: z.string(), nome: z.string(), quantidade: z.int(), receitaCentavos: z.number() }),
  sql`select i ->> 'produtoId' as produto_id, (array_agg(i ->> 'nome' order by p.id desc))[1] as nome,
        sum((i ->> 'quantidade')::int)::int as quantidade,
        sum((i ->> 'quantidade')::bigint * (i ->> 'precoCentavos')::bigint)::float8 as receita_centavos
      from pedidos p cross join jsonb_array_elements(p.itens) i where ${sold} group by 1 order by 4 desc, 1`,
)

type SalesDay = Awaited<ReturnType<typeof listDays>>[number]

/** Null: nothing was sold in the span. */
export async function readSales(tx: Tx, span: SalesSpan, before: SalesSpan): Promise<Vendas | null> {
  const valuesOf = ({ linha: line, ...rest }: SalesSpan) => ({ ...rest, linha: line ?? null })
  const days = await listDays(tx, valuesOf(span))
  if (days.length === 0) return null
  const earlier = await listDays(tx, valuesOf(before))
  const sum = (rows: readonly SalesDay[], of: (row: SalesDay) => number) =>
    rows.reduce((total, row) => total + of(row), 0)
  const figures = (rows: readonly SalesDay[]) => ({
    pedidos: sum(rows, ({ pedidos }) => pedidos),
    receitaCentavos: sum(rows, ({ receitaCentavos }) => receitaCentavos),
  })
  return {
    total: {
      ...figures(days),
      entregaCentavos: sum(days, ({ entregaCentavos }) => entregaCentavos),
      descontoCentavos: sum(days, ({ descontoCentavos }) => descontoCentavos),
    },
    anterior: figures(earlier),
    dias: days.map(({ dia, pedidos, receitaCentavos }) => ({ dia, pedidos, receitaCentavos })),
    produtos: await listProdutos(tx, valuesOf(span)),
  }
}
