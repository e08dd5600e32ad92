import type { CustosOficiais, OrigemDeCusto } from '@balcao/contract/entities/custos'
import type { Linha } from '@balcao/contract/entities/linha'
import { custosOficiaisRoute } from '@balcao/contract/routes/custos'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#shared/api-client.ts'
import { formatIsoDate, formatNumber } from '#shared/format.ts'
import { moneyFormat } from '#shared/form/money.ts'
import { Select } from '#shared/ui/select.tsx'
import { StatCard } from '#shared/ui/stat-card.tsx'
import { QueryState, Skeleton } from '#shared/ui/states.tsx'

const MONTHS = 12

/** The current local month and those before it, as `AAAA-MM`. */
function lastMonths(): string[] {
  const [year = 0, month = 1] = formatIsoDate(Date.now()).split('-').map(Number)
  return Array.from({ length: MONTHS }, (_, back) =>
    new Date(Date.UTC(year, month - 1 - back, 1)).toISOString().slice(0, 7),
  )
}

const monthName = (month: string): string =>
  new Intl.DateTimeFormat('pt-BR', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(new Date(`${month}-01`))

const ALL_LINES = ''

export function CostsContent({ lines }: { lines: readonly Linha[] }) {
  const [months] = useState(lastMonths)
  const [current = ''] = months
  const [mes, setMes] = useState(current)
  const [linha, setLinha] = useState(ALL_LINES)
  const query = useQuery({
    queryKey: ['oficial', 'custos', mes, linha],
    queryFn: ({ signal }) =>
      call(custosOficiaisRoute, { query: { mes, linha: linha === ALL_LINES ? undefined : linha }, signal }),
    networkMode: 'always',
  })
  const lineOptions = [
    { valor: ALL_LINES, rotulo: 'Todas as linhas' },
    ...lines.map(({ id, nome }) => ({ valor: id, rotulo: nome })),
  ]
  return (
    <div className="mt-4 grid gap-4">
      <div className="grid gap-4 md:grid-cols-2">
        <Select
          label="Mês"
          value={mes}
          onChange={setMes}
          options={months.map((month) => ({ valor: month, rotulo: monthName(month) }))}
        />
        {lines.length > 1 && <Select label="Linha" value={linha} onChange={setLinha} options={lineOptions} />}
      </div>
      <QueryState
        query={query}
        skeleton={
          <div role="status" aria-label="Carregando os custos">
            <Skeleton className="h-48 w-full" />
          </div>
        }
      >
        {(costs) => <Costs costs={costs} isCurrent={mes === current} />}
      </QueryState>
    </div>
  )
}

const NO_RATES = 'O administrador ainda não informou as tarifas destas mensagens. Por isso o valor está em zero.'

function Costs({ costs, isCurrent }: { costs: CustosOficiais; isCurrent: boolean }) {
  const { cobradas, gratuitas, anuncio } = costs.mensagens
  if (cobradas + gratuitas + anuncio === 0) return <p className="text-sm text-muted">Nenhuma mensagem neste mês.</p>
  const money = moneyFormat(costs.moeda)
  return (
    <>
      {cobradas > 0 && costs.valorCentavos === 0 && <p className="text-sm font-semibold text-warn-ink">{NO_RATES}</p>}
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        <StatCard label="Até agora" value={money(costs.valorCentavos)} detail="Estimativa" />
        {isCurrent && <StatCard label="Fim do mês" value={money(costs.previsaoCentavos)} detail="Previsão" />}
        <StatCard label="Cobradas" value={formatNumber(cobradas)} detail="mensagens" />
        <StatCard
          label="Grátis"
          value={formatNumber(gratuitas + anuncio)}
          detail={anuncio === 0 ? 'mensagens' : `${formatNumber(anuncio)} vindas de anúncio`}
        />
      </div>
      <p className="-mb-2 text-sm text-muted">As listas somam as mensagens cobradas e as grátis.</p>
      <div className="grid items-start gap-x-10 gap-y-4 md:grid-cols-2">
        <CostTable
          caption="Por origem"
          rows={costs.porOrigem.map(({ origem, ...row }) => ({ name: ORIGIN_NAMES[origem], ...row }))}
          money={money}
        />
        <CostTable
          caption="Por dia"
          rows={costs.porDia.toReversed().map(({ dia, ...row }) => ({ name: shortDay(dia), ...row }))}
          money={money}
        />
      </div>
    </>
  )
}

const ORIGIN_NAMES: Readonly<Record<OrigemDeCusto, string>> = {
  bot: 'Bot',
  ia: 'IA',
  operador: 'Pessoas',
  agendada: 'Agendadas',
  modelo: 'Modelos',
  outros: 'Outros',
}

const shortDay = (day: string): string => `${day.slice(8, 10)}/${day.slice(5, 7)}`

interface CostTableProps {
  readonly caption: string
  readonly rows: readonly { readonly name: string; readonly mensagens: number; readonly valorCentavos: number }[]
  readonly money: (cents: number) => string
}

function CostTable({ caption, rows, money }: CostTableProps) {
  return (
    <table className="w-full text-right text-sm tabular-nums">
      <thead className="text-muted">
        <tr>
          <th scope="col" className="py-1 text-left font-normal">
            {caption}
          </th>
          <th scope="col" className="font-normal">
            Mensagens
          </th>
          <th scope="col" className="font-normal">
            Valor
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, mensagens, valorCentavos }) => (
          <tr key={name} className="border-t border-line">
            <th scope="row" className="py-1.5 text-left font-semibold">
              {name}
            </th>
            <td>{formatNumber(mensagens)}</td>
            <td>{money(valorCentavos)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
