import type { AdminStats, Atividade } from '@balcao/contract/entities/admin'
import type { UsuarioAdmin } from '@balcao/contract/entities/usuario'
import { Link } from '@tanstack/react-router'
import { Bot, MessageSquareText, TrendingDown, TrendingUp, UserCheck, Users } from 'lucide-react'
import { useRef, type ReactNode } from 'react'
import { formatDateTime, formatNumber, formatPercent } from '#shared/format.ts'
import { Notice } from '#shared/ui/notice.tsx'
import { StatCard } from '#shared/ui/stat-card.tsx'
import { EmptyState, ErrorState, Skeleton } from '#shared/ui/states.tsx'
import { useApproveWithPlano, useChangeStatus } from './usuarios/usuario-actions.ts'
import {
  PENDING_USUARIOS,
  PENDING_USUARIOS_MAX,
  useActivity,
  useAdminStats,
  useSistema,
  useUsuarios,
} from './admin-queries.ts'
import { AUDITORIA_ACTION_LABEL } from './auditoria/auditoria-labels.ts'
import { ApproveWithPlano, StatusAction, UsuarioIdentity } from './usuarios/usuario-parts.tsx'

export function DashboardTab() {
  return (
    <div className="grid gap-5">
      <StuckMails />
      <PendingApproval />
      <Figures />
      <RecentActivity />
    </div>
  )
}

/** Without a mail server the administrator hands the links over. */
function StuckMails() {
  const { data } = useSistema()
  if (data === undefined || data.emails.servidor || data.emails.esperando === 0) return null
  const { esperando } = data.emails
  return (
    <Notice tone="espera" title={esperando === 1 ? '1 e-mail parado' : `${formatNumber(esperando)} e-mails parados`}>
      Nenhum servidor de e-mail está configurado.{' '}
      <Link to="/admin" search={{ aba: 'configuracoes' }} className="font-semibold underline">
        Ver os e-mails
      </Link>
    </Notice>
  )
}

function PendingApproval() {
  const { data } = useUsuarios(PENDING_USUARIOS, PENDING_USUARIOS_MAX)
  const update = useChangeStatus()
  const approve = useApproveWithPlano()
  const title = useRef<HTMLHeadingElement>(null)
  const pending = (data?.usuarios ?? []).filter(({ status }) => status === 'pendente')
  /** The row disappears with its buttons. The focus moves to the title, or to the page after the last row. */
  const focusNext = (): void => {
    const next = pending.length > 1 ? title.current : document.getElementById('conteudo')
    next?.focus({ preventScroll: true })
  }
  if (pending.length === 0) return null
  return (
    <section className="card overflow-hidden">
      <h2
        ref={title}
        tabIndex={-1}
        className="flex items-center gap-2 border-b border-line bg-warn-soft px-4 py-3 text-lg font-bold text-warn-ink outline-none"
      >
        Aguardando aprovação ({formatNumber(data?.total ?? pending.length)})
      </h2>
      <ul className="max-h-[22rem] divide-y divide-line overflow-y-auto">
        {pending.map((usuario) => (
          <UsuarioRow key={usuario.id} usuario={usuario}>
            <span className="flex flex-wrap justify-end gap-2">
              <ApproveWithPlano
                usuario={usuario}
                className="min-h-11 sm:min-h-10"
                onApprove={(quem, plano) => {
                  focusNext()
                  return approve(quem, plano)
                }}
              />
              <StatusAction
                usuario={usuario}
                className="min-h-11 sm:min-h-10"
                onChangeStatus={(quem, active) => {
                  focusNext()
                  return update(quem, active)
                }}
              />
            </span>
          </UsuarioRow>
        ))}
      </ul>
    </section>
  )
}

function UsuarioRow({ usuario, children }: { usuario: UsuarioAdmin; children: ReactNode }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 px-4 py-3">
      <UsuarioIdentity usuario={usuario} />
      <span className="ml-auto flex items-center gap-4">
        <time dateTime={usuario.dataCriacao} className="text-sm text-muted tabular-nums max-sm:hidden">
          {formatDateTime(usuario.dataCriacao)}
        </time>
        {children}
      </span>
    </li>
  )
}

const CARDS = [
  { chave: 'totalUsuarios', rotulo: 'Total de usuários', Icone: Users },
  { chave: 'usuariosAtivos', rotulo: 'Usuários ativos', Icone: UserCheck },
  { chave: 'botsAtivos', rotulo: 'Bots ativos', Icone: Bot },
  { chave: 'mensagensHoje', rotulo: 'Mensagens hoje', Icone: MessageSquareText },
] as const

function Figures() {
  const { data: stats, isPending, error, refetch } = useAdminStats()
  if (error !== null && stats === undefined) {
    return (
      <div className="card">
        <ErrorState message={error.message} onRetry={() => void refetch()} />
      </div>
    )
  }
  return (
    <section aria-label="Números" className="grid grid-cols-2 gap-3 xl:grid-cols-4" aria-busy={isPending}>
      {CARDS.map(({ chave, rotulo, Icone }) => (
        <StatCard
          key={chave}
          label={rotulo}
          icon={<Icone size={18} aria-hidden className="flex-none max-sm:hidden" />}
          value={
            stats === undefined ? (
              <span aria-hidden className="skeleton my-1 block h-7 w-16" />
            ) : (
              formatNumber(stats[chave])
            )
          }
          detail={stats === undefined ? undefined : <Trends stats={stats} card={chave} />}
        />
      ))}
    </section>
  )
}

type CardKey = (typeof CARDS)[number]['chave']

/** Weekly comparison per card. `botsAtivos` has none, because it is a live value. */
function weeklyTrendOf({ tendenciasSemana, mensagensSemana }: AdminStats, key: CardKey): [number | null, string] {
  switch (key) {
    case 'totalUsuarios':
    case 'usuariosAtivos':
      return [tendenciasSemana[key], 'em uma semana']
    case 'mensagensHoje':
      return [tendenciasSemana.mensagens, `na semana (${formatNumber(mensagensSemana)})`]
    case 'botsAtivos':
      return [null, '']
    default:
      return key satisfies never
  }
}

function Trends({ stats, card }: { stats: AdminStats; card: CardKey }) {
  const [week, words] = weeklyTrendOf(stats, card)
  if (stats.tendencias[card] === null && week === null) return <>Ainda sem comparação</>
  return (
    <>
      <Trend percent={stats.tendencias[card]} since="desde ontem" />
      <Trend percent={week} since={words} />
    </>
  )
}

function Trend({ percent, since }: { percent: number | null; since: string }) {
  if (percent === null) return null
  const Seta = percent > 0 ? TrendingUp : TrendingDown
  return (
    <span className="flex flex-wrap items-center gap-x-1.5">
      <span
        className={`inline-flex items-center gap-1 font-bold ${percent < 0 ? 'text-danger-ink' : 'text-brand-ink'}`}
      >
        {percent !== 0 && <Seta size={16} aria-hidden />}
        {`${percent > 0 ? '+' : ''}${formatPercent(percent)}`}
      </span>
      {since}
    </span>
  )
}

function RecentActivity() {
  const { data, isPending, error, refetch } = useActivity()
  return (
    <section className="card overflow-hidden" aria-labelledby="recentes">
      <div className="flex items-center justify-between gap-3 border-b border-line py-1.5 pr-1.5 pl-4">
        <h2 id="recentes" className="text-lg font-bold">
          Atividade recente
        </h2>
        <Link to="/admin" search={{ aba: 'auditoria' }} className="btn btn-ghost min-h-11">
          Ver tudo
        </Link>
      </div>
      {error !== null && data === undefined ? (
        <ErrorState message={error.message} onRetry={() => void refetch()} />
      ) : data?.length === 0 ? (
        <EmptyState title="Ninguém se cadastrou ainda" icon={<Users size={22} aria-hidden />}>
          O que os usuários fazem aparece aqui.
        </EmptyState>
      ) : (
        <ul className="divide-y divide-line" aria-busy={isPending}>
          {isPending &&
            [1, 2, 3, 4, 5].map((line) => (
              <li key={line} className="flex items-center gap-3 px-4 py-3">
                <Skeleton className="size-9 rounded-full" />
                <Skeleton className="h-9 w-48" />
              </li>
            ))}
          {data?.map((atividade) => (
            <ActivityRow key={atividade.usuario.id} atividade={atividade} />
          ))}
        </ul>
      )}
    </section>
  )
}

function ActivityRow({ atividade: { usuario, acao, proprio, em } }: { atividade: Atividade }) {
  return (
    <li className="flex items-center gap-3 px-4 py-3">
      <span
        aria-hidden
        className="grid size-9 flex-none place-items-center rounded-full bg-brand-soft font-bold text-brand-ink"
      >
        {usuario.nome.trim().slice(0, 1).toUpperCase()}
      </span>
      <div className="min-w-0 flex-1 gap-x-4 sm:flex sm:items-center sm:justify-between">
        <p className="min-w-0">
          <Link
            to="/admin"
            search={{ aba: 'auditoria', busca: usuario.email }}
            className="block truncate font-semibold hover:underline"
          >
            {usuario.nome}
          </Link>
          <span className="block text-sm text-muted">
            {AUDITORIA_ACTION_LABEL[acao]}
            {!proprio && ' por um administrador'}
          </span>
        </p>
        <time dateTime={em} className="block flex-none text-sm text-muted tabular-nums">
          {formatDateTime(em)}
        </time>
      </div>
    </li>
  )
}
