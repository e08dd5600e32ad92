import type { UsuarioAdmin } from '@balcao/contract/entities/usuario'
import { EXCLUSAO_DIAS } from '@balcao/contract/administration'
import { Trash2, UserPlus, Users, ChevronLeft, ChevronRight, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#shared/ui/button.tsx'
import { EmptyState, ErrorState, Skeleton } from '#shared/ui/states.tsx'
import { SearchField } from '#shared/ui/search-field.tsx'
import { USUARIO_STATUS_FILTERS, type UsuarioListFilter, useUsuarioFilter } from '#features/admin/admin-search.ts'
import { EditUsuario } from './edit-usuario.tsx'
import { useUsuarios, USUARIOS_PER_PAGE } from '#features/admin/admin-queries.ts'
import { DeleteUsuario, ViewUsuario } from './usuario-dialogs.tsx'
import { type UsuarioListAction, UsuarioList } from './usuario-list.tsx'
import { NewUsuario } from './new-usuario.tsx'
import { formatNumber, formatDate } from '#shared/format.ts'
import { Notice } from '#shared/ui/notice.tsx'
import { useRestoreUsuario } from './usuario-actions.ts'
import { UsuarioContact, UsuarioIdentity } from './usuario-parts.tsx'

export function UsuariosTab() {
  const [filter, changeFilter] = useUsuarioFilter()
  const [dialog, setDialog] = useState<{ readonly acao: UsuarioListAction; readonly usuario: UsuarioAdmin } | null>(
    null,
  )
  const [creating, setCreating] = useState(false)
  // One dialog can replace another: closing the first must not close the second.
  const close = (qual: UsuarioListAction) => (): void =>
    setDialog((current) => (current?.acao === qual ? null : current))
  const target = (acao: UsuarioListAction): UsuarioAdmin | null => (dialog?.acao === acao ? dialog.usuario : null)
  return (
    <section aria-labelledby="usuarios" className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="usuarios" className="text-xl font-bold">
          Usuários
        </h2>
        <Button variant="primary" className="min-h-11" onClick={() => setCreating(true)}>
          <UserPlus size={18} aria-hidden /> Novo usuário
        </Button>
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <SearchField
          label="Buscar por nome, e-mail, telefone ou empresa"
          hint="Nome, e-mail, telefone ou empresa"
          search={filter.busca}
          onChange={(busca) => changeFilter({ busca })}
        />
        <div role="group" aria-label="Filtrar por status" className="flex flex-wrap gap-1 rounded-xl bg-sunken p-1">
          {USUARIO_STATUS_FILTERS.map(({ valor, rotulo }) => (
            <button
              key={valor}
              type="button"
              aria-pressed={filter.status === valor}
              onClick={() => changeFilter({ status: valor })}
              className={`min-h-9 rounded-lg px-2.5 text-sm font-semibold sm:px-3 ${filter.status === valor ? 'bg-surface shadow-card' : 'text-muted'}`}
            >
              {rotulo}
            </button>
          ))}
        </div>
      </div>
      <UsuariosResult
        filter={filter}
        onChange={changeFilter}
        onAction={(acao, usuario) => setDialog({ acao, usuario })}
      />
      <ViewUsuario
        usuario={target('ver')}
        onClose={close('ver')}
        onConfigure={(usuario) => setDialog({ acao: 'configurar', usuario })}
      />
      <EditUsuario usuario={target('configurar')} onClose={close('configurar')} />
      <DeleteUsuario usuario={target('excluir')} onClose={close('excluir')} />
      <NewUsuario open={creating} onClose={() => setCreating(false)} />
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
          onSort={(order) => onChange({ ordem: order })}
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

interface PaginationProps {
  readonly filter: UsuarioListFilter
  readonly total: number
  readonly onGoTo: (page: number) => void
}

function Pagination({ filter: { pagina }, total, onGoTo }: PaginationProps) {
  const last = Math.max(1, Math.ceil(total / USUARIOS_PER_PAGE))
  const first = (pagina - 1) * USUARIOS_PER_PAGE + 1
  const beyondLast = pagina > last
  const where = beyondLast
    ? 'Esta página não existe mais'
    : `${formatNumber(first)}–${formatNumber(Math.min(total, pagina * USUARIOS_PER_PAGE))} de ${formatNumber(total)}`
  return (
    <nav aria-label="Páginas" className="flex flex-wrap items-center justify-between gap-3">
      <p role="status" className="text-sm text-muted tabular-nums">
        {where}
      </p>
      {(last > 1 || beyondLast) && (
        <div className="flex gap-2">
          <Button className="min-h-11" disabled={pagina === 1} onClick={() => onGoTo(Math.min(pagina - 1, last))}>
            <ChevronLeft size={18} aria-hidden /> Anterior
          </Button>
          <Button className="min-h-11" disabled={pagina >= last} onClick={() => onGoTo(pagina + 1)}>
            Próxima <ChevronRight size={18} aria-hidden />
          </Button>
        </div>
      )}
    </nav>
  )
}

function DeletedUsuarioList({ usuarios }: { usuarios: readonly UsuarioAdmin[] }) {
  return (
    <>
      <Notice tone="info" title={`Uma conta excluída pode voltar como era por ${EXCLUSAO_DIAS} dias`}>
        Depois, todos os dados e arquivos dela são apagados de vez, e só então o e-mail fica livre para outro cadastro.
      </Notice>
      <ul className="card divide-y divide-line">
        {usuarios.map((usuario) => (
          <DeletedUsuario key={usuario.id} usuario={usuario} />
        ))}
      </ul>
    </>
  )
}

function DeletedUsuario({ usuario }: { usuario: UsuarioAdmin }) {
  const restore = useRestoreUsuario()
  const [busy, setBusy] = useState(false)
  const { nome, excluidoEm = '', apagaEm = '' } = usuario
  return (
    <li className="flex flex-wrap items-center gap-3 p-4">
      <div className="min-w-52 flex-1">
        <UsuarioIdentity usuario={usuario} />
      </div>
      <div className="min-w-52 flex-1">
        <UsuarioContact usuario={usuario} />
      </div>
      <p className="min-w-52 flex-1 text-sm">
        <span className="block text-muted">
          Excluído em <time dateTime={excluidoEm}>{formatDate(excluidoEm)}</time>
        </span>
        <span className="font-semibold text-danger-ink">
          Será apagado de vez em <time dateTime={apagaEm}>{formatDate(apagaEm)}</time>
        </span>
      </p>
      <Button
        className="min-h-11"
        busy={busy}
        aria-label={`Restaurar ${nome}`}
        onClick={() => {
          setBusy(true)
          void restore(usuario).then((done) => {
            setBusy(false)
            if (done) document.getElementById('conteudo')?.focus({ preventScroll: true })
          })
        }}
      >
        {!busy && <RotateCcw size={16} aria-hidden />} {busy ? 'Restaurando…' : 'Restaurar'}
      </Button>
    </li>
  )
}
