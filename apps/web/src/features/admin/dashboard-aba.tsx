import { ATIVIDADE_RECENTE } from '@balcao/contract/constants'
import type { UsuarioAdmin } from '@balcao/contract/entities/usuario'
import { Link } from '@tanstack/react-router'
import { Bot, MessageSquareText, TrendingDown, TrendingUp, UserCheck, Users } from 'lucide-react'
import { useRef, type ReactNode } from 'react'
import { formatDateTime, formatNumber, formatPercent } from '#shared/format.ts'
import { StatCard } from '#shared/ui/stat-card.tsx'
import { EmptyState, ErrorState, Skeleton } from '#shared/ui/states.tsx'
import { useAlterarStatus } from './acoes.ts'
import { AGUARDANDO, TODOS_OS_USUARIOS, useStats, useUsuarios } from './dados.ts'
import { AcaoStatus, Quem, StatusDoUsuario } from './usuario-na-lista.tsx'

export function DashboardAba() {
  return (
    <div className="grid gap-5">
      <AguardandoAprovacao />
      <Numeros />
      <AtividadeRecente />
    </div>
  )
}

/** The daily job, first: who waits at the door. Nobody waiting, nothing shown. */
function AguardandoAprovacao() {
  const { data } = useUsuarios(AGUARDANDO)
  const alterar = useAlterarStatus()
  const titulo = useRef<HTMLHeadingElement>(null)
  const pendentes = (data?.pages.flatMap((pagina) => pagina.usuarios) ?? []).filter(
    ({ status }) => status === 'pendente',
  )
  if (pendentes.length === 0) return null
  const haMais = data?.pages.at(-1)?.proximoCursor !== undefined
  return (
    <section className="card overflow-hidden">
      <h2
        ref={titulo}
        tabIndex={-1}
        className="flex items-center gap-2 border-b border-line bg-warn-soft px-4 py-3 text-lg font-bold text-warn-ink outline-none"
      >
        Aguardando aprovação ({pendentes.length}
        {haMais && '+'})
      </h2>
      <ul className="max-h-[22rem] divide-y divide-line overflow-y-auto">
        {pendentes.map((usuario) => (
          <Linha key={usuario.id} usuario={usuario}>
            <AcaoStatus
              usuario={usuario}
              className="min-h-11 sm:min-h-10"
              onAlterar={(quem, ativo) => {
                // The row leaves with its button: the keyboard goes on from here.
                const proximo = pendentes.length > 1 ? titulo.current : document.getElementById('conteudo')
                proximo?.focus({ preventScroll: true })
                return alterar(quem, ativo)
              }}
            />
          </Linha>
        ))}
      </ul>
    </section>
  )
}

function Linha({ usuario, children }: { usuario: UsuarioAdmin; children: ReactNode }) {
  return (
    <li className="flex items-center justify-between gap-3 px-4 py-3">
      <Quem usuario={usuario} />
      <span className="flex flex-none items-center gap-4">
        <time dateTime={usuario.dataCriacao} className="text-sm text-muted tabular-nums max-sm:hidden">
          {formatDateTime(usuario.dataCriacao)}
        </time>
        {children}
      </span>
    </li>
  )
}

const CARTOES = [
  { chave: 'totalUsuarios', rotulo: 'Total de usuários', Icone: Users },
  { chave: 'usuariosAtivos', rotulo: 'Usuários ativos', Icone: UserCheck },
  { chave: 'botsAtivos', rotulo: 'Bots ativos', Icone: Bot },
  { chave: 'mensagensHoje', rotulo: 'Mensagens hoje', Icone: MessageSquareText },
] as const

function Numeros() {
  const { data: stats, isPending, error, refetch } = useStats()
  if (error !== null && stats === undefined) {
    return (
      <div className="card">
        <ErrorState mensagem={error.message} onTentar={() => void refetch()} />
      </div>
    )
  }
  return (
    <section aria-label="Números" className="grid grid-cols-2 gap-3 xl:grid-cols-4" aria-busy={isPending}>
      {CARTOES.map(({ chave, rotulo, Icone }) => (
        <StatCard
          key={chave}
          rotulo={rotulo}
          icone={<Icone size={18} aria-hidden className="flex-none max-sm:hidden" />}
          valor={
            stats === undefined ? (
              <span aria-hidden className="skeleton my-1 block h-7 w-16" />
            ) : (
              formatNumber(stats[chave])
            )
          }
          detalhe={stats === undefined ? undefined : tendencia(stats.tendencias[chave])}
        />
      ))}
    </section>
  )
}

/** Measured against the same hour of yesterday, or not shown: a trend needs something to compare with. */
function tendencia(percentual: number | null): ReactNode {
  if (percentual === null) return undefined
  const Seta = percentual > 0 ? TrendingUp : TrendingDown
  return (
    <span className="flex flex-wrap items-center gap-x-1.5">
      <span
        className={`inline-flex items-center gap-1 font-bold ${percentual < 0 ? 'text-danger-ink' : 'text-brand-ink'}`}
      >
        {percentual !== 0 && <Seta size={16} aria-hidden />}
        {`${percentual > 0 ? '+' : ''}${formatPercent(percentual)}`}
      </span>
      desde ontem
    </span>
  )
}

function AtividadeRecente() {
  const { data, isPending, error, refetch } = useUsuarios(TODOS_OS_USUARIOS)
  const recentes = (data?.pages[0]?.usuarios ?? []).slice(0, ATIVIDADE_RECENTE)
  return (
    <section className="card overflow-hidden" aria-labelledby="recentes">
      <div className="flex items-center justify-between gap-3 border-b border-line py-1.5 pr-1.5 pl-4">
        <h2 id="recentes" className="text-lg font-bold">
          Atividade recente
        </h2>
        <Link to="/admin" search={{ aba: 'usuarios' }} className="btn btn-ghost min-h-11">
          Ver todos
        </Link>
      </div>
      {error !== null && data === undefined ? (
        <ErrorState mensagem={error.message} onTentar={() => void refetch()} />
      ) : !isPending && recentes.length === 0 ? (
        <EmptyState titulo="Ninguém se cadastrou ainda" icone={<Users size={22} aria-hidden />}>
          Os novos cadastros aparecem aqui.
        </EmptyState>
      ) : (
        <ul className="divide-y divide-line" aria-busy={isPending}>
          {isPending &&
            [1, 2, 3, 4, 5].map((linha) => (
              <li key={linha} className="flex items-center gap-3 px-4 py-3">
                <Skeleton className="size-9 rounded-full" />
                <Skeleton className="h-9 w-48" />
              </li>
            ))}
          {recentes.map((usuario) => (
            <Linha key={usuario.id} usuario={usuario}>
              <StatusDoUsuario usuario={usuario} />
            </Linha>
          ))}
        </ul>
      )}
    </section>
  )
}
