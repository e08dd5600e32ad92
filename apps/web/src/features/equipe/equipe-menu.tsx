import { useNavigate, useSearch, type NavigateOptions } from '@tanstack/react-router'
import { Bug, UsersRound } from 'lucide-react'
import { useUsageStats } from '#shared/data/use-usage-stats.ts'
import { equipePanelsFor, type EquipePanelId } from '#shared/equipe-panels.ts'
import { useLoginSession } from '#shared/session.tsx'
import { Menu } from '#shared/ui/menu.tsx'

export function EquipeMenu() {
  const { usuario } = useLoginSession()
  const navigate = useNavigate()
  const selected = useSearch({ strict: false, select: ({ c }) => c })
  const { data } = useUsageStats()
  if (usuario === null) return null
  const { logsStatus } = data?.componentesPermitidos ?? usuario.componentesPermitidos
  const panels = equipePanelsFor(usuario.tipo !== 'operador').map(({ id, title, icon }) => ({
    ...{ title, icon },
    run: () => void navigate(equipePanelLink(id)),
  }))
  const debug = {
    title: 'Depuração',
    icon: Bug,
    run: () => void navigate({ to: '/dashboard', search: { aba: 'logs', c: selected }, hash: 'depuracao' }),
  }
  return (
    <span id={EQUIPE_MENU_ID} className="flex-none">
      <Menu
        label="Equipe e resultados"
        className="btn btn-ghost btn-touch max-xl:w-11 max-xl:px-0"
        button={
          <>
            <UsersRound size={18} aria-hidden /> <span className="max-xl:sr-only">Equipe e resultados</span>
          </>
        }
        items={[...panels, ...(usuario.tipo === 'admin' || logsStatus ? [debug] : [])].map(
          ({ title, icon: Icon, run }) => ({
            label: title,
            icon: <Icon size={18} aria-hidden className="flex-none text-muted" />,
            run,
          }),
        )}
      />
    </span>
  )
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The previous history entry is the tab itself, so closing goes back. */
    sobreAAba?: boolean | undefined
  }
}

export const EQUIPE_MENU_ID = 'menu-da-equipe'

/** The open conversa is not in the URL of the equipe page: it returns with Back. */
function equipePanelLink(painel: EquipePanelId) {
  return {
    to: '/dashboard',
    search: { aba: 'atendimento', painel },
    state: { sobreAAba: true },
  } as const satisfies NavigateOptions
}
