import type { Usuario } from '@balcao/contract/entities/usuario'
import { LogOut } from 'lucide-react'
import { initialOf } from '#shared/format.ts'
import { IconButton } from '#shared/ui/icon-button.tsx'

/** Maps `doacao` to `DOAÇÃO`. Unknown or missing plans are `GRATUITO`. */
export function planoLabel(plano: string | undefined): string {
  return plano === 'doacao' ? 'DOAÇÃO' : 'GRATUITO'
}

type CardUser = Pick<Usuario, 'nome' | 'email' | 'plano' | 'tipo'>

export function UserCard({ usuario, onSair }: { usuario: CardUser; onSair: () => void }) {
  const inicial = initialOf(usuario.nome.trim() || usuario.email)
  return (
    <div className="flex items-center gap-3 rounded-card bg-sunken p-2.5">
      <span
        aria-hidden
        className="grid size-9 flex-none place-items-center rounded-full bg-brand font-bold text-on-brand"
      >
        {inicial}
      </span>
      <div className="min-w-0 flex-1 leading-tight">
        <p className="truncate text-sm font-semibold">{usuario.nome}</p>
        <p className="truncate text-xs text-muted" title={usuario.email}>
          {usuario.email}
        </p>
        <p className="text-xs font-bold tracking-wide text-brand-ink">
          {usuario.tipo === 'operador' ? 'OPERADOR' : planoLabel(usuario.plano)}
        </p>
      </div>
      <IconButton
        label="Sair"
        tooltip={false}
        title="Sair"
        icon={<LogOut aria-hidden className="size-4.5" />}
        onClick={onSair}
      />
    </div>
  )
}
