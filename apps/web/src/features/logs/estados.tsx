import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { ApiError } from '#shared/api-client.ts'
import { TEXTOS } from '#shared/textos.ts'
import { EmptyState, ErrorState, Skeleton } from '#shared/ui/states.tsx'

interface Consulta<D> {
  readonly data: D | undefined
  readonly error: Error | null
  readonly isFetching: boolean
  readonly refetch: () => unknown
}

export interface LeituraProps<D> {
  readonly consulta: Consulta<D>
  readonly esqueleto: ReactNode
  readonly children: (dados: D) => ReactNode
}

/** What was read, or why it was not. What could not be refreshed stays, and says so. */
export function Leitura<D>({ consulta, esqueleto, children }: LeituraProps<D>) {
  const { data, error, isFetching, refetch } = consulta
  const tentar = (): void => void refetch()
  if (error instanceof ApiError && error.status === 403) {
    return (
      <EmptyState titulo={TEXTOS.acessoRestrito} icone={<Lock size={22} aria-hidden />}>
        {error.message}
      </EmptyState>
    )
  }
  if (data === undefined) {
    return error !== null && !isFetching ? <ErrorState mensagem={error.message} onTentar={tentar} /> : esqueleto
  }
  return (
    <>
      {error !== null && (
        <p role="status" className="bg-warn-soft px-4 py-2 text-sm font-semibold text-warn-ink">
          Não foi possível atualizar: {error.message}{' '}
          <button type="button" className="min-h-8 underline" onClick={tentar}>
            Tentar de novo
          </button>
        </p>
      )}
      {children(data)}
    </>
  )
}

/** The shape of the rows that are coming. */
export function EsqueletoDaLista({ rotulo }: { rotulo: string }) {
  return (
    <div role="status" aria-label={rotulo} aria-busy="true">
      {[0, 1, 2, 3, 4, 5].map((linha) => (
        <div key={linha} className="flex items-center gap-3 border-b border-line px-4 py-3 last:border-b-0">
          <Skeleton className="h-4 w-10" />
          <Skeleton className="h-5 w-24 !rounded-full" />
          <Skeleton className="h-4 flex-1" />
        </div>
      ))}
    </div>
  )
}
