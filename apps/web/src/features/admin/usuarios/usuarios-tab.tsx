import type { UsuarioAdmin } from '@balcao/contract/entities/usuario'
import { EXCLUSAO_DIAS } from '@balcao/contract/administration'
import { Trash2, UserPlus, Users } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#shared/ui/button.tsx'
import { EmptyState, ErrorState, Skeleton } from '#shared/ui/states.tsx'
import { SearchField } from '#features/admin/search-field.tsx'
import { USUARIO_STATUS_FILTERS, type UsuarioListFilter, useUsuarioFilter } from '#features/admin/admin-search.ts'
import { EditUsuario } from './edit-usuario.tsx'
import { useUsuarios } from '#features/admin/admin-queries.ts'
import { DeleteUsuario } from './delete-usuario.tsx'
import { DeletedUsuarioList } from './deleted-usuario-list.tsx'
import { type UsuarioListAction, UsuarioList } from './usuario-list.tsx'
import { NewUsuario } from './new-usuario.tsx'
import { Pagination } from './pagination.tsx'
import { ViewUsuario } from './view-usuario.tsx'

export function UsuariosTab() {
  const [filtro, mudarFiltro] = useUsuarioFilter()
  const [janela, setJanela] = useState<{ readonly acao: UsuarioListAction; readonly usuario: UsuarioAdmin } | null>(
    null,
  )
  const [criando, setCriando] = useState(false)
  // One dialog can replace another: closing the first must not close the second.
  const close = (qual: UsuarioListAction) => (): void =>
    setJanela((current) => (current?.acao === qual ? null : current))
  const target = (acao: UsuarioListAction): UsuarioAdmin | null => (janela?.acao === acao ? janela.usuario : null)
  return (
    <section aria-labelledby="usuarios" className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="usuarios" className="text-xl font-bold">
          Usuários
        </h2>
        <Button variant="primary" className="min-h-11" onClick={() => setCriando(true)}>
          <UserPlus size={18} aria-hidden /> Novo usuário
        </Button>
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <SearchField
          label="Buscar por nome, e-mail, telefone ou empresa"
          hint="Nome, e-mail, telefone ou empresa"
          search={filtro.busca}
          onChange={(busca) => mudarFiltro({ busca })}
        />
        <div role="group" aria-label="Filtrar por status" className="flex flex-wrap gap-1 rounded-xl bg-sunken p-1">
          {USUARIO_STATUS_FILTERS.map(({ valor, rotulo }) => (
            <button
              key={valor}
              type="button"
              aria-pressed={filtro.status === valor}
              onClick={() => mudarFiltro({ status: valor })}
              className={`min-h-9 rounded-lg px-2.5 text-sm font-semibold sm:px-3 ${filtro.status === valor ? 'bg-surface shadow-card' : 'text-muted'}`}
            >
              {rotulo}
            </button>
          ))}
        </div>
      </div>
      <UsuariosResult
        filter={filtro}
        onChange={mudarFiltro}
        onAction={(acao, usuario) => setJanela({ acao, usuario })}
      />
      <ViewUsuario
        usuario={target('ver')}
        onClose={close('ver')}
        onConfigure={(usuario) => setJanela({ acao: 'configurar', usuario })}
      />
      <EditUsuario usuario={target('configurar')} onClose={close('configurar')} />
      <DeleteUsuario usuario={target('excluir')} onClose={close('excluir')} />
      <NewUsuario open={criando} onClose={() => setCriando(false)} />
    </section>
  )
}

interface UsuariosResultProps {
  readonly filter: UsuarioListFilter
  readonly onChange: (change: Partial<UsuarioListFilter>) => void
  readonly onAction: (acao: UsuarioListAction, usuario: UsuarioAdmin) => void
}

function UsuariosResult({ filter, onChange, onAction }: UsuariosResultProps) {
  const { data, isPending, error, refetch, isPlaceholderData } = useUsuarios(filter)
  if (error !== null && data === undefined) {
    return (
      <div className="card">
        <ErrorState message={error.message} onRetry={() => void refetch()} />
      </div>
    )
  }
  if (isPending || data === undefined) return <UsuariosSkeleton />
  if (data.total === 0 && !isPlaceholderData) return <EmptyUsuarios filter={filter} onChange={onChange} />
  const deleted = filter.status === 'excluido'
  return (
    <div className={`grid gap-4 ${isPlaceholderData ? 'opacity-60' : ''}`} aria-busy={isPlaceholderData}>
      {deleted ? (
        <DeletedUsuarioList usuarios={data.usuarios.filter(({ excluidoEm }) => excluidoEm !== undefined)} />
      ) : (
        <UsuarioList
          usuarios={data.usuarios}
          sort={filter.ordem}
          onSort={(ordem) => onChange({ ordem })}
          onAction={onAction}
        />
      )}
      <Pagination filter={filter} total={data.total} onGoTo={(pagina) => onChange({ pagina })} />
    </div>
  )
}

function EmptyUsuarios({ filter, onChange }: Pick<UsuariosResultProps, 'filter' | 'onChange'>) {
  const clear = <Button onClick={() => onChange({ busca: '', status: 'todos' })}>Limpar</Button>
  return (
    <div className="card">
      {filter.status === 'excluido' && filter.busca === '' ? (
        <EmptyState title="Nenhuma conta excluída" icon={<Trash2 size={22} aria-hidden />}>
          Uma conta excluída fica aqui por {EXCLUSAO_DIAS} dias e pode voltar como era.
        </EmptyState>
      ) : filter.busca !== '' || filter.status !== 'todos' ? (
        <EmptyState title="Nada com este filtro" action={clear} />
      ) : (
        <EmptyState title="Ninguém se cadastrou ainda" icon={<Users size={22} aria-hidden />}>
          Os novos cadastros aparecem aqui, esperando a sua aprovação.
        </EmptyState>
      )}
    </div>
  )
}

function UsuariosSkeleton() {
  return (
    <div role="status" aria-label="Carregando usuários" className="card divide-y divide-line">
      {[1, 2, 3, 4, 5].map((line) => (
        <div key={line} className="flex items-center gap-4 px-4 py-3">
          <Skeleton className="size-9 flex-none rounded-full" />
          <Skeleton className="h-9 w-44" />
          <Skeleton className="ml-auto h-6 w-20 max-sm:hidden" />
          <Skeleton className="h-9 w-24" />
        </div>
      ))}
    </div>
  )
}
