import { useEditableConfig } from '#shared/data/config/use-config.ts'
import { ErrorState, Skeleton } from '#shared/ui/states.tsx'
import { MenuEditor } from './menu-editor.tsx'

export function MensagensTab() {
  const config = useEditableConfig()
  if (config.estado === 'lendo') return <MensagensSkeleton />
  if (config.estado === 'falhou') return <ErrorState message={config.mensagem} onRetry={config.tentar} />
  return <MenuEditor config={config.lida.config} reload={config.lida.reload} />
}

function MensagensSkeleton() {
  return (
    <div
      aria-busy="true"
      aria-label="Carregando as mensagens"
      role="status"
      className="grid gap-5 lg:grid-cols-[minmax(0,1fr)_22rem]"
    >
      <div className="grid gap-5">
        <Skeleton className="h-40 w-full" />
        <Skeleton className="h-80 w-full" />
      </div>
      <Skeleton className="hidden h-[34rem] w-full lg:block" />
    </div>
  )
}
