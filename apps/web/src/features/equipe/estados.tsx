import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { ApiError } from '#shared/api-client.ts'
import { TEXTOS } from '#shared/textos.ts'
import { EmptyState, ErrorState, Skeleton } from '#shared/ui/states.tsx'

/** The shape of any of the pages, while its code comes. */
export function Esqueleto() {
  return (
    <div role="status" aria-label="Carregando a página" className="grid gap-4">
      <Skeleton className="h-24 w-full" />
      <Skeleton className="h-64 w-full" />
    </div>
  )
}

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

/** What was read, or why it was not. Numbers that could not be refreshed stay, and say so. */
export function Leitura<D>({ consulta, esqueleto, children }: LeituraProps<D>) {
  const { data, error, isFetching, refetch } = consulta
  const tentar = (): void => void refetch()
  if (error instanceof ApiError && error.status === 403) {
    return (
      <div className="card">
        <EmptyState titulo={TEXTOS.acessoRestrito} icone={<Lock size={22} aria-hidden />}>
          {error.message}
        </EmptyState>
      </div>
    )
  }
  if (data === undefined && error !== null && !isFetching) {
    return (
      <div className="card">
        <ErrorState mensagem={error.message} onTentar={tentar} />
      </div>
    )
  }
  if (data === undefined) return esqueleto
  return (
    <>
      {error !== null && (
        <p role="status" className="rounded-card bg-warn-soft px-4 py-2 text-sm font-semibold text-warn-ink">
          Não foi possível atualizar. {error.message}{' '}
          <button type="button" className="min-h-8 underline" onClick={tentar}>
            Tentar de novo
          </button>
        </p>
      )}
      {children(data)}
    </>
  )
}
