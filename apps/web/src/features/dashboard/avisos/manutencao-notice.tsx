import { Link } from '@tanstack/react-router'
import { ManutencaoBanner } from '#shared/ui/manutencao-banner.tsx'

/** Shown on all tabs except logs, which has its own banner with the switch. */
export function ManutencaoNotice() {
  return (
    <div className="mb-4 in-[main:has([data-tela-cheia])]:m-2">
      <ManutencaoBanner
        acao={
          <Link to="/dashboard" search={{ aba: 'logs' }} className="font-semibold underline">
            Abrir a aba Logs
          </Link>
        }
      />
    </div>
  )
}
