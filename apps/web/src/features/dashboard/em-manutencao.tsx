import { Link } from '@tanstack/react-router'
import { FaixaDeManutencao } from '#shared/ui/faixa-de-manutencao.tsx'

/** Shown on all tabs except logs, which has its own banner with the switch. */
export function EmManutencao() {
  return (
    <div className="mb-4">
      <FaixaDeManutencao
        acao={
          <Link to="/dashboard" search={{ aba: 'logs' }} className="font-semibold underline">
            Abrir a aba Logs
          </Link>
        }
      />
    </div>
  )
}
