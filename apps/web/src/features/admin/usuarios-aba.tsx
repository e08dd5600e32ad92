import type { UsuarioAdmin } from '@balcao/contract/entities/usuario'
import { Search, Users } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { Button } from '#shared/ui/button.tsx'
import { EmptyState, ErrorState, Skeleton } from '#shared/ui/states.tsx'
import { useAlterarStatus, useUsuarios } from './dados.ts'
import { AcaoStatus, Cadastro, Contato, Quem, StatusDoUsuario, Uso } from './usuario-na-lista.tsx'

const FILTROS = [
  { valor: 'todos', rotulo: 'Todos' },
  { valor: 'pendente', rotulo: 'Pendentes' },
  { valor: 'ativo', rotulo: 'Ativos' },
  { valor: 'inativo', rotulo: 'Inativos' },
] as const
type Filtro = (typeof FILTROS)[number]['valor']

/** Usuários: search, filter by status, approve and deactivate. A table where there is room, cards on a phone. */
export function UsuariosAba() {
  const [escrita, setEscrita] = useState('')
  const busca = useDeferredValue(escrita.trim())
  const [filtro, setFiltro] = useState<Filtro>('todos')
  const { data, isPending, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useUsuarios(busca)
  const todos = data?.pages.flatMap((pagina) => pagina.usuarios) ?? []
  const usuarios = todos.filter(({ status }) => filtro === 'todos' || status === filtro)
  const limpar = (): void => {
    setEscrita('')
    setFiltro('todos')
  }
  return (
    <section aria-labelledby="usuarios" className="grid gap-4">
      <h2 id="usuarios" className="sr-only">
        Usuários
      </h2>
      <div className="flex flex-wrap items-center gap-3">
        <label className="relative min-w-56 flex-1">
          <span className="sr-only">Buscar por nome, e-mail ou empresa</span>
          <Search size={16} aria-hidden className="absolute top-3 left-3 text-muted" />
          <input
            type="search"
            className="field pl-9"
            placeholder="Buscar por nome, e-mail ou empresa"
            value={escrita}
            onChange={({ currentTarget }) => setEscrita(currentTarget.value)}
          />
        </label>
        <div role="group" aria-label="Filtrar por status" className="flex flex-wrap gap-1 rounded-xl bg-sunken p-1">
          {FILTROS.map(({ valor, rotulo }) => (
            <button
              key={valor}
              type="button"
              aria-pressed={filtro === valor}
              onClick={() => setFiltro(valor)}
              className={`min-h-9 rounded-lg px-3 text-sm font-semibold ${filtro === valor ? 'bg-surface shadow-card' : 'text-muted'}`}
            >
              {rotulo}
            </button>
          ))}
        </div>
      </div>
      {error !== null && todos.length === 0 ? (
        <ErrorState mensagem={error.message} onTentar={() => void refetch()} />
      ) : isPending ? (
        <div role="status" aria-label="Carregando usuários" className="card grid gap-3 p-4">
          {[1, 2, 3, 4].map((linha) => (
            <Skeleton key={linha} className="h-12 w-full" />
          ))}
        </div>
      ) : usuarios.length === 0 ? (
        <div className="card">
          {busca === '' && filtro === 'todos' ? (
            <EmptyState titulo="Ninguém se cadastrou ainda" icone={<Users size={22} aria-hidden />}>
              Os novos cadastros aparecem aqui, esperando a sua aprovação.
            </EmptyState>
          ) : (
            <EmptyState titulo="Nada com este filtro" acao={<Button onClick={limpar}>Limpar filtro</Button>} />
          )}
        </div>
      ) : (
        <Lista usuarios={usuarios} />
      )}
      {hasNextPage && (
        <Button className="mx-auto" ocupado={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Carregar mais
        </Button>
      )}
    </section>
  )
}

function Lista({ usuarios }: { usuarios: readonly UsuarioAdmin[] }) {
  const { alterar, ocupadoCom } = useAlterarStatus()
  const acao = (usuario: UsuarioAdmin) => (
    <AcaoStatus
      usuario={usuario}
      ocupado={ocupadoCom === usuario.id}
      onAlterar={(ativo) => void alterar(usuario, ativo)}
    />
  )
  return (
    <>
      <div className="card relative hidden overflow-x-auto lg:block">
        <table className="w-full text-left">
          <thead className="border-b border-line text-sm text-muted">
            <tr>
              {['Usuário', 'Contato', 'Status', 'Mensagens hoje', 'Cadastro', 'Ações'].map((coluna) => (
                <th key={coluna} scope="col" className="px-4 py-3 font-semibold">
                  {coluna}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {usuarios.map((usuario) => (
              <tr key={usuario.id}>
                <td className="px-4 py-3">
                  <Quem usuario={usuario} />
                </td>
                <td className="max-w-64 px-4 py-3">
                  <Contato usuario={usuario} />
                </td>
                <td className="px-4 py-3">
                  <StatusDoUsuario usuario={usuario} />
                </td>
                <td className="px-4 py-3">
                  <Uso usuario={usuario} />
                </td>
                <td className="px-4 py-3">
                  <Cadastro usuario={usuario} />
                </td>
                <td className="px-4 py-3">{acao(usuario)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ul className="grid gap-3 lg:hidden">
        {usuarios.map((usuario) => (
          <li key={usuario.id} className="card grid gap-3 p-4">
            <div className="flex items-start justify-between gap-3">
              <Quem usuario={usuario} />
              <StatusDoUsuario usuario={usuario} />
            </div>
            <Contato usuario={usuario} />
            <div className="flex items-end justify-between gap-3">
              <Uso usuario={usuario} />
              {acao(usuario)}
            </div>
          </li>
        ))}
      </ul>
    </>
  )
}
