import clsx from 'clsx'
import { Lock, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { ApiError } from '#shared/api-client.ts'
import { TEXTOS } from '#shared/textos.ts'
import { Button } from './button.tsx'

export interface EmptyStateProps {
  readonly titulo: string
  readonly children?: ReactNode
  readonly icone?: ReactNode
  readonly acao?: ReactNode
}

export function EmptyState({ titulo, children, icone, acao }: EmptyStateProps) {
  return (
    <div className="mx-auto max-w-sm px-4 py-10 text-center">
      {icone !== undefined && (
        <div className="mx-auto mb-3 grid size-12 place-items-center rounded-full bg-sunken text-muted">{icone}</div>
      )}
      <p className="font-bold">{titulo}</p>
      {children !== undefined && <div className="mt-1 text-muted">{children}</div>}
      {acao !== undefined && <div className="mt-4">{acao}</div>}
    </div>
  )
}

export interface ErrorStateProps {
  readonly mensagem: string
  readonly onTentar: () => void
}

export function ErrorState({ mensagem, onTentar }: ErrorStateProps) {
  return (
    <div role="alert" className="mx-auto max-w-sm px-4 py-10 text-center">
      <div className="mx-auto mb-3 grid size-12 place-items-center rounded-full bg-danger-soft text-danger-ink">
        <TriangleAlert size={22} aria-hidden />
      </div>
      <p className="font-bold">{mensagem}</p>
      <Button className="mt-4" onClick={onTentar}>
        Tentar de novo
      </Button>
    </div>
  )
}

/** Placeholder shape. The parent announces it once with `aria-busy`. */
export function Skeleton({ className = 'h-5 w-full' }: { className?: string }) {
  return <div aria-hidden className={`skeleton ${className}`} />
}

export interface LeituraProps<D> {
  readonly consulta: {
    readonly data: D | undefined
    readonly error: Error | null
    readonly isFetching: boolean
    readonly refetch: () => unknown
  }
  readonly esqueleto: ReactNode
  readonly emCartao?: boolean
  readonly children: (dados: D) => ReactNode
}

/**
 * Shows the data, the loading state or the error of a query. After a failed refresh the old data stays, with a
 * warning.
 */
export function Leitura<D>({ consulta, esqueleto, emCartao = false, children }: LeituraProps<D>) {
  const { data, error, isFetching, refetch } = consulta
  const tentar = (): void => void refetch()
  const moldura = emCartao ? 'card' : undefined
  if (error instanceof ApiError && error.status === 403) {
    return (
      <div className={moldura}>
        <EmptyState titulo={TEXTOS.acessoRestrito} icone={<Lock size={22} aria-hidden />}>
          {error.message}
        </EmptyState>
      </div>
    )
  }
  if (data === undefined) {
    if (error === null || isFetching) return esqueleto
    return (
      <div className={moldura}>
        <ErrorState mensagem={error.message} onTentar={tentar} />
      </div>
    )
  }
  return (
    <>
      {error !== null && (
        <p
          role="status"
          className={clsx('bg-warn-soft px-4 py-2 text-sm font-semibold text-warn-ink', emCartao && 'rounded-card')}
        >
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
