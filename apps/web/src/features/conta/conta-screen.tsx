import { Link } from '@tanstack/react-router'
import { ArrowLeft, KeyRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { TestMode } from '#shared/conexao/test-mode.tsx'
import { useTitle } from '#shared/hooks/use-title.ts'
import { useLoginSession } from '#shared/session.tsx'
import { Card } from '#shared/ui/card.tsx'
import { PageSpinner } from '#shared/ui/spinner.tsx'
import { ThemeToggle } from '#shared/ui/theme-toggle.tsx'
import { OwnDataCard } from './own-data-card.tsx'
import { PasswordCard } from './password-card.tsx'
import { SessionsCard } from './sessions-card.tsx'

interface ContaScreenProps {
  /** Passed in by the app, because features must not import each other. */
  readonly notices: ReactNode
  readonly availability: ReactNode
}

export function ContaScreen({ notices, availability }: ContaScreenProps) {
  const { usuario } = useLoginSession()
  useTitle('Minha conta')
  if (usuario === null) return <PageSpinner />
  const attends = usuario.tipo === 'admin' || usuario.componentesPermitidos.atendimentoHumano
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
        <h1 className="mr-auto text-lg font-bold">Minha conta</h1>
        <ThemeToggle />
      </header>
      <TestMode />
      <main
        id="conteudo"
        tabIndex={-1}
        className="mx-auto grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-5 p-3 pb-16 outline-none sm:p-6"
      >
        <OwnDataCard key={usuario.id} usuario={usuario} />
        <PasswordCard />
        {attends && (
          <Card heading="Avisos neste aparelho" actions={availability}>
            {notices}
          </Card>
        )}
        <SessionsCard />
        <Link to="/seguranca" className="btn btn-outline btn-touch justify-self-start">
          <KeyRound size={16} aria-hidden /> Verificação em duas etapas
        </Link>
      </main>
    </div>
  )
}
