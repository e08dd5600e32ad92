import { CONNECTORS } from '@balcao/contract/connectors'
import { lazy, Suspense, useState } from 'react'
import { useLinhas } from '#shared/conta/linhas.ts'
import { Skeleton } from '#shared/ui/states.tsx'

const CostsContent = lazy(async () => ({ default: (await import('./costs-content.tsx')).CostsContent }))

/** Only with a line whose service charges for messages. */
export function CostsSection() {
  const [open, setOpen] = useState(false)
  const charged = useLinhas().filter(({ conector }) => CONNECTORS[conector].pairing === 'none')
  if (charged.length === 0) return null
  return (
    <details className="card p-4 sm:p-5" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="-my-2 cursor-pointer py-2">
        <h2 className="inline text-lg font-bold">Custos do mês</h2>
      </summary>
      <p className="mt-2 text-sm text-muted">
        Quanto a Meta cobra pelas mensagens da API oficial. É uma estimativa: o valor certo está na fatura da Meta.
      </p>
      {open && (
        <Suspense fallback={<Skeleton className="mt-4 h-48 w-full" />}>
          <CostsContent lines={charged} />
        </Suspense>
      )}
    </details>
  )
}
