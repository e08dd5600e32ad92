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
