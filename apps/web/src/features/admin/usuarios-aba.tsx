import type { UsuarioAdmin } from '@balcao/contract/entities/usuario'
import { Search, UserPlus, Users } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '#shared/ui/button.tsx'
import { EmptyState, ErrorState, Skeleton } from '#shared/ui/states.tsx'
import { FILTROS, type Filtro, useFiltro } from './busca.ts'
import { ConfigurarUsuario } from './configurar-usuario.tsx'
import { useUsuarios } from './dados.ts'
import { ExcluirUsuario } from './excluir-usuario.tsx'
import { type AcaoDaLista, ListaDeUsuarios } from './lista-de-usuarios.tsx'
import { NovoUsuario } from './novo-usuario.tsx'
import { VerUsuario } from './ver-usuario.tsx'

/** A pause in typing, before the server is asked. */
const PAUSA_MS = 300

/** Usuários: who they are, what they used, and everything an administrator does to an account. */
export function UsuariosAba() {
  const [filtro, mudarFiltro] = useFiltro()
  const [janela, setJanela] = useState<{ readonly acao: AcaoDaLista; readonly usuario: UsuarioAdmin } | null>(null)
  const [criando, setCriando] = useState(false)
  // A window that closes because another took its place must not take that one with it.
  const fechar = (qual: AcaoDaLista) => (): void => setJanela((atual) => (atual?.acao === qual ? null : atual))
  const alvo = (acao: AcaoDaLista): UsuarioAdmin | null => (janela?.acao === acao ? janela.usuario : null)
  return (
    <section aria-labelledby="usuarios" className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="usuarios" className="text-xl font-bold">
          Usuários
        </h2>
        <Button variante="primary" className="min-h-11" onClick={() => setCriando(true)}>
          <UserPlus size={18} aria-hidden /> Novo usuário
        </Button>
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <Busca filtro={filtro} onMudar={(busca) => mudarFiltro({ busca })} />
        <div role="group" aria-label="Filtrar por status" className="flex flex-wrap gap-1 rounded-xl bg-sunken p-1">
          {FILTROS.map(({ valor, rotulo }) => (
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
      <Resultado
        filtro={filtro}
        onLimpar={() => mudarFiltro({ busca: '', status: 'todos' })}
        onAcao={(acao, usuario) => setJanela({ acao, usuario })}
      />
      <VerUsuario
        usuario={alvo('ver')}
        onFechar={fechar('ver')}
        onConfigurar={(usuario) => setJanela({ acao: 'configurar', usuario })}
      />
      <ConfigurarUsuario usuario={alvo('configurar')} onFechar={fechar('configurar')} />
      <ExcluirUsuario usuario={alvo('excluir')} onFechar={fechar('excluir')} />
      <NovoUsuario aberto={criando} onFechar={() => setCriando(false)} />
    </section>
  )
}

/** Typed here, asked after a pause. What the address says wins when it changes by itself: Back, or a cleared filter. */
function Busca({ filtro: { busca }, onMudar }: { filtro: Filtro; onMudar: (busca: string) => void }) {
  const [escrita, setEscrita] = useState(busca)
  const [doEndereco, setDoEndereco] = useState(busca)
  if (doEndereco !== busca) {
    setDoEndereco(busca)
    if (escrita.trim() !== busca) setEscrita(busca)
  }
  useEffect(() => {
    if (escrita.trim() === busca) return
    const pausa = setTimeout(() => onMudar(escrita.trim()), PAUSA_MS)
    return () => clearTimeout(pausa)
  }, [escrita, busca, onMudar])
  return (
    <label className="relative min-w-52 flex-1">
      <span className="sr-only">Buscar por nome, e-mail, telefone ou empresa</span>
      <Search size={16} aria-hidden className="absolute inset-y-0 left-3 my-auto text-muted" />
      <input
        type="search"
        className="field min-h-11 pl-9"
        placeholder="Nome, e-mail, telefone ou empresa"
        maxLength={120}
        value={escrita}
        onChange={({ currentTarget }) => setEscrita(currentTarget.value)}
      />
    </label>
  )
}

interface ResultadoProps {
  readonly filtro: Filtro
  readonly onLimpar: () => void
  readonly onAcao: (acao: AcaoDaLista, usuario: UsuarioAdmin) => void
}

function Resultado({ filtro, onLimpar, onAcao }: ResultadoProps) {
  const { data, isPending, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage, isPlaceholderData } =
    useUsuarios(filtro)
  const usuarios = data?.pages.flatMap((pagina) => pagina.usuarios) ?? []
  if (error !== null && data === undefined) {
    return (
      <div className="card">
        <ErrorState mensagem={error.message} onTentar={() => void refetch()} />
      </div>
    )
  }
  if (isPending) return <Esqueleto />
  if (usuarios.length === 0 && !isPlaceholderData) {
    const filtrada = filtro.busca !== '' || filtro.status !== 'todos'
    return (
      <div className="card">
        {filtrada ? (
          <EmptyState titulo="Nada com este filtro" acao={<Button onClick={onLimpar}>Limpar</Button>} />
        ) : (
          <EmptyState titulo="Ninguém se cadastrou ainda" icone={<Users size={22} aria-hidden />}>
            Os novos cadastros aparecem aqui, esperando a sua aprovação.
          </EmptyState>
        )}
      </div>
    )
  }
  return (
    <div className={`grid gap-4 ${isPlaceholderData ? 'opacity-60' : ''}`} aria-busy={isPlaceholderData}>
      <ListaDeUsuarios usuarios={usuarios} onAcao={onAcao} />
      {hasNextPage && !isPlaceholderData && (
        <Button className="mx-auto min-h-11" ocupado={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {isFetchingNextPage ? 'Carregando…' : 'Carregar mais'}
        </Button>
      )}
    </div>
  )
}

function Esqueleto() {
  return (
    <div role="status" aria-label="Carregando usuários" className="card divide-y divide-line">
      {[1, 2, 3, 4, 5].map((linha) => (
        <div key={linha} className="flex items-center gap-4 px-4 py-3">
          <Skeleton className="size-9 flex-none rounded-full" />
          <Skeleton className="h-9 w-44" />
          <Skeleton className="ml-auto h-6 w-20 max-sm:hidden" />
          <Skeleton className="h-9 w-24" />
        </div>
      ))}
    </div>
  )
}
