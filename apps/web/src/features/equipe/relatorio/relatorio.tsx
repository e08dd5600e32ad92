import type { Relatorio as Dados, Relatorio } from '@balcao/contract/entities/relatorio'
import { relatorioRoute } from '@balcao/contract/routes/atendimento-equipe'
import { useQuery } from '@tanstack/react-query'
import { ChartColumn, Download } from 'lucide-react'
import { useState, type SubmitEvent, useId } from 'react'
import { call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { downloadText, type CsvCell, toCsv } from '#shared/download.ts'
import { LinhaSelect } from '#shared/conta/linha-select.tsx'
import { useLinhas } from '#shared/conta/linhas.ts'
import { useConfig } from '#shared/data/config/use-config.ts'
import { contaZone } from '#shared/time-zone.ts'
import { Button } from '#shared/ui/button.tsx'
import { EmptyState, QueryState, Skeleton } from '#shared/ui/states.tsx'
import { EquipePanelActions } from '#features/equipe/page-parts.tsx'
import { PeriodFigures } from './period-figures.tsx'
import {
  formatPeriod,
  todayIn,
  type Period,
  periodOf,
  checkPeriod,
  PERIOD_PRESETS,
  type PeriodPreset,
  formatDay,
} from './period.ts'
import { SalesFigures, salesToCsv } from './sales.tsx'
import { findSetor, useSetores } from '#features/equipe/setores.tsx'
import { TextField } from '#shared/ui/text-field.tsx'

const DEFAULT_PRESET = '30dias'

function useRelatorio(period: Period, linha: string | null) {
  return useQuery({
    queryKey: ['atendimento', 'relatorio', period, linha],
    queryFn: ({ signal }) =>
      call(relatorioRoute, { query: { ...period, ...(linha === null ? {} : { linha }) }, signal }),
    networkMode: 'always',
    placeholderData: (before) => before,
  })
}

function RelatorioSkeleton() {
  return (
    <div role="status" aria-label="Carregando o relatório" aria-busy="true" className="grid gap-4">
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        {[0, 1, 2, 3].map((card) => (
          <Skeleton key={card} className="h-24 rounded-card" />
        ))}
      </div>
      <Skeleton className="h-72 w-full rounded-card" />
      <Skeleton className="h-40 w-full rounded-card" />
    </div>
  )
}

interface EmptyRelatorioProps {
  readonly isDefault: boolean
  readonly onShowMore: () => void
  /** Undefined: no line was chosen. */
  readonly onAllLinhas: (() => void) | undefined
}

function EmptyRelatorio({ isDefault, onShowMore, onAllLinhas }: EmptyRelatorioProps) {
  return (
    <div className="card">
      <EmptyState
        title="Nenhuma conversa neste período"
        icon={<ChartColumn size={22} aria-hidden />}
        action={
          <>
            {onAllLinhas !== undefined && (
              <Button className="min-h-11" onClick={onAllLinhas}>
                Ver todas as linhas
              </Button>
            )}
            {!isDefault && (
              <Button className="min-h-11" onClick={onShowMore}>
                Ver os últimos 30 dias
              </Button>
            )}
          </>
        }
      >
        Aqui entram as conversas que o bot passou para uma pessoa. As de teste não contam.
      </EmptyState>
    </div>
  )
}

function usePeriod() {
  const { config } = useConfig()
  const [now, setNow] = useState(() => new Date())
  const today = todayIn(config?.atendimento.horario.fuso ?? contaZone(), now)
  const [choice, setChoice] = useState<PeriodChoice>(DEFAULT_PRESET)
  const [dates, setDates] = useState<Period | null>(null)
  const period = choice === 'datas' ? (dates ?? periodOf(DEFAULT_PRESET, today)) : periodOf(choice, today)
  const choose = (fresh: PeriodChoice): void => {
    if (fresh === 'datas') setDates(period)
    // The page may be open since yesterday: takes the current date.
    setNow(new Date())
    setChoice(fresh)
  }
  return { today, choice, period, choose, setDates }
}

export function RelatorioPage() {
  const { today, choice, period, choose, setDates } = usePeriod()
  const setores = useSetores()
  const [linha, setLinha] = useState<string | null>(null)
  const linhaName = useLinhas().find(({ id }) => id === linha)?.nome
  const query = useRelatorio(period, linha)
  const { data, isPlaceholderData } = query
  const exportFile = (relatorio: Dados): void => {
    downloadText(
      relatorioFileName(relatorio),
      'text/csv',
      relatorioToCsv(relatorio, (id) => findSetor(setores, id).nome, linhaName),
    )
    notify.sucesso('Relatório baixado.')
  }
  return (
    <>
      <PeriodPicker today={today} periodo={period} choice={choice} onChoose={choose} onDates={setDates} />
      <div className="empty:hidden sm:max-w-72">
        <LinhaSelect value={linha} onChange={setLinha} className="min-h-11" />
      </div>
      <EquipePanelActions>
        <Button
          className="min-h-11"
          disabled={data === undefined || isPlaceholderData}
          onClick={() => data !== undefined && exportFile(data)}
        >
          <Download size={18} aria-hidden /> Baixar planilha
        </Button>
      </EquipePanelActions>
      <QueryState drawCard query={query} skeleton={<RelatorioSkeleton />}>
        {(relatorio) => (
          <div
            aria-busy={isPlaceholderData}
            className={`grid grid-cols-[minmax(0,1fr)] gap-4 transition-opacity ${isPlaceholderData ? 'opacity-60' : ''}`}
          >
            <p className="text-sm font-semibold text-muted" role="status">
              {formatPeriod(relatorio)}
              {linhaName !== undefined && `, só a linha ${linhaName}`}
            </p>
            {relatorio.total.conversas === 0 && relatorio.total.avaliacoes === 0 ? (
              <EmptyRelatorio
                isDefault={choice === DEFAULT_PRESET}
                onShowMore={() => choose(DEFAULT_PRESET)}
                onAllLinhas={linha === null ? undefined : () => setLinha(null)}
              />
            ) : (
              <PeriodFigures relatorio={relatorio} setores={setores} />
            )}
            {relatorio.vendas !== undefined && <SalesFigures vendas={relatorio.vendas} />}
          </div>
        )}
      </QueryState>
    </>
  )
}

type PeriodChoice = PeriodPreset | 'datas'

const PERIOD_LABEL: Readonly<Record<PeriodChoice, string>> = {
  hoje: 'Hoje',
  ontem: 'Ontem',
  '7dias': '7 dias',
  semanaPassada: 'Semana passada',
  '30dias': '30 dias',
  mesPassado: 'Mês passado',
  datas: 'Escolher datas',
}
const PERIOD_CHOICES: readonly PeriodChoice[] = [...PERIOD_PRESETS, 'datas']

interface PeriodPickerProps {
  readonly today: string
  readonly periodo: Period
  readonly choice: PeriodChoice
  readonly onChoose: (escolha: PeriodChoice) => void
  readonly onDates: (period: Period) => void
}

function PeriodPicker({ today, periodo, choice, onChoose, onDates }: PeriodPickerProps) {
  const nome = useId()
  return (
    <div className="grid min-w-0 gap-3">
      <fieldset className="min-w-0">
        <legend className="sr-only">Período</legend>
        <div className="flex flex-wrap gap-1.5">
          {PERIOD_CHOICES.map((item) => (
            <label
              key={item}
              className="inline-flex min-h-11 items-center lg:min-h-10 rounded-full border border-line-strong bg-surface px-4 text-sm font-semibold has-checked:border-brand has-checked:bg-brand-soft has-checked:text-brand-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-brand-ink"
            >
              <input
                type="radio"
                name={nome}
                className="sr-only"
                checked={item === choice}
                onChange={() => onChoose(item)}
              />
              {PERIOD_LABEL[item]}
            </label>
          ))}
        </div>
      </fieldset>
      {choice === 'datas' && <DateFields today={today} periodo={periodo} onShow={onDates} />}
    </div>
  )
}

function DateFields({ today, periodo, onShow }: { today: string; periodo: Period; onShow: (period: Period) => void }) {
  const [dates, setDates] = useState(periodo)
  const [errors, setErrors] = useState<ReturnType<typeof checkPeriod>>({})
  const see = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const missing = checkPeriod(dates)
    setErrors(missing)
    if (missing.de === undefined && missing.ate === undefined) onShow(dates)
    else event.currentTarget.querySelector<HTMLElement>(`[name=${missing.de === undefined ? 'ate' : 'de'}]`)?.focus()
  }
  const field = (nome: 'de' | 'ate') => ({
    name: nome,
    type: 'date',
    max: today,
    value: dates[nome],
    error: errors[nome],
    className: 'min-h-11',
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      setDates({ ...dates, [nome]: currentTarget.value }),
  })
  return (
    <form noValidate onSubmit={see} className="grid grid-cols-2 items-start gap-3 sm:flex">
      <TextField label="De" {...field('de')} />
      <TextField label="Até" {...field('ate')} />
      <Button type="submit" className="min-h-11 max-sm:col-span-2 sm:mt-[1.6rem]">
        Ver período
      </Button>
    </form>
  )
}

type RelatorioFigures = Relatorio['total']

const CSV_HEADER = [
  'Grupo',
  'Nome',
  'Conversas',
  'Finalizadas',
  'Sem resposta',
  'Primeira resposta (min)',
  'Metade esperou até (min)',
  'Da fila ao fim (min)',
  'Avaliações',
  'Nota média',
]

const roundCents = (value: number): number => Math.round(value * 100) / 100
const toMinutes = (ms: number | null): number | null => (ms === null ? null : roundCents(ms / 60_000))

function csvRow(group: string, name: string, numeros: RelatorioFigures): readonly CsvCell[] {
  const { conversas, finalizadas, primeiraRespostaMs, resolucaoMs, avaliacoes, notaMedia, semResposta, espera } =
    numeros
  const times = [primeiraRespostaMs, espera?.mediana ?? null, resolucaoMs].map(toMinutes)
  const nota = notaMedia === null ? null : roundCents(notaMedia)
  return [group, name, conversas, finalizadas, semResposta ?? null, ...times, avaliacoes, nota]
}

export function relatorioToCsv(relatorio: Relatorio, setorName: (id: string) => string, linha?: string): string {
  const { total, dias, setores, operadores, horas = [], vendas } = relatorio
  const ofLinha = linha === undefined ? '' : `, linha ${linha}`
  return toCsv([
    CSV_HEADER,
    csvRow('Total', `${formatDay(relatorio.de)} a ${formatDay(relatorio.ate)}${ofLinha}`, total),
    ...dias.map((item) => csvRow('Dia', formatDay(item.dia), item)),
    ...horas.map((um) => csvRow('Hora', `${um.hora}h`, um)),
    ...setores.map((um) => csvRow('Setor', setorName(um.setor), um)),
    ...operadores.map((um) => csvRow('Pessoa', um.operador, um)),
    ...(vendas === undefined ? [] : salesToCsv(vendas)),
  ])
}

export function relatorioFileName({ de, ate }: Period): string {
  return `balcao-relatorio-${de}-a-${ate}.csv`
}
