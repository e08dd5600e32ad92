import type { Relatorio as Dados } from '@balcao/contract/entities/relatorio'
import { relatorioRoute } from '@balcao/contract/routes/atendimento-equipe'
import { useQuery } from '@tanstack/react-query'
import { ChartColumn, Download } from 'lucide-react'
import { useState } from 'react'
import { call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { downloadText } from '#shared/download.ts'
import { useConfig } from '#shared/data/config/use-config.ts'
import { Button } from '#shared/ui/button.tsx'
import { EmptyState, QueryState, Skeleton } from '#shared/ui/states.tsx'
import { EquipePanelActions } from '#features/equipe/panel-actions.tsx'
import { type PeriodChoice, PeriodPicker } from './period-choice.tsx'
import { PeriodFigures } from './period-figures.tsx'
import { formatPeriod, todayIn, type Period, periodOf } from './period.ts'
import { relatorioFileName, relatorioToCsv } from './relatorio-csv.ts'
import { findSetor, useSetores } from '#features/equipe/use-setores.ts'

const DEFAULT_PRESET = '30dias'

function useRelatorio(period: Period) {
  return useQuery({
    queryKey: ['atendimento', 'relatorio', period],
    queryFn: ({ signal }) => call(relatorioRoute, { query: period, signal }),
    networkMode: 'always',
    placeholderData: (before) => before,
  })
}

function RelatorioSkeleton() {
  return (
    <div role="status" aria-label="Carregando o relatório" aria-busy="true" className="grid gap-4">
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        {[0, 1, 2, 3].map((card) => (
          <Skeleton key={card} className="h-24 !rounded-card" />
        ))}
      </div>
      <Skeleton className="h-72 w-full !rounded-card" />
      <Skeleton className="h-40 w-full !rounded-card" />
    </div>
  )
}

function EmptyRelatorio({ padrao, onVerMais }: { padrao: boolean; onVerMais: () => void }) {
  return (
    <div className="card">
      <EmptyState
        title="Nenhuma conversa neste período"
        icon={<ChartColumn size={22} aria-hidden />}
        action={
          !padrao && (
            <Button className="min-h-11" onClick={onVerMais}>
              Ver os últimos 30 dias
            </Button>
          )
        }
      >
        Aqui entram as conversas que o bot passou para uma pessoa. As de teste não contam.
      </EmptyState>
    </div>
  )
}

export function RelatorioPage() {
  const { config } = useConfig()
  const [now, setAgora] = useState(() => new Date())
  const hoje = todayIn(config.atendimento.horario.fuso, now)
  const [escolha, setEscolha] = useState<PeriodChoice>(DEFAULT_PRESET)
  const [dates, setDatas] = useState<Period | null>(null)
  const period = escolha === 'datas' ? (dates ?? periodOf(DEFAULT_PRESET, hoje)) : periodOf(escolha, hoje)
  const setores = useSetores()
  const consulta = useRelatorio(period)
  const { data, isPlaceholderData } = consulta
  const exportar = (relatorio: Dados): void => {
    downloadText(
      relatorioFileName(relatorio),
      'text/csv',
      relatorioToCsv(relatorio, (id) => findSetor(setores, id).nome),
    )
    notify.sucesso('Relatório baixado.')
  }
  return (
    <>
      <PeriodPicker
        today={hoje}
        periodo={period}
        choice={escolha}
        onChoose={(fresh) => {
          if (fresh === 'datas') setDatas(period)
          // The page may be open since yesterday: takes the current date.
          setAgora(new Date())
          setEscolha(fresh)
        }}
        onDates={setDatas}
      />
      <EquipePanelActions>
        <Button
          className="min-h-11"
          disabled={data === undefined || isPlaceholderData}
          onClick={() => data !== undefined && exportar(data)}
        >
          <Download size={18} aria-hidden /> Baixar planilha
        </Button>
      </EquipePanelActions>
      <QueryState drawCard query={consulta} skeleton={<RelatorioSkeleton />}>
        {(relatorio) => (
          <div
            aria-busy={isPlaceholderData}
            className={`grid grid-cols-[minmax(0,1fr)] gap-4 transition-opacity ${isPlaceholderData ? 'opacity-60' : ''}`}
          >
            <p className="text-sm font-semibold text-muted" role="status">
              {formatPeriod(relatorio)}
            </p>
            {relatorio.total.conversas === 0 && relatorio.total.avaliacoes === 0 ? (
              <EmptyRelatorio padrao={escolha === DEFAULT_PRESET} onVerMais={() => setEscolha(DEFAULT_PRESET)} />
            ) : (
              <PeriodFigures relatorio={relatorio} setores={setores} />
            )}
          </div>
        )}
      </QueryState>
    </>
  )
}
