import type { UsuarioAdmin } from '@balcao/contract/entities/usuario'
import { EXCLUSAO_DIAS } from '@balcao/contract/administracao'
import { Trash2, UserPlus, Users } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#shared/ui/button.tsx'
import { EmptyState, ErrorState, Skeleton } from '#shared/ui/states.tsx'
import { Busca } from './busca-campo.tsx'
import { FILTROS, type Filtro, useFiltro } from './busca.ts'
import { ConfigurarUsuario } from './configurar-usuario.tsx'
import { useUsuarios } from './dados.ts'
import { ExcluirUsuario } from './excluir-usuario.tsx'
import { ListaDeExcluidos } from './lista-de-excluidos.tsx'
import { type AcaoDaLista, ListaDeUsuarios } from './lista-de-usuarios.tsx'
import { NovoUsuario } from './novo-usuario.tsx'
import { Paginas } from './paginas.tsx'
import { VerUsuario } from './ver-usuario.tsx'

export function UsuariosAba() {
  const [filtro, mudarFiltro] = useFiltro()
  const [janela, setJanela] = useState<{ readonly acao: AcaoDaLista; readonly usuario: UsuarioAdmin } | null>(null)
  const [criando, setCriando] = useState(false)
  // One dialog can replace another: closing the first must not close the second.
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
        <Busca
          rotulo="Buscar por nome, e-mail, telefone ou empresa"
          dica="Nome, e-mail, telefone ou empresa"
          busca={filtro.busca}
          onMudar={(busca) => mudarFiltro({ busca })}
        />
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
      <Resultado filtro={filtro} onMudar={mudarFiltro} onAcao={(acao, usuario) => setJanela({ acao, usuario })} />
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

interface ResultadoProps {
  readonly filtro: Filtro
  readonly onMudar: (mudanca: Partial<Filtro>) => void
  readonly onAcao: (acao: AcaoDaLista, usuario: UsuarioAdmin) => void
}

function Resultado({ filtro, onMudar, onAcao }: ResultadoProps) {
  const { data, isPending, error, refetch, isPlaceholderData } = useUsuarios(filtro)
  if (error !== null && data === undefined) {
    return (
      <div className="card">
        <ErrorState mensagem={error.message} onTentar={() => void refetch()} />
      </div>
    )
  }
  if (isPending || data === undefined) return <Esqueleto />
  if (data.total === 0 && !isPlaceholderData) return <Vazia filtro={filtro} onMudar={onMudar} />
  const excluidos = filtro.status === 'excluido'
  return (
    <div className={`grid gap-4 ${isPlaceholderData ? 'opacity-60' : ''}`} aria-busy={isPlaceholderData}>
      {excluidos ? (
        <ListaDeExcluidos usuarios={data.usuarios.filter(({ excluidoEm }) => excluidoEm !== undefined)} />
      ) : (
        <ListaDeUsuarios
          usuarios={data.usuarios}
          ordem={filtro.ordem}
          onOrdem={(ordem) => onMudar({ ordem })}
          onAcao={onAcao}
        />
      )}
      <Paginas filtro={filtro} total={data.total} onIr={(pagina) => onMudar({ pagina })} />
    </div>
  )
}

function Vazia({ filtro, onMudar }: Pick<ResultadoProps, 'filtro' | 'onMudar'>) {
  const limpar = <Button onClick={() => onMudar({ busca: '', status: 'todos' })}>Limpar</Button>
  return (
    <div className="card">
      {filtro.status === 'excluido' && filtro.busca === '' ? (
        <EmptyState titulo="Nenhuma conta excluída" icone={<Trash2 size={22} aria-hidden />}>
          Uma conta excluída fica aqui por {EXCLUSAO_DIAS} dias e pode voltar como era.
        </EmptyState>
      ) : filtro.busca !== '' || filtro.status !== 'todos' ? (
        <EmptyState titulo="Nada com este filtro" acao={limpar} />
      ) : (
        <EmptyState titulo="Ninguém se cadastrou ainda" icone={<Users size={22} aria-hidden />}>
          Os novos cadastros aparecem aqui, esperando a sua aprovação.
        </EmptyState>
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
