import { Moon, Sun } from 'lucide-react'
import { Logo } from '#shared/ui/logo.tsx'

const LINK = 'rounded-lg px-2 py-2 text-[0.9rem] font-semibold hover:bg-sunken sm:px-3'

/** On narrow screens the two anchors are hidden; the hero's button also leads to Recursos. */
export function LandingTopBar() {
  return (
    <header className="sticky top-0 z-20 border-b border-line bg-bg">
      <nav aria-label="Principal" className="mx-auto flex h-16 max-w-6xl items-center gap-1 px-3 sm:px-6">
        <a href="/" aria-label="Balcão, início" className="mr-auto flex items-center rounded-lg">
          <Logo />
        </a>
        <a href="#recursos" className={`${LINK} hidden md:block`}>
          Recursos
        </a>
        <a href="#planos" className={`${LINK} hidden md:block`}>
          Planos
        </a>
        <button type="button" data-tema className="btn btn-ghost btn-icon" aria-label="Alternar tema claro e escuro">
          <Moon size={18} aria-hidden className="dark:hidden" />
          <Sun size={18} aria-hidden className="hidden dark:block" />
        </button>
        <a href="/login" className={LINK}>
          Entrar
        </a>
        <a href="/register" className="btn btn-primary max-sm:px-3">
          Criar conta
        </a>
      </nav>
    </header>
  )
}
