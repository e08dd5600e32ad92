import type { Horario, MenuConfig, VersionedConfig } from '@balcao/contract/entities/config'
import type { Linha, VersionedLinhaConfig } from '@balcao/contract/entities/linha'
import { type ReactNode, useMemo } from 'react'
import { MenuEditor } from '#features/mensagens/menu-editor.tsx'
import { useLinhaConfig, useSaveLinhaConfig } from '#shared/linhas/linha-config.ts'
import { QueryState, Skeleton } from '#shared/ui/states.tsx'
import { LineParts } from './line-parts.tsx'

interface LineMenuProps {
  readonly linha: Linha
  readonly conta: VersionedConfig
  readonly choice: (changed: boolean, parts?: ReactNode) => ReactNode
}

export function LineMenu({ linha, conta, choice }: LineMenuProps) {
  const query = useLinhaConfig(linha.id)
  const { data } = query
  if (data !== undefined) {
    return <LoadedMenu linha={linha} conta={conta} stored={data} choice={choice} reload={() => query.refetch()} />
  }
  return (
    <div className="grid gap-5">
      {choice(false)}
      <QueryState
        query={query}
        drawCard
        skeleton={
          <div role="status" aria-label="Carregando a linha">
            <Skeleton className="h-64 w-full" />
          </div>
        }
      >
        {() => null}
      </QueryState>
    </div>
  )
}

/** The settings that the customers of the line get. */
function mergeConfig(
  conta: VersionedConfig,
  conector: Linha['conector'],
  { menu, horario, iaAtiva, versao }: VersionedLinhaConfig,
): VersionedConfig {
  return {
    ...conta,
    whatsapp: { ...conta.whatsapp, conector },
    versao,
    menu: menu ?? conta.menu,
    atendimento: { ...conta.atendimento, horario: horario ?? conta.atendimento.horario },
    ia: { ...conta.ia, ativa: iaAtiva ?? conta.ia.ativa },
  }
}

interface LoadedMenuProps extends LineMenuProps {
  readonly stored: VersionedLinhaConfig
  readonly reload: () => Promise<unknown>
}

function LoadedMenu({ linha, conta, stored, choice, reload }: LoadedMenuProps) {
  const saveSections = useSaveLinhaConfig(linha.id)
  const { conector } = linha
  const config = useMemo(() => mergeConfig(conta, conector, stored), [conta, conector, stored])
  const parts = { menu: stored.menu !== null, horario: stored.horario !== null }
  const save = async (base: VersionedConfig, menu: MenuConfig, horario: Horario): Promise<VersionedConfig> => {
    const sections = { ...(parts.menu ? { menu } : {}), ...(parts.horario ? { horario } : {}) }
    // The version that the edit started from, so that the server finds conflicts.
    return mergeConfig(conta, conector, await saveSections(sections, { ...stored, versao: base.versao }))
  }
  return (
    <MenuEditor
      config={config}
      reload={reload}
      line={{ parts, save }}
      head={(changed) => choice(changed, <LineParts {...{ linha, conta, stored, changed }} />)}
    />
  )
}
