import { Link } from '@tanstack/react-router'
import { FaixaDeManutencao } from '#shared/ui/faixa-de-manutencao.tsx'

/** Over every tab while the bot is silent: the tab logs has the switch, and says it in its own place. */
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
