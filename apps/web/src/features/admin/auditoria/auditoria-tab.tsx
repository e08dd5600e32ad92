import { AUDITORIA_DIAS, ACOES_AUDITORIA } from '@balcao/contract/administration'
import { Download, ScrollText } from 'lucide-react'
import { useState } from 'react'
import { notify } from '#shared/avisos.ts'
import { downloadText } from '#shared/download.ts'
import { formatIsoDate } from '#shared/format.ts'
import { Button } from '#shared/ui/button.tsx'
import { EmptyState, ErrorState, Skeleton } from '#shared/ui/states.tsx'
import { attempt } from '#features/admin/usuarios/usuario-actions.ts'
import { auditoriaToCsv, AtoList } from './ato-list.tsx'
import { type AuditoriaViewFilter, useAuditoriaFilter } from '#features/admin/admin-search.ts'
import type { Ato } from '@balcao/contract/entities/auditoria'
import { auditoriaRoute } from '@balcao/contract/routes/auditoria'
import { useInfiniteQuery } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { Select, type SelectProps } from '#shared/ui/select.tsx'
import { SearchField } from '#shared/ui/search-field.tsx'
import { AUDITORIA_ACTION_LABEL } from './auditoria-labels.ts'

export function AuditoriaTab() {
  const [filter, change] = useAuditoriaFilter()
  return (
    <section aria-labelledby="auditoria" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div>
          <h2 id="auditoria" className="text-xl font-bold">
            Auditoria
          </h2>
          <p className="text-sm text-muted">
            Entradas, mudanças de contas e outros atos sensíveis, guardados por {AUDITORIA_DIAS} dias. Ninguém os
            altera.
          </p>
        </div>
        <SpreadsheetButton filter={filter} />
      </div>
      <AuditoriaFilters filter={filter} onChange={change} />
      <AuditoriaResult
        filter={filter}
        onClear={() => change({ busca: '', acao: 'todas', periodo: 'tudo', resultado: 'todos' })}
      />
    </section>
  )
}

function SpreadsheetButton({ filter }: { filter: AuditoriaViewFilter }) {
  const [downloading, setDownloading] = useState(false)
  const save = async (): Promise<void> => {
    setDownloading(true)
    await attempt('Erro ao baixar a planilha', async () => {
      const acts = await fetchAllAtos(filter)
      downloadText(`auditoria-${formatIsoDate(Date.now())}.csv`, 'text/csv', auditoriaToCsv(acts))
      notify.sucesso(
        acts.length < AUDITORIA_EXPORT_MAX
          ? 'Planilha baixada.'
          : 'Planilha baixada com os atos mais recentes. Escolha um período menor para ter os outros.',
      )
    })
    setDownloading(false)
  }
  return (
    <Button className="min-h-11" busy={downloading} onClick={() => void save()}>
      {!downloading && <Download size={18} aria-hidden />} {downloading ? 'Baixando…' : 'Baixar planilha'}
    </Button>
  )
}

function AuditoriaResult({ filter, onClear }: { filter: AuditoriaViewFilter; onClear: () => void }) {
  const { data, isPending, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage, isPlaceholderData } =
    useAuditoria(filter)
  const acts = data?.pages.flatMap((page) => page.atos) ?? []
  if (error !== null && data === undefined) {
    return (
      <div className="card">
        <ErrorState message={error.message} onRetry={() => void refetch()} />
      </div>
    )
  }
  if (isPending) return <AuditoriaSkeleton />
  if (acts.length === 0 && !isPlaceholderData) {
    return (
      <div className="card">
        <EmptyState
          title="Nada com este filtro"
          icon={<ScrollText size={22} aria-hidden />}
          action={<Button onClick={onClear}>Limpar filtros</Button>}
        />
      </div>
    )
  }
  return (
    <div className={`grid gap-4 ${isPlaceholderData ? 'opacity-60' : ''}`} aria-busy={isPlaceholderData}>
      <AtoList atos={acts} />
      {hasNextPage && !isPlaceholderData && (
        <Button className="mx-auto min-h-11" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {isFetchingNextPage ? 'Carregando…' : 'Carregar mais'}
        </Button>
      )}
    </div>
  )
}

function AuditoriaSkeleton() {
  return (
    <div role="status" aria-label="Carregando a auditoria" className="card divide-y divide-line">
      {[1, 2, 3, 4, 5, 6].map((line) => (
        <div key={line} className="flex items-center gap-4 px-4 py-3">
          <Skeleton className="h-9 w-44" />
          <Skeleton className="h-9 w-44" />
          <Skeleton className="ml-auto h-6 w-24 max-sm:hidden" />
        </div>
      ))}
    </div>
  )
}

const PAGE_SIZE = 50
const EXPORT_PAGE_SIZE = 200
const AUDITORIA_EXPORT_MAX = 10_000
const FIRST_PAGE: string | undefined = undefined

interface AuditoriaPage {
  readonly atos: readonly Ato[]
  readonly proximoCursor?: string | undefined
}

function fetchAuditoriaPage(
  { busca, acao, periodo, resultado }: AuditoriaViewFilter,
  page: { readonly limite: number; readonly cursor: string | undefined },
  signal?: AbortSignal,
): Promise<AuditoriaPage> {
  const query = {
    ...page,
    quem: busca === '' ? undefined : busca,
    acao: acao === 'todas' ? undefined : acao,
    periodo,
    resultado: resultado === 'todos' ? undefined : resultado,
  }
  return call(auditoriaRoute, { query, ...(signal === undefined ? {} : { signal }) })
}

function useAuditoria(filter: AuditoriaViewFilter) {
  return useInfiniteQuery({
    queryKey: ['admin', 'auditoria', filter],
    queryFn: ({ pageParam, signal }) => fetchAuditoriaPage(filter, { limite: PAGE_SIZE, cursor: pageParam }, signal),
    initialPageParam: FIRST_PAGE,
    getNextPageParam: (page: AuditoriaPage) => page.proximoCursor,
    placeholderData: (before) => before,
    // New acts arrive all the time: refetch on every mount.
    staleTime: 0,
  })
}

async function fetchAllAtos(filter: AuditoriaViewFilter): Promise<Ato[]> {
  const acts: Ato[] = []
  let cursor = FIRST_PAGE
  do {
    const page = await fetchAuditoriaPage(filter, { limite: EXPORT_PAGE_SIZE, cursor })
    acts.push(...page.atos)
    cursor = page.proximoCursor
  } while (cursor !== undefined && acts.length < AUDITORIA_EXPORT_MAX)
  return acts
}

const ACTIONS = [
  { valor: 'todas' as const, rotulo: 'Todas' },
  ...ACOES_AUDITORIA.map((action) => ({ valor: action, rotulo: AUDITORIA_ACTION_LABEL[action] })).toSorted((a, b) =>
    a.rotulo.localeCompare(b.rotulo, 'pt-BR'),
  ),
]
const PERIODS: readonly { readonly valor: AuditoriaViewFilter['periodo']; readonly rotulo: string }[] = [
  { valor: 'hoje', rotulo: 'Hoje' },
  { valor: '7dias', rotulo: 'Últimos 7 dias' },
  { valor: '30dias', rotulo: 'Últimos 30 dias' },
  { valor: 'tudo', rotulo: 'Tudo' },
]
const RESULTS: readonly { readonly valor: AuditoriaViewFilter['resultado']; readonly rotulo: string }[] = [
  { valor: 'todos', rotulo: 'Todos' },
  { valor: 'feito', rotulo: 'Feito' },
  { valor: 'recusado', rotulo: 'Recusado' },
]

function FilterSelect<V extends string>({ wide = false, ...select }: SelectProps<V> & { readonly wide?: boolean }) {
  return (
    <div className={wide ? 'min-w-52 flex-1' : 'min-w-28 flex-1'}>
      <Select {...select} className="min-h-11" />
    </div>
  )
}

interface AuditoriaFiltersProps {
  readonly filter: AuditoriaViewFilter
  readonly onChange: (change: Partial<AuditoriaViewFilter>) => void
}

function AuditoriaFilters({ filter, onChange }: AuditoriaFiltersProps) {
  return (
    <div className="flex flex-wrap items-end gap-3">
      <div className="flex min-w-52 flex-1">
        <SearchField
          label="Buscar por nome, e-mail ou endereço IP"
          hint="Nome, e-mail ou endereço IP"
          search={filter.busca}
          onChange={(busca) => onChange({ busca })}
        />
      </div>
      <FilterSelect wide label="Ação" value={filter.acao} options={ACTIONS} onChange={(acao) => onChange({ acao })} />
      <FilterSelect
        label="Período"
        value={filter.periodo}
        options={PERIODS}
        onChange={(periodo) => onChange({ periodo })}
      />
      <FilterSelect
        label="Resultado"
        value={filter.resultado}
        options={RESULTS}
        onChange={(resultado) => onChange({ resultado })}
      />
    </div>
  )
}
