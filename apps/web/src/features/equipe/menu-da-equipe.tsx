import { useNavigate } from '@tanstack/react-router'
import { UsersRound } from 'lucide-react'
import { paineisDe } from '#shared/paineis.ts'
import { useSessao } from '#shared/session.tsx'
import { Menu } from '#shared/ui/menu.tsx'
import { irAoPainel, MENU_DA_EQUIPE } from './endereco.ts'

export function MenuDaEquipe() {
  const { usuario } = useSessao()
  const navigate = useNavigate()
  if (usuario === null) return null
  return (
    <span id={MENU_DA_EQUIPE} className="flex-none">
      <Menu
        rotulo="Equipe e resultados"
        className="btn btn-ghost btn-icon !size-11"
        botao={<UsersRound size={18} aria-hidden />}
        itens={paineisDe(usuario.tipo !== 'operador').map(({ id, titulo, icone: Icone }) => ({
          rotulo: titulo,
          icone: <Icone size={18} aria-hidden className="flex-none text-muted" />,
          fazer: () => void navigate(irAoPainel(id)),
        }))}
      />
    </span>
  )
}
