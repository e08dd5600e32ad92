import { useState } from 'react'
import { useConfig } from '#shared/dados/config.ts'
import { ErrorState, Skeleton } from '#shared/ui/states.tsx'
import { EditorDoMenu } from './editor-do-menu.tsx'

/** Tab mensagens: the menu, its options and the automatic messages, beside a phone that already follows the draft. */
export function MensagensTab() {
  const { config, origem, carregando, erro, recarregar } = useConfig()
  const [tentando, setTentando] = useState(false)
  if (carregando || tentando) return <Carregando />
  if (erro !== null && origem !== 'servidor') {
    const tentar = (): void => {
      setTentando(true)
      void recarregar()
        .catch(() => undefined)
        .finally(() => setTentando(false))
    }
    return <ErrorState mensagem={erro.message} onTentar={tentar} />
  }
  return <EditorDoMenu config={config} recarregar={recarregar} />
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
