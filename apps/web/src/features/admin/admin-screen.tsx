import { Link, useSearch } from '@tanstack/react-router'
import { LayoutDashboard, LogOut, Settings, Users } from 'lucide-react'
import { useEffect } from 'react'
import { avisar } from '#shared/avisos.ts'
import { useSessao } from '#shared/session.tsx'
import { TEXTOS } from '#shared/textos.ts'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { LogoMark } from '#shared/ui/logo.tsx'
import { PageSpinner } from '#shared/ui/spinner.tsx'
import { ThemeToggle } from '#shared/ui/theme-toggle.tsx'
import { ConfiguracoesAba } from './configuracoes-aba.tsx'
import { DashboardAba } from './dashboard-aba.tsx'
import { UsuariosAba } from './usuarios-aba.tsx'

const ABAS = [
  { id: 'dashboard', rotulo: 'Dashboard', icone: LayoutDashboard, Conteudo: DashboardAba },
  { id: 'usuarios', rotulo: 'Usuários', icone: Users, Conteudo: UsuariosAba },
  { id: 'configuracoes', rotulo: 'Configurações', icone: Settings, Conteudo: ConfiguracoesAba },
] as const

/** `/admin`: who uses the product, and by which rules (spec §2 "Admin panel"). */
export function AdminScreen() {
  const { usuario, logout } = useSessao()
  const { aba } = useSearch({ strict: false })
  const atual = ABAS.find(({ id }) => id === aba) ?? ABAS[0]
  useEffect(() => {
    document.title = `${atual.rotulo} · Administração · Balcão`
  }, [atual])
  if (usuario === null) return <PageSpinner />
  const sair = async (): Promise<void> => {
    await logout()
    avisar.sucesso(TEXTOS.logout)
  }
  return (
    <div className="min-h-dvh">
      <a href="#conteudo" className="skip btn btn-primary">
        Pular para o conteúdo
      </a>
      <header className="sticky top-0 z-20 border-b border-line bg-bg">
        <div className="mx-auto flex h-14 max-w-6xl items-center gap-2 px-3 sm:px-6">
          <LogoMark />
          <h1 className="mr-auto text-lg font-bold">Administração</h1>
          <Link to="/dashboard" search={{ aba: 'geral' }} className="btn btn-ghost">
            Ir para o painel
          </Link>
          <ThemeToggle />
          <IconButton rotulo="Sair" icone={<LogOut size={18} aria-hidden />} onClick={() => void sair()} />
        </div>
        <nav aria-label="Administração" className="mx-auto flex max-w-6xl gap-1 px-2 sm:px-5">
          {ABAS.map(({ id, rotulo, icone: Icone }) => (
            <Link
              key={id}
              to="/admin"
              search={{ aba: id }}
              aria-current={id === atual.id ? 'page' : undefined}
              className="flex min-h-11 items-center gap-2 border-b-2 border-transparent px-2 text-sm font-semibold text-muted aria-[current=page]:border-brand aria-[current=page]:text-brand-ink sm:px-3"
            >
              <Icone size={16} aria-hidden className="max-sm:hidden" />
              {rotulo}
            </Link>
          ))}
        </nav>
      </header>
      <main id="conteudo" tabIndex={-1} className="mx-auto max-w-6xl p-3 outline-none sm:p-6">
        <atual.Conteudo />
      </main>
    </div>
  )
}
