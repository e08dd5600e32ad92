import type { ReactNode } from 'react'

interface DetailItemProps {
  readonly nome: string
  readonly action?: ReactNode
  readonly children: ReactNode
}

export function DetailItem({ nome, action, children }: DetailItemProps) {
  return (
    <div>
      <dt className="text-sm text-muted">{nome}</dt>
      <dd className="flex items-center gap-1 font-semibold">
        <span className="min-w-0 flex-1 break-words">{children}</span>
        {action}
      </dd>
    </div>
  )
}

/** A part of the details that did not arrive. */
export function PartMissing({ onRetry, children }: { readonly onRetry: () => unknown; readonly children: ReactNode }) {
  return (
    <p role="alert" className="text-sm text-muted">
      <span>{children}</span>{' '}
      <button type="button" className="min-h-8 font-semibold underline" onClick={() => void onRetry()}>
        Tentar de novo
      </button>
    </p>
  )
}
