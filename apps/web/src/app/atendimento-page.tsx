import { useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { beforeIdle } from '#shared/when-idle.ts'

const AtendimentoTab = lazy(async () => ({
  default: (await beforeIdle(import('#features/atendimento/atendimento-tab.tsx'))).AtendimentoTab,
}))
const EquipeMenu = lazy(async () => ({ default: (await import('#features/equipe/equipe-menu.tsx')).EquipeMenu }))
const EquipePanel = lazy(async () => ({
  default: (await import('#features/equipe/equipe-panel.tsx')).EquipePanel,
}))

/** Keeps the tab mounted under the equipe pages, so its lists stay up to date. */
export function AtendimentoPage() {
  const painel = useSearch({ strict: false, select: (search) => search.painel })
  const covered = painel !== undefined
  return (
    <>
      <div hidden={covered} className="contents">
        <AtendimentoTab
          menu={
            <Suspense>
              <EquipeMenu />
            </Suspense>
          }
        />
      </div>
      {covered && <EquipePanel painel={painel} />}
    </>
  )
}
