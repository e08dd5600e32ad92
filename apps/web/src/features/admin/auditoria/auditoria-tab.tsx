import { AUDITORIA_DIAS } from '@balcao/contract/administration'
import { Download, ScrollText } from 'lucide-react'
import { useState } from 'react'
import { notify } from '#shared/avisos.ts'
import { downloadText } from '#shared/download.ts'
import { formatIsoDate } from '#shared/format.ts'
import { Button } from '#shared/ui/button.tsx'
import { EmptyState, ErrorState, Skeleton } from '#shared/ui/states.tsx'
import { notifyError } from '#features/admin/usuarios/usuario-actions.ts'
import { auditoriaToCsv } from './auditoria-csv.ts'
import { type AuditoriaViewFilter, useAuditoriaFilter } from '#features/admin/admin-search.ts'
import { fetchAllAtos, AUDITORIA_EXPORT_MAX, useAuditoria } from './use-auditoria.ts'
import { AuditoriaFilters } from './auditoria-filters.tsx'
import { AtoList } from './ato-list.tsx'

export function AuditoriaTab() {
  const [filtro, change] = useAuditoriaFilter()
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
        <SpreadsheetButton filtro={filtro} />
      </div>
      <AuditoriaFilters filter={filtro} onChange={change} />
      <AuditoriaResult
        filtro={filtro}
        onLimpar={() => change({ busca: '', acao: 'todas', periodo: 'tudo', resultado: 'todos' })}
      />
    </section>
  )
}

/** Exports every act that matches the filter, not only the loaded pages. */
function SpreadsheetButton({ filtro }: { filtro: AuditoriaViewFilter }) {
  const [baixando, setBaixando] = useState(false)
  const save = async (): Promise<void> => {
    setBaixando(true)
    try {
      const acts = await fetchAllAtos(filtro)
      downloadText(`auditoria-${formatIsoDate(Date.now())}.csv`, 'text/csv', auditoriaToCsv(acts))
      notify.sucesso(
        acts.length < AUDITORIA_EXPORT_MAX
          ? 'Planilha baixada.'
          : 'Planilha baixada com os atos mais recentes. Escolha um período menor para ter os outros.',
      )
    } catch (erro) {
      notifyError('Erro ao baixar a planilha', erro)
    } finally {
      setBaixando(false)
    }
  }
  return (
    <Button className="min-h-11" busy={baixando} onClick={() => void save()}>
      {!baixando && <Download size={18} aria-hidden />} {baixando ? 'Baixando…' : 'Baixar planilha'}
    </Button>
  )
}

function AuditoriaResult({ filtro, onLimpar }: { filtro: AuditoriaViewFilter; onLimpar: () => void }) {
  const { data, isPending, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage, isPlaceholderData } =
    useAuditoria(filtro)
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
          action={<Button onClick={onLimpar}>Limpar filtros</Button>}
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
