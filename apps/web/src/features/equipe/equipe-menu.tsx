import { useNavigate } from '@tanstack/react-router'
import { UsersRound } from 'lucide-react'
import { equipePanelsFor } from '#shared/equipe-panels.ts'
import { useLoginSession } from '#shared/session.tsx'
import { Menu } from '#shared/ui/menu.tsx'
import { equipePanelLink, EQUIPE_MENU_ID } from './equipe-link.ts'

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
