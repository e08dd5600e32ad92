import { Link } from '@tanstack/react-router'
import { Activity, ArrowRight, KeyRound, LayoutDashboard, LogOut, ScrollText, Settings, Users } from 'lucide-react'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { notify } from '#shared/avisos.ts'
import { useTitle } from '#shared/hooks/use-title.ts'
import { useLoginSession } from '#shared/session.tsx'
import { TEXTS } from '#shared/texts.ts'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { LogoMark } from '#shared/ui/logo.tsx'
import { PageSpinner } from '#shared/ui/spinner.tsx'
import { ThemeToggle } from '#shared/ui/theme-toggle.tsx'
import { type AdminTab, useAdminTab } from './admin-search.ts'
import { DashboardTab } from './dashboard-tab.tsx'

const ADMIN_MENU = [
  { id: 'dashboard', rotulo: 'Dashboard', Icone: LayoutDashboard },
  { id: 'usuarios', rotulo: 'Usuários', Icone: Users },
  { id: 'auditoria', rotulo: 'Auditoria', Icone: ScrollText },
  { id: 'sistema', rotulo: 'Sistema', Icone: Activity },
  { id: 'configuracoes', rotulo: 'Configurações', Icone: Settings },
] as const

const UsuariosTab = lazy(async () => ({ default: (await import('./usuarios/usuarios-tab.tsx')).UsuariosTab }))
const AuditoriaTab = lazy(async () => ({ default: (await import('./auditoria/auditoria-tab.tsx')).AuditoriaTab }))
const SistemaTab = lazy(async () => ({ default: (await import('./sistema/sistema-tab.tsx')).SistemaTab }))
const ConfiguracoesTab = lazy(async () => ({
  default: (await import('./sistema/configuracoes-tab.tsx')).ConfiguracoesTab,
}))

const CONTENT: Readonly<Record<AdminTab, React.ComponentType>> = {
  dashboard: DashboardTab,
  usuarios: UsuariosTab,
  auditoria: AuditoriaTab,
  sistema: SistemaTab,
  configuracoes: ConfiguracoesTab,
}

export function AdminScreen() {
  const { usuario } = useLoginSession()
  const current = useAdminTab()
  const label = ADMIN_MENU.find(({ id }) => id === current)?.rotulo ?? ''
  useTitle(`${label} · Administração`)
  if (usuario === null) return <PageSpinner />
  const Content = CONTENT[current]
  return (
    <div className="min-h-dvh">
      <a href="#conteudo" className="skip btn btn-primary">
        Pular para o conteúdo
      </a>
      <AdminHeader current={current} />
      <main id="conteudo" tabIndex={-1} className="mx-auto max-w-6xl p-3 pb-16 outline-none sm:p-6">
        <Suspense fallback={<PageSpinner />}>
          <Content />
        </Suspense>
      </main>
    </div>
  )
}

function AdminHeader({ current }: { current: AdminTab }) {
  const { logout } = useLoginSession()
  const nav = useRef<HTMLElement>(null)
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [current])
  const leave = (): void => {
    logout()
    notify.sucesso(TEXTS.logout)
  }
  return (
    <header className="sticky top-0 z-20 border-b border-line bg-bg">
      <div className="mx-auto flex h-14 max-w-6xl items-center gap-1 px-3 sm:gap-2 sm:px-6">
        <span className="max-sm:hidden">
          <LogoMark />
        </span>
        <h1 className="mr-auto min-w-0 truncate text-lg font-bold">Administração</h1>
        <Link to="/dashboard" className="btn btn-ghost min-h-11 px-2 sm:px-4">
          <span className="max-sm:sr-only">Ir para o painel</span>
          <span aria-hidden className="sm:hidden">
            Painel
          </span>
          <ArrowRight size={16} aria-hidden />
        </Link>
        <Link to="/seguranca" aria-label="Segurança" data-tip="Segurança" className="btn btn-icon btn-ghost tip">
          <KeyRound size={18} aria-hidden />
        </Link>
        <ThemeToggle />
        <IconButton label="Sair" icon={<LogOut size={18} aria-hidden />} onClick={leave} />
      </div>
      <nav
        ref={nav}
        aria-label="Administração"
        className="mx-auto flex max-w-6xl overflow-x-auto px-1 sm:gap-1 sm:px-3"
      >
        {ADMIN_MENU.map(({ id, rotulo, Icone }) => (
          <Link
            key={id}
            to="/admin"
            search={{ aba: id }}
            aria-current={id === current ? 'page' : undefined}
            className="flex min-h-11 flex-none items-center gap-2 border-b-2 border-transparent px-2 text-sm font-semibold text-muted aria-[current=page]:border-brand aria-[current=page]:text-brand-ink sm:px-3"
          >
            <Icone size={16} aria-hidden className="max-sm:hidden" />
            {rotulo}
          </Link>
        ))}
      </nav>
    </header>
  )
}
