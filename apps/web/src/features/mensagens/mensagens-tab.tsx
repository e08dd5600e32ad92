import { useConfigParaEditar } from '#shared/dados/config.ts'
import { ErrorState, Skeleton } from '#shared/ui/states.tsx'
import { EditorDoMenu } from './editor-do-menu.tsx'

export function MensagensTab() {
  const config = useConfigParaEditar()
  if (config.estado === 'lendo') return <Carregando />
  if (config.estado === 'falhou') return <ErrorState mensagem={config.mensagem} onTentar={config.tentar} />
  return <EditorDoMenu config={config.lida.config} recarregar={config.lida.recarregar} />
}

function Carregando() {
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
