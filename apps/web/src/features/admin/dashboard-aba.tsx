import type { UsuarioAdmin } from '@balcao/contract/entities/usuario'
import { ATIVIDADE_RECENTE } from '@balcao/contract/constants'
import { Bot, MessageSquareText, UserCheck, Users } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatDateTime, formatNumber, formatPercent } from '#shared/format.ts'
import { StatCard } from '#shared/ui/stat-card.tsx'
import { ErrorState, Skeleton } from '#shared/ui/states.tsx'
import { useAlterarStatus, useStats, useUsuarios } from './dados.ts'
import { AcaoStatus, Quem, StatusDoUsuario } from './usuario-na-lista.tsx'

/** Measured, or not shown: a trend needs something to compare with. */
function tendencia(percentual: number | null): string | undefined {
  if (percentual === null) return undefined
  return `${percentual > 0 ? '+' : ''}${formatPercent(percentual)} que ontem a esta hora`
}

export function DashboardAba() {
  const { data: stats, isPending, error, refetch } = useStats()
  const { data } = useUsuarios('')
  const { alterar, ocupadoCom } = useAlterarStatus()
  const usuarios = data?.pages.flatMap((pagina) => pagina.usuarios) ?? []
  const pendentes = usuarios.filter(({ status }) => status === 'pendente')
  const linha = (usuario: UsuarioAdmin, comAcao: boolean) => (
    <li key={usuario.id} className="flex flex-wrap items-center justify-between gap-3 px-4 py-3">
      <Quem usuario={usuario} />
      <span className="flex items-center gap-3">
        <time dateTime={usuario.dataCriacao} className="text-sm text-muted tabular-nums max-sm:hidden">
          {formatDateTime(usuario.dataCriacao)}
        </time>
        {comAcao ? (
          <AcaoStatus
            usuario={usuario}
            ocupado={ocupadoCom === usuario.id}
            onAlterar={(ativo) => void alterar(usuario, ativo)}
          />
        ) : (
          <StatusDoUsuario usuario={usuario} />
        )}
      </span>
    </li>
  )
  return (
    <div className="grid gap-5">
      {pendentes.length > 0 && (
        <Secao titulo={`Aguardando aprovação (${pendentes.length})`}>
          {pendentes.map((usuario) => linha(usuario, true))}
        </Secao>
      )}
      {error !== null && stats === undefined ? (
        <ErrorState mensagem={error.message} onTentar={() => void refetch()} />
      ) : (
        <div className="grid gap-3 sm:grid-cols-2 xl:grid-cols-4" aria-busy={isPending}>
          {stats === undefined ? (
            [1, 2, 3, 4].map((cartao) => <Skeleton key={cartao} className="h-28 w-full" />)
          ) : (
            <>
              <StatCard
                rotulo="Total de usuários"
                valor={formatNumber(stats.totalUsuarios)}
                detalhe={tendencia(stats.tendencias.totalUsuarios)}
                icone={<Users size={18} aria-hidden />}
              />
              <StatCard
                rotulo="Usuários ativos"
                valor={formatNumber(stats.usuariosAtivos)}
                detalhe={tendencia(stats.tendencias.usuariosAtivos)}
                icone={<UserCheck size={18} aria-hidden />}
              />
              <StatCard
                rotulo="Bots ativos"
                valor={formatNumber(stats.botsAtivos)}
                detalhe={tendencia(stats.tendencias.botsAtivos)}
                icone={<Bot size={18} aria-hidden />}
              />
              <StatCard
                rotulo="Mensagens hoje"
                valor={formatNumber(stats.mensagensHoje)}
                detalhe={tendencia(stats.tendencias.mensagensHoje)}
                icone={<MessageSquareText size={18} aria-hidden />}
              />
            </>
          )}
        </div>
      )}
      {usuarios.length > 0 && (
        <Secao titulo="Atividade recente">
          {usuarios.slice(0, ATIVIDADE_RECENTE).map((usuario) => linha(usuario, false))}
        </Secao>
      )}
    </div>
  )
}

function Secao({ titulo, children }: { titulo: string; children: ReactNode }) {
  return (
    <section className="card overflow-hidden">
      <h2 className="border-b border-line px-4 py-3 text-lg font-bold">{titulo}</h2>
      <ul className="divide-y divide-line">{children}</ul>
    </section>
  )
}
