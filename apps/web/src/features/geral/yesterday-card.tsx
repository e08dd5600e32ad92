import type { Relatorio } from '@balcao/contract/entities/relatorio'
import { conversasHumanasRoute } from '@balcao/contract/routes/atendimento'
import { relatorioRoute } from '@balcao/contract/routes/atendimento-equipe'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { call } from '#shared/api-client.ts'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'
import { formatDuration } from '#shared/data/duration.ts'
import { formatIsoDate, formatNumber } from '#shared/format.ts'
import { StatCard } from '#shared/ui/stat-card.tsx'
import { QueryState } from '#shared/ui/states.tsx'

type Figures = Relatorio['total']

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** The local day before today, `AAAA-MM-DD`. */
function yesterday(): string {
  return new Date(Date.parse(`${formatIsoDate(Date.now())}T00:00:00Z`) - DAY_MS).toISOString().slice(0, 10)
}

export function YesterdayCard({ skeleton }: { skeleton: ReactNode }) {
  const dia = yesterday()
  const period = { de: dia, ate: dia }
  const query = useQuery({
    queryKey: ['atendimento', 'relatorio', period],
    queryFn: ({ signal }) => call(relatorioRoute, { query: period, signal }),
    networkMode: 'always',
  })
  return (
    <section aria-labelledby="ontem" className="grid gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 id="ontem" className="text-lg font-bold">
          Ontem na sua loja
        </h2>
        <LongestWait />
      </div>
      <QueryState drawCard query={query} skeleton={skeleton}>
        {({ total, anterior }) =>
          total.conversas === 0 ? (
            <p className="card p-4 text-muted sm:p-5">Ontem ninguém pediu atendimento.</p>
          ) : (
            <FourFigures total={total} before={anterior} />
          )
        }
      </QueryState>
    </section>
  )
}

const waitOf = ({ espera, primeiraRespostaMs }: Figures): number | null =>
  espera === undefined ? primeiraRespostaMs : espera.mediana
const ratingOf = ({ notaMedia }: Figures): string | null => (notaMedia === null ? null : formatNumber(notaMedia))
const shownWait = (figures: Figures): string | null => {
  const ms = waitOf(figures)
  return ms === null ? null : formatDuration(ms)
}
const unansweredOf = ({ semResposta }: Figures): string | null =>
  semResposta === undefined ? null : formatNumber(semResposta)

const FIGURES: readonly { readonly label: string; readonly show: (figures: Figures) => string | null }[] = [
  { label: 'Clientes', show: ({ conversas }) => formatNumber(conversas) },
  { label: 'Metade esperou até', show: shownWait },
  { label: 'Sem resposta', show: unansweredOf },
  { label: 'Nota média', show: ratingOf },
]

function FourFigures({ total, before }: { total: Figures; before: Figures | undefined }) {
  return (
    <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      {FIGURES.map(({ label, show }) => (
        <StatCard
          key={label}
          label={label}
          value={show(total) ?? 'sem dados'}
          detail={before === undefined ? undefined : `anteontem: ${show(before) ?? 'sem dados'}`}
        />
      ))}
    </div>
  )
}

/** Follows the events of conversas, as the other totals do. Without an answer it shows nothing. */
function LongestWait() {
  const { data } = useQuery({
    queryKey: [...QUERY_KEYS.atendimento, 'espera'],
    queryFn: async ({ signal }) => {
      const query = { visao: 'fila', limite: 1, mensagens: 0 } as const
      const { conversas } = await call(conversasHumanasRoute, { query, signal })
      return conversas.map(({ id, cliente: { nome }, semRespostaDesde, aguardandoDesde }) => ({
        ...{ id, nome },
        minutes: Math.floor((Date.now() - Date.parse(semRespostaDesde ?? aguardandoDesde)) / MINUTE_MS),
      }))
    },
    refetchInterval: MINUTE_MS,
    networkMode: 'always',
  })
  if (data === undefined) return null
  const [longest] = data
  if (longest === undefined) return <p className="text-sm text-muted">Ninguém espera agora.</p>
  const { id, nome, minutes } = longest
  const wait = minutes < 1 ? 'agora' : formatDuration(minutes * MINUTE_MS)
  return (
    <p className="text-sm text-muted">
      Espera há mais tempo:{' '}
      <Link to="/dashboard" search={{ aba: 'atendimento', c: id }} className="font-semibold underline">
        {nome} ({wait})
      </Link>
    </p>
  )
}
