import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useTitle } from '#shared/hooks/use-title.ts'
import { useLoginSession } from '#shared/session.tsx'
import { PageSpinner } from '#shared/ui/spinner.tsx'
import { ThemeToggle } from '#shared/ui/theme-toggle.tsx'
import { PasskeysCard } from './passkeys-card.tsx'
import { RulesCard } from './rules-card.tsx'
import { SecondFactorCard } from './second-factor-card.tsx'
import { SessionsCard } from './sessions-card.tsx'

/** The person's own access: second factor, passkeys and sessions. The owner also sets the rules of the account. */
export function SegurancaScreen() {
  const { usuario } = useLoginSession()
  useTitle('Segurança')
  if (usuario === null) return <PageSpinner />
  return (
    <div className="min-h-dvh">
      <a href="#conteudo" className="skip btn btn-primary">
        Pular para o conteúdo
      </a>
      <header className="sticky top-0 z-20 flex h-14 items-center gap-2 border-b border-line bg-bg px-2 sm:px-6">
        <Link to={usuario.tipo === 'admin' ? '/admin' : '/dashboard'} className="btn btn-ghost min-h-11">
          <ArrowLeft size={18} aria-hidden />
          <span className="max-sm:sr-only">Voltar ao painel</span>
        </Link>
        <h1 className="mr-auto text-lg font-bold">Segurança</h1>
        <ThemeToggle />
      </header>
      <main
        id="conteudo"
        tabIndex={-1}
        className="mx-auto grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-5 p-3 pb-16 outline-none sm:p-6"
      >
        <SecondFactorCard />
        <PasskeysCard />
        <SessionsCard />
        {usuario.tipo === 'usuario' && <RulesCard />}
      </main>
    </div>
  )
}
