import { Skeleton } from '#shared/ui/states.tsx'

/** The shape of any of the pages, while its code comes. */
export function Esqueleto() {
  return (
    <div role="status" aria-label="Carregando a página" className="grid gap-4">
      <Skeleton className="h-24 w-full" />
      <Skeleton className="h-64 w-full" />
    </div>
  )
}
