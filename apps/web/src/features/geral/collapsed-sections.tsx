import { ConfigHistory } from './configuracao/config-history.tsx'
import { lazy, Suspense, useState } from 'react'
import { Skeleton } from '#shared/ui/states.tsx'

export function CollapsedSections({ changed }: { changed: boolean }) {
  return (
    <>
      <ConfigHistory changed={changed} />
      <LgpdSection />
    </>
  )
}

const LgpdContent = lazy(async () => ({ default: (await import('./lgpd/lgpd-content.tsx')).LgpdContent }))

function LgpdSection() {
  const [open, setOpen] = useState(false)
  return (
    <details className="card p-4 sm:p-5" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="cursor-pointer">
        <h2 className="inline text-lg font-bold">Privacidade (LGPD)</h2>
      </summary>
      <p className="mt-2 text-sm text-muted">
        Responda aos pedidos dos seus clientes sobre os dados deles e diga por quanto tempo guarda as conversas.
      </p>
      {open && (
        <Suspense fallback={<Skeleton className="mt-4 h-48 w-full" />}>
          <LgpdContent />
        </Suspense>
      )}
    </details>
  )
}
