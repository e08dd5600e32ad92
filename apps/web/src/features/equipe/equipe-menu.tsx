import { useNavigate, type NavigateOptions } from '@tanstack/react-router'
import { UsersRound } from 'lucide-react'
import { equipePanelsFor, type EquipePanelId } from '#shared/equipe-panels.ts'
import { useLoginSession } from '#shared/session.tsx'
import { Menu } from '#shared/ui/menu.tsx'

export function EquipeMenu() {
  const { usuario } = useLoginSession()
  const navigate = useNavigate()
  if (usuario === null) return null
  return (
    <span id={EQUIPE_MENU_ID} className="flex-none">
      <Menu
        label="Equipe e resultados"
        className="btn btn-ghost btn-icon btn-touch"
        button={<UsersRound size={18} aria-hidden />}
        items={equipePanelsFor(usuario.tipo !== 'operador').map(({ id, title, icon: Icon }) => ({
          label: title,
          icon: <Icon size={18} aria-hidden className="flex-none text-muted" />,
          run: () => void navigate(equipePanelLink(id)),
        }))}
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
