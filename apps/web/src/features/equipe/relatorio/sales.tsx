import type { Vendas } from '@balcao/contract/entities/relatorio'
import type { CsvCell } from '#shared/download.ts'
import { formatMoney } from '#shared/form/price.ts'
import { formatNumber } from '#shared/format.ts'
import { Card } from '#shared/ui/card.tsx'
import { StatCard } from '#shared/ui/stat-card.tsx'
import { type ReportColumn, ReportTable } from '#features/equipe/page-parts.tsx'
import { formatDay, formatWeekday } from './period.ts'

const money = (cents: number): string => formatMoney(cents / 100)

const orders = (count: number): string => (count === 1 ? '1 pedido' : `${formatNumber(count)} pedidos`)

type DayRow = Vendas['dias'][number]
type ProdutoRow = Vendas['produtos'][number]

const DAY_COLUMNS: readonly ReportColumn<DayRow>[] = [
  { title: 'Pedidos', value: ({ pedidos }) => formatNumber(pedidos) },
  { title: 'Receita', value: ({ receitaCentavos }) => money(receitaCentavos) },
]

const PRODUTO_COLUMNS: readonly ReportColumn<ProdutoRow>[] = [
  { title: 'Vendidos', value: ({ quantidade }) => formatNumber(quantidade) },
  { title: 'Receita', value: ({ receitaCentavos }) => money(receitaCentavos) },
]

/** Sales of the period. Cancelled orders do not count. */
export function SalesFigures({ vendas }: { readonly vendas: Vendas }) {
  const { total, anterior, dias, produtos } = vendas
  const { pedidos, receitaCentavos, entregaCentavos, descontoCentavos } = total
  return (
    <section aria-labelledby="vendas-titulo" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <h2 id="vendas-titulo" className="text-lg font-bold">
        Vendas
      </h2>
      <div className="grid grid-cols-1 gap-3 min-[22rem]:grid-cols-2 lg:grid-cols-4">
        <StatCard
          label="Receita"
          value={money(receitaCentavos)}
          detail={`antes: ${money(anterior.receitaCentavos)} em ${orders(anterior.pedidos)}`}
        />
        <StatCard label="Pedidos" value={formatNumber(pedidos)} detail="sem os cancelados" />
        <StatCard label="Valor médio" value={money(Math.round(receitaCentavos / pedidos))} detail="por pedido" />
        <StatCard
          label="Entregas"
          value={money(entregaCentavos)}
          detail={descontoCentavos === 0 ? 'em taxas' : `em taxas; ${money(descontoCentavos)} em descontos`}
        />
      </div>
      <Card heading="Produtos vendidos">
        <ReportTable
          caption="Vendas por produto"
          rows={produtos}
          keyOf={({ produtoId }) => produtoId}
          nameOf={{ titulo: 'Produto', valor: ({ nome }) => <span className="block break-words">{nome}</span> }}
          columns={PRODUTO_COLUMNS}
        />
      </Card>
      <Card heading="Vendas por dia">
        <ReportTable
          caption="Vendas por dia"
          rows={dias.toReversed()}
          keyOf={({ dia }) => dia}
          nameOf={{
            titulo: 'Dia',
            valor: ({ dia }) => <span className="inline-block first-letter:uppercase">{formatWeekday(dia)}</span>,
          }}
          columns={DAY_COLUMNS}
        />
      </Card>
    </section>
  )
}

/** Rows with another header, below those of the conversas. */
export function salesToCsv({ total, dias, produtos }: Vendas): readonly (readonly CsvCell[])[] {
  return [
    ['Vendas', 'Nome', 'Pedidos', 'Vendidos', 'Receita (R$)'],
    ['Total', '', total.pedidos, null, total.receitaCentavos / 100],
    ['Entregas', '', null, null, total.entregaCentavos / 100],
    ['Descontos', '', null, null, total.descontoCentavos / 100],
    ...dias.map(({ dia, ...day }) => ['Dia', formatDay(dia), day.pedidos, null, day.receitaCentavos / 100]),
    ...produtos.map(({ nome, quantidade, receitaCentavos }) => [
      'Produto',
      nome,
      null,
      quantidade,
      receitaCentavos / 100,
    ]),
  ]
}
