import { lazy, Suspense, useState } from 'react'
import { Skeleton } from '#shared/ui/states.tsx'

const LgpdContent = lazy(async () => ({ default: (await import('./lgpd-content.tsx')).LgpdContent }))

export function LgpdSection() {
  const [aberta, setAberta] = useState(false)
  return (
    <details className="card p-4 sm:p-5" onToggle={({ currentTarget }) => setAberta(currentTarget.open)}>
      <summary className="cursor-pointer">
        <h2 className="inline text-lg font-bold">Privacidade (LGPD)</h2>
      </summary>
      <p className="mt-2 text-sm text-muted">
        Responda aos pedidos dos seus clientes sobre os dados deles e diga por quanto tempo guarda as conversas.
      </p>
      {aberta && (
        <Suspense fallback={<Skeleton className="mt-4 h-48 w-full" />}>
          <LgpdContent />
        </Suspense>
      )}
    </details>
  )
}
