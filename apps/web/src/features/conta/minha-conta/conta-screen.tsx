import { Link } from '@tanstack/react-router'
import { KeyRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTitle } from '#shared/hooks/use-title.ts'
import { useLoginSession } from '#shared/session.tsx'
import { Card } from '#shared/ui/card.tsx'
import { PageSpinner } from '#shared/ui/spinner.tsx'
import { InstallCard } from './install-card.tsx'
import { OwnDataCard } from './own-data-card.tsx'
import { PageFrame } from '#features/conta/page-frame.tsx'
import { PasswordCard } from './password-card.tsx'
import { SessionsCard } from '#features/conta/sessions-card.tsx'

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
    <PageFrame title="Minha conta" home={usuario.tipo === 'admin' ? '/admin' : '/dashboard'}>
      <OwnDataCard key={usuario.id} usuario={usuario} />
      <PasswordCard />
      {attends && (
        <Card heading="Avisos neste aparelho" actions={availability}>
          {notices}
        </Card>
      )}
      <InstallCard />
      <SessionsCard />
      <Link to="/seguranca" className="btn btn-outline btn-touch justify-self-start">
        <KeyRound size={16} aria-hidden /> Verificação em duas etapas
      </Link>
    </PageFrame>
  )
}
