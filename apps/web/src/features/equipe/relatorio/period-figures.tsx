import type { ReactNode } from 'react'
import type { Setor } from '@balcao/contract/entities/config'
import type { Relatorio } from '@balcao/contract/entities/relatorio'
import { formatDuration } from '#shared/data/duration.ts'
import { formatNumber, formatPercent } from '#shared/format.ts'
import { Card } from '#shared/ui/card.tsx'
import { SetorNameChip } from '#shared/ui/setor-chip.tsx'
import { StatCard } from '#shared/ui/stat-card.tsx'
import { Stars, formatNota, NoValue, type ReportColumn, ReportTable } from '#features/equipe/page-parts.tsx'
import { findSetor } from '#features/equipe/setores.tsx'
import { formatWeekday } from './period.ts'
import { DayChart, HeatMap } from './charts.tsx'

type WaitClasses = NonNullable<Relatorio['espera']>

function nameOf({ ateMin }: WaitClasses[number], before: number): string {
  if (ateMin === null) return `Mais de ${minutes(before)}`
  return before === 0 ? `Até ${minutes(ateMin)}` : `De ${minutes(before)} a ${minutes(ateMin)}`
}

const minutes = (count: number): string => (count === 60 ? '1 hora' : `${count} min`)

/** How long customers waited for the first answer. Conversas that the shop began did not wait. */
function WaitDistribution({ espera, semResposta }: { espera: WaitClasses; semResposta: number }) {
  const answered = espera.reduce((sum, { conversas: count }) => sum + count, 0)
  const rows = [
    ...espera.map((item, index) => ({ name: nameOf(item, espera[index - 1]?.ateMin ?? 0), count: item.conversas })),
    { name: 'Sem resposta', count: semResposta },
  ]
  const total = Math.max(1, answered + semResposta)
  return (
    <ul className="grid gap-2 text-sm">
      {rows.map(({ name, count }) => (
        <li
          key={name}
          className="grid grid-cols-[8rem_minmax(0,1fr)_5.5rem] items-center gap-x-3 gap-y-1 max-sm:grid-cols-[minmax(0,1fr)_auto]"
        >
          <span>{name}</span>
          <span aria-hidden className="h-3 overflow-hidden rounded-full bg-line max-sm:order-last max-sm:col-span-2">
            <span className="block h-full rounded-full bg-brand" style={{ width: `${(count / total) * 100}%` }} />
          </span>
          <span className="text-right whitespace-nowrap tabular-nums">
            {formatNumber(count)}{' '}
            <span className="text-muted">({formatPercent(Math.round((count / total) * 100))})</span>
          </span>
        </li>
      ))}
    </ul>
  )
}

type RelatorioFigures = Relatorio['total']

/** The median, because one forgotten customer moves a mean by hours. A server of the version before has only the mean. */
const waitOf = ({ espera, primeiraRespostaMs }: RelatorioFigures): number | null =>
  espera === undefined ? primeiraRespostaMs : espera.mediana

const formatTime = (ms: number | null): ReactNode => (ms === null ? <NoValue /> : formatDuration(ms))

const COLUMNS: readonly ReportColumn<RelatorioFigures>[] = [
  { title: 'Conversas', value: ({ conversas }) => formatNumber(conversas) },
  { title: 'Finalizadas', value: ({ finalizadas }) => formatNumber(finalizadas) },
  {
    title: 'Sem resposta',
    value: ({ semResposta }) => (semResposta === undefined ? <NoValue /> : formatNumber(semResposta)),
  },
  { title: '1ª resposta', value: (figures) => formatTime(waitOf(figures)) },
  { title: 'Da fila ao fim', value: ({ resolucaoMs }) => formatTime(resolucaoMs) },
  { title: 'Nota', value: ({ notaMedia }) => (notaMedia === null ? <NoValue /> : formatNota(notaMedia)) },
]

function finishedText({ conversas, finalizadas: fim }: RelatorioFigures): string {
  const said = fim === 1 ? '1 finalizada' : `${formatNumber(fim)} finalizadas`
  return conversas === 0 ? said : `${said} (${formatPercent(Math.round((fim / conversas) * 100))})`
}

function automaticText({ encerradasPorSilencio = 0, agendadasEnviadas = 0 }: Relatorio): string | null {
  const ended = `${formatNumber(encerradasPorSilencio)} ${encerradasPorSilencio === 1 ? 'conversa terminou' : 'conversas terminaram'} por silêncio do cliente`
  const sent = `${formatNumber(agendadasEnviadas)} ${agendadasEnviadas === 1 ? 'mensagem agendada saiu' : 'mensagens agendadas saíram'}`
  const parts = [...(encerradasPorSilencio > 0 ? [ended] : []), ...(agendadasEnviadas > 0 ? [sent] : [])]
  return parts.length === 0 ? null : `${parts.join(' e ')}.`
}

const shownTime = (ms: number | null): string | null => (ms === null ? null : formatDuration(ms))

function waitText({ espera }: RelatorioFigures): string {
  if (espera?.p90 === undefined || espera.p90 === null) return 'desde a entrada na fila'
  return `metade esperou menos; 9 de 10, até ${formatDuration(espera.p90)}`
}

function Totals({ total, anterior }: Pick<Relatorio, 'total' | 'anterior'>) {
  const { notaMedia, avaliacoes } = total
  const detail = (text: string, show: (figures: RelatorioFigures) => string | null): ReactNode => {
    const before = anterior === undefined ? null : show(anterior)
    return (
      <>
        {text}
        {before !== null && <span className="block">antes: {before}</span>}
      </>
    )
  }
  return (
    <div className="grid grid-cols-1 gap-3 min-[22rem]:grid-cols-2 lg:grid-cols-4">
      <StatCard
        label="Conversas"
        value={formatNumber(total.conversas)}
        detail={detail(finishedText(total), ({ conversas }) => formatNumber(conversas))}
      />
      <StatCard
        label="Primeira resposta"
        value={formatTime(waitOf(total))}
        detail={detail(waitText(total), (figures) => shownTime(waitOf(figures)))}
      />
      <StatCard
        label="Da fila ao fim"
        value={formatTime(total.resolucaoMs)}
        detail={detail('em média', ({ resolucaoMs }) => shownTime(resolucaoMs))}
      />
      <StatCard
        label="Nota média"
        value={
          notaMedia === null ? (
            <NoValue />
          ) : (
            <span className="flex flex-wrap items-center gap-2">
              {formatNota(notaMedia)} <Stars nota={notaMedia} />
            </span>
          )
        }
        detail={detail(
          avaliacoes === 1 ? '1 avaliação' : `${formatNumber(avaliacoes)} avaliações`,
          ({ notaMedia: nota }) => (nota === null ? null : formatNota(nota)),
        )}
      />
    </div>
  )
}

type PersonRow = Relatorio['operadores'][number]

const LOAD_COLUMN: ReportColumn<PersonRow> = {
  title: 'Atendendo agora',
  value: ({ abertas }) => (abertas === undefined ? <NoValue /> : formatNumber(abertas)),
}

function HourFigures({ mapa = [], horas = [] }: Pick<Relatorio, 'mapa' | 'horas'>) {
  if (mapa.length === 0) return null
  return (
    <Card heading="Quando os clientes chegam">
      <HeatMap mapa={mapa} />
      <details className="mt-3">
        <summary className="min-h-11 py-2.5 text-sm font-semibold text-brand-ink">Ver os números de cada hora</summary>
        <ReportTable
          caption="Números por hora"
          rows={horas}
          keyOf={({ hora }) => String(hora)}
          nameOf={{ titulo: 'Hora', valor: ({ hora }) => `${hora}h` }}
          columns={COLUMNS}
        />
      </details>
    </Card>
  )
}

export function PeriodFigures({ relatorio, setores }: { relatorio: Relatorio; setores: readonly Setor[] }) {
  const { total, anterior, dias, setores: porSetor, operadores, espera } = relatorio
  const automatic = automaticText(relatorio)
  return (
    <>
      <Totals {...{ total, anterior }} />
      {automatic !== null && <p className="text-sm text-muted">{automatic}</p>}
      <Card heading="Conversas por dia">
        {dias.length > 1 && <DayChart dias={dias} />}
        <details open={dias.length === 1} className="mt-3">
          <summary className="min-h-11 py-2.5 text-sm font-semibold text-brand-ink">Ver os números de cada dia</summary>
          <ReportTable
            caption="Números por dia"
            rows={dias.toReversed()}
            keyOf={({ dia }) => dia}
            nameOf={{
              titulo: 'Dia',
              valor: ({ dia }) => (
                <span className="inline-block whitespace-nowrap first-letter:uppercase">{formatWeekday(dia)}</span>
              ),
            }}
            columns={COLUMNS}
          />
        </details>
      </Card>
      <HourFigures {...relatorio} />
      {espera !== undefined && total.conversas > 0 && (
        <Card heading="Espera pela primeira resposta">
          <WaitDistribution espera={espera} semResposta={total.semResposta ?? 0} />
        </Card>
      )}
      {porSetor.length > 0 && (
        <Card heading="Por setor">
          <ReportTable
            caption="Números por setor"
            rows={porSetor}
            keyOf={({ setor }) => setor}
            nameOf={{ titulo: 'Setor', valor: ({ setor }) => <SetorNameChip setor={findSetor(setores, setor)} /> }}
            columns={COLUMNS}
          />
        </Card>
      )}
      {operadores.length > 0 && (
        <Card heading="Por pessoa">
          <ReportTable
            caption="Números por pessoa"
            rows={operadores}
            keyOf={({ operadorId }) => operadorId}
            nameOf={{ titulo: 'Pessoa', valor: ({ operador }) => <span className="block truncate">{operador}</span> }}
            columns={[...COLUMNS, LOAD_COLUMN]}
          />
        </Card>
      )}
    </>
  )
}
