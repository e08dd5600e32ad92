import { useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'

const AtendimentoTab = lazy(async () => ({
  default: (await import('#features/atendimento/atendimento-tab.tsx')).AtendimentoTab,
}))
const MenuDaEquipe = lazy(async () => ({ default: (await import('#features/equipe/menu-da-equipe.tsx')).MenuDaEquipe }))
const PainelDaEquipe = lazy(async () => ({
  default: (await import('#features/equipe/painel-da-equipe.tsx')).PainelDaEquipe,
}))

/** Tab atendimento, and over it the team's pages. The tab waits underneath: it keeps telling what arrives. */
export function Atendimento() {
  const painel = useSearch({ strict: false, select: (busca) => busca.painel })
  const coberta = painel !== undefined
  return (
    <>
      <div hidden={coberta} className="contents">
        <AtendimentoTab
          menu={
            <Suspense>
              <MenuDaEquipe />
            </Suspense>
          }
        />
      </div>
      {coberta && <PainelDaEquipe painel={painel} />}
    </>
  )
}
