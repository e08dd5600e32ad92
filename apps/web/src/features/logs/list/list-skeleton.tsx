import { Skeleton } from '#shared/ui/states.tsx'

export function ListSkeleton({ label }: { label: string }) {
  return (
    <div role="status" aria-label={label} aria-busy="true" className="divide-y divide-line">
      {[0, 1, 2, 3, 4, 5].map((line) => (
        <div key={line} className="flex items-center gap-3 px-4 py-3">
          <Skeleton className="h-4 w-11" />
          <Skeleton className="h-5 w-24 rounded-full" />
          <Skeleton className="h-4 flex-1" />
        </div>
      ))}
    </div>
  )
}
