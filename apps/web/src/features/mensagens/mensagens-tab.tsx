import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useLinhasQuery, useManyLinhas } from '#shared/conta/linhas.ts'
import { useEditableConfig } from '#shared/data/config/use-config.ts'
import { LazyPart } from '#shared/ui/lazy-part.tsx'
import { ErrorState, Skeleton } from '#shared/ui/states.tsx'
import { MenuEditor } from './menu-editor.tsx'

const LineMenu = lazy(async () => ({ default: (await import('./linhas/line-menu.tsx')).LineMenu }))
const MenuLinhaChoice = lazy(async () => ({
  default: (await import('./linhas/menu-linha-choice.tsx')).MenuLinhaChoice,
}))

export function MensagensTab() {
  const config = useEditableConfig()
  const { isPending } = useLinhasQuery()
  const linhas = useManyLinhas()
  const [chosen, setChosen] = useState('')
  if (config.estado === 'lendo' || isPending) return <MensagensSkeleton />
  if (config.estado === 'falhou') return <ErrorState message={config.mensagem} onRetry={config.tentar} />
  const { config: conta, reload } = config.lida
  const linha = linhas.find(({ id }) => id === chosen)
  const choice = (changed: boolean, parts?: ReactNode): ReactNode => (
    <Suspense fallback={<Skeleton className="h-24 w-full" />}>
      <MenuLinhaChoice {...{ linhas, linha, changed }} onChange={setChosen}>
        {parts}
      </MenuLinhaChoice>
    </Suspense>
  )
  // The editor of the account stays mounted while another window adds the second line.
  if (linha === undefined) {
    return <MenuEditor config={conta} reload={reload} head={linhas.length > 0 ? choice : undefined} />
  }
  return (
    <LazyPart key={linha.id} name="a linha">
      <LineMenu linha={linha} conta={conta} choice={choice} />
    </LazyPart>
  )
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
