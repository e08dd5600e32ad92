import { lazy, Suspense } from 'react'
import { useUsageStats } from '#shared/data/use-usage-stats.ts'
import { useUsuario } from '#shared/session.tsx'
import { whenIdle } from '#shared/when-idle.ts'
import { Skeleton } from '#shared/ui/states.tsx'

const YesterdayCard = lazy(async () => {
  await whenIdle()
  return { default: (await import('./yesterday-card.tsx')).YesterdayCard }
})

/** Of the shop's people only the owner sees all conversas. */
export function Yesterday() {
  const usuario = useUsuario()
  const { data } = useUsageStats()
  const { componentesPermitidos } = data ?? usuario
  if (usuario.tipo === 'operador' || !(usuario.tipo === 'admin' || componentesPermitidos.atendimentoHumano)) return null
  const figures = <YesterdaySkeleton quiet={data?.mensagemesTotalMes === 0} />
  return (
    <Suspense
      fallback={
        <div className="grid gap-3">
          <Skeleton className="h-7 w-72" />
          {figures}
        </div>
      }
    >
      <YesterdayCard skeleton={figures} />
    </Suspense>
  )
}

/** As high as the four figures, or as the sentence of a shop without messages this month. */
function YesterdaySkeleton({ quiet }: { quiet: boolean }) {
  return (
    <div
      role="status"
      aria-label="Carregando os números de ontem"
      className={quiet ? undefined : 'grid grid-cols-2 gap-3 lg:grid-cols-4'}
    >
      {(quiet ? ['h-14'] : ['h-28', 'h-28', 'h-28', 'h-28']).map((height, index) => (
        <Skeleton key={index} className={`${height} w-full rounded-card`} />
      ))}
    </div>
  )
}
