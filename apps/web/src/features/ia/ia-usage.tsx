import { usoGeminiRoute } from '@balcao/contract/routes/gemini'
import { useQuery } from '@tanstack/react-query'
import { Sparkles } from 'lucide-react'
import { call } from '#shared/api-client.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { moneyFormat } from '#shared/form/money.ts'
import { formatNumber } from '#shared/format.ts'
import { Card } from '#shared/ui/card.tsx'
import { Meter } from '#shared/ui/meter.tsx'
import { EmptyState, ErrorState, Skeleton } from '#shared/ui/states.tsx'
import { USAGE_KEY } from './form/use-ia-form.ts'
import type { UsoIa } from '@balcao/contract/entities/resposta-ia'

/** Requests, tokens and cost, tests included, because the provider bills them too. */
export function IaUsageCard({ zone }: { zone: string }) {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: USAGE_KEY,
    queryFn: ({ signal }) => call(usoGeminiRoute, { signal }),
  })
  return (
    <Card heading="Uso da IA" className="min-w-0">
      {isPending ? (
        <div role="status" aria-busy="true" aria-label="Carregando o uso da IA" className="grid gap-4">
          <Skeleton className="h-14 w-full" />
          <Skeleton className="h-28 w-full" />
        </div>
      ) : data === undefined ? (
        <ErrorState message={errorMessage(error)} onRetry={() => void refetch()} />
      ) : data.dias.length === 0 ? (
        <EmptyState title="Nenhuma pergunta ainda" icon={<Sparkles size={22} aria-hidden />}>
          As perguntas dos clientes e os seus testes aparecem aqui, com os tokens que gastaram.
        </EmptyState>
      ) : (
        <>
          <UsageToday {...data.hoje} />
          <p className="mt-2 text-sm text-muted">
            Token é um pedaço de palavra. O provedor cobra pelo que a IA lê (entrada) e pelo que ela escreve (saída).
          </p>
          <MonthCost {...data.mes} />
          <ThirtyDays dias={lastDays(data.dias, todayDate(zone))} />
        </>
      )}
    </Card>
  )
}

function UsageToday({ perguntas, tokensEntrada, tokensSaida }: Omit<UsageDay, 'dia'>) {
  const numeros = [
    ['Perguntas hoje', perguntas],
    ['Tokens de entrada', tokensEntrada],
    ['Tokens de saída', tokensSaida],
  ] as const
  return (
    <dl className="grid grid-cols-3 gap-3">
      {numeros.map(([name, value]) => (
        <div key={name} className="flex flex-col-reverse justify-end">
          <dt className="text-sm text-muted">{name}</dt>
          <dd className="text-xl font-bold tabular-nums sm:text-2xl">{formatNumber(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

const formatReais = moneyFormat('BRL')

function MonthCost({ custoCentavos, orcamentoCentavos }: UsoIa['mes']) {
  const percent = orcamentoCentavos === null ? 0 : (custoCentavos / Math.max(1, orcamentoCentavos)) * 100
  const used = orcamentoCentavos !== null && custoCentavos >= orcamentoCentavos
  return (
    <section className="mt-5 grid gap-2 border-t border-line pt-4 text-sm">
      <h3 className="text-muted">
        Custo estimado deste mês:{' '}
        <strong className="font-semibold text-ink tabular-nums">{formatReais(custoCentavos)}</strong>
        {orcamentoCentavos !== null && ` de ${formatReais(orcamentoCentavos)}`}
      </h3>
      {orcamentoCentavos !== null && (
        <Meter
          label="Orçamento usado"
          percent={used ? 100 : percent}
          color={used ? 'danger' : percent >= 80 ? 'warn' : 'brand'}
        />
      )}
      {used && (
        <p role="status" className="font-semibold text-danger-ink">
          O orçamento acabou: a IA está desligada até o fim do mês.
        </p>
      )}
    </section>
  )
}

const tokens = ({ tokensEntrada, tokensSaida }: UsageDay): number => tokensEntrada + tokensSaida

function ThirtyDays({ dias }: { dias: readonly UsageDay[] }) {
  const largest = Math.max(1, ...dias.map(tokens))
  const total = dias.reduce((sum, day) => sum + tokens(day), 0)
  const perguntas = dias.reduce((sum, day) => sum + day.perguntas, 0)
  const [first, last] = [dias.at(0)?.dia ?? '', dias.at(-1)?.dia ?? '']
  return (
    <figure className="mt-5 border-t border-line pt-4">
      <figcaption className="mb-3 text-sm text-muted">
        Últimos 30 dias:{' '}
        <strong className="font-semibold text-ink">
          {formatNumber(perguntas)} {perguntas === 1 ? 'pergunta' : 'perguntas'}
        </strong>
        , {formatNumber(total)} tokens
      </figcaption>
      <div aria-hidden className="flex h-24 items-end gap-px sm:gap-1">
        {dias.map((day) => (
          <div
            key={day.dia}
            title={`${shortDate(day.dia)}: ${formatNumber(day.perguntas)} perguntas, ${formatNumber(tokens(day))} tokens`}
            className="flex h-full min-w-0 flex-1 items-end rounded-t-sm hover:bg-sunken"
          >
            <div
              className={`w-full rounded-t-sm ${day.perguntas === 0 ? 'bg-line' : 'bg-brand'}`}
              style={{ height: day.perguntas === 0 ? '2px' : `max(4px, ${(tokens(day) / largest) * 100}%)` }}
            />
          </div>
        ))}
      </div>
      <div aria-hidden className="mt-1 flex justify-between text-xs text-muted tabular-nums">
        <span>{shortDate(first)}</span>
        <span>{shortDate(last)}</span>
      </div>
      <UsagePerDay dias={dias.filter((day) => day.perguntas > 0).toReversed()} />
    </figure>
  )
}

function UsagePerDay({ dias }: { dias: readonly UsageDay[] }) {
  return (
    <details className="mt-2 text-sm">
      <summary className="flex min-h-11 w-fit items-center rounded-lg font-semibold text-brand-ink">
        Ver por dia
      </summary>
      <table className="w-full text-right tabular-nums">
        <thead className="text-muted">
          <tr>
            <th scope="col" className="py-1 text-left font-normal">
              Dia
            </th>
            <th scope="col" className="font-normal">
              Perguntas
            </th>
            <th scope="col" className="font-normal">
              Entrada
            </th>
            <th scope="col" className="font-normal">
              Saída
            </th>
          </tr>
        </thead>
        <tbody>
          {dias.map(({ dia, perguntas, tokensEntrada, tokensSaida }) => (
            <tr key={dia} className="border-t border-line">
              <th scope="row" className="py-1.5 text-left font-semibold">
                {shortDate(dia)}
              </th>
              <td>{formatNumber(perguntas)}</td>
              <td>{formatNumber(tokensEntrada)}</td>
              <td>{formatNumber(tokensSaida)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}

type UsageDay = UsoIa['dias'][number]

const DAYS = 30
const DAY_MS = 86_400_000

export function todayDate(zone: string, now = new Date()): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' }).format(now)
}

function lastDays(days: readonly UsageDay[], today: string): UsageDay[] {
  const porDia = new Map(days.map((dia) => [dia.dia, dia]))
  const fim = Date.parse(`${today}T00:00:00Z`)
  return Array.from({ length: DAYS }, (_vazio, index) => {
    const dia = new Date(fim - (DAYS - 1 - index) * DAY_MS).toISOString().slice(0, 10)
    return porDia.get(dia) ?? { dia, perguntas: 0, tokensEntrada: 0, tokensSaida: 0 }
  })
}

function shortDate(day: string): string {
  return `${day.slice(8, 10)}/${day.slice(5, 7)}`
}
